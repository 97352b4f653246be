package learn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"operator-omm/ommlx/jet"
	"operator-omm/ommlx/operator"
)

// Functions are k functions with parameters: a [Table], a net.MLP, [Values] of a net.Disjoint, or anything with these
// two methods. A method Validate() error is called before the training, if there is one.
type Functions interface {
	// Init draws initial parameters for len(seeds) runs, each [R, …]; run r depends on seeds[r] alone.
	Init(seeds []int64) []*tensors.Tensor
	// Apply evaluates the functions at points x [R, n, D]: [R, n, k].
	Apply(params []*graph.Node, x *graph.Node) *graph.Node
}

// Waves are functions that are evaluated together with their derivatives, such as net.Disjoint.
type Waves interface {
	Init(seeds []int64) []*tensors.Tensor
	Apply(params []*graph.Node, x jet.Jet) jet.Jet
}

// Values are waves as plain functions: derivatives are left out.
func Values(w Waves) Functions { return values{w} }

type values struct{ Waves }

func (v values) Apply(params []*graph.Node, x *graph.Node) *graph.Node {
	return v.Waves.Apply(params, jet.Inputs(x)).Value
}

func (v values) Validate() error {
	if v, ok := v.Waves.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return nil
}

// Table holds the values of K functions on N states, which are its parameters: no network. Points are the numbers of
// states, 0 to N−1, with D = 1.
type Table struct {
	N, K int
}

// start is the root mean square of a table's entries at the start: small enough that M[f] ≤ I, where the loss has no
// way down along negative eigenvalues, and not 0, which is a saddle.
const start = 0.3

// Validate returns an error when N or K is not positive.
func (t Table) Validate() error {
	if t.N < 1 || t.K < 1 {
		return fmt.Errorf("a table of %d functions on %d states was asked for; give at least 1 of both", t.K, t.N)
	}
	return nil
}

// Init returns normal numbers, [R, N, K].
func (t Table) Init(seeds []int64) []*tensors.Tensor {
	flat := make([]float32, 0, len(seeds)*t.N*t.K)
	for _, seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 0x7ab1e)) // second word: a stream of its own
		for range t.N * t.K {
			flat = append(flat, float32(start*rng.NormFloat64()))
		}
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(flat, len(seeds), t.N, t.K)}
}

// Apply returns the rows of the states x [R, n, 1], or all of them where x is nil.
func (t Table) Apply(params []*graph.Node, x *graph.Node) *graph.Node {
	if x == nil {
		return params[0]
	}
	return operator.GatherRows(params[0], graph.ConvertDType(graph.Squeeze(x, -1), dtypes.Int32))
}

// sqrtVolume is what functions of norm 1 over the law of samples are divided by.
func (t Task) sqrtVolume() float64 {
	if t.Volume == 0 {
		return 1
	}
	return math.Sqrt(t.Volume)
}
