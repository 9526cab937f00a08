package mtl

import (
	"go/constant"
	"slices"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/mtl/internal/abi"
	"github.com/puremetal/puremetal/objc"
)

// typeOf gives the type of the table that a software class stands for: its protocol if it is a private class, as Metal's are, or a
// test's.
func typeOf(c *objc.Class) *abi.Type {
	return abi.Load().Types[strings.TrimPrefix(strings.TrimPrefix(c.Name(), "Software"), "Fake")]
}

// privateClasses are software classes that no header declares.
var privateClasses = []string{"NSBlock"}

// lookUp finds what a class, or its instances, declare for a selector.
func lookUp(c *objc.Class, toClass bool, sel objc.SEL) (*abi.Method, bool) {
	typ := typeOf(c)
	if typ == nil {
		return nil, false
	}
	table := abi.Load()
	if toClass {
		if m, ok := table.Method(typ.Name, "+"+sel.Name()); ok {
			return m, true
		}
		if m, ok := table.Method("NSObject", "+"+sel.Name()); ok { // the class behind a protocol
			return m, true
		}
		return table.Method("NSObject", "-"+sel.Name()) // a class object is an instance of the root too
	}
	if m, ok := table.Method(typ.Name, "-"+sel.Name()); ok {
		return m, true
	}
	return table.Method("NSObject", "-"+sel.Name()) // what conforms to a protocol is an instance of a class
}

// sameCall reports whether encodings differ in nothing but the sign of 64-bit integers: a selector that two types declare so is one
// in package objc.
func sameCall(a, b string) bool {
	return strings.ReplaceAll(a, "Q", "q") == strings.ReplaceAll(b, "Q", "q")
}

func TestSoftwareClassesAnswerWhatTheTableDeclaresAndNothingElse(t *testing.T) {
	methods := 0
	for name, c := range objc.Classes() {
		if slices.Contains(privateClasses, name) || strings.HasPrefix(name, "Fake") { // Fake: a test's
			continue
		}
		if typeOf(c) == nil {
			t.Errorf("the table has no class or protocol for %s", name)
			continue
		}
		instance, class := c.Selectors()
		for toClass, all := range map[bool][]objc.SEL{false: instance, true: class} {
			for _, sel := range all {
				methods++
				m, ok := lookUp(c, toClass, sel)
				if !ok {
					t.Errorf("%s answers %s, which the table does not have there (class method: %t)", name, sel.Name(), toClass)
				} else if !sameCall(m.Encoding, sel.Encoding()) {
					t.Errorf("%s answers %s with encoding %s, the table has %s", name, sel.Name(), sel.Encoding(), m.Encoding)
				}
			}
		}
	}
	if methods < 200 {
		t.Errorf("only %d methods were found", methods)
	}
}

func TestSoftwareFunctionsAndConstantsAreInTheTable(t *testing.T) {
	functions, constants := objc.SoftwareExports()
	if len(functions) == 0 || len(constants) == 0 {
		t.Error("there are none")
	}
	for name := range functions {
		if _, ok := abi.Load().Functions[name]; !ok {
			t.Errorf("the table has no function %s", name)
		}
	}
	for _, name := range constants {
		if _, ok := abi.Load().Constants[name]; !ok {
			t.Errorf("the table has no constant %s", name)
		}
	}
}

