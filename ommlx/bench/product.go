package bench

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"unsafe"

	graphs "operator-omm/ommlx/sparse"
)

// product compares the product of the normalised adjacency of a graph with a table of 47 columns and with a vector with
// a plain copy and SciPy. Targets: three times the copy, and SciPy.
//
// The copy, on all cores, reads and writes as many bytes as the product has to where no cache helps it: for each of the
// 2E entries its column and the row of the table there, for each node its offset, its two factors and the row that is
// written. The larger table does not fit into a cache of 32 MiB. In the second copy, which has no target, each row of
// the table is read once, as if a cache held all of it.
func (s *session) product() error {
	sizes := []int{100_000, 400_000}
	if s.options.scale < 1 {
		sizes = []int{500}
	}
	scipy := script(s.ctx, s.options.Python, "SciPy", scipyGraph)
	defer scipy.stop()
	for _, n := range sizes {
		a := community(n)
		if err := inFolder(func(dir string) error {
			file, err := filed(dir, a)
			if err != nil {
				return err
			}
			if err := productOf[float32](s, "table", a, classes, *file, scipy); err != nil {
				return err
			}
			return productOf[float64](s, "vector", a, 1, *file, scipy)
		}); err != nil {
			return err
		}
	}
	if scipy.version != "" {
		fmt.Fprintf(s.out, "SciPy %s\n", scipy.version)
	}
	return nil
}

func productOf[T float32 | float64](s *session, label string, a graphs.Adjacency, columns int, file adjacency,
	scipy *framework) error {
	var one T
	row := columns * int(unsafe.Sizeof(one))
	nodes, entries := a.Nodes(), 2*a.Edges()
	rest := 4*entries + nodes*(8+2*8+row)
	every, once := copying(rest+entries*row), copying(rest+nodes*row)
	src, dst, m := cosines[T](nodes*columns), make([]T, nodes*columns), a.Symmetric()
	steps := s.steps(max(1, min(10, 40_000_000/(nodes*columns))))
	file.Columns = columns
	q := question{Steps: steps, Adjacency: &file}
	laps, err := s.compare(label, repeated(steps, func() error {
		graphs.Multiply(m, dst, src, columns)
		return nil
	}),
		contender{"copy", 3, repeated(steps, every.run)},
		contender{"copy, each byte once", 0, repeated(steps, once.run)},
		contender{"SciPy CSR", 1, func() (lap, error) { return scipy.ask(q) }})
	if err != nil {
		return err
	}
	speed := func(bytes int, laps []lap) float64 { return float64(bytes) / 1e9 / median(walls(laps)).Seconds() }
	fmt.Fprintf(s.out, "%s of %d nodes, %d edges, %d columns: %.1f GB/s of %.3g GB, the copy %.1f GB/s; each byte "+
		"once, %.1f GB/s of %.3g GB, the copy %.1f GB/s\n", label, nodes, a.Edges(), columns,
		speed(every.bytes, laps[0]), float64(every.bytes)/1e9, speed(every.bytes, laps[1]),
		speed(once.bytes, laps[0]), float64(once.bytes)/1e9, speed(once.bytes, laps[2]))
	return nil
}

// cosines are numbers that scipy_graph.py has, too.
func cosines[T float32 | float64](n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(math.Cos(float64(i)))
	}
	return x
}

// copier copies memory on all cores.
type copier struct {
	bytes    int // that are read or written, half of them each
	src, dst []byte
}

// copying prepares a copy. Where it is long the same memory, far more than a cache holds, is copied again.
func copying(bytes int) copier {
	const most = 256 << 20
	half := max(1, bytes/2)
	c := copier{bytes: 2 * half, src: make([]byte, min(half, most)), dst: make([]byte, min(half, most))}
	for i := range c.src { // memory that was never written is no memory yet
		c.src[i] = byte(i)
	}
	return c
}

func (c copier) run() error {
	cores := runtime.GOMAXPROCS(0)
	for left := c.bytes / 2; left > 0; left -= len(c.src) {
		n := min(left, len(c.src))
		var busy sync.WaitGroup
		for i := range cores {
			busy.Go(func() { copy(c.dst[i*n/cores:(i+1)*n/cores], c.src[i*n/cores:]) })
		}
		busy.Wait()
	}
	return nil
}
