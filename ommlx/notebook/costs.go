package notebook

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/internal/stopwatch"
	"operator-omm/ommlx/theory"
)

// Measured is a computation's time and the error that it left.
type Measured struct {
	Seconds float64 // wall-clock time
	Error   float64 // at least 0, in the unit of the figure that shows it
}

// Reached is the least error that was reached within a time, as a curve of a figure with a logarithmic axis: a point
// for each of points, in the order of their times, with the least error up to then. Errors below floor are drawn there.
// Points may be in any order, and are left as they are; none give a curve without points.
func Reached(name string, floor float64, points []Measured) draw.Series {
	points = slices.Clone(points)
	slices.SortFunc(points, func(a, b Measured) int { return cmp.Compare(a.Seconds, b.Seconds) })
	s, least := draw.Series{Name: name}, math.Inf(1)
	for _, p := range points {
		least = max(min(least, p.Error), floor)
		s.Add(p.Seconds, least)
	}
	return s
}

// Seconds calls fn, again until 0.2 seconds have passed, and returns the shortest wall-clock time of a call, in
// seconds.
func Seconds(fn func()) float64 {
	best := math.Inf(1)
	for total := 0.; total < 0.2; {
		start := time.Now()
		fn()
		took := time.Since(start).Seconds()
		best, total = min(best, took), total+took
	}
	return best
}

// Evaluation is the loss of an objective and its gradients for F and TF on one batch, alone: without a network, an
// operator and an optimiser.
type Evaluation struct {
	Objective ommlx.Objective
	B, K      int  // samples and functions
	OneSided  bool // as in [ommlx.Batch]
}

