package draw

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Fig1 is figure 1 of the paper (section 3.1): a block of rows for each environment and in it a row for each method,
// with its average cosine similarity. The smallest eigenvalues of each environment's Laplacian I − P stand on the
// right.
type Fig1 struct {
	// Note is printed under the figure: the profile and how it differs from the paper's protocol. It is required, so
	// that a quick run never looks like the paper's.
	Note         string
	Panels       []string          // titles of the panels of rows, one or two
	Environments []Fig1Environment // in drawing order, from the top
}

// Fig1Environment is one environment of figure 1.
type Fig1Environment struct {
	Name      string
	Generated bool        // the maze is ours, not the official layout; the figure says so
	Hard      bool        // one of the paper's hard instances; marked with x
	Spectrum  []float64   // the smallest eigenvalues of I − P, ascending; the first is 0
	Rows      [][]Fig1Row // for each panel the same methods in the same order; a panel may lack the last ones
}

// Fig1Row is the result of one method on one environment by one protocol.
type Fig1Row struct {
	Method    string
	Runs      []float64 // average cosine similarity of each run that finished, in [0, 1]
	Reference *float64  // mean of other people's runs by the same protocol, drawn open; nil: none known
	Diverged  int       // runs that diverged; they are not among Runs
	Beyond    bool      // goes beyond the paper: drawn on a ground of its own
	Steps     int       // training steps per run
	NotRun    bool      // never started: the row says "not run"
}

// Figure lays the figure out: 5.5 in wide, and for the paper's twelve environments and four methods about 7.5 in high.
// It is an error if an environment lacks a method, if a value is not finite or outside [0, 1], or if a spectrum is not
// one of I − P.
func (f Fig1) Figure() (*Figure, error) {
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("figure 1: %w", err)
	}
	l := newFig1Layout(f)
	return &Figure{Width: TextWidth, Height: l.height(), paint: l.paint}, nil
}

