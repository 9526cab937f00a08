package soft

import (
	"os"
	"sync/atomic"
	"testing"

	"github.com/puremetal/puremetal/soft/simt"
)

var checks atomic.Uint32

func init() { checks.Store(uint32(defaultChecks(os.Getenv("PUREMETAL_CHECKS"), testing.Testing()))) }

func defaultChecks(environment string, test bool) simt.Checks {
	switch {
	case environment == "0":
		return 0
	case environment == "1" || test:
		return simt.CheckAll
	}
	return simt.CheckBounds
}

// SetChecks chooses what kernels are held to, in command buffers committed from now on, and gives the former choice.
// Without CheckBounds a kernel that leaves its buffers goes unreported: what it reads there is 0 and what it writes is dropped.
// Safe for concurrent use.
func SetChecks(c simt.Checks) simt.Checks { return simt.Checks(checks.Swap(uint32(c))) }

// Checks is what kernels are held to. Safe for concurrent use.
func Checks() simt.Checks { return simt.Checks(checks.Load()) }