// round returns a round of so many evaluations that it takes the given time, and what frees it.
func (e Evaluation) round(length time.Duration) (round stopwatch.Round, free func(), err error) {
	exec, err := NewExec(Engine(), func(f, tf *Node) []*Node {
		loss, _ := e.Objective.Loss(ommlx.Batch{F: f, TF: tf, OneSided: e.OneSided}, nil)
		return append(Gradient(loss, f, tf), loss)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("measuring %s: %w", e.Objective.Name(), err)
	}
	f, tf := normal(e.B, e.K, 1), normal(e.B, e.K, 2)
	once := func() error {
		out, err := exec.Call(f, tf)
		if err == nil && math.IsNaN(float64(tensors.ToScalar[float32](out[2]))) { // reading it waits for it
			err = fmt.Errorf("the loss of %s is not a number", e.Objective.Name())
		}
		for _, t := range out {
			t.MustFinalizeAll()
		}
		return err
	}
	for n := range 2 { // the first call compiles, the second is as those that follow
		l, err := stopwatch.Repeated(1, once)()
		if err != nil {
			exec.Finalize()
			return nil, nil, err
		}
		if n > 0 {
			round = stopwatch.Repeated(max(1, int(math.Ceil(float64(length)/float64(l.Wall)))), once)
		}
	}
	return round, exec.Finalize, nil
}

// normal draws a table of values of a third of the size that orthonormal functions have.
func normal(rows, columns int, seed uint64) *tensors.Tensor {
	rng := rand.New(rand.NewPCG(seed, 0x0b1ec7))
	flat := make([]float32, rows*columns)
	for i := range flat {
		flat[i] = float32(rng.NormFloat64() / 3)
	}
	return tensors.FromFlatDataAndDimensions(flat, rows, columns)
}

// leastTimes returns the time of one of each evaluation on the clock, and of the processors: the least of several
// rounds, of a given length each, in which they take turns, so that other work on the machine delays none of them for
// good. That work does not count in the time of the processors, which on a GPU says nothing.
func leastTimes(evaluations []Evaluation, rounds int, length time.Duration) (wall, cpu []time.Duration, err error) {
	all := make([]stopwatch.Round, len(evaluations))
	for i, e := range evaluations {
		var free func()
		if all[i], free, err = e.round(length); err != nil {
			return nil, nil, err
		}
		defer free()
	}
	const long = time.Duration(math.MaxInt64)
	wall, cpu = slices.Repeat([]time.Duration{long}, len(all)), slices.Repeat([]time.Duration{long}, len(all))
	for range rounds {
		for i, round := range all {
			l, err := round()
			if err != nil {
				return nil, nil, err
			}
			wall[i], cpu[i] = min(wall[i], l.Wall), min(cpu[i], l.CPU)
		}
	}
	return wall, cpu, nil
}

// Cost is how the time of an [Evaluation] of OMM follows from its sizes, in seconds (paper, appendix B.3):
//
//	t = Call + PerBk2·Bk² + PerK3·(p − 1)k³.
//
// The paper's O(Bk² + pk³) counts powers of M[f]; Horner's rule takes 2p − 2 products of k×k matrices, none for p = 1.
type Cost struct{ Call, PerBk2, PerK3 float64 }

// Time returns t for an evaluation of OMM-p.
func (c Cost) Time(e Evaluation) time.Duration {
	size := terms(e)
	return time.Duration((c.Call*size[0] + c.PerBk2*size[1] + c.PerK3*size[2]) * float64(time.Second))
}

// String writes the formula with its coefficients.
func (c Cost) String() string {
	return fmt.Sprintf("%.3g ms + %.3g ns·Bk² + %.3g ns·(p − 1)k³", c.Call*1e3, c.PerBk2*1e9, c.PerK3*1e9)
}

// terms are what the coefficients of a cost are of.
func terms(e Evaluation) []float64 {
	omm, _ := e.Objective.(ommlx.OMM)
	b, k, p := float64(e.B), float64(e.K), float64(max(1, len(omm.Orders)))
	return []float64{1, b * k * k, (p - 1) * k * k * k}
}

// fitCost fits the cost of evaluations of OMM to their times, with the least sum of squares of the relative errors.
// residuals are t/Time − 1. The error says that there are too few sizes to tell the terms apart.
func fitCost(evaluations []Evaluation, times []time.Duration) (c Cost, residuals []float64, err error) {
	const advice = "fitting the cost: the sizes do not tell its three terms apart; give more of them"
	if len(times) < 3 {
		return c, nil, fmt.Errorf("%s than %d", advice, len(times))
	}
	sizes, ones := mat.NewDense(len(times), 3, nil), mat.NewVecDense(len(times), nil)
	for i, e := range evaluations {
		for j, term := range terms(e) {
			sizes.Set(i, j, term/times[i].Seconds())
		}
		ones.SetVec(i, 1)
	}
	var fit mat.VecDense
	if err := fit.SolveVec(sizes, ones); err != nil {
		return c, nil, fmt.Errorf("%s: %w", advice, err)
	}
	c = Cost{fit.AtVec(0), fit.AtVec(1), fit.AtVec(2)}
	for i, e := range evaluations {
		residuals = append(residuals, float64(times[i])/float64(c.Time(e))-1)
	}
	return c, residuals, nil
}

// CostAxis is evaluations of OMM that differ in one size.
type CostAxis struct {
	Name  string // of the size
	Sizes []float64
	Of    func(n int) Evaluation
}

// Costs is what evaluations of losses cost, and the fit to those of the axes.
type Costs struct {
	What      string // "processor time", in which other work of the machine does not count, or on a GPU "time"
	Cost      Cost
	Times     [][]time.Duration // of each axis
	Residuals [][]float64       // of each axis: t/Time − 1
	Slopes    []float64         // of each axis: s in t ∝ sizeˢ
	Others    []time.Duration   // of what is not on an axis
	Plots     draw.CurvesRow    // measured and fitted milliseconds, a plot for each axis
}

// MeasureCosts measures the axes and other evaluations in turns, and takes the least time of each. An error says what
// cannot be measured, or that the axes are too few for a fit.
func MeasureCosts(axes []CostAxis, others []Evaluation, repeats int, atLeast time.Duration) (Costs, error) {
	var cases []Evaluation
	for _, axis := range axes {
		for _, n := range axis.Sizes {
			cases = append(cases, axis.Of(int(n)))
		}
	}
	fitted := len(cases)
	cases = append(cases, others...)
	times, cpu, err := leastTimes(cases, repeats, atLeast)
	if err != nil {
		return Costs{}, err
	}
	chosen, err := backend.Choose()
	if err != nil {
		return Costs{}, err
	}
	c := Costs{What: "time"}
	if chosen.Kind != backend.KindXLACUDA {
		times, c.What = cpu, "processor time"
	}
	cost, residuals, err := fitCost(cases[:fitted], times[:fitted])
	if err != nil {
		return Costs{}, err
	}
	c.Cost, c.Others = cost, times[fitted:]
	for _, axis := range axes {
		n := len(axis.Sizes)
		measured, fit := draw.Series{Name: "measured"}, draw.Series{Name: "fit"}
		for i, size := range axis.Sizes {
			measured.Add(size, 1e3*times[i].Seconds())
			fit.Add(size, 1e3*cost.Time(cases[i]).Seconds())
		}
		c.Times, c.Residuals = append(c.Times, times[:n]), append(c.Residuals, residuals[:n])
		c.Slopes = append(c.Slopes, theory.PowerLaw(measured.X, measured.Y))
		c.Plots.Plots = append(c.Plots.Plots, draw.Curves{XLabel: axis.Name, YLabel: "ms", LogX: true, LogY: true,
			Series: []draw.Series{measured, fit}})
		cases, times, residuals = cases[n:], times[n:], residuals[n:]
	}
	return c, nil
}
