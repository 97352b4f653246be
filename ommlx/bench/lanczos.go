package bench

import (
	_ "embed"
	"fmt"
	"slices"
	"time"

	"operator-omm/ommlx/train"
)

//go:embed scipy_graph.py
var scipyGraph string

// lanczos compares 47 eigenvectors of the normalised adjacency of graphs by Lanczos with SciPy's eigsh, from 1,000
// nodes on to where the next graph would take more than two minutes or has more edges than is wanted. Target: SciPy.
//
// Lanczos also proves that no copy of a multiple eigenvalue is missing, which takes products that eigsh does not need.
func (s *session) lanczos() error {
	scipy := script(s.ctx, s.options.Python, "SciPy", scipyGraph)
	defer scipy.stop()
	first := 1_000
	if s.options.scale < 1 {
		first = 200
	}
	for n := first; n*degree/2 <= max(first*degree/2, s.options.Edges); n *= 10 {
		took, err := s.lanczosOf(n, scipy)
		if err != nil || s.options.scale < 1 {
			return err
		}
		if 10*took > patience {
			fmt.Fprintf(s.out, "a graph of %d nodes would take more than %s\n", 10*n, patience)
			break
		}
	}
	if scipy.version != "" {
		fmt.Fprintf(s.out, "SciPy %s\n", scipy.version)
	}
	return nil
}

// lanczosOf solves for one graph, and returns how long the slower side took.
func (s *session) lanczosOf(nodes int, scipy *framework) (slower time.Duration, err error) {
	a := community(nodes)
	var ours solved
	var took lap
	memory, err := memoryOf(func() (err error) {
		took, err = repeated(1, func() (err error) {
			ours, err = s.eigenvectors(a)
			return err
		})()
		return err
	})
	if s.ctx.Err() != nil {
		return 0, train.ErrInterrupted
	}
	if err != nil {
		return 0, err
	}
	var theirs struct {
		timing
		Eigenvalues      []float64
		Residual, Memory float64
	}
	var their lap
	err = inFolder(func(dir string) error {
		file, err := filed(dir, a)
		if err != nil {
			return err
		}
		file.K, file.Tolerance = s.modes(), lanczosTolerance
		var missing error
		if missing = scipy.tell(question{Steps: 1, Adjacency: file}, &theirs); missing == nil {
			scipy.version = theirs.Version
			if their, err = theirs.perStep(1); err != nil {
				return err
			}
		}
		label := fmt.Sprintf("%d nodes", nodes)
		s.line(label, []lap{took}, contender{label: "SciPy eigsh", target: 1}, []lap{their}, missing)
		return nil
	})
	fmt.Fprintf(s.out, "%d nodes, %d edges: %d products take %.0f %% of the time, memory %.1f MB, largest residual "+
		"%.1e", nodes, a.Edges(), ours.Applications, 100*ours.products.Seconds()/took.wall.Seconds(),
		float64(memory)/1e6, slices.Max(ours.Residuals))
	if theirs.Version != "" {
		fmt.Fprintf(s.out, "; SciPy: memory %.1f MB (0: not known), largest residual %.1e, eigenvalues "+
			"differ by %.1e", theirs.Memory/1e6, theirs.Residual, apart(ours.Values, theirs.Eigenvalues))
	}
	fmt.Fprintln(s.out)
	return max(took.wall, their.wall), err
}

// apart is the largest distance of two lists of eigenvalues.
func apart(x, y []float64) (most float64) {
	for i := range min(len(x), len(y)) {
		most = max(most, x[i]-y[i], y[i]-x[i])
	}
	return most
}
