package pde

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/spectral"
)

// Pictures is the JSON of a figure of learned eigenfunctions: figures 2, 5 and 7 of the paper. Results contain only the
// functions that are drawn.
type Pictures struct {
	Numbers
	// Shown is a run whose functions are drawn instead, because modes of the first run are wrong. Those modes of the
	// first run are drawn as well.
	Shown *Result `json:"shown,omitempty"`
}

// picturedModes is the largest number of modes in a picture, as in figures 5 and 7 of the paper.
const picturedModes = 15

// newPictures expects a result for each method and perhaps [Pictures].Shown.
func newPictures(n Numbers) (draw.Drawing, error) {
	p, results := Pictures{Numbers: n}, n.Results
	p.Results = nil
	for _, r := range results {
		if len(r.Picture) == 0 {
			return nil, fmt.Errorf("pde: %s: no functions of seed %d; train that run", r.Config.Label(), picturedSeed)
		}
		_, spectrum, err := r.Config.lowest(min(picturedModes, r.Config.K)) // whole eigenspaces, as alignment needs
		if err != nil {
			return nil, err
		}
		short := *r
		short.Picture = r.Picture[:min(len(spectrum.States), len(r.Picture))]
		if r.Config.Picture {
			p.Shown = &short
		} else {
			p.Results = append(p.Results, &short)
		}
	}
	which := "the first run"
	if p.Shown != nil {
		which = fmt.Sprintf("a repetition of the run of seed %d that kept its functions", p.Shown.Config.Seeds[0])
	}
	p.Note += " The maps show " + which + ". Aligned means rotated within eigenspaces onto the exact functions. The " +
		"colours of a map end at ± its largest |value|." + p.failed()
	return &p, nil
}

// aligned returns the functions of the picture, rotated within eigenspaces onto the exact ones, and the exact ones.
func aligned(r *Result) (learned, truth [][]float64, err error) {
	k := len(r.Picture)
	known, spectrum, err := r.Config.lowest(k)
	if err != nil {
		return nil, nil, err
	}
	q, err := Midpoint(2, pictureSide, known.region(r.Config.K))
	if err != nil {
		return nil, nil, err
	}
	exact, err := spectrum.OnPoints(q.Points)
	if err != nil {
		return nil, nil, err
	}
	functions := mat.NewDense(len(q.Weights), k, nil)
	for i, values := range r.Picture {
		functions.SetCol(i, values)
	}
	rotated, target, err := spectral.Align(exact, functions, q.Weights, spectrum.Spaces)
	if err != nil {
		return nil, nil, err
	}
	return columns(rotated, k), columns(target, k), nil
}

// columns returns the first k columns with the digits that a picture needs.
func columns(m mat.Matrix, k int) (all [][]float64) {
	for i := range k {
		all = append(all, run.Digits(mat.Col(nil, i, m)))
	}
	return all
}

// drawn lists the results whose functions are drawn, one for each of Results.
func (p *Pictures) drawn() []*Result {
	return xslices.Map(p.Results, func(r *Result) *Result {
		if p.shows(r) {
			return p.Shown
		}
		return r
	})
}

// shows reports whether Shown is drawn instead of a result.
func (p *Pictures) shows(r *Result) bool {
	return p.Shown != nil && p.Shown.Config.Method == r.Config.Method
}

// Figure draws the modes as learned (for a single method), aligned and exact, and the wrong modes of the first run if
// another is shown. Where states differ in size, each column shows the part of the plane where its functions are not
// white.
func (p *Pictures) Figure() (*draw.Figure, error) {
	panels, err := p.panels()
	if err != nil {
		return nil, err
	}
	ends := p.crop(&panels)
	if len(slices.Compact(slices.Clone(ends))) == 1 {
		panels.Note += fmt.Sprintf(" Maps are on [−%s, %s]².", ends[0], ends[0])
		return panels.Figure()
	}
	panels.Note += " h: the map is on [−h, h]²."
	exact := slices.IndexFunc(panels.Rows, func(row draw.PanelRow) bool { return row.Label == exactLabel })
	for i, end := range ends {
		panels.Rows[exact].Titles[i] += "\nh = " + end
	}
	return panels.Figure()
}

const exactLabel = "exact"

