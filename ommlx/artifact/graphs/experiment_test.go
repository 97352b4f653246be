package graphs

import (
	"io/fs"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

func TestThePapersProtocol(t *testing.T) {
	for method, k := range map[string]int{"omm": 4_096, "lora": 4_096, eigenmaps: 8_192} {
		e := paperExperiment(method, 1)
		n := e.Network
		assert.Equal(t, [3]int{11, 2_048, 8_192}, [3]int{n.Layers, n.Width, n.Hidden})
		assert.Equal(t, k, e.K)
		assert.Equal(t, 16_384, 2*n.Batch, "both ends of an edge")
		assert.InDelta(t, 20, float64(n.Steps)*float64(n.Batch)/float64(products.edges), 0.01, "epochs")
		assert.InDelta(t, 0.3, n.LARS.LearningRate, 0)
		assert.Zero(t, n.LARS.WeightDecay)
		assert.Equal(t, optim.Schedule{Decay: optim.Cosine, Steps: n.Steps}, n.LARS.Schedule)
		assert.False(t, n.Normalised)
		p := e.Probe
		assert.Equal(t, [3]int{256, 100, 10}, [3]int{p.Batch, p.Epochs, p.Repetitions})
		assert.Equal(t, [2]float64{0.01, 1e-3}, [2]float64{p.SGD.LearningRate, p.SGD.WeightDecay})
		assert.Equal(t, 151_020, n.Steps)
		byNodes(n)
		assert.Equal(t, 2_990, n.Steps, "an epoch has as many ends of edges as there are nodes")
		assert.True(t, e.atPaperScale())
		assert.False(t, quickExperiment(method).atPaperScale())
	}
	assert.InDelta(t, 0.3, paperExperiment(eigenmaps, 1).Network.Alpha, 0)
}

func TestTheProtocolFits24GiB(t *testing.T) {
	for _, r := range rows(run.Paper) {
		require.Less(t, r.experiment(run.Paper).Cost().Memory, int64(24<<30), r.label)
	}
}

func TestRowsHaveThePrintedNumbers(t *testing.T) {
	var ours [][]float64
	for _, r := range rows(run.Paper) {
		if a, b := r.representation, r.embedding; a.probe.Paper != nil && !r.paperOnly {
			var numbers []float64
			for _, c := range []Cell{a.probe, b.probe, a.smoothed, b.smoothed} {
				numbers = append(numbers, *c.Paper, *c.PaperStd)
			}
			ours = append(ours, numbers)
		}
	}
	assert.Equal(t, testkit.PaperNumbers(t, `Summary of OGBN-products experiment`), ours)
}

func TestValidateNamesTheField(t *testing.T) {
	for field, change := range map[string]func(e *Experiment){
		"nosuch graph":  func(e *Experiment) { e.Graph = "nosuch graph" },
		"unseen":        func(e *Experiment) { e.Unseen = 1 },
		"repetitions 0": func(e *Experiment) { e.Probe.Repetitions = 0 },
		"network":       func(e *Experiment) { e.Network = nil },
		"features":      func(e *Experiment) { e.Method = Features },
		"k 0":           func(e *Experiment) { e.K = 0 },
		"nosuch":        func(e *Experiment) { e.Method = "nosuch" },
		"allo":          func(e *Experiment) { e.Method = "allo" },
		"Batch:0":       func(e *Experiment) { e.Network.Batch = 0 },
		"Shift:-1":      func(e *Experiment) { e.Network.Shift = -1 },
		"Block:5":       func(e *Experiment) { e.Network.Block = 5 },
		"Alpha is -1":   func(e *Experiment) { e.Method, e.Network.Block, e.Network.Alpha = eigenmaps, 1, -1 },
		"Layers:2":      func(e *Experiment) { e.Network.Layers = 2 },
		"LARS":          func(e *Experiment) { e.Network.LARS.LearningRate = -1 },
		"SGD":           func(e *Experiment) { e.Probe.SGD.LearningRate = -1 },
	} {
		e := quickExperiment("omm")
		require.NoError(t, e.Validate())
		change(&e)
		assert.ErrorContains(t, e.Validate(), field)
	}
}

func TestMissingGraphNamesTheCommand(t *testing.T) {
	t.Setenv(run.DataVariable, t.TempDir())
	t.Setenv("OMM_CACHE", t.TempDir())
	_, err := paperExperiment("omm", 1).Start(nil)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "omm data get ogbn-products")
}

