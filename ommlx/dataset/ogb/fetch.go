package ogb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"operator-omm/ommlx/dataset"
)

// generatedKind names the data folder of generated graphs; each has a folder of its own in it.
const generatedKind = "generated-graph"

// folder is where the arrays and, while they are made, the text files of a generated graph are.
func (g Generation) folder() (string, error) {
	dir, err := dataset.Dir(generatedKind)
	if err != nil {
		return "", err
	}
	g = g.WithDefaults()
	return filepath.Join(dir, fmt.Sprintf("%d-%d-%d-%d-%d", g.Nodes, g.Degree, g.Classes, g.Features, g.Seed)), nil
}

// FetchGenerated opens the graph of a Generation, called [GeneratedName], from its folder in the data folder, see
// [dataset.Dir]; the caller closes it. Where it is not there yet, its text files are generated and converted first,
// and deleted then: they can be generated again.
//
// progress, if not nil, is told what is done and from 0 to 1 how far all of it is. What was cut off goes on, text file
// by text file and array by array. Of two processes that fetch the same graph one waits for the other. Errors are
// those of [Generation.Validate], [dataset.Dir], [Open] and [Conversion.Convert], or the cause of ctx.
func FetchGenerated(ctx context.Context, g Generation, progress func(what string, fraction float64)) (*Graph, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	g = g.WithDefaults()
	dir, err := g.folder()
	if err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(string, float64) {}
	}
	arrays, text := filepath.Join(dir, arraysFolder), filepath.Join(dir, "text")
	if graph, err := openMade(arrays, text); !errors.Is(err, fs.ErrNotExist) {
		return graph, err
	}
	waiting := func() { progress("waiting for another process that makes this graph", 0) }
	var graph *Graph
	err = alone(ctx, dir, waiting, func() error {
		graph, err = openMade(arrays, text)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := g.arrays(ctx, text, arrays, progress); err != nil {
			return explained(ctx, dir, err)
		}
		graph, err = openMade(arrays, text)
		return err
	})
	return graph, err
}

// openMade opens a graph whose text files are not needed any more, and deletes them.
func openMade(arrays, text string) (*Graph, error) {
	g, err := Open(arrays)
	if err == nil {
		_ = os.RemoveAll(text) // text that stays, in a folder that cannot be written, does no harm
	}
	return g, err
}

// arrays generates the text files that are not there yet, and converts them.
func (g Generation) arrays(ctx context.Context, text, arrays string, progress func(string, float64)) error {
	lines := g.Nodes * g.Degree / 2
	c := Conversion{From: text, To: arrays, Name: GeneratedName, Split: Split, Classes: g.Classes,
		want: counts{g.Nodes, g.Features, g.Classes, int64(lines)}}
	const generating, converting = "generating ", "converting "
	size := map[string]float64{ // about, in bytes of text; what is missing takes no time
		edgesText:    float64(lines) * 15,
		featuresText: float64(g.Nodes*g.Features) * 6.5,
		labelsText:   float64(g.Nodes) * 3,
	}
	space := c.missing()
	if _, err := os.Stat(text); err != nil {
		space += int64(size[edgesText]+size[featuresText]) / 2 // gzip halves it
	}
	if err := dataset.CheckSpace(filepath.Dir(text), "the generated graph", space); err != nil {
		return err
	}
	var all steps
	for _, does := range []string{generating, converting} {
		for _, file := range c.files() {
			all = append(all, step{does + file, size[file]})
		}
	}
	if err := g.generate(ctx, text, true, all.told(generating, progress)); err != nil {
		return err
	}
	c.Progress = all.told(converting, progress)
	return c.Convert(ctx)
}
