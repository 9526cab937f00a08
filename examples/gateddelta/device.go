package main

import (
	"strconv"
	"strings"

	"github.com/puremetal/puremetal/mtl"
)

// pickDevice finds a device by what -device says.
func pickDevice(wanted string) (*mtl.Device, error) {
	if wanted == "" {
		return mtl.CreateSystemDefaultDevice()
	}
	all, err := mtl.CopyAllDevices()
	if err != nil {
		return nil, err
	}
	var picked *mtl.Device
	for _, d := range all {
		if picked == nil && matches(d, wanted) {
			picked = d
		} else {
			defer d.Release()
		}
	}
	if picked == nil {
		return nil, badInput("-device %s: no such device; there are %s", wanted, deviceNames(all))
	}
	return picked, nil
}

func matches(d *mtl.Device, wanted string) bool {
	switch strings.ToLower(wanted) {
	case "gpu":
		return !d.IsSoftware()
	case "software":
		return d.IsSoftware()
	}
	return strings.Contains(strings.ToLower(d.Name()), strings.ToLower(wanted))
}

func deviceNames(devices []*mtl.Device) string {
	names := make([]string, len(devices))
	for i, d := range devices {
		names[i] = strconv.Quote(d.Name())
	}
	return strings.Join(names, ", ")
}
