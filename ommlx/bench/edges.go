package bench

import (
	"fmt"
	"math"
	"path/filepath"
	"time"

	"operator-omm/ommlx/dataset/ogb"
	graphs "operator-omm/ommlx/sparse"
	"operator-omm/ommlx/spectral"
	"operator-omm/ommlx/train"
)

// patience is the longest time that a solution by Lanczos may be expected to take.
const patience = 2 * time.Minute

// edges shows how time and memory follow from the number of edges of generated graphs: of the conversion of text files,
// of the product with a table of 47 columns, and of 47 eigenvectors by Lanczos. All should be in proportion: slope 1.
//
// The product is faster than that while the table fits into a cache, and the conversion slower while the text has too
// few blocks for all cores.
func (s *session) edges() error {
	growths := []growthOf{{name: "conversion"}, {name: "product"}, {name: "Lanczos"}}
	first, most := 100_000, s.options.Edges
	if s.options.scale < 1 {
		first, most = 25_000, 250_000
	}
	for n := first; n <= most; n *= 10 {
		if err := inFolder(func(dir string) error { return s.edgesOf(dir, n, growths) }); err != nil {
			return err
		}
	}
	for _, g := range growths {
		if len(g.sizes) > 1 {
			fmt.Fprintf(s.out, "%s: time grows as edges^%.2f, memory as edges^%.2f; target 1\n", g.name,
				exponent(g.sizes, g.times), exponent(g.sizes, g.memory))
		}
	}
	return nil
}

// growthOf are the costs of one kind of work.
type growthOf struct {
	name          string
	sizes         []int
	times, memory []float64 // seconds and bytes
}

// edgesOf measures one number of edges. The text has them all, the matrix each of those that are drawn twice once.
func (s *session) edgesOf(dir string, edges int, growths []growthOf) error {
	t, err := s.textOf(dir, ogb.Generation{Nodes: edges / (degree / 2), Degree: degree, Features: 10})
	if err != nil {
		return err
	}
	if err := s.costOf(&growths[0], edges, func() error { return s.convert(t) }); err != nil {
		return err
	}
	g, err := ogb.Open(filepath.Join(dir, "graph"))
	if err != nil {
		return err
	}
	defer g.Close()
	m, src := g.Symmetric(), cosines[float32](g.Nodes()*classes)
	if err := s.costOf(&growths[1], g.Edges(), func() error {
		graphs.Multiply(m, make([]float32, len(src)), src, classes)
		return nil
	}); err != nil {
		return err
	}
	lanczos := &growths[2]
	if last := len(lanczos.times) - 1; last >= 0 && lanczos.times[last]*10 > patience.Seconds() {
		fmt.Fprintf(s.out, "Lanczos: left out for %d edges, where it would take more than %s\n", edges, patience)
		return nil
	}
	return s.costOf(lanczos, g.Edges(), func() error {
		_, err := s.eigenvectors(g.Adjacency)
		return err
	})
}

// costOf measures work, again until a second has passed, and prints a line.
func (s *session) costOf(g *growthOf, edges int, work func() error) error {
	var laps []lap
	most := int64(1)
	for began := time.Now(); len(laps) == 0 || len(laps) < s.options.Rounds && time.Since(began) < time.Second; {
		memory, err := memoryOf(func() (err error) {
			l, err := repeated(1, work)()
			laps = append(laps, l)
			return err
		})
		if s.ctx.Err() != nil {
			return train.ErrInterrupted
		}
		if err != nil {
			return err
		}
		most = max(most, memory)
	}
	took := median(walls(laps))
	g.sizes, g.times = append(g.sizes, edges), append(g.times, took.Seconds())
	g.memory = append(g.memory, float64(most))
	fmt.Fprintf(s.out, "%-10s %10d edges %9s ms %9.1f MB\n", g.name, edges, ms(took), float64(most)/1e6)
	return nil
}

// solved are eigenvectors by Lanczos.
type solved struct {
	spectral.Eigenpairs
	products time.Duration // of the time, that of products with the matrix
}

// eigenvectors are the leading ones of the normalised adjacency, as many as there are classes.
func (s *session) eigenvectors(a graphs.Adjacency) (of solved, err error) {
	m := a.Symmetric()
	of.Eigenpairs, err = spectral.Lanczos{K: s.modes(), Tolerance: lanczosTolerance}.Solve(a.Nodes(),
		func(dst, src []float64) {
			began := time.Now()
			graphs.Multiply(m, dst, src, 1)
			of.products += time.Since(began)
			if s.ctx.Err() != nil {
				dst[0] = math.NaN() // ends it
			}
		})
	return of, err
}

// lanczosTolerance is that of residuals, as in [spectral.Lanczos].
const lanczosTolerance = 1e-10

// modes is the number of eigenvectors.
func (s *session) modes() int {
	if s.options.scale < 1 {
		return 3
	}
	return classes
}