// generated returns a graph of five communities.
func generated() *Dataset {
	return Generate(Generation{Nodes: 2_000, Degree: 60, Classes: 5, Features: 100, Seed: 1})
}

// small is an experiment that trains in a second on the generated graph.
type small struct{ Experiment }

func newSmall(method string) small {
	e := quickExperiment(method).smoke()
	e.Network.Steps = 20
	return small{e.scheduled()}
}

// Start replaces the graph.
func (e small) Start(b compute.Backend) (run.Prepared, error) {
	return (&evaluator{e: e.Experiment, view: hideEdges(generated(), e.Unseen), backend: b}).prepared()
}

// With keeps the generated graph.
func (e small) With(seeds []int64) run.Experiment {
	return small{e.Experiment.With(seeds).(Experiment)}
}

func TestUnseenNodesHaveNoEdges(t *testing.T) {
	d := generated()
	s := hideEdges(d, 0.3)
	require.InDelta(t, 0.3, float64(len(s.unseen))/float64(len(s.unseen)+len(s.test)), 0.05)
	require.Equal(t, d.Of(Test), slices.Sorted(slices.Values(slices.Concat(s.test, s.unseen))))
	hidden := map[int]bool{}
	for _, i := range s.unseen {
		hidden[i] = true
	}
	for i := range d.Nodes() {
		var want []uint32
		for _, j := range d.Row(i) {
			if !hidden[i] && !hidden[int(j)] {
				want = append(want, j)
			}
		}
		require.ElementsMatch(t, want, s.seen.Row(i), i)
	}
	require.Equal(t, d.Adjacency, hideEdges(d, 0).seen)
	require.Empty(t, hideEdges(d, 0).unseen)
}

// The test enumerates all pairs of blocks on a graph of five nodes, where each node is in a block with probability q.
func TestBlockScaleIsTheMeanOverRandomBlocks(t *testing.T) {
	const n, b = 5, 2
	a := FromEdges(n, []uint32{0, 1, 0, 2, 1, 2, 2, 3})
	s := &view{Dataset: &Dataset{Adjacency: a}, seen: a}
	q := float64(b) / n
	sum, nodes := 0.0, 0.0
	for first := range 1 << n {
		for second := range 1 << n {
			chance := 1.0
			for i := range 2 * n {
				if first>>i&1 == 1 || i >= n && second>>(i-n)&1 == 1 {
					chance *= q
				} else {
					chance *= 1 - q
				}
			}
			rows := 0
			for i := range n {
				meets := false
				for _, j := range a.Row(i) {
					if first>>i&1 == 1 && second>>j&1 == 1 {
						sum += chance / math.Sqrt(float64(a.Degree(i)*a.Degree(int(j))))
						meets = true
					}
				}
				if meets {
					rows++
				}
			}
			nodes += chance * float64(rows)
		}
	}
	assert.InDelta(t, 10*sum/nodes, s.blockScale(b), 1e-12)
}

// A loss is divided by k unless it is Summed, but not the loss of Neural Eigenmaps, which
// has the factor 1/k.
func TestLossIsDividedByTheFunctions(t *testing.T) {
	lossOf := func(method string, summed bool) float64 {
		e := newSmall(method).Experiment
		e.Network.Summed = summed
		p := testkit.Must(e.problem(hideEdges(generated(), 0)))
		out := testkit.Must(p.Evaluate(testkit.PureGo(t), train.Snapshot{Params: p.Params, State: p.State},
			func(in train.Inputs) []*graph.Node {
				loss, _ := p.Loss(in)
				return []*graph.Node{graph.InsertAxes(loss, -1, -1)}
			}))
		return out[0][0].At(0, 0)
	}
	require.InEpsilon(t, float64(newSmall("omm").K), lossOf("omm", true)/lossOf("omm", false), 1e-6)
	require.InEpsilon(t, 1, lossOf(eigenmaps, true)/lossOf(eigenmaps, false), 1e-6)
}
