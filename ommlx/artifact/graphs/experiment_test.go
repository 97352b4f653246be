package graphs

import (
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/dataset/ogb"
	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/optim"
)

// The protocol is what Section C.3 prints.
func TestThePapersProtocol(t *testing.T) {
	for method, k := range map[string]int{"omm": 4_096, "lora": 4_096, eigenmaps: 8_192} {
		e := Paper(method, 1)
		n := e.Network
		assert.Equal(t, [3]int{11, 2_048, 8_192}, [3]int{n.Layers, n.Width, n.Hidden})
		assert.Equal(t, k, e.K)
		assert.Equal(t, 16_384, 2*n.Batch, "both ends of an edge")
		assert.InDelta(t, 20, float64(n.Steps)*float64(n.Batch)/productsEdges, 0.01, "epochs")
		assert.InDelta(t, 0.3, n.LARS.LearningRate, 0)
		assert.Zero(t, n.LARS.WeightDecay)
		assert.Equal(t, optim.Schedule{Decay: optim.Cosine, Steps: n.Steps}, n.LARS.Schedule)
		assert.False(t, n.Normalised)
		p := e.Probe
		assert.Equal(t, [3]int{256, 100, 10}, [3]int{p.Batch, p.Epochs, p.Repetitions})
		assert.Equal(t, [2]float64{0.01, 1e-3}, [2]float64{p.SGD.LearningRate, p.SGD.WeightDecay})
		assert.True(t, e.atPaperScale())
		assert.False(t, Quick(method).atPaperScale())
		assert.False(t, e.plain(Features).atPaperScale())
	}
	assert.InDelta(t, 0.3, Paper(eigenmaps, 1).Network.Alpha, 0)
}

// The two readings of the paper's epochs are both planned: each edge once in an epoch, or as many ends as nodes.
func TestTwoReadingsOfTheEpochs(t *testing.T) {
	steps := map[string]int{}
	for _, r := range rows(lab.Paper) {
		if r.method != Features && r.method != Eigenvectors {
			e := r.experiment(lab.Paper)
			steps[r.label] = e.Network.Steps
			require.Equal(t, e.Network.Steps, e.config().Steps)
			require.Contains(t, e.Label(), fmt.Sprintf("%d steps", e.Network.Steps))
		}
	}
	for _, method := range []string{"LoRA", "Neural Eigenmaps", "OMM"} {
		require.Equal(t, 151_020, steps[method])
		require.Equal(t, 2_990, steps[method+", 20 epochs of nodes"])
	}
}

// Every training of the paper's protocol fits a machine and a GPU with 24 GiB.
func TestTheProtocolFits24GiB(t *testing.T) {
	for _, r := range rows(lab.Paper) {
		c := r.experiment(lab.Paper).Cost()
		require.Less(t, c.Memory, int64(24<<30), r.label)
		require.Less(t, c.Device, int64(24<<30), r.label)
	}
}

// Each row of the quick profile has three trainings, or probes where nothing is trained.
func TestEveryQuickRowHasThreeRuns(t *testing.T) {
	for _, e := range experiments(lab.Quick) {
		require.Len(t, e.Seeds, 3, e.Label())
	}
}

// The printed numbers of the rows are found in the paper, in its order.
func TestRowsHaveThePrintedNumbers(t *testing.T) {
	var ours [][]float64
	for _, r := range rows(lab.Paper) {
		if p := r.paper; p != nil && !r.paperOnly {
			a, b := p.representation, p.embedding
			ours = append(ours, slices.Concat(a.probe[:], b.probe[:], a.smoothed[:], b.smoothed[:]))
		}
	}
	assert.Equal(t, testkit.PaperNumbers(t, `Summary of OGBN-products experiment`), ours)
}

func TestExperimentsThatCannotBe(t *testing.T) {
	for word, change := range map[string]func(e *Experiment){
		`unknown graph "cora"`:                   func(e *Experiment) { e.Graph = "cora" },
		"say how it is generated":                func(e *Experiment) { e.Generation = nil },
		"unseen test nodes is 1":                 func(e *Experiment) { e.Unseen = 1 },
		"repetitions of the probe is 0":          func(e *Experiment) { e.Probe.Repetitions = 0 },
		"a network belongs to each method":       func(e *Experiment) { e.Network = nil },
		`the method is "features"`:               func(e *Experiment) { e.Method = Features },
		"k is 0":                                 func(e *Experiment) { e.K = 0 },
		`no objective is called "nosuch"`:        func(e *Experiment) { e.Method = "nosuch" },
		`"allo" carries a state`:                 func(e *Experiment) { e.Method = "allo" },
		"the number of edges of a batch is 0":    func(e *Experiment) { e.Network.Batch = 0 },
		"the number of steps is 0":               func(e *Experiment) { e.Network.Steps = 0 },
		"the shift is -1":                        func(e *Experiment) { e.Network.Shift = -1 },
		`a block belongs to "neural_eigenmaps"`:  func(e *Experiment) { e.Network.Block = 5 },
		"there are 2 layers":                     func(e *Experiment) { e.Network.Layers = 2 },
		"the widths are":                         func(e *Experiment) { e.Network.Width = -1 },
		"LARS":                                   func(e *Experiment) { e.Network.LARS.LearningRate = -1 },
		"SGD":                                    func(e *Experiment) { e.Probe.SGD.LearningRate = -1 },
		"the label smoothing is 1":               func(e *Experiment) { e.Probe.Smoothing = 1 },
		"a generated graph has 1000 to 10000000": func(e *Experiment) { e.Generation = &ogb.Generation{Nodes: 10} },
	} {
		e := Quick("omm")
		change(&e)
		assert.ErrorContains(t, e.Validate(), word)
	}
}

// Data that are not there are named with what brings them.
func TestAGraphThatIsNotThere(t *testing.T) {
	t.Setenv(dataset.DataVariable, t.TempDir())
	t.Setenv("OMM_CACHE", t.TempDir())
	_, err := Paper("omm", 1).open(t.Context())
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "omm data get ogbn-products")
}
