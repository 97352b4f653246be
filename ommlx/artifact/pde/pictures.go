package pde

import (
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/schrodinger"
	"operator-omm/ommlx/spectral"
)

// Pictures is the JSON of a figure of learned eigenfunctions: figures 2, 5 and 7 of the paper. Results have the
// functions that are drawn.
type Pictures Numbers

// picturedModes is how many modes a picture shows at the most, as figures 5 and 7 of the paper do.
const picturedModes = 15

func newPictures(s Numbers) (*Pictures, error) {
	p := Pictures(s)
	p.Note += " The first run; every panel has its own scale."
	p.Results = nil
	for _, r := range s.Results {
		known, err := r.Config.system()
		if err != nil {
			return nil, err
		}
		spectrum, err := known.Lowest(r.Config.K)
		if err != nil {
			return nil, err
		}
		short := *r
		for _, space := range spectrum.Spaces { // of which a part cannot be aligned
			if space.End >= picturedModes {
				short.Picture = r.Picture[:min(space.End, len(r.Picture))]
				break
			}
		}
		p.Results = append(p.Results, &short)
	}
	return &p, nil
}

// aligned returns the functions of the picture, rotated within eigenspaces onto the truth, and the truth.
func aligned(r *Result) (learned, truth [][]float64, err error) {
	known, err := r.Config.system()
	if err != nil {
		return nil, nil, err
	}
	k := len(r.Picture)
	spectrum, err := known.Lowest(k)
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
		if len(values) != len(q.Weights) {
			return nil, nil, fmt.Errorf("%s: function %d of its picture has %d values instead of %d; make it again",
				r.Config.Label(), i, len(values), len(q.Weights))
		}
		functions.SetCol(i, values)
	}
	rotated, target, err := spectral.Align(exact, functions, q.Weights, spectrum.Spaces)
	if err != nil {
		return nil, nil, err
	}
	for i := range k {
		learned = append(learned, digits(mat.Col(nil, i, rotated)))
		truth = append(truth, digits(mat.Col(nil, i, target)))
	}
	return learned, truth, nil
}

// Figure draws the first modes: of one method as learned and aligned, of several aligned, and exact. An error says that
// there is nothing to draw.
func (p *Pictures) Figure() (*draw.Figure, error) {
	if len(p.Results) == 0 {
		return nil, fmt.Errorf("the figure %q has no method to draw", p.Name)
	}
	modes := min(picturedModes, len(p.Results[0].Picture))
	rows := draw.Panels{Note: p.Note}
	var exact [][]float64
	for i, r := range p.Results {
		learned, truth, err := aligned(r)
		if err != nil {
			return nil, err
		}
		if len(learned) < modes {
			return nil, fmt.Errorf("%s: its picture has %d functions instead of %d; make it again",
				r.Config.Label(), len(learned), modes)
		}
		if i == 0 {
			exact = truth
		}
		name := MethodName(r.Config.Method)
		if len(p.Results) == 1 {
			rows.Rows = append(rows.Rows, draw.PanelRow{Label: name + ", as learned", Maps: r.Picture[:modes]})
		}
		rows.Rows = append(rows.Rows,
			draw.PanelRow{Label: name + ", aligned within eigenspaces", Maps: learned[:modes]})
	}
	rows.Rows = append(rows.Rows, draw.PanelRow{Label: "exact", Maps: exact[:modes]})
	for i := range modes {
		rows.Rows[0].Titles = append(rows.Rows[0].Titles, strconv.Itoa(i+1))
	}
	return rows.Figure()
}
