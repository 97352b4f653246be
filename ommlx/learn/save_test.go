package learn_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/safetensors"
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

// TestFileFollowsDocumentedFormat evaluates the functions from the file without this package.
func TestFileFollowsDocumentedFormat(t *testing.T) {
	learned, path := saved(t, small)
	in := testkit.Must(os.Open(path))
	defer in.Close()
	file := testkit.Must(safetensors.Read(in))
	doubles := func(name string) []float64 { return tensors.MustCopyFlatData[float64](file.Tensors[name]) }
	lower, upper, frequencies := doubles("box.lower")[0], doubles("box.upper")[0], doubles("frequencies")
	rotation, volume := doubles("rotation"), doubles("volume")[0]
	var layers [][]float32
	for _, name := range []string{"params.0", "params.1", "params.2", "params.3", "params.4", "params.5"} {
		layers = append(layers, tensors.MustCopyFlatData[float32](file.Tensors[name]))
	}
	trained := file.Tensors["params.0"].Shape().Dim(1)
	network := func(i int, h []float64) float64 { // of the best run, function i
		for l := 0; l < len(layers); l += 2 {
			out := file.Tensors["params.0"].Shape().Dim(2)
			if l == 4 {
				out = 1
			}
			at := (learned.Best*trained + i) * out
			next := make([]float64, out)
			for j := range next {
				next[j] = float64(layers[l+1][at+j])
				for m, v := range h {
					next[j] += float64(layers[l][(at+j)*len(h)+m]) * v
				}
				if l < 4 {
					next[j] = math.Log1p(math.Exp(next[j]))
				}
			}
			h = next
		}
		return h[0]
	}
	want := testkit.Must(learned.At(line))
	for p := range 5 {
		x := line.At(p, 0)
		y := (2*x - lower - upper) / (upper - lower)
		features := []float64{y}
		for _, omega := range frequencies {
			features = append(features, math.Sin(omega*x))
		}
		for _, omega := range frequencies {
			features = append(features, math.Cos(omega*x))
		}
		for i := range 2 {
			value := 0.0
			for j := range trained {
				value += network(j, features) * rotation[(learned.Best*trained+j)*2+i]
			}
			mask := 0.0
			if math.Abs(y) < 1 {
				mask = math.Sqrt(2-y*y) - 1
			}
			assert.InDelta(t, want.At(p, i), mask*value/math.Sqrt(volume), 1e-4)
		}
	}
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
	best := func(run int) []byte { return fmt.Appendf(nil, `"best":"%d"`, run) }
	another := bytes.Replace(whole, best(trainedBriefly(t).Best), best(1-trainedBriefly(t).Best), 1)
	var foreign bytes.Buffer
	require.NoError(t, safetensors.Write(&foreign, safetensors.File{}))
	for word, content := range map[string][]byte{"cut off": whole[:len(whole)-9],
		"tensors": flipped, "format": foreign.Bytes(), "metadata": another} {
		require.NoError(t, os.WriteFile(path, content, 0o644))
		_, err = learn.Load(path, small, 2, s)
		assert.ErrorContains(t, err, word)
	}
}

// Files of the previous format name Go types.
func TestLoadReadsPreviousFormat(t *testing.T) {
	for name, op := range map[string]learn.Operator{"learn.Wave": small,
		"net.Table":          learn.Matrix{A: decaying(12)},
		"learn.standardised": learn.Pairs{From: normal(60, 1, 1), To: normal(60, 1, 2)}} {
		learned, path := saved(t, op)
		in := testkit.Must(os.Open(path))
		file := testkit.Must(safetensors.Read(in))
		require.NoError(t, in.Close())
		file.Metadata["format"], file.Metadata["functions"] = "ommlx.learn/2", name
		delete(file.Metadata, "metadata")
		var before bytes.Buffer
		require.NoError(t, safetensors.Write(&before, file))
		require.NoError(t, os.WriteFile(path, before.Bytes(), 0o644))
		for _, with := range []learn.Operator{nil, op} {
			loaded := testkit.Must(learn.Load(path, with, 2, learn.Settings{Judge: 200, Options: pureGo(t)}))
			assert.InDeltaSlice(t, learned.Values, loaded.Values, 1e-6, name)
		}
	}
}

// TestParityOfAFileReadInPython: testdata/evaluate.py evaluates a file with only numpy.
func TestParityOfAFileReadInPython(t *testing.T) {
	program := testkit.Must(os.ReadFile("testdata/evaluate.py"))
	for _, op := range []learn.Operator{small, learn.Pairs{From: normal(60, 1, 1), To: normal(60, 1, 2)}} {
		learned, path := saved(t, op)
		var reply [][]float64
		testkit.AskTorch(t, string(program)+`
import json
request = json.load(sys.stdin)
print(json.dumps(at(request["path"], numpy.array(request["points"])).tolist()))
`, map[string]any{"path": path, "points": [][]float64{{-2}, {-1}, {0}, {0.5}, {3}}}, &reply)
		want := testkit.Must(learned.At(line))
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
