package graphs

import (
	"fmt"
	"math"
	"runtime"
	"sort"
	"sync"
)

// Normalised is an adjacency matrix with a normalisation, diag(left) A diag(right).
type Normalised struct {
	Adjacency
	left, right []float64 // [N]
}

// Symmetric is the symmetric normalisation D^{-1/2} A D^{-1/2} = I − L_sym (Section C.3 of the paper), with D the
// degrees. Its eigenvalues lie in [−1, 1]; 1 has the eigenvector √D 1 in each connected component. The row of a node
// without neighbours is zero.
func (a Adjacency) Symmetric() Normalised {
	root := a.power(-0.5)
	return Normalised{a, root, root}
}

// Walk is the transition matrix D⁻¹ A of the random walk. It has the same eigenvalues as [Adjacency.Symmetric], and its
// eigenvectors times D^{-1/2}.
func (a Adjacency) Walk() Normalised { return Normalised{a, a.power(-1), a.power(0)} }

// power returns the degrees to this power, 0 for a node without neighbours.
func (a Adjacency) power(p float64) []float64 {
	all := make([]float64, a.Nodes())
	for i := range all {
		if d := a.Degree(i); d > 0 {
			all[i] = math.Pow(float64(d), p)
		}
	}
	return all
}

// Multiply sets dst to M src, both [N, columns], row by row, on all cores. It panics if lengths do not fit. It uses a
// second table of the size of src, so that summing neighbours takes no product per edge.
func Multiply[T float32 | float64](m Normalised, dst, src []T, columns int) {
	n := m.Nodes()
	if columns < 1 || len(dst) != n*columns || len(src) != n*columns {
		panic(fmt.Errorf("graphs.Multiply: tables have %d and %d numbers, want %d nodes × %d columns", len(dst),
			len(src), n, columns))
	}
	width := columns
	if columns > 1 {
		width = (columns + together - 1) / together * together
	}
	scaled := make([]T, n*width)
	m.parallel(func(first, end int) {
		for i := first; i < end; i++ {
			row, scale := scaled[i*width:][:columns], T(m.right[i])
			for c, v := range src[i*columns:][:columns] {
				row[c] = scale * v
			}
		}
	})
	m.parallel(func(first, end int) {
		sum := make([]T, width)
		for i := first; i < end; i++ {
			scale := T(m.left[i])
			if columns == 1 {
				dst[i] = scale * total(scaled, m.Row(i))
				continue
			}
			addUp(sum, scaled, m.Row(i))
			row := dst[i*columns:][:columns]
			for c := range row {
				row[c] = scale * sum[c]
			}
		}
	})
}

// parallel calls do concurrently on ranges of rows with about equal numbers of entries.
func (a Adjacency) parallel(do func(first, end int)) {
	parts := 4 * runtime.GOMAXPROCS(0)
	work := func(i int) int { return int(a.Offsets[i]) + i } // of rows before i: their entries, plus one for each row
	start := func(part int) int {
		return sort.Search(a.Nodes(), func(i int) bool { return work(i) >= work(a.Nodes())*part/parts })
	}
	var busy sync.WaitGroup
	for part := range parts {
		busy.Go(func() { do(start(part), start(part+1)) })
	}
	busy.Wait()
}

// together is the number of columns that [addUp] sums at a time. Tables are padded to a multiple of it.
const together = 8

// total is the sum of some entries of x, in four partial sums, since each addition waits for the previous one.
func total[T float32 | float64](x []T, entries []uint32) T {
	var a, b, c, d T
	for ; len(entries) >= 4; entries = entries[4:] {
		a += x[entries[0]]
		b += x[entries[1]]
		c += x[entries[2]]
		d += x[entries[3]]
	}
	for _, j := range entries {
		a += x[j]
	}
	return a + b + (c + d)
}

// addUp sets sum to the sum of some rows of x. It keeps sums in registers: a pass over all rows for every eight columns
// takes half the time of one pass with sums in memory.
func addUp[T float32 | float64](sum, x []T, rows []uint32) {
	for at := 0; at < len(sum); at += together {
		var a, b, c, d, e, f, g, h T
		for _, j := range rows {
			row := (*[together]T)(x[int(j)*len(sum)+at:])
			a += row[0]
			b += row[1]
			c += row[2]
			d += row[3]
			e += row[4]
			f += row[5]
			g += row[6]
			h += row[7]
		}
		*(*[together]T)(sum[at:]) = [together]T{a, b, c, d, e, f, g, h}
	}
}
