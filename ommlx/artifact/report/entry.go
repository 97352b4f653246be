// Package report turns kept results into the figures and tables of the paper: their list, the jobs they need, and their
// files.
package report

import (
	"fmt"
	"slices"
	"strings"

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
	// Content is a [Planned] if the entry needs trainings.
	Content Content
	// Partial means that Content leaves missing results blank.
	Partial bool
	// Small is the base name of its files under the quick and smoke profiles if their data differ from the paper's; ""
	// means Name.
	Small string
	// Aside marks entries that the quick profile trains only if they are requested by name.
	Aside bool
	// Has reports whether a JSON file of the entry is usable; nil means always. See [Entry.Read].
	Has func(text []byte) bool
	// Last marks an entry that reads other entries' files and is written after them.
	Last bool
}

// Content writes a figure or a table.
type Content interface {
	// Write writes it from the kept results: at least one seed of each job, or of any job if Partial.
	Write(*run.Lab) error
}

// Planned is content that needs trainings.
type Planned interface {
	Content
	// Jobs lists the trainings under a profile without running them.
	Jobs(run.Profile) ([]run.Job, error)
}

// Exhibit draws the results of experiments of one type.
type Exhibit[E run.Experiment[E, R], R run.Judged] interface {
	Experiments(run.Profile) []E
	// Draw writes the results, as returned by [Gather].
	Draw(*run.Lab, []*run.Result[E, R], Origin) error
}

// Of returns the entry with an exhibit as its Content.
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

// Trains reports whether the entry needs trainings. An entry without trainings is the same under every profile.
func (e Entry) Trains() bool {
	_, trains := e.Content.(Planned)
	return trains
}

// Command returns the command that makes the entry at the paper's scale.
func (e Entry) Command() string { return e.CommandOf(run.Paper) }

// CommandOf returns the command that makes the entry under a profile.
func (e Entry) CommandOf(p run.Profile) string {
	if p == run.Quick {
		return fmt.Sprintf("make %s ONLY=%s", e.Kind, e.Short)
	}
	return fmt.Sprintf("make %s PROFILE=%s ONLY=%s", e.Kind, p, e.Short)
}

// Jobs lists the trainings that the entry needs under a profile.
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
	var short []string
	for _, e := range entries {
		short = append(short, e.Short)
	}
	for _, name := range names {
		i := slices.IndexFunc(entries, func(e Entry) bool { return name == e.Short || name == e.Name })
		if i < 0 {
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
