package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/puremetal/puremetal/mtl/internal/abi"
)

func TestTheGeneratedFileIsWhatTheTableGivesNow(t *testing.T) {
	want, err := generate(abi.Load())
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../" + file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
		t.Errorf("mtl/%s is stale: run go generate ./mtl", file)
	}
}

func TestWhatTheGeneratorSaysOfNamesIsOfNamesInTheTable(t *testing.T) {
	names := make(map[string]bool)
	for _, e := range abi.Load().Enums {
		names[e.Name] = true
		for _, v := range e.Values {
			names[v.Name] = true
		}
	}
	for _, m := range []map[string]string{renamed, dropped, notes, pages} {
		for name := range m {
			if !names[name] {
				t.Errorf("the table has no %s", name)
			}
		}
	}
}

func TestEveryEnumerationIsGeneratedOrLeftOutForAReason(t *testing.T) {
	seen := make(map[string]int)
	for _, e := range enums {
		seen[e.metal]++
	}
	for _, names := range leftOut {
		for _, name := range names {
			seen[name]++
		}
	}
	table := abi.Load().Enums
	for name := range table {
		if seen[name] != 1 {
			t.Errorf("%s is mentioned %d times, want once", name, seen[name])
		}
	}
	if len(seen) != len(table) {
		t.Errorf("%d are mentioned, the table has %d", len(seen), len(table))
	}
	t.Logf("%d of %d enumerations are in mtl", len(enums), len(table))
}
