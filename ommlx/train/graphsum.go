package train

import (
	"crypto/sha256"
	"fmt"
	"hash"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// sumOfGraph is the SHA-256 of the graph that build builds: of every operation with its settings, shapes and inputs,
// and of every constant. It is the same in each process, and nothing is compiled.
func sumOfGraph(b compute.Backend, build func(g *Graph)) (string, error) {
	r := recorder{b, sha256.New()}
	g := NewGraph(r, "identity")
	defer g.Finalize()
	if err := exceptions.TryCatch[error](func() { build(g) }); err != nil {
		return "", err
	}
	for _, node := range g.Nodes() {
		fmt.Fprintln(r.constants, node.Function().Path(), node)
		for _, input := range node.Inputs() { // which the text of a call leaves out
			fmt.Fprintln(r.constants, input.Id())
		}
	}
	return inWords(r.constants), nil
}

// recorder is a backend that adds up the constants of the graphs that it builds. The nodes of a graph keep small ones
// alone.
type recorder struct {
	compute.Backend
	constants hash.Hash
}

func (r recorder) Builder(name string) compute.Builder {
	return recordingBuilder{r.Backend.Builder(name), r.constants}
}

type recordingBuilder struct {
	compute.Builder
	constants hash.Hash
}

func (b recordingBuilder) Main() compute.Function {
	return recordingFunction{b.Builder.Main(), b.constants}
}

func (b recordingBuilder) NewFunction(name string) (compute.Function, error) {
	f, err := b.Builder.NewFunction(name)
	return recordingFunction{f, b.constants}, err
}

type recordingFunction struct {
	compute.Function
	constants hash.Hash
}

func (f recordingFunction) Constant(flat any, dims ...int) (compute.Value, error) {
	fmt.Fprintf(f.constants, "%T %v\n", flat, dims)
	f.constants.Write(dtypes.UnsafeByteSliceFromAny(flat))
	return f.Function.Constant(flat, dims...)
}

func (f recordingFunction) Closure() (compute.Function, error) {
	closure, err := f.Function.Closure()
	return recordingFunction{closure, f.constants}, err
}

// A backend knows its own functions alone.
func unwrapped(f compute.Function) compute.Function {
	if r, ok := f.(recordingFunction); ok {
		return r.Function
	}
	return f
}

func (f recordingFunction) Call(of compute.Function, inputs ...compute.Value) ([]compute.Value, error) {
	return f.Function.Call(unwrapped(of), inputs...)
}

func (f recordingFunction) Sort(order compute.Function, axis int, stable bool, inputs ...compute.Value) (
	[]compute.Value, error) {
	return f.Function.Sort(unwrapped(order), axis, stable, inputs...)
}

func (f recordingFunction) While(cond, body compute.Function, initial ...compute.Value) ([]compute.Value, error) {
	return f.Function.While(unwrapped(cond), unwrapped(body), initial...)
}

func (f recordingFunction) If(pred compute.Value, yes, no compute.Function) ([]compute.Value, error) {
	return f.Function.If(pred, unwrapped(yes), unwrapped(no))
}
