package rl

import (
	"math"
	"slices"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/gridworld"
)

// tab2Modes is the k of Table 2.
const tab2Modes = 50

// tab2Part is a part of Table 2: those of the paper by either protocol, and what goes beyond it.
type tab2Part struct {
	part, label string
	protocol    Protocol
	printed     string // the part whose printed numbers stand beside it
	runs        int
	in          recipe
}

// name is the part as the table's first column has it.
func (p tab2Part) name() string {
	if p.part == p.printed {
		return "(" + p.part + ") " + p.label
	}
	return p.label
}

// tab2Environments are the columns of Table 2: GridMaze-7 and -9 have fewer than 50 modes.
func tab2Environments() []string {
	return []string{"GridMaze-17", "GridMaze-19", "GridMaze-26", "GridMaze-32", "GridRoom-1",
		"GridRoom-4", "GridRoom-16", "GridRoom-32", "GridRoom-64", "GridRoomSym-4"}
}

// printedPart is what the paper prints of a part of its Table 2: average cosine similarity, mean and standard deviation
// over the runs, for each of tab2Environments.
type printedPart struct{ mean, std []float64 }

var tab2Print = map[string]printedPart{
	"a": {
		[]float64{0.8150, 0.7616, 0.4361, 0.3340, 0.8081, 0.6414, 0.6692, 0.4837, 0.3420, 0.6297},
		[]float64{0.0234, 0.0277, 0.0361, 0.0303, 0.0077, 0.0190, 0.0153, 0.0451, 0.0164, 0.0321}},
	"b": {
		[]float64{0.9798, 0.9669, 0.8233, 0.7359, 0.9088, 0.8681, 0.8885, 0.7452, 0.7417, 0.7880},
		[]float64{0.0022, 0.0001, 0.0165, 0.0176, 0.0328, 0.0004, 0.0127, 0.0093, 0.0473, 0.0241}},
	"c": {
		[]float64{0.9435, 0.9594, 0.8226, 0.6536, 0.9532, 0.8697, 0.9191, 0.7433, 0.6985, 0.8107},
		[]float64{0.0111, 0.0128, 0.0150, 0.0370, 0.0090, 0.0045, 0.0015, 0.0219, 0.0350, 0.0041}},
}

// tab2Printed is the printed mean of a part in an environment, with its deviation; NaN where there is none.
func tab2Printed(part, environment string) report.Spread {
	p, known := tab2Print[part]
	if at := slices.Index(tab2Environments(), environment); known && at >= 0 {
		return report.Spread{Mean: p.mean[at], Std: p.std[at]}
	}
	return report.Spread{Mean: math.NaN(), Std: math.NaN()}
}

// tab2Parts lists the parts: those of the paper by the public code's protocol, by the text's, and beyond the paper.
func tab2Parts() []tab2Part {
	tuned := func(pair BarrierPair) func(Experiment) Experiment {
		return func(e Experiment) Experiment {
			e.Barrier, e.BarrierRate = pair.Barrier, pair.Rate
			return e
		}
	}
	return []tab2Part{
		{"a", "ALLO, tuned for k = 11", PublicProtocol, "a", 2, byJuly("allo", BarrierPair{PaperBarrier, 1})},
		{"b", "ALLO, re-tuned", PublicProtocol, "b", 2, byJuly("allo", retunedPair)},
		{"c", "OMM-seq", PublicProtocol, "c", 2, byJuly("omm_seq", BarrierPair{})},
		{"a", "ALLO, tuned for k = 11", PrintedProtocol, "a", 4, byText("allo", tab2Modes, asItIs)},
		{"b", "ALLO, re-tuned", PrintedProtocol, "b", 3, byText("allo", tab2Modes, tuned(retunedPair))},
		{"c", "OMM-seq", PrintedProtocol, "c", 5, byText("omm_seq", tab2Modes, asItIs)},
		{"beyond", labelDifferences, PrintedProtocol, "c", 2, byDifferences(tab2Modes, 0, TextWeights)},
	}
}

// Table2 compares ALLO and OMM at k = 50.
func Table2() report.Entry {
	return report.Entry{Kind: report.Table, Name: "tab2_ablation_k50", Short: "tab2",
		About: "k = 50: ALLO tuned for k = 11, ALLO re-tuned, OMM, beside the paper's numbers",
		Plan: func(p lab.Profile) ([]lab.Job, error) {
			_, list, err := tab2Plan(p)
			if err != nil {
				return nil, err
			}
			return lab.NewJobs[*Result](list)
		}, Report: tab2Report, Partial: true, Data: mazes}
}

// tab2Experiment returns the experiment of a cell, and false where the profile leaves it out.
func tab2Experiment(p lab.Profile, g *gridworld.Grid, part tab2Part) (Experiment, bool) {
	e := part.in(g.Name, part.runs)
	switch p {
	case lab.Quick:
		return e.with(1).Here().WithSteps(quickSteps(g.N()) / 2), part.protocol == PublicProtocol
	case lab.Smoke:
		return e.smoke(1), g.Name == "GridRoom-4"
	}
	return e, true
}

// tab2Plan returns the cells without results, part after part, with the place in list of the experiment behind each.
func tab2Plan(p lab.Profile) (cells []Tab2Cell, list []Experiment, err error) {
	for _, part := range tab2Parts() {
		for _, name := range tab2Environments() {
			g, err := gridworld.Load(name)
			if err != nil {
				return nil, nil, err
			}
			printed := tab2Printed(part.printed, name)
			cell := Tab2Cell{Part: part.part, Name: part.name(), Protocol: part.protocol, Environment: name,
				PaperMean: printed.Mean, PaperStd: printed.Std, place: -1}
			e, run := tab2Experiment(p, g, part)
			if run {
				cell.place = len(list)
				list = append(list, e)
			}
			if run || part.protocol == PublicProtocol {
				cells = append(cells, cell)
			}
		}
	}
	return cells, list, nil
}

func tab2Report(l *lab.Lab) error {
	cells, list, err := tab2Plan(l.Profile)
	if err != nil {
		return err
	}
	results, origin, err := report.Gather[*Result](l, list)
	if err != nil {
		return err
	}
	data := Tab2Data{Table: Table2().Name, Paper: "Table 2 and appendix C.1", Provenance: origin, Cells: cells,
		Note: note(l.Profile, "4 runs of (a), 3 runs of (b), 5 runs of (c)", results) + dataNote +
			" The paper's ± is over runs of one seed."}
	for i := range data.Cells {
		if at := data.Cells[i].place; at >= 0 && results[at] != nil {
			data.Cells[i].fill(results[at])
		}
	}
	data.Note += data.told()
	return report.WriteTable(l, data.Table, data, data.Text())
}
