package artifact

import (
	"fmt"
	"math"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/schrodinger"
	"operator-omm/ommlx/spectral"

	"gonum.org/v1/gonum/mat"
)

// WavePictures is the JSON of a figure of learned eigenfunctions: figures 5 and 7 of the paper.
type WavePictures struct {
	Figure     string             `json:"figure"`
	Paper      string             `json:"paper"`
	Note       string             `json:"note"`
	Provenance Provenance         `json:"provenance"`
	Result     *SchrodingerResult `json:"result"`  // its picture is what was learned
	Aligned    [][]float64        `json:"aligned"` // as Result.Picture, rotated within eigenspaces onto the truth
	Truth      [][]float64        `json:"truth"`
}

// align fills in the aligned functions and the truth, on the points of the picture.
func (p *WavePictures) align() error {
	s := p.Result.Config
	system, err := s.system()
	if err != nil {
		return err
	}
	spectrum, err := system.Lowest(s.K)
	if err != nil {
		return err
	}
	q, err := schrodinger.Grid(2, pictureSide, s.region())
	if err != nil {
		return err
	}
	truth, err := spectrum.OnPoints(q.Points)
	if err != nil {
		return err
	}
	learned := mat.NewDense(len(q.Weights), s.K, nil)
	for i, m := range p.Result.Picture {
		learned.SetCol(i, m)
	}
	aligned, target, err := spectral.Align(truth, learned, q.Weights, spectrum.Spaces)
	if err != nil {
		return err
	}
	for i := range s.K {
		p.Aligned = append(p.Aligned, digits(mat.Col(nil, i, aligned)))
		p.Truth = append(p.Truth, digits(mat.Col(nil, i, target)))
	}
	return nil
}

// drawing shows the first modes of them.
func (p *WavePictures) drawing(modes int) draw.Panels {
	rows := draw.Panels{Note: p.Note, Rows: []draw.PanelRow{
		{Label: "learned", Maps: p.Result.Picture[:modes]},
		{Label: "learned, aligned within eigenspaces", Maps: p.Aligned[:modes]},
		{Label: "exact", Maps: p.Truth[:modes]},
	}}
	for i := range modes {
		rows.Rows[0].Titles = append(rows.Rows[0].Titles, itoa(i+1))
	}
	return rows
}

// WaveNumbers is the JSON of a figure of errors per mode: figures 4, 6 and 8 of the paper.
type WaveNumbers struct {
	Figure     string               `json:"figure"`
	Paper      string               `json:"paper"`
	Note       string               `json:"note"`
	Provenance Provenance           `json:"provenance"`
	Exact      []float64            `json:"exact_energies"`
	Results    []*SchrodingerResult `json:"results"`
}

// drawing shows mean and standard deviation over the runs that did not diverge.
func (w *WaveNumbers) drawing() (draw.CurvesRow, error) {
	row := draw.CurvesRow{Note: w.Note, Plots: []draw.Curves{
		{Title: "relative error of the energy", XLabel: "mode"},
		{Title: "angle distance (radians)", XLabel: "mode"},
		{Title: "subspace distance", XLabel: "eigenspace"},
	}}
	for i, of := range []func(SchrodingerRun) []float64{
		func(r SchrodingerRun) []float64 { return r.Errors },
		func(r SchrodingerRun) []float64 { return r.Angles },
		func(r SchrodingerRun) []float64 { return r.Subspaces },
	} {
		for _, result := range w.Results {
			series, err := perMode(result, of)
			if err != nil {
				return row, err
			}
			row.Plots[i].Series = append(row.Plots[i].Series, series)
			for m, y := range series.Y {
				if series.Band != nil {
					y += series.Band[m]
				}
				row.Plots[i].YMax = max(row.Plots[i].YMax, 1.05*y)
			}
		}
	}
	return row, nil
}

// waveLabels are the paper's names of the methods.
var waveLabels = map[string]string{"omm_seq": "OMM-seq", "sanger": "Sanger", "lora_seq": "LoRA-seq"}

// perMode is the series of one result; a single run has no band.
func perMode(r *SchrodingerResult, of func(SchrodingerRun) []float64) (draw.Series, error) {
	series := draw.Series{Name: waveLabels[r.Config.Method]}
	var runs [][]float64
	for _, run := range r.Runs {
		if run.Diverged == 0 {
			runs = append(runs, of(run))
		}
	}
	if len(runs) == 0 {
		return series, fmt.Errorf("every run of %s diverged; there is nothing to draw", r.Config.label())
	}
	for i := range runs[0] {
		values := make([]float64, len(runs))
		for r := range runs {
			values[r] = runs[r][i]
		}
		mean, std, err := draw.MeanStd(values)
		if err != nil {
			return series, err
		}
		series.X, series.Y = append(series.X, float64(i+1)), append(series.Y, mean)
		if !math.IsNaN(std) {
			series.Band = append(series.Band, std)
		}
	}
	return series, nil
}
