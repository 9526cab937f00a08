package soft

import (
	"sync"
	"sync/atomic"

	"github.com/puremetal/puremetal/objc"
)

const (
	deviceName       = "Software Metal device"
	deviceRegistryID = 0x736f6674_6d746c00 // above the range of the kernel's own registry

	maxThreadsPerDimension = 1024
	maxThreadgroupMemory   = 32 << 10
	maxBufferLength        = 8 << 30
	workingSetSize         = 16 << 30
	threadExecutionWidth   = 32
)

// families are Apple1 to Apple7 and the common ones that such a GPU on a Mac has.
var families = map[int64]bool{
	1001: true, 1002: true, 1003: true, 1004: true, 1005: true, 1006: true, 1007: true, // MTLGPUFamilyApple1 to 7
	2002: true,                         // MTLGPUFamilyMac2
	3001: true, 3002: true, 3003: true, // MTLGPUFamilyCommon1 to 3
	5001: true, // MTLGPUFamilyMetal3
}

type device struct{ allocated atomic.Int64 }

var deviceClass *objc.Class

func init() {
	deviceClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLDevice",
		Instance: withMethods(map[objc.SEL]objc.Method{
			selName: func(_ *objc.Object, m *objc.Msg) {
				m.ReturnID(objc.Autorelease(objc.Software().NewString(deviceName)))
			},
			selRegistryID:       func(_ *objc.Object, m *objc.Msg) { m.Return(deviceRegistryID) },
			selSupportsFamily:   func(_ *objc.Object, m *objc.Msg) { m.ReturnBool(families[int64(m.Arg(0))]) },
			selHasUnifiedMemory: func(_ *objc.Object, m *objc.Msg) { m.ReturnBool(true) },
			selMaxThreadsPerThreadgroup: func(_ *objc.Object, m *objc.Msg) {
				m.ReturnStruct(maxThreadsPerDimension, maxThreadsPerDimension, maxThreadsPerDimension)
			},
			selMaxThreadgroupMemoryLength:   func(_ *objc.Object, m *objc.Msg) { m.Return(maxThreadgroupMemory) },
			selMaxBufferLength:              func(_ *objc.Object, m *objc.Msg) { m.Return(maxBufferLength) },
			selRecommendedMaxWorkingSetSize: func(_ *objc.Object, m *objc.Msg) { m.Return(workingSetSize) },
			selCurrentAllocatedSize: func(self *objc.Object, m *objc.Msg) {
				m.Return(uintptr(self.State.(*device).allocated.Load()))
			},
			selNewBufferWithLength:       newBufferWithLength,
			selNewBufferWithBytes:        newBufferWithBytes,
			selNewBufferWithBytesNoCopy:  newBufferWithBytesNoCopy,
			selNewLibraryWithSource:      newLibraryWithSource,
			selNewPipelineWithFunction:   newPipelineWithFunction,
			selNewPipelineWithDescriptor: newPipelineWithDescriptor,
			selNewLibraryWithData:        newLibraryWithData,
			selNewLibraryWithURL:         newLibraryWithURL,
			selNewLibraryWithSourceAsync: newLibraryWithSourceAsync,
			selNewPipelineAsync:          newPipelineAsync,
			selNewBinaryArchive:          newBinaryArchive,
			selNewIndirectCommandBuffer:  newIndirectCommandBuffer,
			selSupportsDynamicLibraries:  func(_ *objc.Object, m *objc.Msg) { m.ReturnBool(false) },
			selSupportsFunctionPointers:  func(_ *objc.Object, m *objc.Msg) { m.ReturnBool(false) },
			selNewCommandQueue:           func(_ *objc.Object, m *objc.Msg) { m.ReturnID(objc.NewObject(queueClass, new(queue))) },
		}, capabilityMethods, memoryMethods, counterMethods, residencyMethods, loaderMethods),
	})
}

// theDevice is the one software device. It lives as long as the process, as a GPU's does.
var theDevice = sync.OnceValue(func() objc.ID { return objc.NewObject(deviceClass, new(device)) })

func init() {
	objc.Software().RegisterFunc("MTLCreateSystemDefaultDevice", "@", func(m *objc.Msg) {
		m.ReturnID(objc.Retain(theDevice()))
	})
	objc.Software().RegisterFunc("MTLCopyAllDevices", "@", func(m *objc.Msg) {
		m.ReturnID(objc.NewArray([]objc.ID{theDevice()}))
	})
}
