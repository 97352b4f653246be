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
	name := fmt.Sprintf("%d-%d-%d-%d-%d", g.Nodes, g.Degree, g.Classes, g.Features, g.Seed)
	if g.Signless {
		name += "-signless"
	}
	return filepath.Join(dir, name), nil
}

// FetchGenerated opens the graph of a Generation, called [GeneratedName], from its folder in the data folder, see
// [dataset.Dir]; the caller closes it. Where it is not there yet, its text files are generated and converted first,
// and deleted then: they can be generated again.
//
// progress, if not nil, is told what is done and from 0 to 1 how far all of it is. Of two processes that fetch the same
// graph one waits for the other. Errors are those of [Generation.Validate], [dataset.Dir], [Open] and
// [Conversion.Convert], or the cause of ctx.
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
	arrays := filepath.Join(dir, arraysFolder)
	if graph, err := Open(arrays); !errors.Is(err, fs.ErrNotExist) {
		return graph, err
	}
	waiting := func() { progress("waiting for another process that makes this graph", 0) }
	var graph *Graph
	err = alone(ctx, dir, waiting, func() error {
		graph, err = Open(arrays)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := g.arrays(ctx, dir, progress); err != nil {
			return explained(ctx, dir, err)
		}
		graph, err = Open(arrays)
		return err
	})
	return graph, err
}

// arrays generates text files and converts them; the text takes half of the work.
func (g Generation) arrays(ctx context.Context, dir string, progress func(string, float64)) error {
	text, lines := filepath.Join(dir, "text"), g.Nodes*g.Degree/2
	defer os.RemoveAll(text)
	if err := os.RemoveAll(text); err != nil { // of a process that was killed
		return err
	}
	c := Conversion{From: text, To: filepath.Join(dir, arraysFolder), Name: GeneratedName, Split: Split,
		Classes: g.Classes, want: counts{g.Nodes, g.Features, g.Classes, int64(lines)}}
	// An edge has about 15 bytes of text, and a feature 6.5; gzip halves it.
	space := c.bytes() + int64(float64(lines)*7.5+float64(g.Nodes*g.Features)*3.25)
	if err := dataset.CheckSpace(dir, "the generated graph", space); err != nil {
		return err
	}
	err := g.Generate(ctx, text, func(file string, fraction float64) { progress("generating "+file, fraction/2) })
	if err != nil {
		return err
	}
	c.Progress = func(file string, fraction float64) { progress("converting "+file, (1+fraction)/2) }
	return c.Convert(ctx)
}
