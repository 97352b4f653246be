package ogb

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"operator-omm/ommlx/internal/fsx"
)

// GeneratedName is the name of generated graphs in results and tables.
const GeneratedName = "generated graph"

// Split is the name of the split of ogbn-products, and of generated graphs.
const Split = "sales_ranking"

// Generation describes a generated graph.
type Generation struct {
	Nodes    int    `json:"nodes"`    // 1,000 to 10,000,000
	Degree   int    `json:"degree"`   // mean number of edges of a node, duplicates included
	Classes  int    `json:"classes"`  // 2 to 1,000
	Features int    `json:"features"` // 1 to 10,000
	Seed     uint64 `json:"seed"`
	// Signless makes a graph on which neither features nor edges say much alone: the features of a node have a random
	// sign, so that no linear function of them tells the classes, and one of four edges is within a community.
	Signless bool `json:"signless,omitempty"`
}

// WithDefaults fills zero fields: 100,000 nodes, and what ogbn-products has, 50 edges of a node, 47 classes and 100
// features.
func (g Generation) WithDefaults() Generation {
	for _, f := range []struct {
		field *int
		value int
	}{{&g.Nodes, 100_000}, {&g.Degree, 50}, {&g.Classes, 47}, {&g.Features, 100}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return g
}

// Validate returns an error that names the number that is out of range.
func (g Generation) Validate() error {
	g = g.WithDefaults()
	for _, f := range []struct {
		name             string
		value, low, high int
	}{{"nodes", g.Nodes, 1_000, 10_000_000}, {"edges of a node", g.Degree, 1, 1_000}, {"classes", g.Classes, 2, 1_000},
		{"features", g.Features, 1, 10_000}} {
		if f.value < f.low || f.value > f.high {
			return fmt.Errorf("a generated graph has %d to %d %s, not %d", f.low, f.high, f.name, f.value)
		}
	}
	return nil
}

// Shares of the nodes to train on, those of the highest degrees, and to validate on, in thousandths.
const (
	trainShare = 80
	validShare = 20
)

// recipe is what a generated graph is made of, in thousandths.
type recipe struct {
	within    uint32 // share of the edges between nodes of one community
	strangers uint32 // share of the nodes whose label is drawn from all classes
	signal    int    // a feature's mean is this, or less than 0 by as much
}

func (g Generation) recipe() recipe {
	if g.Signless {
		return recipe{within: 250, strangers: 100, signal: 450}
	}
	return recipe{within: 600, strangers: 200, signal: 250}
}

// Generate writes a graph in the text files of the Open Graph Benchmark, below a folder, for machines on which
// ogbn-products is not to be had. There is a community for each class, all of the same size; six of ten edges are drawn
// within one. Four of five nodes have the label of their community, the others any. Degrees follow a power law with
// exponent 3. A feature is ±0.25, by label, and noise of variance 1. Where the graph is Signless, one of four edges is
// within a community, nine of ten nodes have its label, and a feature is ±0.45 by community, times a sign that each
// node draws, and the same noise. The nodes of the highest degrees are for training, as the best-selling products are.
//
// The arithmetic is of whole numbers, so that the same Generation gives the same bits everywhere. An error is that of
// [Generation.Validate], or says what cannot be written. progress may be nil; it is told which file is written, and
// from 0 to 1 how far all of them are.
func (g Generation) Generate(ctx context.Context, dir string, progress func(file string, fraction float64)) error {
	if err := g.Validate(); err != nil {
		return err
	}
	g = g.WithDefaults()
	train, valid := g.Nodes*trainShare/1000, g.Nodes*validShare/1000
	number := func(of func(i int) int) drawLine {
		return func(_ *rand.Rand, i int, text []byte) []byte { return strconv.AppendInt(text, int64(of(i)), 10) }
	}
	part := func(first int) drawLine { return number(func(i int) int { return g.id(first + i) }) }
	list := parts(Split)
	all := []textFile{
		{nodesText, 1, 1, 0, number(func(int) int { return g.Nodes })},
		{edgesText, g.Nodes * g.Degree / 2, 2, 1, g.edge},
		{featuresText, g.Nodes, g.Features, 2, g.features},
		{labelsText, g.Nodes, 1, 0, number(g.label)},
		{list[0], train, 1, 0, part(0)},
		{list[1], valid, 1, 0, part(train)},
		{list[2], g.Nodes - train - valid, 1, 0, part(train + valid)},
	}
	done, total := 0, 0
	for _, file := range all {
		total += file.lines * file.numbers
	}
	for _, file := range all {
		err := g.write(ctx, dir, file, func(lines int) {
			if progress != nil {
				progress(file.name, float64(done+lines*file.numbers)/float64(total))
			}
		})
		if err != nil {
			return err
		}
		done += file.lines * file.numbers
	}
	return nil
}

// drawLine appends line i of a text file, with random numbers of the file's own.
type drawLine func(rng *rand.Rand, i int, text []byte) []byte

// textFile is a text file to be written.
type textFile struct {
	name           string
	lines, numbers int    // numbers are those of a line
	stream         uint64 // of random numbers
	draw           drawLine
}

// write writes a text file in one step. progress is told how many lines are written.
func (g Generation) write(ctx context.Context, dir string, file textFile, progress func(lines int)) error {
	path := filepath.Join(dir, file.name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return fsx.Fill(path, func(out io.Writer) error {
		packed, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
		if err != nil {
			return err
		}
		buffered, rng := bufio.NewWriterSize(packed, 1<<16), rand.New(rand.NewPCG(g.Seed, file.stream))
		var text []byte
		for i := range file.lines {
			if i%65_536 == 0 {
				progress(i)
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
			}
			text = append(file.draw(rng, i, text[:0]), '\n')
			if _, err := buffered.Write(text); err != nil {
				return err
			}
		}
		progress(file.lines)
		return errors.Join(buffered.Flush(), packed.Close())
	})
}

// stride is a number that has no divisor with the number of nodes in common, near the golden section of it.
func (g Generation) stride() int {
	coprime := func(a, b int) bool {
		for b > 0 {
			a, b = b, a%b
		}
		return a == 1
	}
	s := g.Nodes * 618 / 1000
	for !coprime(s, g.Nodes) {
		s++
	}
	return s
}

// id scatters ranks, by which degrees fall, over the numbers of nodes; rank undoes it.
func (g Generation) id(rank int) int { return int(uint64(rank) * uint64(g.stride()) % uint64(g.Nodes)) }

func (g Generation) rank(id int) int {
	return int(uint64(id) * uint64(inverse(g.stride(), g.Nodes)) % uint64(g.Nodes))
}

// inverse returns x with a·x = 1 modulo n, by Euclid's algorithm.
func inverse(a, n int) int {
	x, next := 0, 1
	for r, s := n, a; s > 0; {
		q := r / s
		r, s = s, r-q*s
		x, next = next, x-q*next
	}
	return (x%n + n) % n
}

// skewed draws from 0 … n−1 with the density of n·x², x uniform in [0, 1): ∝ 1/√i.
func skewed(rng *rand.Rand, n int) int {
	x := rng.Uint64()
	square, _ := bits.Mul64(x, x)
	i, _ := bits.Mul64(square, uint64(n))
	return int(i)
}

// community of a node.
func (g Generation) community(node int) int { return g.rank(node) % g.Classes }

// label of a node, a pure function of it.
func (g Generation) label(node int) int {
	rng := rand.New(rand.NewPCG(g.Seed, 1<<32+uint64(node)))
	if rng.Uint32N(1000) < g.recipe().strangers {
		return int(rng.Uint32N(uint32(g.Classes)))
	}
	return g.community(node)
}

// edge draws one end by its degree, and the other one in its community or anywhere.
func (g Generation) edge(rng *rand.Rand, _ int, text []byte) []byte {
	u := skewed(rng, g.Nodes)
	v := skewed(rng, g.Nodes)
	if rng.Uint32N(1000) < g.recipe().within {
		class := u % g.Classes
		v = skewed(rng, (g.Nodes-class+g.Classes-1)/g.Classes)*g.Classes + class
	}
	text = strconv.AppendInt(text, int64(g.id(u)), 10)
	return strconv.AppendInt(append(text, ','), int64(g.id(v)), 10)
}

// features draws those of a node.
func (g Generation) features(rng *rand.Rand, node int, text []byte) []byte {
	class, turned := g.label(node), false
	if g.Signless {
		class, turned = g.community(node), rng.Uint64()&1 == 1
	}
	signal := g.recipe().signal
	for f := range g.Features {
		if f > 0 {
			text = append(text, ',')
		}
		// The sum of four uniform numbers of variance 1/4 each, in thousandths.
		const span = 1732 // √12/2 of a thousandth
		x := -4 * span / 2
		for range 4 {
			x += int(rng.Uint32N(span + 1))
		}
		if sign(g.Seed, class, f) != turned {
			x += signal
		} else {
			x -= signal
		}
		text = appendThousandths(text, x)
	}
	return text
}

// sign is a coin for a class and a feature (the finaliser of SplitMix64).
func sign(seed uint64, class, feature int) bool {
	x := seed ^ uint64(class)<<32 ^ uint64(feature)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return (x^x>>31)&1 == 1
}

func appendThousandths(text []byte, x int) []byte {
	if x < 0 {
		text, x = append(text, '-'), -x
	}
	text = append(strconv.AppendInt(text, int64(x/1000), 10), '.')
	return append(text, byte('0'+x/100%10), byte('0'+x/10%10), byte('0'+x%10))
}
