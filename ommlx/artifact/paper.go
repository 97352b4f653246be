package artifact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/artifact/images"
	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
)

// Figures lists the figures of the paper in order, then additional figures.
func Figures() []report.Entry {
	return append([]report.Entry{
		rl.Figure1(), pde.Figure2(), rl.Figure3(), pde.Figure4(),
		pde.Figure5(), pde.Figure6(), pde.Figure7(), pde.Figure8(),
		rl.Curves(), rl.Maze(), rl.Sweep(), rl.Learning(), Schematic(), Overview(),
	}, dotPlots()...)
}

// Tables lists the tables. The tables that need downloaded data are last, so that missing data do not prevent the
// others from being made.
func Tables() []report.Entry {
	return []report.Entry{rl.Table2(), rl.Beyond(), pde.Beyond(),
		images.Table1(), graphs.Table3()} // Queue expects these two last
}

// Evidence lists the figures and tables that are evidence for claims of the paper.
func Evidence() []claims.Source {
	return slices.Concat(images.Evidence(), graphs.Evidence(), rl.Evidence(), pde.Evidence())
}

// Findings lists the sentences about the results in README.md.
func Findings() []claims.Finding {
	return []claims.Finding{rl.Finding, pde.Finding, func(string) (string, error) {
		return "Tables 1 and 3 were not run at the paper's scale: they need data that we could not get here and " +
			"days of a GPU. The quick tables train on stand-ins, named in every header.", nil
	}}
}

// Headlines lists the rows of the table of experiments in README.md, in the order of the paper.
func Headlines() []claims.Headline {
	return slices.Concat(rl.Headlines(), pde.Headlines(), []claims.Headline{images.Headline(), graphs.Headline()})
}

// ReadJob returns the job of an experiment's configuration in JSON, such as the "config" of a kept result. The fields
// determine the kind of experiment. The error names an invalid field.
func ReadJob(config []byte) (run.Job, error) {
	var fields map[string]any
	if err := json.Unmarshal(config, &fields); err != nil {
		return run.Job{}, fmt.Errorf("configuration is not a JSON object: %w", err)
	}
	switch {
	case fields["environment"] != nil:
		return readJob[rl.Experiment](config, fields)
	case fields["system"] != nil:
		return readJob[pde.Experiment](config, fields)
	case fields["encoding"] != nil:
		return readJob[images.Experiment](config, fields)
	case fields["graph"] != nil:
		return readJob[graphs.Experiment](config, fields)
	}
	return run.Job{}, errors.New(`configuration has none of the fields "environment" (grid world), ` +
		`"system" (Schrödinger equation), "encoding" (images) and "graph"`)
}

func readJob[E run.Experiment[E, R], R run.Judged](config []byte, fields map[string]any) (run.Job, error) {
	var e E
	decoder := json.NewDecoder(bytes.NewReader(config))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); err != nil {
		return run.Job{}, fmt.Errorf("configuration: %w", err)
	}
	var whole map[string]any
	text, _ := json.Marshal(e) // cannot fail: e was read from JSON
	_ = json.Unmarshal(text, &whole)
	maps.DeleteFunc(whole, func(name string, _ any) bool { _, there := fields[name]; return there })
	if len(whole) > 0 {
		return run.Job{}, fmt.Errorf("configuration lacks %s; for a complete one see the \"config\" of a kept result "+
			"in .omm/results or %s", strings.Join(slices.Sorted(maps.Keys(whole)), ", "), run.Committed)
	}
	return run.NewJob(e)
}

// Queue lists the jobs of all figures and tables under a profile in stages, most useful first: one run of the paper's
// experiments, then additional experiments, then all runs, then trainings that take days, and last trainings that take
// weeks or need downloaded data. Stages overlap; a later stage finds the results of earlier ones.
func Queue(p run.Profile) (stages [][]run.Job, err error) {
	for _, s := range []struct {
		entry report.Entry
		seeds int // number of seeds; 0: all
	}{
		{rl.Figure1(), 1},
		{rl.Table2(), 1},
		{rl.Beyond(), 1},
		{pde.Figure7(), 4},
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
		var stage []run.Job
		for _, j := range jobs {
			stage = append(stage, j.First(s.seeds))
		}
		stages = append(stages, stage)
	}
	all := slices.Concat(Figures(), Tables())
	last := len(all) - 2
	for _, entries := range [][]report.Entry{all[:last], all[last:]} {
		plans, err := report.Plans(entries, p)
		if err != nil {
			return nil, err
		}
		stages = append(stages, slices.Concat(plans...))
	}
	return stages, nil
}
