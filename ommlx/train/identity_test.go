package train

import (
	"context"
	"errors"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
)

// constants is toy with a table of constants in its loss, of which GoMLX's nodes keep nothing.
func constants(last float32) Problem {
	p := toy(4, 1)
	loss := p.Loss
	p.Loss = func(in Inputs) (*Node, []*Node) {
		value, next := loss(in)
		table := append(make([]float32, 99), last)
		return Add(value, ReduceAllSum(ConstTensor(value.Graph(), tensors.FromFlatDataAndDimensions(table, 100)))), next
	}
	return p
}

// TestFolderOfAnotherTraining is refused with a sentence that says what differs, whether that training is complete or
// not.
func TestFolderOfAnotherTraining(t *testing.T) {
	const steps = 80
	changes := []struct {
		word   string
		change func(p *Problem, c *Config, o *Options)
	}{
		{"number of steps (80 there, 90 here);", func(_ *Problem, c *Config, _ *Options) { c.Steps = 90 }},
		{"number of steps (80 there, 10 here);", func(_ *Problem, c *Config, _ *Options) { c.Steps = 10 }},
		{"steps between evaluations (3 there, 4 here);", func(_ *Problem, c *Config, _ *Options) { c.EvalEvery = 4 }},
		{"decay of the averages (0.9 there, 0 here);", func(_ *Problem, c *Config, _ *Options) { c.EMA = optim.EMA{} }},
		{"in: settings of the optimiser;",
			func(_ *Problem, c *Config, _ *Options) { c.Optimiser = optim.Adam{Beta1: 0.5} }},
		{"in: optimiser (optim.Adam there, optim.RMSProp here), settings of the optimiser;",
			func(_ *Problem, c *Config, _ *Options) { c.Optimiser = optim.RMSProp{} }},
		{"in: seeds ([1] there, [2] here);", func(p *Problem, _ *Config, _ *Options) { p.Seeds = []int64{2} }},
		{"in: initial parameters;", func(p *Problem, _ *Config, _ *Options) { p.Params = toy(4, 2).Params }},
		{"in: initial state;", func(p *Problem, _ *Config, _ *Options) {
			p.State = []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{1}, 1), p.State[1]}
		}},
		{"in: data;", func(p *Problem, _ *Config, _ *Options) {
			p.Data = []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{1, 0, 0.5, 2, -1, 4}, 2, 3)}
		}},
		{"in: loss;", func(p *Problem, _ *Config, _ *Options) { p.Loss = constants(2).Loss }},
		{"in: watched quantities ([] there, [F] here);", func(p *Problem, _ *Config, _ *Options) {
			*p = also(*p, func(in Inputs) { in.Watch("F", in.Params[0]) })
		}},
		{"in: initial parameters, loss;", // of other shapes
			func(p *Problem, _ *Config, _ *Options) { p.Params, p.Loss = toy(5, 1).Params, toy(5, 1).Loss }},
		{"another training, of configuration key and not other;",
			func(_ *Problem, _ *Config, o *Options) { o.Key = "other" }},
	}
	for _, stop := range []int{30, steps} {
		o := pureGo(t)
		o.Dir, o.CheckpointEvery = t.TempDir(), 1
		p, c := constants(1), config(steps, 3)
		if stop < steps {
			interrupted(t, p, c, o, stop)
		} else {
			mustRun(t, p, c, o)
		}
		for _, of := range changes {
			p, c, o := constants(1), config(steps, 3), o
			of.change(&p, &c, &o)
			result, err := Run(context.Background(), p, c, o)
			assert.ErrorContains(t, err, of.word)
			assert.ErrorContains(t, err, "use another folder")
			assert.Nil(t, result)
		}
		require.Equal(t, steps, mustRun(t, p, c, o).Step, "its own folder")
	}
}

// never is a backend that compiles nothing.
type never struct{ compute.Backend }

type neverBuilder struct{ compute.Builder }

func (n never) Builder(name string) compute.Builder { return neverBuilder{n.Backend.Builder(name)} }

func (neverBuilder) Compile() (compute.Executable, error) { return nil, errors.New("compiled") }

// TestCompleteTrainingIsNotCompiled: the result is in its folder.
func TestCompleteTrainingIsNotCompiled(t *testing.T) {
	o := pureGo(t)
	o.Dir = t.TempDir()
	want := mustRun(t, toy(4, 1), config(20, 3), o)
	o.Backend = never{o.Backend}
	requireSame(t, want, mustRun(t, toy(4, 1), config(20, 3), o))
	_, err := Run(context.Background(), toy(4, 1), config(20, 3), Options{Backend: o.Backend})
	require.EqualError(t, err, "training: building the step: compiled")
}

// TestIdentityIsThatOfTheProgram: equal whenever it is built, and another one for each of the engines.
func TestIdentityIsThatOfTheProgram(t *testing.T) {
	p, c := failing([]float32{0, 1}, []float32{nanLoss, nanLoss}), config(10, 2)
	o := pureGo(t)
	first, _ := testkit.Must2(p.identity(o.Backend, c))
	for range 10 {
		again, _ := testkit.Must2(p.identity(o.Backend, c))
		require.Equal(t, first, again)
		require.Empty(t, first.differences(again))
	}
	here := here(t)
	needLoop(t, here)
	other, _ := testkit.Must2(p.identity(here.Backend, c))
	assert.Contains(t, first.differences(other), "backend (xla there, Go Backend here)")
	assert.Contains(t, first.differences(nil), "number of steps")
}

// TestConstantsAnywhereInAGraphCount, in closures and functions too.
func TestConstantsAnywhereInAGraphCount(t *testing.T) {
	b := pureGo(t).Backend
	large := func(g *Graph, last float32) *Node {
		return ConstTensor(g, tensors.FromFlatDataAndDimensions(append(make([]float32, 99), last), 100))
	}
	inputs := func(g *Graph) *Node { return Parameter(g, "x", shapes.Make(dtypes.Float32, 100)) }
	for name, build := range map[string]func(g *Graph, last float32){
		"main": func(g *Graph, last float32) { large(g, last); Sort(inputs(g), 0, true) },
		"closure": func(g *Graph, last float32) {
			x := inputs(g)
			going := NewClosure(g, func(g *Graph) []*Node {
				return []*Node{LessThan(ReduceAllSum(inputs(g)), Const(g, float32(9)))}
			})
			body := NewClosure(g, func(g *Graph) []*Node { return []*Node{Add(inputs(g), large(g, last))} })
			While(going, body, x)
		},
		"function": func(g *Graph, last float32) {
			x := inputs(g)
			f := NewFunction(g, "f", func(g *Graph) []*Node { return []*Node{Add(inputs(g), large(g, last))} })
			f.Call(x)
		},
	} {
		sum := func(last float32) string {
			return testkit.Must(sumOfGraph(b, func(g *Graph) { build(g, last) }))
		}
		assert.Equal(t, sum(1), sum(1), name)
		assert.NotEqual(t, sum(1), sum(2), name)
	}
}
