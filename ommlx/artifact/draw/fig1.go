package draw

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Fig1 is figure 1 of the paper (section 3.1): on the left the average cosine similarity of the learned eigenfunctions
// per environment and method, on the right the smallest eigenvalues of each environment's Laplacian I − P.
type Fig1 struct {
	// Note is printed under the figure: the profile and how it differs from the paper's protocol. It is required, so
	// that a quick run never looks like the paper's.
	Note         string
	Environments []Fig1Environment // in drawing order
}

// Fig1Environment is one environment of figure 1.
type Fig1Environment struct {
	Name      string
	Generated bool      // the maze is ours, not the official layout; the figure says so
	Hard      bool      // one of the paper's hard instances; marked with x
	Spectrum  []float64 // the smallest eigenvalues of I − P, ascending; the first is 0
	Bars      []Fig1Bar // the same methods in the same order for every environment
}

// Fig1Bar is the result of one method on one environment.
type Fig1Bar struct {
	Method   string
	Runs     []float64 // average cosine similarity of each run that finished, in [0, 1]
	Ritz     []float64 // the same after a Ritz step, for the runs that have one; drawn as the line of its mean
	Diverged int       // runs that diverged; they are not among Runs
	Beyond   bool      // goes beyond the paper: drawn apart and in another manner
	Steps    int       // training steps per run
	NotRun   bool      // never started: drawn as "not run", not as 0
}

// Looks of the bars. The luminances of the paper's methods are far apart, from dark to light; what goes beyond the
// paper is white with a heavy outline.
var (
	barStyles = []fillStyle{
		{fill: blue, outline: vgdraw.LineStyle{Color: ink, Width: hairline}},
		{fill: skyBlue, hatch: slashes, ink: ink, outline: vgdraw.LineStyle{Color: ink, Width: hairline}},
		{fill: yellow, hatch: dots, ink: ink, outline: vgdraw.LineStyle{Color: ink, Width: hairline}},
		{fill: grey, hatch: bars, ink: white, outline: vgdraw.LineStyle{Color: ink, Width: hairline}},
	}
	beyondStyles = []fillStyle{
		{fill: white, hatch: bars, ink: vermillion, outline: vgdraw.LineStyle{Color: vermillion, Width: 0.9}},
		{fill: white, outline: vgdraw.LineStyle{Color: green, Width: 0.9}},
	}
)

// series is one method's place and look within every group of bars.
type series struct {
	method string
	beyond bool
	style  fillStyle
	offset float64 // of the bar's centre from the group's, in groups
}

// Figure lays the figure out: 5.5 in wide, about 3.7 in high. It is an error if an environment lacks a method, if a
// value is not finite or outside [0, 1], or if a spectrum is not one of I − P.
func (f Fig1) Figure() (*Figure, error) {
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("figure 1: %w", err)
	}
	notes := wrap(strings.Join(f.notes(), "\n"), textStyle(smallSize, grey), TextWidth)
	height := 3.1*vg.Inch + vg.Length(len(notes))*lineHeight
	return &Figure{Width: TextWidth, Height: height, paint: func(c vgdraw.Canvas) {
		c = paintKeys(footer(c, notes), f.methodKeys())
		c.Max.Y -= 4
		const leftWidth, gutter = 3.42 * vg.Inch, 0.1 * vg.Inch
		left, right := c, c
		left.Max.X = c.Min.X + leftWidth
		right.Min.X = left.Max.X + gutter
		bottom, top := f.paintBars(left, f.spectrumFoot())
		f.paintSpectra(right, bottom, top)
	}}, nil
}