func (f Fig1) check() error {
	if strings.TrimSpace(f.Note) == "" {
		return errors.New("the note is empty: say which profile was run and how it differs from the paper's protocol")
	}
	if n := len(f.Panels); n < 1 || n > 2 || slices.Contains(f.Panels, "") {
		return fmt.Errorf("%d panels: give one or two, each with a title", n)
	}
	if len(f.Environments) == 0 {
		return errors.New("no environments to draw")
	}
	seen := map[string]bool{}
	for _, e := range f.Environments {
		if e.Name == "" || seen[e.Name] {
			return fmt.Errorf("environment name %q is empty or used twice", e.Name)
		}
		seen[e.Name] = true
		if len(e.Rows) != len(f.Panels) {
			return fmt.Errorf("%s: rows for %d panels, but there are %d titles", e.Name, len(e.Rows), len(f.Panels))
		}
		if err := e.check(f.Environments[0]); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	return nil
}

// check compares e with the first environment, which sets the methods and the number of eigenvalues.
func (e Fig1Environment) check(first Fig1Environment) error {
	same := func(a, b Fig1Row) bool { return a.Method == b.Method && a.Beyond == b.Beyond }
	for panel, rows := range e.Rows {
		if len(rows) == 0 {
			return errors.New("no rows to draw")
		}
		if len(rows) != len(first.Rows[panel]) || !slices.EqualFunc(rows, first.longest()[:len(rows)], same) {
			return fmt.Errorf("its methods differ from those of %s: give every environment and panel the same methods "+
				"in the same order, with NotRun where there is no run; a panel may lack the last ones", first.Name)
		}
		count := map[bool]int{}
		for i, r := range rows {
			if slices.ContainsFunc(rows[:i], func(other Fig1Row) bool { return other.Method == r.Method }) {
				return fmt.Errorf("method %q appears twice", r.Method)
			}
			if err := r.check(); err != nil {
				return fmt.Errorf("%s: %w", r.Method, err)
			}
			count[r.Beyond]++
		}
		if count[false] > len(paperStyles) || count[true] > len(beyondStyles) {
			return fmt.Errorf("%d methods and %d beyond the paper: at most %d and %d can be told apart",
				count[false], count[true], len(paperStyles), len(beyondStyles))
		}
	}
	return e.checkSpectrum(len(first.Spectrum))
}

// longest are the rows of the panel with the most methods.
func (e Fig1Environment) longest() []Fig1Row {
	return slices.MaxFunc(e.Rows, func(a, b []Fig1Row) int { return len(a) - len(b) })
}

func (r Fig1Row) check() error {
	if r.Diverged < 0 {
		return fmt.Errorf("%d diverged runs: the count cannot be negative", r.Diverged)
	}
	if (r.tried() == 0) != r.NotRun {
		return fmt.Errorf("NotRun is %v but there are %d runs: set NotRun exactly where there are none",
			r.NotRun, r.tried())
	}
	// Rounding may carry a perfect similarity past 1.
	outside := func(x float64) bool { return !(x >= 0 && x <= 1+1e-6) }
	for i, x := range r.Runs {
		if outside(x) {
			return fmt.Errorf("run %d has an average cosine similarity of %v, outside [0, 1]", i+1, x)
		}
	}
	if r.Reference != nil && outside(*r.Reference) {
		return fmt.Errorf("the reference is an average cosine similarity of %v, outside [0, 1]", *r.Reference)
	}
	return nil
}

// tried is the number of runs that were started.
func (r Fig1Row) tried() int { return len(r.Runs) + r.Diverged }

func (e Fig1Environment) checkSpectrum(want int) error {
	if len(e.Spectrum) != want || want < 2 {
		return fmt.Errorf("%d eigenvalues: give every environment the same number, at least 2", len(e.Spectrum))
	}
	for i, x := range e.Spectrum {
		switch {
		case math.IsNaN(x) || math.IsInf(x, 0):
			return fmt.Errorf("eigenvalue %d is %v, which is not a finite number", i+1, x)
		case i == 0 && math.Abs(x) >= zero:
			return fmt.Errorf("the first eigenvalue of I - P is %v, not 0", x)
		case x <= -zero:
			return fmt.Errorf("eigenvalue %d of I - P is %v: none can be negative", i+1, x)
		case i > 0 && x < e.Spectrum[i-1]-zero:
			return fmt.Errorf("eigenvalue %d is smaller than the one before it: sort them in ascending order", i+1)
		}
	}
	if e.Spectrum[want-1] < zero {
		return errors.New("all eigenvalues are 0: the environment has no moves")
	}
	return nil
}

// notes are the paragraphs under the figure; missing are what rows say but have no room for.
func (f Fig1) notes(low float64, missing []string) string {
	var rest []string
	add := func(format string, a ...any) { rest = append(rest, fmt.Sprintf(format, a...)) }
	if low > 0 {
		add("The axes of similarity begin at %.1f.", low)
	}
	if first, last := f.effort(0), f.effort(len(f.Panels)-1); first == last {
		add("Runs × steps per environment: %s.", first)
	} else {
		add("Runs × steps per environment, %s: %s; %s: %s.", f.Panels[0], first, f.Panels[1], last)
	}
	if slices.ContainsFunc(f.rows(), func(r Fig1Row) bool { return r.Diverged > 0 }) {
		add("Diverged runs are left out of the means.")
	}
	if len(missing) > 0 {
		add("There is no room in the row for: %s.", strings.Join(missing, "; "))
	}
	add("Right: the %d smallest eigenvalues of each environment, the first at the top; × where it is hard.",
		len(f.Environments[0].Spectrum))
	if slices.ContainsFunc(f.Environments, func(e Fig1Environment) bool { return e.Generated }) {
		add("%s: %s", standIn, strings.ToLower(oursSentence))
	}
	return f.Note + "\n" + strings.Join(rest, " ")
}

// rows are those of all environments and panels.
func (f Fig1) rows() (all []Fig1Row) {
	for _, e := range f.Environments {
		all = append(all, slices.Concat(e.Rows...)...)
	}
	return all
}

// effort says how many runs and steps each method of a panel really had.
func (f Fig1) effort(panel int) string {
	var parts []string
	for j, first := range f.Environments[0].Rows[panel] {
		var runs, steps []int
		for _, e := range f.Environments {
			if r := e.Rows[panel][j]; !r.NotRun {
				runs, steps = append(runs, r.tried()), append(steps, r.Steps)
			}
		}
		if len(runs) == 0 {
			parts = append(parts, first.Method+" not run")
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s×%s", first.Method, span(runs), span(steps)))
	}
	return strings.Join(parts, "; ")
}

func span(xs []int) string {
	lo, hi := slices.Min(xs), slices.Max(xs)
	if lo == hi {
		return thousands(lo)
	}
	return thousands(lo) + "–" + thousands(hi)
}

// standIn stands below the name of an environment whose maze is ours.
const standIn = "(stand-in)"

// oursSentence says what such a maze is, and oursNote what the star of [starred] is.
const (
	oursSentence = "Our maze of the same size; the official layout file was not at hand."
	oursNote     = "* " + oursSentence
)

// starred marks the name of an environment whose maze is ours.
func starred(name string, generated bool) string {
	if generated {
		return name + "*"
	}
	return name
}
