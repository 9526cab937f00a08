package objc

import "fmt"

// Error is an NSError, copied.
type Error struct {
	Domain      string
	Code        int
	Description string // localizedDescription
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%s %d)", e.Description, e.Domain, e.Code) }

var (
	selDomain               = Sel("domain", "@@:")
	selCode                 = Sel("code", "q@:")
	selUserInfo             = Sel("userInfo", "@@:")
	selLocalizedDescription = Sel("localizedDescription", "@@:")
)

// ErrorOf copies an NSError, nil for nil. An NSError that came through an out parameter is autoreleased: copy it
// before the pool is drained.
func ErrorOf(id ID) *Error {
	if id == 0 {
		return nil
	}
	var e *Error
	RuntimeOf(id).Pool(func() {
		e = &Error{
			Domain:      GoString(SendID(id, selDomain)),
			Code:        int(Send(id, selCode)),
			Description: GoString(SendID(id, selLocalizedDescription)),
		}
	})
	return e
}
