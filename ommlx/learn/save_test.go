package learn_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// small is a Schrödinger operator for short trainings.
var small = learn.Schrodinger{
	Potential: func(x *Node) *Node { return Square(x) },
	Box:       net.Box{Lower: []float64{-3}, Upper: []float64{4}},
}

// brief returns settings of a short training, on the engine without compilation.
func brief(t *testing.T) learn.Settings {
	return learn.Settings{Steps: 30, Judge: 200, Seeds: []int64{3, 4}, Options: pureGo(t)}
}

var smallTrained *learn.Learned

// trainedBriefly returns two functions of small, trained once for all tests.
func trainedBriefly(t *testing.T) *learn.Learned {
	t.Helper()
	if smallTrained == nil {
		smallTrained = mustLearn(t, small, 2, brief(t))
	}
	return smallTrained
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
	if _, is := op.(learn.Schrodinger); is {
		learned := trainedBriefly(t)
		return learned, save(t, learned)
	}
	learned := mustLearn(t, op, 2, brief(t))
	return learned, save(t, learned)
}

var line = mat.NewDense(5, 1, []float64{-2, -1, 0, 0.5, 3})

// TestLoadReturnsWhatSaveWrote, with and without the operator: a table, the default networks of samples and of waves,
// and an MLP.
func TestLoadReturnsWhatSaveWrote(t *testing.T) {
	x, y := normal(60, 1, 1), normal(60, 1, 2)
	for name, op := range map[string]learn.Operator{"waves": small, "table": learn.Matrix{A: decaying(12)},
		"default": learn.Pairs{From: x, To: y},
		"network": learn.Pairs{From: x, To: y, Functions: net.MLP{In: 1, Hidden: []int{3}, Out: 2}}} {
		learned, path := saved(t, op)
		points := mat.Matrix(line)
		if name == "table" {
			points = nil
		}
		want := testkit.Must(learned.At(points))
		loaded := testkit.Must(learn.Load(path, op, 2, learn.Settings{Judge: 200, Options: pureGo(t)}))
		alone := testkit.Must(learn.Load(path, nil, 0, learn.Settings{}))
		assert.Equal(t, want, testkit.Must(loaded.At(points)), name)
		assert.True(t, mat.EqualApprox(want, testkit.Must(alone.At(points)), 1e-5), name)
		if name == "network" {
			other := learn.Task{Functions: net.MLP{In: 1, Hidden: []int{4}, Out: 2}}
			_, err := learn.Load(path, other, 2, learn.Settings{})
			assert.ErrorContains(t, err, "parameters")
		}
		for _, l := range []*learn.Learned{loaded, alone} {
			assert.Equal(t, learned.Values, l.Values, name)
			assert.Equal(t, learned.Spread, l.Spread, name)
			assert.Equal(t, learned.Best, l.Best, name)
			assert.Equal(t, learned.Result.Step, l.Result.Step, name)
		}
	}
}

// TestLoadOnAnotherBackend: the functions are the same, up to rounding.
func TestLoadOnAnotherBackend(t *testing.T) {
	learned, path := saved(t, small)
	s := learn.Settings{Judge: 200, Options: train.Options{Backend: testkit.Backend(t)}}
	loaded := testkit.Must(learn.Load(path, small, 2, s))
	assert.InDeltaSlice(t, learned.Values, loaded.Values, 1e-3)
	assert.True(t, mat.EqualApprox(testkit.Must(learned.At(line)), testkit.Must(loaded.At(line)), 1e-3))
}

func TestLoadRejectsMismatches(t *testing.T) {
	matrix, s := learn.Matrix{A: decaying(12)}, brief(t)
	kernel := learn.Kernel{Samples: normal(60, 1, 1), K: gaussian}
	path := save(t, trainedBriefly(t))
	_, ofMatrix := saved(t, matrix)
	_, ofKernel := saved(t, kernel)
	other, wide, others, own := small, kernel, kernel, kernel
	other.Box.Upper = []float64{2}
	wide.K = func(x, y *Node) *Node { return MulScalar(gaussian(x, y), 1.1) }
	others.Samples = normal(60, 1, 2)
	own.Functions = net.MLP{In: 1, Hidden: []int{64, 64}, Out: 2}
	for _, c := range []struct {
		path string
		op   learn.Operator
		k    int
		word string
	}{
		{path, other, 2, "box.upper"},
		{path, small, 3, "k is 3"},
		{path, matrix, 2, "k is 2, with 2"}, // its functions have no spare
		{ofMatrix, learn.Matrix{A: decaying(13)}, 2, "data"},
		{ofKernel, wide, 2, "value 1"},
		{ofKernel, others, 2, "data"},
		{ofKernel, own, 2, "standardised mlp"},
	} {
		_, err := learn.Load(c.path, c.op, c.k, s)
		assert.ErrorContains(t, err, c.word)
		assert.NotContains(t, err.Error(), "\n")
	}
	_, err := learn.Load(ofKernel, learn.Task{Functions: own.Functions}, 2, learn.Settings{})
	assert.ErrorContains(t, err, "functions")
	_, err = learn.Load(filepath.Join(t.TempDir(), "none"), small, 2, s)
	assert.ErrorIs(t, err, os.ErrNotExist)

	whole := testkit.Must(os.ReadFile(path))
	flipped := slices.Clone(whole)
	flipped[len(whole)-100] ^= 4
	var foreign bytes.Buffer
	require.NoError(t, tensorx.Safetensors{}.Write(&foreign))
	for word, content := range map[string][]byte{"within": whole[:len(whole)-9], "checksum": flipped,
		"format": foreign.Bytes()} {
		require.NoError(t, os.WriteFile(path, content, 0o644))
		_, err = learn.Load(path, small, 2, s)
		assert.ErrorContains(t, err, word)
	}
}

// TestParityOfAFileReadInPython: testdata/evaluate.py evaluates a file with only numpy.
func TestParityOfAFileReadInPython(t *testing.T) {
	program := testkit.Must(os.ReadFile("testdata/evaluate.py"))
	points := []float64{-2, -1, 0, 0.5, 3}
	cell := learn.Schrodinger{Periodic: true, Box: net.Box{Lower: []float64{0}, Upper: []float64{3}},
		Potential: func(x *Node) *Node { return Cos(MulScalar(x, 2*math.Pi/3)) }}
	for _, op := range []learn.Operator{small, learn.Pairs{From: normal(60, 1, 1), To: normal(60, 1, 2)}, cell} {
		learned := mustLearn(t, op, 2, brief(t))
		path := save(t, learned)
		var reply [][]float64
		testkit.AskTorch(t, string(program)+`
import json
request = json.load(sys.stdin)
print(json.dumps(at(request["path"], numpy.array(request["points"])[:, None]).tolist()))
`, map[string]any{"path": path, "points": points}, &reply)
		want := testkit.Must(learned.At(mat.NewDense(len(points), 1, points)))
		for p, row := range reply {
			assert.InDeltaSlice(t, want.RawRowView(p), row, 1e-4)
		}
	}
}

func TestEveryByteOfSavedFunctionsShowsDamage(t *testing.T) {
	path := save(t, mustLearn(t, petersen(), 2, learn.Settings{Steps: 30}))
	testkit.FindsDamage(t, path, func() (any, error) {
		l, err := learn.Load(path, nil, 0, learn.Settings{})
		if err != nil {
			return nil, err
		}
		f, err := l.At(mat.NewDense(2, 1, []float64{0, 9}))
		return []any{l.Values, l.Residuals, f}, err
	})
}