// softConstants maps constants of package soft to Metal's.
var softConstants = map[string]string{
	"storageModeShared": "MTLResourceStorageModeShared", "storageModePrivate": "MTLResourceStorageModePrivate",
	"statusNotEnqueued": "MTLCommandBufferStatusNotEnqueued", "statusCommitted": "MTLCommandBufferStatusCommitted",
	"statusScheduled": "MTLCommandBufferStatusScheduled", "statusCompleted": "MTLCommandBufferStatusCompleted", "statusError": "MTLCommandBufferStatusError",
	"barrierBuffers": "MTLBarrierScopeBuffers", "dispatchSerial": "MTLDispatchTypeSerial", "dispatchParallel": "MTLDispatchTypeConcurrent",
	"libraryErrorInternal": "MTLLibraryErrorInternal", "libraryErrorCompileFailure": "MTLLibraryErrorCompileFailure",
	"libraryErrorFunctionNotFound": "MTLLibraryErrorFunctionNotFound",
	"commandBufferErrorInternal":   "MTLCommandBufferErrorInternal", "commandBufferErrorTimeout": "MTLCommandBufferErrorTimeout",
	"commandBufferErrorPageFault": "MTLCommandBufferErrorPageFault",
	"mathModeSafe":                "MTLMathModeSafe", "mathModeFast": "MTLMathModeFast", "languageVersion3_1": "MTLLanguageVersion3_1",
	"libraryErrorUnsupported": "MTLLibraryErrorUnsupported", "libraryErrorFileNotFound": "MTLLibraryErrorFileNotFound",
	"libraryTypeExecutable": "MTLLibraryTypeExecutable", "dataTypeNone": "MTLDataTypeNone", "dataTypeStruct": "MTLDataTypeStruct",
	"binaryArchiveErrorInvalidFile": "MTLBinaryArchiveErrorInvalidFile", "binaryArchiveErrorCompilationFailure": "MTLBinaryArchiveErrorCompilationFailure",
	"bindingTypeBuffer": "MTLBindingTypeBuffer", "bindingTypeThreadgroupMemory": "MTLBindingTypeThreadgroupMemory",
	"bindingAccessReadOnly": "MTLBindingAccessReadOnly", "bindingAccessReadWrite": "MTLBindingAccessReadWrite",
	"pipelineOptionBindingInfo": "MTLPipelineOptionBindingInfo", "pipelineOptionBufferTypeInfo": "MTLPipelineOptionBufferTypeInfo",
	"indirectCommandDispatch": "MTLIndirectCommandTypeConcurrentDispatch", "indirectCommandDispatchThreads": "MTLIndirectCommandTypeConcurrentDispatchThreads",
	"samplingPointStage": "MTLCounterSamplingPointAtStageBoundary", "counterErrorMemory": "MTLCounterSampleBufferErrorOutOfMemory",
	"pipelineOptionFailOnMiss": "MTLPipelineOptionFailOnBinaryArchiveMiss",
	"functionTypeKernel":       "MTLFunctionTypeKernel",
	"statusEnqueued":           "MTLCommandBufferStatusEnqueued", "commandBufferErrorInvalidResource": "MTLCommandBufferErrorInvalidResource",
	"encoderStateCompleted": "MTLCommandEncoderErrorStateCompleted", "encoderStatePending": "MTLCommandEncoderErrorStatePending",
	"encoderStateFaulted": "MTLCommandEncoderErrorStateFaulted", "errorOptionEncoderStatus": "MTLCommandBufferErrorOptionEncoderExecutionStatus",
	"purgeableKeepCurrent": "MTLPurgeableStateKeepCurrent", "purgeableNonVolatile": "MTLPurgeableStateNonVolatile",
	"purgeableVolatile": "MTLPurgeableStateVolatile", "purgeableEmpty": "MTLPurgeableStateEmpty",
	"hazardTracked": "MTLHazardTrackingModeTracked", "hazardUntracked": "MTLHazardTrackingModeUntracked",
	"heapAutomatic": "MTLHeapTypeAutomatic", "heapPlacement": "MTLHeapTypePlacement",
	"usageRead": "MTLResourceUsageRead", "usageWrite": "MTLResourceUsageWrite", "usageSample": "MTLResourceUsageSample",
	"argumentBuffersTier1": "MTLArgumentBuffersTier1",
	"ioStatusPending":      "MTLIOStatusPending", "ioStatusCancelled": "MTLIOStatusCancelled", "ioStatusError": "MTLIOStatusError",
	"ioStatusComplete": "MTLIOStatusComplete", "ioErrorURLInvalid": "MTLIOErrorURLInvalid", "ioErrorInternal": "MTLIOErrorInternal",
	"ioQueueConcurrent": "MTLIOCommandQueueTypeConcurrent", "ioQueueSerial": "MTLIOCommandQueueTypeSerial", "ioPriorityNormal": "MTLIOPriorityNormal",
}

// enumerators gives the values of all enumerators of the table.
func enumerators() map[string]uint64 {
	all := make(map[string]uint64)
	for _, e := range abi.Load().Enums {
		for _, v := range e.Values {
			all[v.Name] = v.Value
		}
	}
	return all
}

func TestConstantsOfTheSoftwareDeviceAreMetals(t *testing.T) {
	have, want := read(t, "../soft").constants(), enumerators()
	for name, metal := range softConstants {
		v, ok := have[name]
		if !ok {
			t.Errorf("package soft has no constant %s", name)
			continue
		}
		w, ok := want[metal]
		if !ok {
			t.Errorf("the table has no %s", metal)
		}
		if got, exact := constant.Uint64Val(constant.ToInt(v)); !exact || got != w {
			t.Errorf("soft's %s is %s, %s is %d", name, v, metal, w)
		}
	}
	for name := range have {
		if _, ok := softConstants[name]; !ok {
			for _, prefix := range []string{"storageMode", "status", "barrier", "dispatch", "libraryError", "commandBufferError", "mathMode", "languageVersion", "functionType", "dataType"} {
				if strings.HasPrefix(name, prefix) && !slices.Contains([]string{"storageModeShift", "storageModeMask", "libraryErrorDomain", "commandBufferErrorDomain"}, name) {
					t.Errorf("soft's %s is not compared with Metal's", name)
				}
			}
		}
	}
}

func TestFamiliesOfTheSoftwareDeviceAreMetals(t *testing.T) {
	d := appendDevices(nil, objc.Software())[0]
	defer d.Release()
	values := make(map[uint64]bool)
	for _, v := range abi.Load().Enums["MTLGPUFamily"].Values {
		values[v.Value] = true
	}
	n := 0
	for f := range GPUFamily(10000) {
		if d.SupportsFamily(f) {
			if n++; !values[uint64(f)] {
				t.Errorf("supports family %d, which the table does not have", int(f))
			}
		}
	}
	if n == 0 {
		t.Error("supports no family")
	}
}
