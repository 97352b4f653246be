// Package run runs experiments and keeps their results: plan → train → result file. Package report draws and tabulates
// the results.
//
// An experiment is data. Its key is a hash of its JSON, so no result is computed twice, and changing a number makes
// another experiment.
package run

import (
	"fmt"
	"io"
	"time"

	"github.com/gomlx/compute"

	"omm-go/ommlx/backend"
)

// Lab is a checkout in which experiments run.
type Lab struct {
	Root    string    // the checkout; results go to .omm/, figures and tables to figures/ and tables/
	Target  string    // folder for figures/ and tables/ instead of Root; may be ""
	Profile Profile   // recorded in every result
	Out     io.Writer // progress and names of written files; nil for none
	// KeptOnly draws the kept results and trains nothing.
	KeptOnly bool
	// PureGo trains on the pure-Go engine, which needs no compilation, for small trainings in tests.
	PureGo bool
	// IgnoreCommitted ignores committed results, but not those in .omm/results.
	IgnoreCommitted bool
	// CheckpointEvery is as in [train.Options].
	CheckpointEvery time.Duration

	worker int             // that trains side by side with others, from 0
	board  *board          // of the announced trainings; may be nil
	lines  map[string]line // see [Lab.committed]; nil before the first read
}

// Say writes a line to Out.
func (l *Lab) Say(format string, args ...any) {
	if l.Out == nil {
		return
	}
	if l.board != nil {
		l.board.mu.Lock()
		defer l.board.mu.Unlock()
		l.board.line.Clear()
	}
	fmt.Fprintf(l.Out, format+"\n", args...)
}

func (l *Lab) engine() (compute.Backend, backend.Choice, error) {
	if !l.PureGo {
		return backend.OpenFor(l.worker)
	}
	b, err := backend.PureGo()
	return b, backend.Choice{Kind: backend.KindGo}, err
}

// Profile is the scale of an experiment.
type Profile string

// The profiles.
const (
	Smoke Profile = "smoke" // seconds per experiment; shows that the program runs
	Quick Profile = "quick" // minutes in total on 2 cores; real training with fewer runs or steps than the paper
	Paper Profile = "paper" // the paper's numbers of runs and steps
)

// Set makes a profile a value of the command line, with String and Type. The error lists the valid names.
func (p *Profile) Set(name string) error {
	switch Profile(name) {
	case Smoke, Quick, Paper:
		*p = Profile(name)
		return nil
	}
	return fmt.Errorf("use %s, %s or %s", Smoke, Quick, Paper)
}

// String returns the name.
func (p *Profile) String() string { return string(*p) }

// Type names the type in the help of a flag.
func (p *Profile) Type() string { return "name" }

// Note returns the sentence under a figure or table that states the profile. less describes how a quick run is smaller
// than the paper's protocol, such as "fewer steps".
func (p Profile) Note(less string) string {
	switch p {
	case Paper:
		return "Paper profile: the paper's protocol."
	case Quick:
		return "Quick profile: real training with " + less + "."
	}
	return "Smoke profile: shows only that the program runs; the numbers mean nothing."
}
