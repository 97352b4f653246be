// Package report turns kept results into the figures and tables of the paper: their list, the jobs they need, and their
// files.
package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
)

// Kind is figures or tables.
type Kind string

// The kinds, named as their folders and commands.
const (
	Figure Kind = "figures"
	Table  Kind = "tables"
)

// Entry is one figure or table of the paper.
type Entry struct {
	Kind  Kind
	Name  string // base name of its files at the paper's scale
	Short string // name for ONLY=
	About string // one line
	Look  string // what to look at in the figure, one sentence
	// Plan lists the trainings under a profile without running them; nil for an entry without trainings. See [Of].
	Plan func(run.Profile) ([]run.Job, error)
	// Show returns the content from the kept results. It needs one seed of each job, or of any job if Partial.
	Show func(*run.Lab) (Content, error)
	// Partial means that Show leaves missing results blank.
	Partial bool
	// Small is the base name of its files under the quick and smoke profiles if their data differ from the paper's; ""
	// means Name.
	Small string
	// Aside marks entries that the quick profile trains only if they are requested by name.
	Aside bool
	// Has reports whether a JSON file of the entry is usable; nil means always. See [Entry.Read].
	Has func(text []byte) bool
}

// Content is what an entry shows: a drawing or a table.
type Content struct {
	Data    any // its JSON
	Drawing draw.Drawing
	Text    Text
}

var errNotRun = errors.New("no kept result")

// Of completes an entry that shows the results of experiments of one type: experiments lists them under a profile, and
// show returns the content of their results, as returned by [Gather].
func Of[E run.Experiment[E, R], R run.Judged](e Entry, experiments func(run.Profile) []E,
	show func(run.Profile, []*run.Result[E, R], Origin) (Content, error)) Entry {
	e.Plan = func(p run.Profile) ([]run.Job, error) { return run.NewJobs(experiments(p)) }
	e.Show = func(l *run.Lab) (Content, error) {
		list := experiments(l.Profile)
		results, origin, err := Gather(l, list)
		if err != nil {
			return Content{}, err
		}
		kept := slices.ContainsFunc(results, func(r *run.Result[E, R]) bool { return r != nil })
		if i := slices.Index(results, nil); i >= 0 && !(e.Partial && kept) {
			return Content{}, fmt.Errorf("%w of %s; run `%s`", errNotRun, list[i].Label(), e.CommandOf(l.Profile))
		}
		return show(l.Profile, results, origin)
	}
	return e
}

// Untrained completes a figure that trains nothing: show returns its content from the committed files of a checkout.
// The figure is not made if a file is missing.
func Untrained(e Entry, show func(root string, origin Origin) (Content, error)) Entry {
	e.Kind = Figure
	e.Show = func(l *run.Lab) (Content, error) {
		origin, err := drawn(l)
		if err != nil {
			return Content{}, err
		}
		return show(l.Root, origin)
	}
	return e
}

// Trains reports whether the entry needs trainings. An entry without trainings is the same under every profile and may
// read the files of entries with trainings.
func (e Entry) Trains() bool { return e.Plan != nil }

// CommandOf returns the command that makes the entry under a profile.
func (e Entry) CommandOf(p run.Profile) string {
	if p == run.Quick {
		return fmt.Sprintf("make %s ONLY=%s", e.Kind, e.Short)
	}
	return fmt.Sprintf("make %s PROFILE=%s ONLY=%s", e.Kind, p, e.Short)
}

// Jobs lists the trainings that the entry needs under a profile.
func (e Entry) Jobs(p run.Profile) ([]run.Job, error) {
	if !e.Trains() {
		return nil, nil
	}
	jobs, err := e.Plan(p)
	if err != nil {
		return nil, fmt.Errorf("planning %s: %w", e.Name, err)
	}
	return jobs, nil
}

// Plans lists the jobs of each entry under a profile.
func Plans(entries []Entry, p run.Profile) ([][]run.Job, error) {
	plans := make([][]run.Job, len(entries))
	for i, e := range entries {
		var err error
		if plans[i], err = e.Jobs(p); err != nil {
			return nil, err
		}
	}
	return plans, nil
}

// Select returns the entries with these names, short or full, each once and with Aside cleared. Without names it
// returns all entries.
func Select(entries []Entry, names []string) (chosen []Entry, err error) {
	if len(names) == 0 {
		return entries, nil
	}
	for _, name := range names {
		i := slices.IndexFunc(entries, func(e Entry) bool { return name == e.Short || name == e.Name })
		if i < 0 {
			short := xslices.Map(entries, func(e Entry) string { return e.Short })
			return nil, fmt.Errorf("no figure or table %q; use one of %s", name, strings.Join(short, ", "))
		}
		if !slices.ContainsFunc(chosen, func(e Entry) bool { return e.Name == entries[i].Name }) {
			one := entries[i]
			one.Aside = false
			chosen = append(chosen, one)
		}
	}
	return chosen, nil
}
