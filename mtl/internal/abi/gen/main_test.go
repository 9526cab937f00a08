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
