package pde

import (
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/schrodinger"
	"operator-omm/ommlx/spectral"
)

// Pictures is the JSON of a figure of learned eigenfunctions: figures 2, 5 and 7 of the paper.
type Pictures struct {
	Name       string        `json:"figure"`
	Paper      string        `json:"paper"`
	Note       string        `json:"note"`
	Provenance report.Origin `json:"provenance"`
	Methods    []Method      `json:"methods"`
}

// Method is what one method learned, beside the truth.
type Method struct {
	Result  *Result     `json:"result"`  // its picture is what was learned
	Aligned [][]float64 `json:"aligned"` // as Result.Picture, rotated within eigenspaces onto the truth
	Truth   [][]float64 `json:"truth"`
}

// picturedModes is how many modes a picture shows at the most, as figures 5 and 7 of the paper do.
const picturedModes = 15

func newPictures(name string, s shown) (*Pictures, error) {
	p := &Pictures{
		Name: name, Paper: s.paper, Provenance: s.origin,
		Note: s.note + " The first run; every panel has its own scale.",
	}
	for _, r := range s.results {
		m, err := newMethod(r)
		if err != nil {
			return nil, err
		}
		p.Methods = append(p.Methods, m)
	}
	return p, nil
}

// newMethod puts the functions of a result beside the truth, on the points of the picture.
func newMethod(r *Result) (m Method, err error) {
	m.Result = r
	known, err := r.Config.system()
	if err != nil {
		return m, err
	}
	k := r.Config.K
	spectrum, err := known.Lowest(k)
	if err != nil {
		return m, err
	}
	q, err := schrodinger.Grid(2, pictureSide, known.region(k))
	if err != nil {
		return m, err
	}
	truth, err := spectrum.OnPoints(q.Points)
	if err != nil {
		return m, err
	}
	learned := mat.NewDense(len(q.Weights), k, nil)
	for i, values := range r.Picture {
		learned.SetCol(i, values)
	}
	aligned, target, err := spectral.Align(truth, learned, q.Weights, spectrum.Spaces)
	if err != nil {
		return m, err
	}
	for i := range k {
		m.Aligned = append(m.Aligned, digits(mat.Col(nil, i, aligned)))
		m.Truth = append(m.Truth, digits(mat.Col(nil, i, target)))
	}
	return m, nil
}

// Figure draws the first modes: of one method as learned and aligned, of several aligned, and exact. An error says that
// there is nothing to draw.
func (p *Pictures) Figure() (*draw.Figure, error) {
	if len(p.Methods) == 0 {
		return nil, fmt.Errorf("the figure %q has no method to draw", p.Name)
	}
	modes := min(picturedModes, p.Methods[0].Result.Config.K)
	rows := draw.Panels{Note: p.Note}
	for _, m := range p.Methods {
		name := MethodName(m.Result.Config.Method)
		if len(p.Methods) == 1 {
			rows.Rows = append(rows.Rows, draw.PanelRow{Label: name + ", as learned", Maps: m.Result.Picture[:modes]})
		}
		rows.Rows = append(rows.Rows,
			draw.PanelRow{Label: name + ", aligned within eigenspaces", Maps: m.Aligned[:modes]})
	}
	rows.Rows = append(rows.Rows, draw.PanelRow{Label: "exact", Maps: p.Methods[0].Truth[:modes]})
	for i := range modes {
		rows.Rows[0].Titles = append(rows.Rows[0].Titles, strconv.Itoa(i+1))
	}
	return rows.Figure()
}
