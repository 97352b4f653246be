package pde

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
)

// Pictures is the JSON of a figure of learned eigenfunctions: figures 2, 5 and 7 of the paper. Results contain only the
// functions that are drawn.
type Pictures struct{ Numbers }

// picturedModes is the largest number of modes in a picture, as in figures 5 and 7 of the paper.
const picturedModes = 15

func newPictures(n Numbers) (draw.Drawing, error) {
	p := Pictures{n}
	p.Note += " The maps show the first run. Aligned means rotated within eigenspaces onto the exact functions. Each " +
		"function is scaled to root mean square 1. The maps of a mode, one above the other, share a colour scale " +
		"that ends at ± their largest |value|."
	p.Results = nil
	for _, r := range n.Results {
		if len(r.Picture) == 0 {
			return nil, fmt.Errorf("pde: %s: no functions of seed %d; train that run", r.Config.Label(), picturedSeed)
		}
		_, spectrum, err := r.Config.lowest(min(picturedModes, r.Config.K)) // whole eigenspaces, as alignment needs
		if err != nil {
			return nil, err
		}
		short := *r
		short.Picture = r.Picture[:min(len(spectrum.States), len(r.Picture))]
		p.Results = append(p.Results, &short)
	}
	p.Note += p.failed()
	return &p, nil
}

// aligned returns the functions of the picture, rotated within eigenspaces onto the exact ones, and the exact ones.
func aligned(r *Result) (learned, truth [][]float64, err error) {
	k := len(r.Picture)
	known, spectrum, err := r.Config.lowest(k)
	if err != nil {
		return nil, nil, err
	}
	q, err := schrodinger.Grid(2, pictureSide, known.region(r.Config.K))
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
	for i := range k {
		learned = append(learned, run.Digits(mat.Col(nil, i, rotated)))
		truth = append(truth, run.Digits(mat.Col(nil, i, target)))
	}
	return learned, truth, nil
}

// Figure draws the modes as learned (for a single method), aligned and exact. Each column shows the part of the plane
// where the states of its level are, of at least 8×8 points.
func (p *Pictures) Figure() (*draw.Figure, error) {
	first := p.Results[0]
	known, lowest, err := first.Config.lowest(len(first.Picture))
	if err != nil {
		return nil, err
	}
	var exact [][]float64
	rows := draw.Panels{Note: report.Stamp(p.Note) + " Below maps: energies. ±h: the map is on [−h, h]²." + p.failed()}
	for _, r := range p.Results {
		var learned [][]float64
		if learned, exact, err = aligned(r); err != nil {
			return nil, err
		}
		name, energies := MethodName(r.Config.Method), captions(r.Runs[0].Energies)
		if len(p.Results) == 1 {
			rows.Rows = append(rows.Rows, draw.PanelRow{Label: name + ", as learned", Titles: energies,
				Maps: slices.Clone(r.Picture)})
			energies = nil // of the functions as learned
		}
		rows.Rows = append(rows.Rows, draw.PanelRow{Label: name + ", aligned", Titles: energies, Maps: learned})
	}
	titles := captions(lowest.Energies())
	rows.Rows = append(rows.Rows, draw.PanelRow{Label: "exact", Titles: titles, Maps: exact})
	for i := range exact {
		half := known.region(first.Config.K)
		points := max(8, 2*int(math.Ceil(pictureSide/2*known.region(i+1)/half)))
		rows.Head = append(rows.Head, strconv.Itoa(i+1))
		titles[i] += fmt.Sprintf("\n±%.2g", half*float64(points)/pictureSide)
		for _, row := range rows.Rows {
			row.Maps[i] = middle(row.Maps[i], points)
		}
	}
	return rows.Figure()
}

// failed names the modes of the run shown that are far from the exact ones, and counts the runs with such modes.
func (p *Pictures) failed() (text string) {
	const far = 0.3 // radians
	for _, r := range p.Results {
		var modes []string // of the first run, which is shown
		runs := 0
		for i, one := range r.Finished() {
			for mode, angle := range one.Angles {
				if angle > far && i == 0 {
					modes = append(modes, strconv.Itoa(mode+1))
				}
			}
			if slices.Max(one.Angles) > far {
				runs++
			}
		}
		if runs > 0 {
			text += fmt.Sprintf(" %s: the run shown has seed %d. Its modes more than %g rad from the exact ones: %s. "+
				"Such modes appear in %d of %s.", MethodName(r.Config.Method), picturedSeed, far,
				cmp.Or(strings.Join(modes, ", "), "none"), runs, say.Count(len(r.Finished()), "run"))
		}
	}
	return text
}

// captions formats energies.
func captions(energies []float64) (all []string) {
	for _, e := range energies {
		all = append(all, fmt.Sprintf("%#.3g", e))
	}
	return all
}

// middle returns the part of a picture of that many points along a side around its centre.
func middle(m []float64, points int) (part []float64) {
	first := (pictureSide - points) / 2
	for i := first; i < first+points; i++ {
		part = append(part, m[i*pictureSide+first:][:points]...)
	}
	return part
}
