package bench

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/floats"

	"operator-omm/ommlx/internal/stopwatch"
	"operator-omm/ommlx/sparse"
	"operator-omm/ommlx/spectral"
	"operator-omm/ommlx/train"
)

//go:embed scipy_graph.py
var scipyGraph string

// What graphs are like ogbn-products: the classes, of which each has an eigenvector, and the edges of a node.
const (
	classes = 47
	degree  = 50
)

// eigenproblem is what scipy_graph.py is told: where a graph is, and what is asked of its normalised adjacency.
type eigenproblem struct {
	Offsets    string  `json:"offsets"`    // file of N+1 uint64
	Neighbours string  `json:"neighbours"` // file of 2E uint32
	K          int     `json:"k"`
	Tolerance  float64 `json:"tolerance"` // of residuals, as in [spectral.Lanczos]
}

// eigsh compares Lanczos with SciPy's eigsh (ARPACK) on graphs of more and more nodes. Target: SciPy. Lanczos also
// proves that no copy of a multiple eigenvalue is missing, which takes products that eigsh does not need.
func (s *session) eigsh() error {
	scipy := s.script("SciPy", scipyGraph)
	defer s.stop(scipy)
	sizes := []int{1_000, 10_000, 100_000}
	if s.small {
		sizes = []int{200}
	}
	for _, nodes := range sizes {
		if err := s.solve(nodes, scipy); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) solve(nodes int, scipy *framework) error {
	dir, err := os.MkdirTemp("", "omm-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	a := community(nodes, degree)
	e, err := filed(dir, a)
	if err != nil {
		return err
	}
	if s.small {
		e.K = 3
	}
	var ours spectral.Eigenpairs
	label, round := fmt.Sprintf("%d nodes", nodes), stopwatch.Repeated(1, func() (err error) {
		ours, err = e.solve(s.ctx, a)
		return err
	})
	if err := s.compare(label, round, contender{"eigsh", 1, scipy.round(1, e)}); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%-14s %d edges, largest residual %.1e", label, a.Edges(), slices.Max(ours.Residuals))
	var theirs struct {
		Eigenvalues []float64
		Residual    float64
	}
	if scipy.err == nil && json.Unmarshal(scipy.answer, &theirs) == nil {
		fmt.Fprintf(s.out, "; SciPy: largest residual %.1e, eigenvalues differ by %.1e", theirs.Residual,
			floats.Distance(ours.Values, theirs.Eigenvalues, math.Inf(1)))
	}
	fmt.Fprintln(s.out)
	return nil
}

// solve returns the leading eigenpairs by Lanczos. The error is [train.ErrInterrupted] where ctx ended it.
func (e eigenproblem) solve(ctx context.Context, a sparse.Adjacency) (spectral.Eigenpairs, error) {
	m := a.Symmetric()
	pairs, err := spectral.Lanczos{K: e.K, Tolerance: e.Tolerance}.Solve(a.Nodes(), func(dst, src []float64) {
		sparse.Multiply(m, dst, src, 1)
		if ctx.Err() != nil {
			dst[0] = math.NaN() // ends it
		}
	})
	if ctx.Err() != nil {
		err = train.ErrInterrupted
	}
	return pairs, err
}

// community draws a graph as [ogb.Generation] does, but in memory: six of ten edges join nodes of one of the classes,
// and degrees follow a power law with exponent 3. Edges that are drawn twice count once.
func community(nodes, degree int) sparse.Adjacency {
	rng := rand.New(rand.NewPCG(uint64(nodes), 0x9a4))
	id := rng.Perm(nodes)
	skewed := func(n int) int {
		x := rng.Float64()
		return int(x * x * float64(n))
	}
	b := sparse.NewBuilder(nodes)
	const together = 1 << 16
	for left := nodes * degree / 2; left > 0; left -= together {
		ends := make([]uint32, 0, 2*together)
		for range min(left, together) {
			u, v := skewed(nodes), skewed(nodes)
			if class := u % classes; rng.IntN(10) < 6 {
				v = skewed((nodes-class+classes-1)/classes)*classes + class
			}
			ends = append(ends, uint32(id[u]), uint32(id[v]))
		}
		b.Add(ends)
	}
	a, _ := b.Build()
	return a
}

func filed(dir string, a sparse.Adjacency) (eigenproblem, error) {
	e := eigenproblem{Offsets: filepath.Join(dir, "offsets"), Neighbours: filepath.Join(dir, "neighbours"), K: classes,
		Tolerance: 1e-10}
	for path, x := range map[string]any{e.Offsets: a.Offsets, e.Neighbours: a.Neighbours} {
		var text bytes.Buffer
		if err := binary.Write(&text, binary.NativeEndian, x); err != nil {
			return e, err
		}
		if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
			return e, err
		}
	}
	return e, nil
}
