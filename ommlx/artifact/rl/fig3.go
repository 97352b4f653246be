package rl

import (
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/internal/fsx"
)

// Figure3 shows the twelve grid environments.
func Figure3() report.Exhibit {
	return report.Exhibit{Kind: report.Figure, Name: "fig3_grids", ShortName: "fig3",
		Description: "the twelve grid environments",
		Caption:     "The narrow doors and long corridors, which make small gaps between eigenvalues.", Draw: drawFig3}
}

// Fig3Data is figures/fig3_grids.json.
type Fig3Data struct {
	report.Head
	Grids []Fig3Grid `json:"grids"`
}

// Fig3Grid is one environment.
type Fig3Grid struct {
	Name       string `json:"name"`
	Rows       int    `json:"rows"`
	Cols       int    `json:"cols"`
	States     int    `json:"states"`
	Components int    `json:"components"`
	SHA256     string `json:"sha256"` // of the official layout file
}

func drawFig3(k report.Kept) (report.Content, error) {
	data := Fig3Data{Head: k.Head}
	data.Paper, data.Note = "Figure 3, appendix C.1.", "Every blank cell is a state; walls are dark."
	drawing := draw.HeatMaps{Columns: 4, Note: data.Note}
	for _, g := range gridworld.All() {
		data.Grids = append(data.Grids,
			Fig3Grid{g.Name, g.Rows, g.Cols, g.N(), g.Components(), fsx.SHA256Of([]byte(g.String()))})
		drawing.Maps = append(drawing.Maps, draw.HeatMap{Layout: LayoutOf(g)})
	}
	return report.Content{Data: data, Drawing: drawing}, nil
}

// LayoutOf returns the layout of maps of an environment.
func LayoutOf(g *gridworld.Grid) draw.Layout { return draw.Layout{Name: g.Name, Rows: g.Lines()} }
