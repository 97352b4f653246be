// Package report turns kept results into the figures and tables of the paper: their list, the jobs they need, and their
// files.
package report

import (
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

// Exhibit is one figure or table of the paper.
type Exhibit struct {
	Kind        Kind
	Name        string // base name of its files at the paper's scale
	ShortName   string // name for ONLY=, such as fig7
	Description string // one line
	Caption     string // what to look at in a figure, one sentence
	// Experiments lists the trainings under a profile. An exhibit without trainings, for which it is nil, is the same
	// under every profile and may read the files of exhibits with trainings.
	Experiments func(run.Profile) []run.Experiment
	// Draw returns the content from the kept results. It needs one seed of each experiment, or of any if Partial.
	Draw func(Kept) (Content, error)
	// Partial means that Draw leaves missing results blank.
	Partial bool
	// QuickName is the base name of its files under the quick and smoke profiles if their data differ from the paper's;
	// "" means Name.
	QuickName string
	// OnRequest marks exhibits that the quick profile trains only if they are requested by name.
	OnRequest bool
	// Suffices reports whether a JSON file has what a reader needs; nil means always. See [Exhibit.Read].
	Suffices func(text []byte) bool
}

// Kept is what an exhibit is drawn from.
type Kept struct {
	Head    Head   // with the name and the origin of the drawing
	Root    string // the checkout, for exhibits that read the files of others
	Profile run.Profile
	// Results has the kept seeds of each experiment, and nil for an experiment without any.
	Results []*run.Result
}

// Content is what an exhibit shows: a drawing or a table.
type Content struct {
	Data    any // its JSON
	Drawing draw.Drawing
	Text    Text
}

// OfRows completes an exhibit whose rows have one training each, with runs of one type. draw gets the rows and the
// result of each, nil for none.
func OfRows[T any, E run.Experiment, R run.Evaluated](x Exhibit, rows func(run.Profile) []T,
	training func(T, run.Profile) E, draw func(Kept, []T, []*run.Decoded[E, R]) (Content, error)) Exhibit {
	x.Experiments = func(p run.Profile) []run.Experiment {
		return xslices.Map(rows(p), func(row T) run.Experiment { return training(row, p) })
	}
	x.Draw = func(k Kept) (Content, error) {
		results, err := run.Decode[E, R](k.Results)
		if err != nil {
			return Content{}, err
		}
		return draw(k, rows(k.Profile), results)
	}
	return x
}

// Trains reports whether the exhibit needs trainings.
func (x Exhibit) Trains() bool { return x.Experiments != nil }

// CommandOf returns the command that makes the exhibit under a profile.
func (x Exhibit) CommandOf(p run.Profile) string {
	if p == run.Quick {
		return fmt.Sprintf("make %s ONLY=%s", x.Kind, x.ShortName)
	}
	return fmt.Sprintf("make %s PROFILE=%s ONLY=%s", x.Kind, p, x.ShortName)
}

// Planned lists the trainings that exhibits need under a profile.
func Planned(p run.Profile, exhibits ...Exhibit) (all []run.Experiment) {
	for _, x := range exhibits {
		if x.Trains() {
			all = append(all, x.Experiments(p)...)
		}
	}
	return all
}

// Select returns the exhibits with these names, short or full, each once and with OnRequest cleared. Without names it
// returns all exhibits.
func Select(exhibits []Exhibit, names []string) (chosen []Exhibit, err error) {
	if len(names) == 0 {
		return exhibits, nil
	}
	for _, name := range names {
		i := slices.IndexFunc(exhibits, func(x Exhibit) bool { return name == x.ShortName || name == x.Name })
		if i < 0 {
			short := xslices.Map(exhibits, func(x Exhibit) string { return x.ShortName })
			return nil, fmt.Errorf("no figure or table %q; use one of %s", name, strings.Join(short, ", "))
		}
		if !slices.ContainsFunc(chosen, func(x Exhibit) bool { return x.Name == exhibits[i].Name }) {
			one := exhibits[i]
			one.OnRequest = false
			chosen = append(chosen, one)
		}
	}
	return chosen, nil
}
