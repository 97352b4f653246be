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
func Figures() []report.Exhibit {
	return []report.Exhibit{
		rl.Figure1(), pde.Figure2(), rl.Figure3(), pde.Figure4(),
		pde.Figure5(), pde.Figure6(), pde.Figure7(), pde.Figure8(),
		rl.Curves(), rl.Maze(), rl.Sweep(), rl.Learning(), Schematic(), Overview(), rl.Table2Dots(), rl.BeyondMap(),
	}
}

// Tables lists the tables. Those that need downloaded data are last, so that missing data do not prevent the others
// from being made.
func Tables() []report.Exhibit {
	return append(localTables(), downloadedTables()...)
}

func localTables() []report.Exhibit { return []report.Exhibit{rl.Table2(), rl.Beyond(), pde.Beyond()} }

func downloadedTables() []report.Exhibit { return []report.Exhibit{images.Table1(), graphs.Table3()} }

// Evidence lists the figures and tables that are evidence for claims of the paper.
func Evidence() []claims.Source {
	return slices.Concat(images.Evidence(), graphs.Evidence(), rl.Evidence(), pde.Evidence())
}

// WritePages writes the pages that show results: a part of README.md, figures/README.md and tables/README.md. Missing
// or unreadable files are errors.
func WritePages(root string) error {
	var all claims.Findings
	for _, of := range []func(string) (claims.Findings, error){rl.Findings, pde.Findings} {
		f, err := of(root)
		if err != nil {
			return err
		}
		all.Sentences = append(all.Sentences, f.Sentences...)
		all.Details = append(all.Details, f.Details...)
		all.Highlights = append(all.Highlights, f.Highlights...)
	}
	return claims.WritePages(root, Figures(), Tables(), Headlines(), all)
}

// Headlines lists the rows of the table of experiments in tables/README.md, in the order of the paper.
func Headlines() []claims.Headline {
	return slices.Concat(rl.Headlines(), pde.Headlines(), []claims.Headline{images.Headline(), graphs.Headline()})
}

// ReadExperiment returns the experiment with a configuration in JSON, such as the "config" of a kept result. The fields
// determine the kind of experiment. The error names a missing or unknown field; see [run.Check] for invalid values.
func ReadExperiment(config []byte) (run.Experiment, error) {
	var fields map[string]any
	if err := json.Unmarshal(config, &fields); err != nil {
		return nil, fmt.Errorf("configuration is not a JSON object: %w", err)
	}
	switch {
	case fields["environment"] != nil:
		return read[rl.Experiment](config, fields)
	case fields["system"] != nil:
		return read[pde.Experiment](config, fields)
	case fields["encoding"] != nil:
		return read[images.Experiment](config, fields)
	case fields["graph"] != nil:
		return read[graphs.Experiment](config, fields)
	}
	return nil, errors.New(`configuration has none of the fields "environment" (grid world), ` +
		`"system" (Schrödinger equation), "encoding" (images) and "graph"`)
}

func read[E run.Experiment](config []byte, fields map[string]any) (run.Experiment, error) {
	var e E
	decoder := json.NewDecoder(bytes.NewReader(config))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	var whole map[string]any
	text, _ := json.Marshal(e) // cannot fail: e was read from JSON
	_ = json.Unmarshal(text, &whole)
	maps.DeleteFunc(whole, func(name string, _ any) bool { _, there := fields[name]; return there })
	if len(whole) > 0 {
		return nil, fmt.Errorf("configuration lacks %s; for a complete one see the \"config\" of a kept result "+
			"in .omm/results or %s", strings.Join(slices.Sorted(maps.Keys(whole)), ", "), run.Committed)
	}
	return e, nil
}

// Queue lists the experiments of all figures and tables under a profile in stages, most useful first: one run of the
// paper's experiments, then additional experiments, then all runs, then trainings that take days, and last trainings
// that take weeks or need downloaded data. Stages overlap; a later stage finds the results of earlier ones.
func Queue(p run.Profile) (stages [][]run.Experiment) {
	for _, s := range []struct {
		exhibit report.Exhibit
		seeds   int // number of seeds; 0: all
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
		stage := report.Planned(p, s.exhibit)
		for i, e := range stage {
			if seeds := e.RunSeeds(); s.seeds > 0 && s.seeds < len(seeds) {
				stage[i] = e.With(seeds[:s.seeds])
			}
		}
		stages = append(stages, stage)
	}
	return append(stages, report.Planned(p, append(Figures(), localTables()...)...),
		report.Planned(p, downloadedTables()...))
}
