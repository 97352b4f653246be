package ogb

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/gomlx/compute/dtypes/float16"

	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/sparse"
)

// maxMemory is what a conversion takes at most, in bytes; maxHeld is what it holds of that, since what it has given up
// may be as much before the garbage collector comes.
const (
	maxMemory = 4 << 30
	maxHeld   = maxMemory / 2
)

// nodes reads the number of nodes.
func (c Conversion) nodes(ctx context.Context, d *description) error {
	return read(ctx, c, nodesText, func(b block) ([]int, error) {
		return numbers(b, "the number of nodes", math.MaxUint32)
	}, func(n []int) error {
		if len(n) != 1 || n[0] < 1 || d.Nodes > 0 {
			return fmt.Errorf("%s must have one line, the number of nodes of one graph, at least 1",
				filepath.Join(c.From, nodesText))
		}
		d.Nodes = n[0]
		return nil
	})
}

// edges reads the edges and writes the compressed rows. It holds 16 bytes for each edge and 12 for each node.
func (c Conversion) edges(ctx context.Context, d *description) error {
	edges, held := sparse.NewBuilder(d.Nodes), int64(12*d.Nodes)
	err := read(ctx, c, edgesText, func(b block) ([]uint32, error) { return pairs(b, d.Nodes) },
		func(ends []uint32) error {
			if held += 16 * int64(len(ends)/2); held > maxHeld {
				return fmt.Errorf("%s has too many edges: with %d nodes they would take more than %d GiB of memory",
					filepath.Join(c.From, edgesText), d.Nodes, maxMemory>>30)
			}
			edges.Add(ends)
			return nil
		})
	if err != nil {
		return err
	}
	d.SelfLoops = edges.Loops
	a, repeated := edges.Build()
	d.Edges, d.Repeated = a.Edges(), repeated
	if err := writeArray(filepath.Join(c.To, neighboursFile), a.Neighbours); err != nil {
		return err
	}
	return writeArray(filepath.Join(c.To, offsetsFile), a.Offsets)
}

// features reads the features and writes them as they come.
func (c Conversion) features(ctx context.Context, d *description) error {
	type part struct {
		content             []byte
		nodes, width, first int // first is a line
	}
	file, nodes := featuresFile, 0
	if c.Float16 {
		file = halvesFile
	}
	err := fsx.Fill(filepath.Join(c.To, file), func(out io.Writer) error {
		return read(ctx, c, featuresText, func(b block) (part, error) {
			x, width, err := rows(b)
			if err != nil {
				return part{}, err
			}
			p := part{bytesOf(x), len(x) / width, width, b.first}
			if c.Float16 {
				var rounded []float16.Float16
				rounded, err = halves(x, width, b.path, b.first)
				p.content = bytesOf(rounded)
			}
			return p, err
		}, func(p part) error {
			if nodes == 0 {
				d.Features = p.width
			}
			if p.width != d.Features {
				return fmt.Errorf("%s, line %d: it has %d features, where line 1 has %d",
					filepath.Join(c.From, featuresText), p.first, p.width, d.Features)
			}
			nodes += p.nodes
			_, err := out.Write(p.content)
			return err
		})
	})
	if err != nil {
		return err
	}
	return c.oneForEach(featuresText, "features", nodes, d)
}

// labels reads the labels.
func (c Conversion) labels(ctx context.Context, d *description) error {
	var all []uint16
	err := read(ctx, c, labelsText, func(b block) ([]int, error) { return numbers(b, "the label", d.Classes) },
		func(list []int) error {
			for _, label := range list {
				all = append(all, uint16(label))
			}
			return nil
		})
	if err != nil {
		return err
	}
	if err := c.oneForEach(labelsText, "labels", len(all), d); err != nil {
		return err
	}
	return writeArray(filepath.Join(c.To, labelsFile), all)
}

// oneForEach returns an error unless a file had a line for each node.
func (c Conversion) oneForEach(file, what string, lines int, d *description) error {
	if lines == d.Nodes {
		return nil
	}
	return fmt.Errorf("%s has %s of %d nodes, but there are %d nodes by %s; get both files again",
		filepath.Join(c.From, file), what, lines, d.Nodes, nodesText)
}

// parts reads the split.
func (c Conversion) parts(ctx context.Context, d *description) error {
	all := make([]Part, d.Nodes)
	type list struct {
		nodes []int
		first int // line
	}
	for _, of := range c.splits() {
		err := read(ctx, c, of.file, func(b block) (list, error) {
			nodes, err := numbers(b, "the node", d.Nodes)
			return list{nodes, b.first}, err
		}, func(l list) error {
			for i, node := range l.nodes {
				if all[node] != None {
					return fmt.Errorf("%s, line %d: node %d is in a part of the split already; parts must not overlap",
						filepath.Join(c.From, of.file), l.first+i, node)
				}
				all[node] = of.part
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return writeArray(filepath.Join(c.To, partsFile), all)
}
