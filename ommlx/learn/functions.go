package learn

import (
	"cmp"
	"fmt"
	"math"

	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/learn/inspect"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

const (
	networkWidth = 64
	networkRate  = 3e-3 // learning rate
)

// spareFunctions of the default network are trained and then dropped, since the last one is often stuck in a function
// that is not the next slowest. Two AR(1) coordinates (.95 and .8, 20,000 frames): value 4, of .857, was .842 and .797
// with seeds 1 and 2, and is .867 and .859; a counter modulo 500 (3,000 frames): value 3, of .9999, was .990 and is
// .9998.
const spareFunctions = 2

// orNetwork returns f or, if f is nil, the default network for such points, and how many of its functions are spare.
func orNetwork(f net.Functions, samples mat.Matrix, k, spare int) (net.Functions, int) {
	if f != nil {
		return f, 0
	}
	_, d := samples.Dims()
	return net.Standardised{MLP: net.MLP{In: d, Hidden: []int{networkWidth, networkWidth}, Out: k + spare},
		Coordinates: net.Standardise(samples)}, spare
}

// examine adds remarks on points that functions f, or the default network if nil, take.
func (t *Task) examine(points mat.Matrix, f net.Functions, where func(row int) string) {
	if net.IsDiscrete(f) {
		return
	}
	t.remarks = append(t.remarks, inspect.Outliers(points, where))
	if f != nil {
		t.remarks, t.remedy = append(t.remarks, inspect.Coarse(points)), cmp.Or(t.remedy, inspect.Unscaled(points))
	}
}

// rowOf names the rows of a table.
func rowOf(table string) func(row int) string {
	return func(row int) string { return fmt.Sprintf("row %d of %s", row, table) }
}

// inputs returns points as a table of inputs of the functions.
func inputs(f net.Functions, points mat.Matrix) *tensors.Tensor {
	return train.Table(net.Prepare(f, points))
}

// The kinds of functions in a file. All kinds except the last three can be rebuilt from the file.
const (
	kindTable        = "table"
	kindWeighted     = "weighted table"
	kindMLP          = "mlp"
	kindStandardised = "standardised mlp"
	kindWaves        = "waves"
	kindMasked       = "masked waves"
	kindSampled      = "sampled waves"
	kindOther        = "other"
)

// describe returns what a file records about functions besides their parameters: the kind, the activation of a network,
// "relu" or "softplus", and constants.
func describe(f net.Functions) (kind, layers string, constants map[string]*tensors.Tensor) {
	switch f := f.(type) {
	case net.Table:
		return kindTable, "", nil
	case net.DividedTable:
		return kindWeighted, "", map[string]*tensors.Tensor{"roots": tensors.FromValue(f.Divisors)}
	case net.MLP:
		return kindMLP, "relu", nil
	case net.Standardised:
		return kindStandardised, "relu", map[string]*tensors.Tensor{"mean": tensors.FromValue(f.Mean),
			"scale": tensors.FromValue(f.Scale)}
	case wavefunctions:
		if w, is := f.Waves.(net.FourierDisjoint); is && f.box.Lower != nil {
			dims := len(f.box.Lower)
			return f.kind, "softplus", map[string]*tensors.Tensor{
				"box.lower": tensors.FromValue(f.box.Lower), "box.upper": tensors.FromValue(f.box.Upper),
				"frequencies": tensors.FromFlatDataAndDimensions(w.Frequencies, len(w.Frequencies)/dims, dims)}
		}
		return f.kind, "", nil
	}
	return kindOther, "", nil
}

// functions rebuilds the functions that the file describes, with outputs as trained.
func functions(file tensorx.Safetensors, params []*tensors.Tensor, outputs int) (net.Functions, error) {
	kind := file.Metadata["functions"]
	var widths []int // of a network: inputs, layers
	for l := 0; l < len(params) && params[l].Rank() > 1; l += 2 {
		shape := params[l].Shape()
		if l == 0 {
			widths = append(widths, shape.Dim(-1))
		}
		widths = append(widths, shape.Dim(-2))
	}
	network := func() net.MLP {
		last := len(widths) - 1
		return net.MLP{In: widths[0], Hidden: widths[1:last], Out: outputs}
	}
	constant := func(name string) []float64 { return numbers[float64](file, name) }
	switch kind {
	case kindTable:
		return table(widths[1], outputs), nil
	case kindWeighted:
		return net.DividedTable{Table: table(widths[1], outputs), Divisors: constant("roots")}, nil
	case kindMLP:
		return network(), nil
	case kindStandardised:
		return net.Standardised{MLP: network(),
			Coordinates: net.Coordinates{Mean: constant("mean"), Scale: constant("scale")}}, nil
	case kindWaves:
		box := net.Box{Lower: constant("box.lower"), Upper: constant("box.upper")}
		around, _ := box.Centred()
		w := net.FourierDisjoint{Disjoint: net.Disjoint(network()), Frequencies: constant("frequencies"), Box: around,
			Last: lastLayer}
		return inBox(w, box, kind), nil
	}
	return nil, fmt.Errorf("the file does not describe its functions, %q: pass the Functions of the operator's "+
		"Task to Load", kind)
}

// check returns an error if there are no points, a coordinate is not finite in float32, or a point of discrete
// functions is not a state number. Errors begin with what.
func check(what string, points mat.Matrix, f net.Functions) error {
	if points == nil {
		return fmt.Errorf("%s is nil, want N×D coordinates", what)
	}
	n, d := points.Dims()
	if n == 0 || d == 0 {
		return fmt.Errorf("%s is %d×%d, want N×D coordinates", what, n, d)
	}
	if i, j, found := linalg.Find(points, isInfinite); found {
		return fmt.Errorf("%s: coordinate %d of row %d is %v, want a finite float32", what, j, i, points.At(i, j))
	}
	if err := net.CheckStates(f, points); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// checkPoints is [check] of points of d coordinates, at which learned functions are to be evaluated.
func checkPoints(points mat.Matrix, d int) error {
	if err := check("learn: points", points, nil); err != nil {
		return err
	}
	if _, columns := points.Dims(); columns != d {
		return fmt.Errorf("learn: points have %d coordinates, want %d", columns, d)
	}
	return nil
}

// tiny returns an error if the numbers of a coordinate are below those of float32, in which they would be 0.
func tiny(what string, points mat.Matrix) error {
	if points == nil {
		return nil // see [check]
	}
	_, d := points.Dims()
	for j := range d {
		if most := floats.Norm(mat.Col(nil, j, points), math.Inf(1)); most > 0 && most < minFloat32 {
			return fmt.Errorf("%s: coordinate %d is at most %.2g, 0 in float32: scale it", what, j, most)
		}
	}
	return nil
}

const minFloat32 = 0x1p-126 // with all digits

// isInfinite reports whether a number is NaN or infinite in float32.
func isInfinite(v float64) bool { return linalg.IsInfinite(float64(float32(v))) }

// enough returns an error if there are fewer states than functions.
func enough(states, k int) error {
	if k > states {
		return fmt.Errorf("k is %d, want at most the number of states, %d", k, states)
	}
	return nil
}
