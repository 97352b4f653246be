// Package lab runs experiments and keeps their results: plan → train → result file. What is drawn and tabulated from
// the results is the business of package report.
//
// An experiment is data. Its JSON is its key, so a result that was computed once is not computed again, and a changed
// number is another experiment.
package lab

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"operator-omm/ommlx/train"
)

// Lab is where experiments are run and kept.
type Lab struct {
	Root    string    // the checkout: figures/ and tables/ are written there, results are kept in .omm/
	Profile Profile   // recorded in every result
	Out     io.Writer // progress and what was written; nil for silence
	Medium  train.Medium
	Display func(line string) // for train.Notebook
	// KeptOnly makes reports of what results there are, with fewer seeds than planned or none, and trains nothing.
	KeptOnly bool
	// Known lists what a profile has, whatever is asked for: its kept results correct estimates, as [Pace] says. It may
	// be nil.
	Known func(Profile) ([]Job, error)
	// CheckpointEvery is the time between checkpoints of a training, as in [train.Options].
	CheckpointEvery time.Duration

	work work
}

// Say writes a line to Out.
func (l *Lab) Say(format string, args ...any) {
	if l.Out != nil {
		fmt.Fprintf(l.Out, format+"\n", args...)
	}
}

func (l *Lab) resultPath(key string) string {
	return filepath.Join(l.Root, ".omm", "results", key+".json")
}

func (l *Lab) runDir(key string) string { return filepath.Join(l.Root, ".omm", "runs", key) }

// work tells how much of a job of many trainings is done, for the time left.
type work struct {
	total, done float64 // estimated seconds; what was kept before it began does not count
	began       time.Time
}

// Expect announces jobs that are about to be run, so that progress shows the time left for all of them. Kept results
// take none, and a job that is named twice counts once.
func (l *Lab) Expect(jobs []Job) error {
	l.work = work{began: time.Now()}
	counted := map[string]bool{}
	for _, j := range jobs {
		if counted[j.Key] {
			continue
		}
		counted[j.Key] = true
		rest, err := j.Missing(l)
		if err != nil {
			return err
		}
		l.work.total += rest.Cost.Seconds
	}
	return nil
}

// bar returns the progress of one training that is a part of the whole work; finished must be called after it.
func (l *Lab) bar(label string, cost Cost) (show func(train.Status), finished func()) {
	bar := &train.Bar{W: l.Out, Medium: l.Medium, Display: l.Display, Label: label}
	if l.work.total > cost.Seconds {
		bar.Work = func(fraction float64) (float64, time.Duration) {
			return (l.work.done + fraction*cost.Seconds) / l.work.total, time.Since(l.work.began)
		}
	}
	if show = bar.Show; l.Out == nil && l.Display == nil {
		show = nil
	}
	return show, func() { l.work.done += cost.Seconds }
}
