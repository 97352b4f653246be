// Package run runs experiments and keeps their results: plan → train → result file. Package report draws and tabulates
// the results.
//
// An experiment is data. Its key is a hash of its JSON, so no result is computed twice, and changing a number makes
// another experiment.
package run

import (
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"omm-go/ommlx/train"
)

// Lab is a checkout in which experiments run.
type Lab struct {
	Root    string            // the checkout; results go to .omm/, figures and tables to figures/ and tables/
	Target  string            // folder for figures/ and tables/ instead of Root; may be ""
	Profile Profile           // recorded in every result
	Out     io.Writer         // progress and names of written files; nil for none
	Display func(line string) // receives progress instead of Out, see [train.Bar]; may be nil
	// KeptOnly draws the kept results and trains nothing.
	KeptOnly bool
	// CheckpointEvery is as in [train.Options].
	CheckpointEvery time.Duration

	work  work
	lines map[string]line // see [Lab.committed]; nil before the first read
}

// Say writes a line to Out.
func (l *Lab) Say(format string, args ...any) {
	if l.Out != nil {
		fmt.Fprintf(l.Out, format+"\n", args...)
	}
}

// work is the progress over several trainings, from which the remaining time is estimated.
type work struct {
	total, done float64 // estimated seconds, without kept results
	did         float64 // the part of done from this session, without resumed steps
	took        float64 // seconds that did really took, up to since
	since       time.Time
}

// Expect announces the runs to be trained, as [Lab.Open] lists them, so that progress shows the time left for all.
func (l *Lab) Expect(open []Job) { l.work = work{total: Seconds(open), since: time.Now()} }

// expectNoMore removes a job that another process trains.
func (l *Lab) expectNoMore(j Job) { l.work.total -= j.Cost.Seconds }

// bar returns the progress bar of one training. finished must be called after the training.
func (l *Lab) bar(label string, cost Cost) (show func(train.Status), finished func()) {
	w := &l.work
	resumed := 1.0 // the fraction from a checkpoint; all of it if no step is reported
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

// Profile is the scale of an experiment.
type Profile string

// The profiles.
const (
	Smoke Profile = "smoke" // seconds per experiment; shows that the program runs
	Quick Profile = "quick" // minutes in total on 2 cores; real training with fewer runs or steps than the paper
	Paper Profile = "paper" // the paper's numbers of runs and steps
)

// Profiles lists the profiles, the smallest first.
func Profiles() []Profile { return []Profile{Smoke, Quick, Paper} }

// ParseProfile returns the profile with a name. The error lists the valid names.
func ParseProfile(name string) (Profile, error) {
	if slices.Contains(Profiles(), Profile(name)) {
		return Profile(name), nil
	}
	return "", fmt.Errorf("unknown profile %q; use %s, %s or %s", name, Smoke, Quick, Paper)
}

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
