package soft

import "github.com/puremetal/puremetal/objc"

// retains notes that the command buffer uses an object, and reports whether the caller is to retain it: the command buffer
// releases it when it is done. Without retained references it only remembers it, to fail if it is gone when the work runs.
func (c *commandBuffer) retains(id objc.ID) bool {
	r := c.recording
	if c.unretained {
		r.unretained = append(r.unretained, id)
		return false
	}
	r.retained = append(r.retained, id)
	return true
}

// missing is the failure of a command buffer that did not retain what it uses, if that is gone.
func (r *recording) missing() *failure {
	for _, id := range r.unretained {
		if !objc.Exists(id) {
			return &failure{
				code:    commandBufferErrorInvalidResource,
				text:    "the command buffer does not retain what it uses, and an object that it uses has been released",
				between: true,
			}
		}
	}
	return nil
}
