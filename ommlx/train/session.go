package train

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Session says by what a training was carried on, from its start or a checkpoint to its end or the next interruption,
// in words of the caller's. The zero value says nothing.
type Session struct {
	Commit  string `json:"commit,omitempty"`  // of the build
	Engine  string `json:"engine,omitempty"`  // its kind and version
	Device  string `json:"device,omitempty"`  // what it ran on
	Devices int    `json:"devices,omitempty"` // how many of them
	Cores   int    `json:"cores,omitempty"`   // of the processor
}

// String describes the session in a line.
func (s Session) String() string {
	if s == (Session{}) {
		return "what was not recorded"
	}
	return fmt.Sprintf("commit %s with %s on %d × %s, %d core(s)", cmp.Or(s.Commit, "unknown"),
		cmp.Or(s.Engine, "an engine"), max(1, s.Devices), cmp.Or(strings.TrimSpace(s.Device), "a device"), s.Cores)
}

// enter adds the session of this process to those that carried the training on so far, and warns where it is another
// one: builds, engines and devices round in ways of their own, so the bits are then of none of them.
func (r *runner) enter() {
	s := r.options.Session
	if slices.Contains(r.sessions, s) {
		return
	}
	if len(r.sessions) > 0 {
		r.warn("this training was begun by %s and goes on from step %d by %s; its result will name both",
			r.sessions[0], r.step, s)
	}
	r.sessions = append(r.sessions, s)
}
