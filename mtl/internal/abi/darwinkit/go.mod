module github.com/puremetal/puremetal/mtl/internal/abi/darwinkit

go 1.26

require github.com/puremetal/puremetal v0.0.0

require github.com/progrium/darwinkit v0.5.0

replace github.com/puremetal/puremetal => ../../../..
