package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

// Solution is a row of tables/lattice.json: the lowest D + 2 states of the D-dimensional oscillator −∇² + |x|² in the
// box [−6, 6]^D, by Lanczos on n^D points of a lattice or, if n is 0, by one training with the defaults of package
// learn. Errors are means of the relative errors of the energies.
type Solution struct {
	Dim     int     `json:"dim"`     // D
	Points  int     `json:"points"`  // n
	Seconds float64 `json:"seconds"` // processor time of all cores
	Memory  float64 `json:"memory"`  // peak while solving, GiB
	Error   float64 `json:"error"`
	// Extrapolated is the error after extrapolation to zero spacing from this lattice and the one before.
	Extrapolated float64 `json:"extrapolated,omitempty"`
}

// Lattices is the content of tables/lattice.json.
type Lattices struct {
	Go       string     `json:"go"`
	Commit   string     `json:"commit"`
	Finished time.Time  `json:"finished"`
	Cores    int        `json:"cores"`
	Limits   Limits     `json:"limits"`
	Rows     []Solution `json:"rows"`
}

// Limits ends the growth of a lattice: the largest memory and time that a lattice may need, estimated from the two
// before.
type Limits struct {
	Memory  float64 `json:"memory"`  // GiB
	Seconds float64 `json:"seconds"` // processor time
}

// CompareLattices writes tables/lattice.json of the checkout: oscillators in two, three and four dimensions by one
// training each, and on lattices that double in each direction up to the limits. It also reports each row to out.
func CompareLattices(out io.Writer, limits Limits) error {
	root, err := fsx.Checkout()
	if err != nil {
		return err
	}
	l := Lattices{Go: runtime.Version(), Commit: run.BuiltFrom(root), Cores: runtime.NumCPU(), Limits: limits}
	for dim := 2; dim <= 4; dim++ {
		o := oscillator{dim, out}
		trained, _, err := o.measure(0, o.learned)
		if err != nil {
			return err
		}
		lattices, err := o.lattices(limits)
		if err != nil {
			return err
		}
		l.Rows = append(append(l.Rows, trained), lattices...)
	}
	l.Finished = time.Now().UTC().Truncate(time.Second)
	text, err := json.MarshalIndent(l, "", " ")
	if err != nil {
		return err
	}
	return fsx.Write(filepath.Join(root, "tables", "lattice.json"), append(text, '\n'))
}

type oscillator struct {
	dim int
	out io.Writer
}

// box leaves out a part e^(-36) of the ground state's density.
func (o oscillator) box() (b net.Box) {
	for range o.dim {
		b.Lower, b.Upper = append(b.Lower, -6), append(b.Upper, 6)
	}
	return b
}

// energies returns the exact ones: D, then D + 2 for D states, then D + 4.
func (o oscillator) energies() []float64 {
	all := []float64{float64(o.dim)}
	for range o.dim {
		all = append(all, float64(o.dim+2))
	}
	return append(all, float64(o.dim+4))
}

func (o oscillator) onLattice(n int) ([]float64, error) {
	system := schrodinger.System{Name: "oscillator", Dim: o.dim,
		PotentialAt: func(x []float64) float64 { return floats.Dot(x, x) }}
	states, err := system.Differences(nil, o.box(), n, len(o.energies()))
	return states.Values, err
}

func (o oscillator) learned() ([]float64, error) {
	v := func(x *Node) *Node { return ReduceAndKeep(Square(x), ReduceSum, -1) }
	l, err := learn.Learn(context.Background(), learn.Schrodinger{Potential: v, Box: o.box()}, len(o.energies()),
		learn.Settings{})
	if err != nil {
		return nil, err
	}
	return l.Values, nil
}

// lattices measures lattices of 8, 16, 32, … points in each direction.
func (o oscillator) lattices(limits Limits) (rows []Solution, err error) {
	var coarse []float64
	for n, next := 8, (Solution{}); next.Memory <= limits.Memory && next.Seconds <= limits.Seconds; n *= 2 {
		one, fine, err := o.measure(n, func() ([]float64, error) { return o.onLattice(n) })
		if err != nil {
			return nil, err
		}
		if next = one; rows != nil {
			last, ratio := rows[len(rows)-1], math.Pow(float64(n+1)/float64(n/2+1), 2) // of squared spacings
			for i, e := range fine {
				coarse[i] = e + (e-coarse[i])/(ratio-1)
			}
			one.Extrapolated = o.off(coarse)
			next.Seconds *= one.Seconds / max(last.Seconds, 1e-3)
		}
		next.Memory *= math.Pow(2, float64(o.dim))
		rows, coarse = append(rows, one), fine
	}
	return rows, nil
}

// off returns the mean relative error of energies.
func (o oscillator) off(values []float64) (sum float64) {
	for i, e := range o.energies() {
		sum += math.Abs(values[i]/e-1) / float64(o.dim+2)
	}
	return sum
}

func (o oscillator) measure(points int, solve func() ([]float64, error)) (s Solution, values []float64, err error) {
	before, began := resetPeak(), processorTime()
	if values, err = solve(); err != nil {
		return s, nil, err
	}
	s = Solution{Dim: o.dim, Points: points, Seconds: processorTime() - began, Memory: resident("VmHWM") - before,
		Error: o.off(values)}
	fmt.Fprintf(o.out, "D = %d, %4d points: %8.1f core-seconds, %6.3f GiB, error %.2g\n", s.Dim, s.Points, s.Seconds,
		s.Memory, s.Error)
	return s, values, nil
}
