package artifact

import (
	"slices"

	"operator-omm/ommlx/artifact/graphs"
	"operator-omm/ommlx/artifact/images"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/pde"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/artifact/rl"
)

// Queue lists the jobs of all figures and tables under a profile in the order in which a reader would want them, in
// stages: one run of what the paper shows, then what decides it and what goes beyond, then all of its runs, then what
// takes days, and at the end what takes weeks, and data that this machine may not have. Stages overlap; what one has
// done the next ones find.
func Queue(p lab.Profile) (stages [][]lab.Job, err error) {
	for _, s := range []struct {
		entry report.Entry
		seeds int // the first ones; 0: all
	}{
		{rl.Figure1(), 1},
		{rl.Table2(), 1},
		{rl.Spread(), 1},
		{rl.Beyond11(), 1},
		{pde.Figure7(), 4},
		{rl.Choices(), 1},
		{rl.Beyond50(), 1},
		{rl.Figure1(), 0},
		{rl.Table2(), 0},
		{rl.Sweep(), 0},
		{pde.Figure7(), 0},
		{pde.Figure5(), 1},
		{pde.Figure2(), 1},
	} {
		jobs, err := s.entry.Jobs(p)
		if err != nil {
			return nil, err
		}
		if stages, err = appendFirst(stages, jobs, s.seeds); err != nil {
			return nil, err
		}
	}
	last := []report.Entry{images.Table1(), graphs.Table3()}
	others := slices.DeleteFunc(slices.Concat(Figures(), Tables()), func(e report.Entry) bool {
		return slices.ContainsFunc(last, func(l report.Entry) bool { return e.Name == l.Name })
	})
	for _, entries := range [][]report.Entry{others, last} {
		plans, err := report.Plans(entries, p)
		if err != nil {
			return nil, err
		}
		stages = append(stages, slices.Concat(plans...))
	}
	return stages, nil
}

// appendFirst appends a stage of the first seeds of jobs, or of all of them.
func appendFirst(stages [][]lab.Job, jobs []lab.Job, seeds int) ([][]lab.Job, error) {
	stage := slices.Clone(jobs)
	for i, j := range stage {
		var err error
		if stage[i], err = j.First(seeds); err != nil {
			return nil, err
		}
	}
	return append(stages, stage), nil
}
