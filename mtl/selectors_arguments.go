package mtl

import "github.com/puremetal/puremetal/objc"

// What is sent to fill argument buffers.
var (
	// MTLDevice, MTLFunction
	selNewArgumentEncoderWithArguments   = objc.Sel("newArgumentEncoderWithArguments:", "@@:@")
	selNewArgumentEncoderWithBufferIndex = objc.Sel("newArgumentEncoderWithBufferIndex:", "@@:Q")

	// MTLArgumentDescriptor
	selSetDataType               = objc.Sel("setDataType:", "v@:Q")
	selSetIndex                  = objc.Sel("setIndex:", "v@:Q")
	selSetArrayLength            = objc.Sel("setArrayLength:", "v@:Q")
	selSetAccess                 = objc.Sel("setAccess:", "v@:Q")
	selSetConstantBlockAlignment = objc.Sel("setConstantBlockAlignment:", "v@:Q")

	// MTLArgumentEncoder
	selEncodedLength     = objc.Sel("encodedLength", "Q@:")
	selAlignment         = objc.Sel("alignment", "Q@:")
	selSetArgumentBuffer = objc.Sel("setArgumentBuffer:offset:", "v@:@Q")
)
