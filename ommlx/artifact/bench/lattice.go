package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"time"

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
		o, err := newOscillator(dim, out)
		if err != nil {
			return err
		}
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

// oscillator is the system with its lowest D + 2 energies.
type oscillator struct {
	schrodinger.System
	energies []float64
	box      net.Box
	out      io.Writer
}

// newOscillator has a box that leaves out a part e^(-36) of the ground state's density.
func newOscillator(dim int, out io.Writer) (oscillator, error) {
	system, err1 := schrodinger.Oscillator(dim)
	spectrum, err2 := system.Lowest(dim + 2) // whole levels
	if err := cmp.Or(err1, err2); err != nil {
		return oscillator{}, err
	}
	box := net.Box{Lower: slices.Repeat([]float64{-6}, dim), Upper: slices.Repeat([]float64{6}, dim)}
	return oscillator{system, spectrum.Energies()[:dim+2], box, out}, nil
}

func (o oscillator) onLattice(n int) ([]float64, error) {
	states, err := o.Differences(nil, o.box, n, len(o.energies))
	return states.Values, err
}

func (o oscillator) learned() ([]float64, error) {
	l, err := learn.Learn(context.Background(), learn.Schrodinger{Potential: o.Potential, Box: o.box}, len(o.energies),
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
		next.Memory *= math.Pow(2, float64(o.Dim))
		rows, coarse = append(rows, one), fine
	}
	return rows, nil
}

// off returns the mean relative error of energies.
func (o oscillator) off(values []float64) (sum float64) {
	for i, e := range o.energies {
		sum += math.Abs(values[i]/e-1) / float64(len(o.energies))
	}
	return sum
}

func (o oscillator) measure(points int, solve func() ([]float64, error)) (s Solution, values []float64, err error) {
	before, began := resetPeak(), processorTime()
	if values, err = solve(); err != nil {
		return s, nil, err
	}
	s = Solution{Dim: o.Dim, Points: points, Seconds: processorTime() - began, Memory: resident("VmHWM") - before,
		Error: o.off(values)}
	fmt.Fprintf(o.out, "D = %d, %4d points: %8.1f core-seconds, %6.3f GiB, error %.2g\n", s.Dim, s.Points, s.Seconds,
		s.Memory, s.Error)
	return s, values, nil
}
