package pde

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
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

// drawn returns the result whose functions are drawn for one of Results: Shown or itself.
func (p *Pictures) drawn(r *Result) *Result {
	if p.Shown != nil && p.Shown.Config.Method == r.Config.Method {
		return p.Shown
	}
	return r
}

// Figure draws the modes as learned (for a single method), aligned and exact, and the wrong modes of the first run if
// another is shown. Where states differ in size, each column shows the part of the plane where its functions are not
// white.
func (p *Pictures) Figure() (*draw.Figure, error) {
	panels, results, err := p.panels()
	if err != nil {
		return nil, err
	}
	ends, err := p.crop(&panels, results)
	if err != nil {
		return nil, err
	}
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

// panels returns the rows with maps of the whole region, and the result of each row, nil for exact functions.
func (p *Pictures) panels() (panels draw.Panels, results []*Result, err error) {
	first := p.Results[0]
	_, lowest, err := first.Config.lowest(len(first.Picture))
	if err != nil {
		return panels, nil, err
	}
	panels.Note = report.Stamp(p.Note) + " Below maps: energies, and ± the largest value." + p.failed()
	add := func(r *Result, label string, titles []string, maps [][]float64) {
		panels.Rows = append(panels.Rows, draw.PanelRow{Label: label, Titles: titles, Maps: maps})
		results = append(results, r)
	}
	var exact [][]float64
	for _, r := range p.Results {
		r = p.drawn(r)
		var learned [][]float64
		if learned, exact, err = aligned(r); err != nil {
			return panels, nil, err
		}
		name, energies := MethodName(r.Config.Method), captions(r.Runs[0].Energies)
		if len(p.Results) == 1 {
			add(r, name+", as learned", energies, slices.Clone(r.Picture))
			energies = nil // of the functions as learned
		}
		add(r, name+", aligned", energies, learned)
	}
	add(nil, exactLabel, captions(lowest.Energies()), exact)
	if p.Shown == nil {
		return panels, results, nil
	}
	learned, _, err := aligned(first)
	if titles, maps, label := lost(first.Runs[0], learned); label != "" {
		add(first, label, titles, maps)
	}
	return panels, results, err
}

// crop numbers the columns and cuts their maps to the part that is not white: all in the same way, but a state that is
// smaller than the region in its own way. Each map is then on [−end, end]²; crop returns the ends. The first mode of
// such states is drawn as a profile up to |x| = end if its map has too few points.
func (p *Pictures) crop(panels *draw.Panels, results []*Result) (ends []string, err error) {
	config := p.Results[0].Config
	known := systems[config.System]
	half, all := known.region(config.K), make([]int, len(panels.Rows[0].Maps))
	for i := range all {
		all[i] = fewest
		for _, row := range panels.Rows {
			all[i] = max(all[i], coloured(row.Maps[i]))
		}
	}
	for i, points := range all {
		if known.region(i+1) == half {
			points = slices.Max(all)
		}
		panels.Head = append(panels.Head, strconv.Itoa(i+1))
		ends = append(ends, fmt.Sprintf("%.2g", half*float64(points-1)/pictureSide)) // the map ends at its last points
		for _, row := range panels.Rows {
			if row.Maps[i] != nil {
				row.Maps[i] = middle(row.Maps[i], points)
			}
		}
	}
	if all[0] > fewest {
		return ends, nil
	}
	ends[0] = strconv.Itoa(profileEnd)
	panels.Note += " Mode 1: its value against |x| up to h, over five decades below 1. Marks are the points of the " +
		"map, none closer to the nucleus; the line is exact."
	for i := range panels.Rows {
		img, err := profile(results[i], config)
		if err != nil {
			return nil, err
		}
		panels.Rows[i].Images, panels.Rows[i].Maps = append(panels.Rows[i].Images, img), panels.Rows[i].Maps[1:]
	}
	return ends, nil
}

const fewest = 4 // points along a side of a map

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
