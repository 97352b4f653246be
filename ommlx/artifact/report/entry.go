// Package report turns kept results into the figures and tables of the paper: what there is, which jobs it takes, and
// how it is written.
package report

import (
	"fmt"
	"slices"
	"strings"

	"omm-go/ommlx/artifact/run"
)

// Kind tells figures from tables.
type Kind string

// The kinds, named as their folders and commands.
const (
	Figure Kind = "figures"
	Table  Kind = "tables"
)

// Entry is one figure or table of the paper.
type Entry struct {
	Kind  Kind
	Name  string // as in the names of its files at the paper's scale
	Short string // what ONLY= takes
	About string // one line
	Look  string // what to look at in a figure, one sentence
	// Content is what it shows: [Planned] if it takes trainings.
	Content Content
	// Partial means that Content leaves blank what has no result.
	Partial bool
	// Small names its files under the profiles of minutes and seconds, if their data are not the paper's; "" for Name.
	Small string
	// Aside marks entries that the quick profile trains only if they are requested by name.
	Aside bool
	// Has reports whether a JSON file of the entry has what its reader needs; nil for always. See [Entry.Read].
	Has func(text []byte) bool
	// Last marks an entry that reads the files of others and is written after them.
	Last bool
}

// Content writes a figure or a table.
type Content interface {
	// Write writes it from the kept results that are there: at least one seed of each job, or if Partial of any.
	Write(*run.Lab) error
}

// Planned is content that shows trainings.
type Planned interface {
	Content
	// Jobs lists the trainings under a profile. Nothing is computed.
	Jobs(run.Profile) ([]run.Job, error)
}

// Exhibit shows the results of experiments of one type.
type Exhibit[E run.Experiment[E, R], R run.Judged] interface {
	Experiments(run.Profile) []E
	// Draw writes the results, which are as [Gather] returns them.
	Draw(*run.Lab, []*run.Result[E, R], Origin) error
}

// Of completes an entry with what it shows.
func Of[E run.Experiment[E, R], R run.Judged](e Entry, x Exhibit[E, R]) Entry {
	e.Content = planned[E, R]{x}
	return e
}

// planned is an [Exhibit] as content.
type planned[E run.Experiment[E, R], R run.Judged] struct{ exhibit Exhibit[E, R] }

func (c planned[E, R]) Jobs(p run.Profile) ([]run.Job, error) {
	return run.NewJobs(c.exhibit.Experiments(p))
}

func (c planned[E, R]) Write(l *run.Lab) error {
	results, origin, err := Gather(l, c.exhibit.Experiments(l.Profile))
	if err != nil {
		return err
	}
	return c.exhibit.Draw(l, results, origin)
}

// Trains reports whether the entry takes trainings. One that does not is the same under every profile.
func (e Entry) Trains() bool {
	_, trains := e.Content.(Planned)
	return trains
}

// Command makes the entry at the paper's scale.
func (e Entry) Command() string { return e.CommandOf(run.Paper) }

// CommandOf makes the entry under a profile.
func (e Entry) CommandOf(p run.Profile) string {
	if p == run.Quick {
		return fmt.Sprintf("make %s ONLY=%s", e.Kind, e.Short)
	}
	return fmt.Sprintf("make %s PROFILE=%s ONLY=%s", e.Kind, p, e.Short)
}

// Jobs lists what the entry needs under a profile.
func (e Entry) Jobs(p run.Profile) ([]run.Job, error) {
	content, trains := e.Content.(Planned)
	if !trains {
		return nil, nil
	}
	jobs, err := content.Jobs(p)
	if err != nil {
		return nil, fmt.Errorf("planning %s: %w", e.Name, err)
	}
	return jobs, nil
}

// Plans lists what each of the entries needs under a profile, in their order.
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

// Select returns the entries of these names, short or in full, each once and not aside, or all of them without a name.
// The error lists what there is.
func Select(entries []Entry, names []string) (chosen []Entry, err error) {
	if len(names) == 0 {
		return entries, nil
	}
	var short []string
	for _, e := range entries {
		short = append(short, e.Short)
	}
	for _, name := range names {
		i := slices.IndexFunc(entries, func(e Entry) bool { return name == e.Short || name == e.Name })
		if i < 0 {
			return nil, fmt.Errorf("there is nothing called %q; choose one of %s", name, strings.Join(short, ", "))
		}
		if !slices.ContainsFunc(chosen, func(e Entry) bool { return e.Name == entries[i].Name }) {
			one := entries[i]
			one.Aside = false
			chosen = append(chosen, one)
		}
	}
	return chosen, nil
}
