// Package run runs experiments and keeps their results: plan → train → result file. Package
// report draws and tabulates the results.
//
// An experiment is data. Its JSON is its key, so a result that was computed once is not computed again, and a changed
// number is another experiment.
package run

import (
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"omm-go/ommlx/train"
)

// Lab is where experiments are run and kept.
type Lab struct {
	Root    string            // the checkout: figures/ and tables/ are written there, results are kept in .omm/
	Target  string            // where figures/ and tables/ are written instead; "" for Root
	Profile Profile           // recorded in every result
	Out     io.Writer         // progress and what was written; nil for silence
	Display func(line string) // takes progress instead of Out, see [train.Bar]; may be nil
	// KeptOnly makes reports of what results there are and trains nothing.
	KeptOnly bool
	// CheckpointEvery is the time between checkpoints of a training, as in [train.Options].
	CheckpointEvery time.Duration

	work  work
	lines map[string]line // see [Lab.committed]; nil: not read yet
}

// Say writes a line to Out.
func (l *Lab) Say(format string, args ...any) {
	if l.Out != nil {
		fmt.Fprintf(l.Out, format+"\n", args...)
	}
}

// work is how much of many trainings is done, for the time left.
type work struct {
	total, done float64 // estimated seconds; kept results do not count
	did         float64 // what this session did of it: not what a checkpoint had
	took        float64 // seconds for that, with all that belongs to it, up to since
	since       time.Time
}

// Expect announces runs that are about to be trained, as [Lab.Open] lists them, so that progress shows the time left
// for all of them.
func (l *Lab) Expect(open []Job) { l.work = work{total: Seconds(open), since: time.Now()} }

// expectNoMore takes off a job that another process does.
func (l *Lab) expectNoMore(j Job) { l.work.total -= j.Cost.Seconds }

// bar returns the progress of one training that is a part of the whole work; finished must be called after it.
func (l *Lab) bar(label string, cost Cost) (show func(train.Status), finished func()) {
	w := &l.work
	resumed := 1.0 // the fraction of it that a checkpoint had; all of it, if no step is reported
	bar := &train.Bar{W: l.Out, Display: l.Display, Label: label}
	if w.total > cost.Seconds {
		bar.Work = func(done, did float64, took time.Duration) (all float64, left time.Duration) {
			part := w.done + done*cost.Seconds
			if did = w.did + did*cost.Seconds; did > 0 {
				seconds := (w.took + took.Seconds()) * (w.total - part) / did
				left = time.Duration(min(seconds, math.MaxInt64/2e9) * float64(time.Second))
			}
			return part / w.total, left
		}
	}
	show = func(s train.Status) {
		resumed = float64(s.FirstStep) / float64(s.Steps)
		bar.Show(s)
	}
	if l.Out == nil && l.Display == nil {
		show = nil
	}
	return show, func() {
		now := time.Now()
		w.done, w.did = w.done+cost.Seconds, w.did+(1-resumed)*cost.Seconds
		w.took, w.since = w.took+now.Sub(w.since).Seconds(), now
	}
}

// Profile says how much is computed.
type Profile string

// The profiles.
const (
	Smoke Profile = "smoke" // seconds for each experiment; proves that the path works
	Quick Profile = "quick" // minutes in all on 2 cores; real training, fewer runs or steps than the paper
	Paper Profile = "paper" // the paper's own numbers of runs and steps
)

// Profiles lists them, the smallest first.
func Profiles() []Profile { return []Profile{Smoke, Quick, Paper} }

// ParseProfile returns the profile of that name, or an error that lists them.
func ParseProfile(name string) (Profile, error) {
	if slices.Contains(Profiles(), Profile(name)) {
		return Profile(name), nil
	}
	return "", fmt.Errorf("unknown profile %q; use %s, %s or %s", name, Smoke, Quick, Paper)
}

// Note is the sentence under a figure or table that keeps a quick run from passing for the paper's. less names what a
// quick run has less of than the paper's protocol.
func (p Profile) Note(less string) string {
	switch p {
	case Paper:
		return "Paper profile: the paper's protocol."
	case Quick:
		return "Quick profile: real training with " + less + "."
	}
	return "Smoke profile: shows only that the program runs; the numbers mean nothing."
}
