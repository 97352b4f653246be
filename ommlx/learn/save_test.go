package learn_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

// brief returns settings of a short training, on the engine without compilation.
func brief(t *testing.T) learn.Settings {
	return learn.Settings{Steps: 30, EvalBatch: 200, Seeds: []int64{3, 4}, Options: pureGo(t)}
}

// save writes learned functions to a file.
func save(t *testing.T, learned *learn.Learned) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "learned.safetensors")
	require.NoError(t, learned.Save(path))
	return path
}

// saved trains two functions briefly and saves them.
func saved(t *testing.T, op learn.Operator) (*learn.Learned, string) {
	t.Helper()
	learned := mustLearn(t, op, 2, brief(t))
	return learned, save(t, learned)
}

var line = mat.NewDense(5, 1, []float64{-2, -1, 0, 0.5, 3})

// separate is a caller's type of functions: a separate network for each.
type separate struct{ net.Disjoint }

func (s separate) Apply(params []*Node, x *Node) *Node {
	return s.Disjoint.Apply(params, jet.Inputs(x)).Value
}

// TestLoadReturnsWhatSaveWrote: a table, the default networks of samples and of waves, an MLP, and functions that only
// the caller knows, on two engines.
func TestLoadReturnsWhatSaveWrote(t *testing.T) {
	x, y := normal(60, 1, 1), normal(60, 1, 2)
	own := separate{net.Disjoint{In: 1, Hidden: []int{3}, Out: 2}}
	for name, op := range map[string]learn.Operator{"waves": small, "table": learn.Matrix{A: decaying(12)},
		"weighted table": between(1, 5),
		"default":        learn.Pairs{From: x, To: y}, "own": learn.Pairs{From: x, To: y, Functions: own},
		"network": learn.Pairs{From: x, To: y, Functions: net.MLP{In: 1, Hidden: []int{3}, Out: 2}}} {
		learned, path := saved(t, op)
		points := mat.Matrix(line)
		if strings.HasSuffix(name, "table") {
			points = nil
		}
		want := testkit.Must(learned.At(points))
		var f net.Functions
		if name == "own" {
			f = own
		}
		for _, b := range []compute.Backend{nil, testkit.PureGo(t)} {
			loaded := testkit.Must(learn.Load(path, f, b))
			assert.True(t, mat.EqualApprox(want, testkit.Must(loaded.At(points)), 1e-4), name)
			assert.Equal(t, learned.Values, loaded.Values, name)
			assert.Equal(t, learned.Spread, loaded.Spread, name)
			assert.Equal(t, learned.Best, loaded.Best, name)
			assert.Equal(t, learned.Result.Step, loaded.Result.Step, name)
		}
	}
}

// TestLoadRefusesANetworkWithoutItsFactor: a caller's network is multiplied by the mask of a box or by √ρ of a Sampler.
func TestLoadRefusesANetworkWithoutItsFactor(t *testing.T) {
	boxed, sampled := small, learn.Schrodinger{Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2},
		Potential: func(x *Node) *Node { return MulScalar(Exp(MulScalar(Square(x), -0.5)), -10) }}
	for op, network := range map[*learn.Schrodinger]net.Disjoint{
		&boxed:   {In: 1, Hidden: []int{8}, Out: 4}, // 2 are spare
		&sampled: {In: 1, Hidden: []int{8}, Out: 2}} {
		op.Network = network
		learned, path := saved(t, *op)
		for _, f := range []net.Functions{nil, separate{network}} {
			_, err := learn.Load(path, f, testkit.PureGo(t))
			requireOneLine(t, err, "pass the")
		}
		loaded := testkit.Must(learn.Load(path, learned.Task.Functions, testkit.PureGo(t)))
		assert.True(t, mat.EqualApprox(testkit.Must(learned.At(line)), testkit.Must(loaded.At(line)), 1e-4))
	}
}

func TestLoadRejectsMismatches(t *testing.T) {
	_, path := saved(t, learn.Pairs{From: normal(60, 1, 1), To: normal(60, 1, 2),
		Functions: net.MLP{In: 1, Hidden: []int{3}, Out: 2}})
	for word, f := range map[string]net.Functions{"parameters": net.MLP{In: 1, Hidden: []int{4}, Out: 2},
		"table": net.Table{States: 3, Out: 2, Scale: 1}} {
		_, err := learn.Load(path, f, nil)
		requireOneLine(t, err, word)
	}
	_, err := learn.Load(filepath.Join(t.TempDir(), "none"), nil, nil)
	assert.ErrorIs(t, err, os.ErrNotExist)

	whole := testkit.Must(os.ReadFile(path))
	flipped := slices.Clone(whole)
	flipped[len(whole)-100] ^= 4
	var foreign bytes.Buffer
	require.NoError(t, tensorx.Safetensors{}.Write(&foreign))
	empty := testkit.Must(tensorx.ReadSafetensors(bytes.NewReader(whole)))
	for _, name := range []string{"rotation", "values", "residuals"} {
		empty.Tensors[name] = tensors.FromFlatDataAndDimensions([]float64{}, 2, 0, 0)
	}
	delete(empty.Metadata, "checksum")
	empty.Metadata["checksum"] = testkit.Must(empty.Sum())
	var signed bytes.Buffer
	require.NoError(t, empty.Write(&signed))
	for word, content := range map[string][]byte{"within": whole[:len(whole)-9], "checksum": flipped,
		"format": foreign.Bytes(), "empty": signed.Bytes()} {
		require.NoError(t, os.WriteFile(path, content, 0o644))
		_, err = learn.Load(path, nil, nil)
		assert.ErrorContains(t, err, word)
	}
}

// TestParityOfAFileReadInPython: testdata/evaluate.py evaluates a file with only numpy.
func TestParityOfAFileReadInPython(t *testing.T) {
	program := testkit.Must(os.ReadFile("testdata/evaluate.py"))
	for _, op := range []learn.Operator{small, learn.Pairs{From: normal(60, 1, 1), To: normal(60, 1, 2)}} {
		learned, path := saved(t, op)
		var reply [][]float64
		testkit.AskPython(t, "torch, torchvision", string(program)+`
import json
request = json.load(sys.stdin)
print(json.dumps(at(request["path"], numpy.array(request["points"])[:, None]).tolist()))
`, map[string]any{"path": path, "points": mat.Col(nil, 0, line)}, &reply)
		want := testkit.Must(learned.At(line))
		for p, row := range reply {
			assert.InDeltaSlice(t, want.RawRowView(p), row, 1e-4)
		}
	}
}

func TestEveryByteOfSavedFunctionsShowsDamage(t *testing.T) {
	path := save(t, mustLearn(t, petersen(), 2, learn.Settings{Steps: 30}))
	testkit.FindsDamage(t, path, func() (any, error) {
		l, err := learn.Load(path, nil, nil)
		if err != nil {
			return nil, err
		}
		f, err := l.At(mat.NewDense(2, 1, []float64{0, 9}))
		return []any{l.Values, l.Residuals, f}, err
	})
}
