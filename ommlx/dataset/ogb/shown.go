package ogb

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/internal/say"
)

// shown converts if there is space for the wanted graph, and writes to out how far it is and what came of it.
func (c Conversion) shown(ctx context.Context, out io.Writer) error {
	from, err := c.sources()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.To, 0o755); err != nil {
		return err
	}
	if err := dataset.CheckSpace(c.To, "the converted graph", c.missing()); err != nil {
		return err
	}
	var all steps
	for _, text := range from {
		all = append(all, step{"converting " + text.File, float64(text.Bytes)})
	}
	line := say.Timed{Line: say.Line{W: out, Terminal: say.Terminal(out)}}
	c.Progress = all.told("converting ", line.Show)
	err = c.Convert(ctx)
	line.Clear()
	if err != nil {
		return err
	}
	g, err := Open(c.To)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s\n", c.To, g)
	return g.Close()
}

// missing is how many bytes the arrays take that are not there yet.
func (c Conversion) missing() (bytes int64) {
	nodes, number, features := int64(c.want.nodes), int64(4), featuresFile
	if c.Float16 {
		number, features = 2, halvesFile
	}
	for name, size := range map[string]int64{
		offsetsFile: 8 * (nodes + 1), neighboursFile: 8 * c.want.edges, labelsFile: 2 * nodes, partsFile: nodes,
		features: number * nodes * int64(c.want.features),
	} {
		if _, err := os.Stat(filepath.Join(c.To, name)); err != nil {
			bytes += size
		}
	}
	return bytes
}
