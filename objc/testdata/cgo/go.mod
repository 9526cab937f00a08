// A module of its own, so that nobody who uses puremetal sees cgo.
module github.com/puremetal/puremetal/objc/testdata/cgo

go 1.26
