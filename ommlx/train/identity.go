package train

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/exceptions"

	"omm-go/ommlx/optim"
)

// identity is all that decides the result of a training, part by part: a checkpoint of another identity is that of
// another training.
type identity []part

// part is a number in words, or the SHA-256 of something larger.
type part struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// identity builds the loss and the optimiser on the backend, without compiling them, and returns also the names of the
// quantities that the loss watches.
func (p Problem) identity(b compute.Backend, c Config) (id identity, names []string, err error) {
	id = identity{
		{"backend", b.Name()}, // random numbers and rounding are its own
		{"number of steps", fmt.Sprint(c.Steps)},
		{"steps between evaluations", fmt.Sprint(c.EvalEvery)},
		{"decay of the averages", fmt.Sprint(c.EMA.Decay)},
		{"seeds", fmt.Sprint(p.Seeds)},
	}
	for _, list := range []struct {
		name    string
		tensors []*tensors.Tensor
	}{{"initial parameters", p.Params}, {"initial state", p.State}, {"data", p.Data}} {
		value, err := sumOf(list.tensors)
		if err != nil {
			return nil, nil, fmt.Errorf("training: reading the %s: %w", list.name, err)
		}
		id = append(id, part{list.name, value})
	}
	dtype := p.Params[0].DType()
	update, err := sumOfGraph(b, func(g *Graph) { updateOnce(g, c.optimiser(), dtype) })
	if err != nil {
		return nil, nil, built("training: building the update of the optimiser", err)
	}
	loss, err := sumOfGraph(b, func(g *Graph) { names = p.lossOnce(g) })
	if err != nil {
		return nil, nil, built("training: building the loss", err)
	}
	return append(id,
		part{"optimiser", fmt.Sprintf("%T", c.optimiser())},
		part{"settings of the optimiser", update},
		part{"watched quantities", fmt.Sprint(names)}, // which the causes of divergence refer to by number
		part{"loss", loss}), names, nil
}

// updateOnce builds a step on a vector and a matrix for one run.
func updateOnce(g *Graph, o optim.Optimiser, dtype dtypes.DType) {
	list := func(name string) []*Node {
		vector, matrix := shapes.Make(dtype, 1, 1), shapes.Make(dtype, 1, 1, 1)
		return []*Node{Parameter(g, name+" vector", vector), Parameter(g, name+" matrix", matrix)}
	}
	var slots [][]*Node
	for s := range o.Slots() {
		slots = append(slots, list(fmt.Sprint("slot ", s)))
	}
	step := Parameter(g, "step", shapes.Make(dtypes.Int32))
	building("", func() {
		o.Update(step, list("parameter"), list("gradient"), slots, func(next, _ *Node) *Node { return next })
	})
}

// lossOnce builds the loss and its gradients. It returns the names of the watched quantities.
func (p Problem) lossOnce(g *Graph) []string {
	list := func(name string, shapes []shapes.Shape) (nodes []*Node) {
		for i, s := range shapes {
			nodes = append(nodes, Parameter(g, fmt.Sprint(name, " ", i), s))
		}
		return nodes
	}
	var quantities []watched
	in := Inputs{Params: list("parameter", shapesOf(p.Params)), State: list("state", shapesOf(p.State)),
		Data: list("data", shapesOf(p.Data)), watched: &quantities}
	random := append([]int{len(p.Seeds)}, RNGStateShape.Dimensions...)
	in.Random = newRandom(Parameter(g, "random", shapes.Make(RNGStateShape.DType, random...)))
	p.lossAndGradients(in)
	return namesOf(quantities)
}

// differences lists in words in what the training of a checkpoint, there, is not this one; empty: in nothing.
func (id identity) differences(there identity) string {
	var all []string
	for _, here := range id {
		i := slices.IndexFunc(there, func(p part) bool { return p.Name == here.Name })
		switch {
		case i >= 0 && there[i].Value == here.Value:
		case i < 0 || strings.HasPrefix(here.Value, sumPrefix):
			all = append(all, here.Name)
		default:
			all = append(all, fmt.Sprintf("%s (%s there, %s here)", here.Name, there[i].Value, here.Value))
		}
	}
	return strings.Join(all, ", ")
}

func shapesOf(list []*tensors.Tensor) (all []shapes.Shape) {
	for _, t := range list {
		all = append(all, t.Shape())
	}
	return all
}

const sumPrefix = "SHA-256 "

func inWords(sum hash.Hash) string { return fmt.Sprintf("%s%x", sumPrefix, sum.Sum(nil)) }

// sumOf is the SHA-256 of shapes and contents.
func sumOf(list []*tensors.Tensor) (string, error) {
	sum := sha256.New()
	for _, t := range list {
		fmt.Fprintln(sum, t.Shape())
		if err := t.ConstBytes(func(b []byte) { sum.Write(b) }); err != nil {
			return "", err
		}
	}
	return inWords(sum), nil
}

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