func (f Fig1) check() error {
	if strings.TrimSpace(f.Note) == "" {
		return errors.New("the note is empty: say which profile was run and how it differs from the paper's protocol")
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
		if err := e.check(f.Environments[0]); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	return nil
}

// check compares e with the first environment, which sets the methods and the number of eigenvalues.
func (e Fig1Environment) check(first Fig1Environment) error {
	if len(e.Bars) == 0 {
		return errors.New("no bars to draw")
	}
	same := func(a, b Fig1Bar) bool { return a.Method == b.Method && a.Beyond == b.Beyond }
	if !slices.EqualFunc(e.Bars, first.Bars, same) {
		return fmt.Errorf("its methods differ from those of %s: give every environment the same methods in the same "+
			"order, with NotRun where there is no run", first.Name)
	}
	count := map[bool]int{}
	for i, b := range e.Bars {
		if slices.ContainsFunc(e.Bars[:i], func(other Fig1Bar) bool { return other.Method == b.Method }) {
			return fmt.Errorf("method %q appears twice", b.Method)
		}
		if err := b.check(); err != nil {
			return fmt.Errorf("%s: %w", b.Method, err)
		}
		count[b.Beyond]++
	}
	if count[false] > len(barStyles) || count[true] > len(beyondStyles) {
		return fmt.Errorf("%d methods and %d beyond the paper: at most %d and %d can be told apart",
			count[false], count[true], len(barStyles), len(beyondStyles))
	}
	return e.checkSpectrum(len(first.Spectrum))
}

func (b Fig1Bar) check() error {
	if b.Diverged < 0 {
		return fmt.Errorf("%d diverged runs: the count cannot be negative", b.Diverged)
	}
	if ran := len(b.Runs) + b.Diverged; (ran == 0) != b.NotRun {
		return fmt.Errorf("NotRun is %v but there are %d runs: set NotRun exactly where there are none", b.NotRun, ran)
	}
	if len(b.Runs) == 0 {
		return nil
	}
	if _, _, err := meanStd(b.Runs); err != nil {
		return err
	}
	for i, x := range slices.Concat(b.Runs, b.Ritz) {
		if !(x >= 0 && x <= 1+1e-6) { // rounding may carry a perfect similarity past 1
			return fmt.Errorf("value %d is an average cosine similarity of %v, outside [0, 1]", i+1, x)
		}
	}
	return nil
}

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

const (
	barFill  = 0.84 // share of a group that is covered by bars and the gaps between them
	barApart = 0.45 // gap before a bar that goes beyond the paper, in bar widths
)

// series places the methods: the paper's touch, and what goes beyond stands apart.
func (f Fig1) series() []series {
	var all []series
	for _, beyond := range []bool{false, true} {
		styles := barStyles
		if beyond {
			styles = beyondStyles
		}
		n := 0
		for _, b := range f.Environments[0].Bars {
			if b.Beyond == beyond {
				all = append(all, series{method: b.Method, beyond: beyond, style: styles[n]})
				n++
			}
		}
	}
	width := f.barWidth()
	x := (width - barFill) / 2
	for i := range all {
		if i > 0 && all[i].beyond {
			x += barApart * width
		}
		all[i].offset = x
		x += width
	}
	return all
}

// barWidth is the width of a bar, in groups.
func (f Fig1) barWidth() float64 {
	bars, paper := f.Environments[0].Bars, 0
	for _, b := range bars {
		if !b.Beyond {
			paper++
		}
	}
	gaps := len(bars) - max(paper, 1)
	return barFill / (float64(len(bars)) + barApart*float64(gaps))
}

// notes are the lines under the figure.
func (f Fig1) notes() []string {
	lines := []string{f.Note, f.effort()}
	var generated, diverged []string
	for _, e := range f.Environments {
		if e.Generated {
			generated = append(generated, e.Name)
		}
		for _, b := range e.Bars {
			if b.Diverged > 0 {
				diverged = append(diverged,
					fmt.Sprintf("%s on %s %d of %d", b.Method, e.Name, b.Diverged, len(b.Runs)+b.Diverged))
			}
		}
	}
	if len(generated) > 0 {
		lines = append(lines, oursNote)
	}
	if len(diverged) > 0 {
		lines = append(lines, "Diverged runs, left out of the means: "+strings.Join(diverged, "; ")+".")
	}
	return lines
}

// effort says how many runs and steps each method really had.
func (f Fig1) effort() string {
	var parts []string
	for _, s := range f.series() {
		var runs, steps []int
		for _, e := range f.Environments {
			if b := e.bar(s.method); !b.NotRun {
				runs, steps = append(runs, len(b.Runs)+b.Diverged), append(steps, b.Steps)
			}
		}
		if len(runs) == 0 {
			parts = append(parts, s.method+" not run")
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s × %s", s.method, span(runs), span(steps)))
	}
	return "Runs × steps per environment: " + strings.Join(parts, "; ") + "."
}

func span(xs []int) string {
	lo, hi := slices.Min(xs), slices.Max(xs)
	if lo == hi {
		return thousands(lo)
	}
	return thousands(lo) + "–" + thousands(hi)
}

func (e Fig1Environment) bar(method string) Fig1Bar {
	return e.Bars[slices.IndexFunc(e.Bars, func(b Fig1Bar) bool { return b.Method == method })]
}

func (e Fig1Environment) label() string { return starred(e.Name, e.Generated) }

// oursNote says what the star of [starred] is.
const oursNote = "* Our maze of the same size; the official layout file was not at hand."

// starred marks the name of an environment whose maze is ours.
func starred(name string, generated bool) string {
	if generated {
		return name + "*"
	}
	return name
}
