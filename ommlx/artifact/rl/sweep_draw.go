package rl

import (
	"fmt"
	"slices"

	"operator-omm/ommlx/artifact/draw"
)

func (d SweepData) drawing() draw.Scores {
	f := draw.Scores{Note: latin.Replace(d.Note), XLabel: "rate of the barrier alpha_barrier",
		YLabel: "initial barrier b", Score: "average cosine similarity", Beside: labelSequential, Best: "best here"}
	for _, b := range d.Barriers {
		f.Y = append(f.Y, fmt.Sprint(b))
	}
	for _, rate := range d.Rates {
		f.X = append(f.X, fmt.Sprint(rate))
	}
	mark := func(label string, p BarrierPair) {
		if at := d.place(&p); at != nil {
			f.Marks = append(f.Marks, draw.ScoreMark{Label: label + " " + p.String(), Row: at.Row, Col: at.Col})
		}
	}
	mark("best pair of the paper", d.PaperBest)
	mark("pair tuned for k = 11", d.TunedFor11)
	for _, env := range d.Environments {
		m := draw.ScoreMap{Title: env.Name, Generated: env.Generated, Beside: env.OMM.drawing(),
			Best: d.place(env.Best)}
		for row := range slices.Chunk(env.Cells, len(d.Rates)) {
			var cells []draw.ScoreCell
			for _, c := range row {
				cells = append(cells, c.drawing())
			}
			m.Cells = append(m.Cells, cells)
		}
		f.Maps = append(f.Maps, m)
	}
	return f
}

// place is where a pair stands in the maps; nil where it is not in them.
func (d SweepData) place(p *BarrierPair) *draw.ScorePlace {
	if p == nil {
		return nil
	}
	row, col := slices.Index(d.Barriers, p.Barrier), slices.Index(d.Rates, p.Rate)
	if row < 0 || col < 0 {
		return nil
	}
	return &draw.ScorePlace{Row: row, Col: col}
}

// drawing is the score of a run that finished, or why there is none.
func (c SweepCell) drawing() draw.ScoreCell {
	switch {
	case c.finished():
		return draw.ScoreCell{Score: *c.Average}
	case c.Diverged > 0:
		return draw.ScoreCell{Empty: "diverged"}
	}
	return draw.ScoreCell{Empty: "not run"}
}
