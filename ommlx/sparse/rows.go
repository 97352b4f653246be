package sparse

import (
	"sync"
	"unsafe"
)

// line is how many numbers fit in a cache line. Rows to be summed are padded to whole lines.
func line[T float32 | float64]() int {
	var one T
	return 64 / int(unsafe.Sizeof(one))
}

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

// addUp sets sum to the sum of some rows of x, all of whole lines. It keeps sums in registers: a pass over all rows for
// every eight columns takes half the time of one pass with sums in memory.
func addUp[T float32 | float64](sum, x []T, rows []uint32) {
	const together = 8
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

// spares are unused tables: allocating memory takes longer than everything else that is done for each node.
var spares sync.Pool

// spare returns a table of n numbers of any values.
func spare[T float32 | float64](n int) []T {
	if x, fits := spares.Get().(*[]T); fits && cap(*x) >= n {
		return (*x)[:n]
	}
	return make([]T, n)
}