// panels returns the rows with maps of the whole region.
func (p *Pictures) panels() (panels draw.Panels, err error) {
	first, drawn := p.Results[0], p.drawn()
	_, lowest, err := first.Config.lowest(len(first.Picture))
	if err != nil {
		return panels, err
	}
	panels.Note = report.Stamp(p.Note) + " Below maps: energies, and ± the largest value." + p.failed()
	add := func(label string, titles []string, maps [][]float64) {
		panels.Rows = append(panels.Rows, draw.PanelRow{Label: label, Titles: titles, Maps: maps})
	}
	var exact [][]float64
	for _, r := range drawn {
		var learned [][]float64
		if learned, exact, err = aligned(r); err != nil {
			return panels, err
		}
		name, energies := MethodName(r.Config.Method), captions(r.Runs[0].Energies)
		if len(drawn) == 1 {
			add(name+", as learned", energies, slices.Clone(r.Picture))
			energies = nil // of the functions as learned
		}
		add(name+", aligned", energies, learned)
	}
	add(exactLabel, captions(lowest.Energies()), exact)
	if p.Shown == nil {
		return panels, nil
	}
	learned, _, err := aligned(first)
	titles, wrong := make([]string, len(learned)), make([][]float64, len(learned))
	for _, mode := range farModes(first.Runs[0]) {
		if mode < len(learned) {
			titles[mode], wrong[mode] = fmt.Sprintf("seed %d", picturedSeed), learned[mode]
		}
	}
	add("", titles, wrong)
	return panels, err
}

// crop numbers the columns and cuts their maps to the part that is not white where a state is smaller than the region.
// Each map is then on [−end, end]²; crop returns the ends.
func (p *Pictures) crop(panels *draw.Panels) (ends []string) {
	config := p.Results[0].Config
	known := systems[config.System]
	for i := range panels.Rows[0].Maps {
		half, points := known.region(config.K), pictureSide
		if known.region(i+1) < half {
			points = 4
			for _, row := range panels.Rows {
				points = max(points, coloured(row.Maps[i]))
			}
		}
		if points == 4 {
			panels.Note += fmt.Sprintf(" Mode %d is drawn from 4×4 points.", i+1)
		}
		panels.Head = append(panels.Head, strconv.Itoa(i+1))
		ends = append(ends, fmt.Sprintf("%.2g", half*float64(points-1)/pictureSide)) // the map ends at its last points
		for _, row := range panels.Rows {
			if row.Maps[i] != nil {
				row.Maps[i] = middle(row.Maps[i], points)
			}
		}
	}
	return ends
}

const far = 0.3 // radians between a wrong mode and the exact one

// farModes lists the wrong modes of a run, from 0.
func farModes(r Run) (modes []int) {
	for mode, angle := range r.Angles {
		if angle > far {
			modes = append(modes, mode)
		}
	}
	return modes
}

// numbered joins modes, counted from 1.
func numbered(modes []int) string {
	all := xslices.Map(modes, func(mode int) string { return strconv.Itoa(mode + 1) })
	return cmp.Or(strings.Join(all, ", "), "none")
}

// failed names the wrong modes of the run shown, and counts the runs with such modes.
func (p *Pictures) failed() (text string) {
	for i, r := range p.Results {
		runs := 0
		for _, one := range r.Finished() {
			if farModes(one) != nil {
				runs++
			}
		}
		if runs == 0 {
			continue
		}
		shown := p.drawn()[i].Runs[0]
		text += fmt.Sprintf(" %s: the run shown has seed %d. Its modes more than %g rad from the exact ones: %s. Such "+
			"modes appear in %d of %s", MethodName(r.Config.Method), shown.Seed, far, numbered(farModes(shown)), runs,
			say.Count(len(r.Finished()), "run"))
		if p.shows(r) {
			text += fmt.Sprintf(", among them %s of seed %d in the last row", numbered(farModes(r.Runs[0])),
				picturedSeed)
		}
		text += "."
	}
	return text
}

// captions formats energies.
func captions(energies []float64) []string {
	return xslices.Map(energies, func(e float64) string { return fmt.Sprintf("%#.3g", e) })
}

// coloured returns how many points along a side, around the centre, contain all of a map that is not drawn in white.
func coloured(m []float64) (points int) {
	white := floats.Norm(m, math.Inf(1)) / draw.PanelColours
	for p, value := range m {
		for _, at := range []int{p / pictureSide, p % pictureSide} {
			if math.Abs(value) > white {
				points = max(points, int(math.Abs(float64(2*at+1-pictureSide)))+1)
			}
		}
	}
	return points
}

// middle returns the part of a picture of that many points along a side around its centre.
func middle(m []float64, points int) (part []float64) {
	first := (pictureSide - points) / 2
	for i := first; i < first+points; i++ {
		part = append(part, m[i*pictureSide+first:][:points]...)
	}
	return part
}
