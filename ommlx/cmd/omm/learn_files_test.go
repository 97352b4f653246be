package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/cmd/omm/files"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
)

// TestAnEarlierResultIsReplaced completely, which the command announces before it trains.
func TestAnEarlierResultIsReplaced(t *testing.T) {
	t.Chdir(t.TempDir())
	ring(t, "edges.csv", 4)
	stdout, _ := learnt(t, "--graph", "edges.csv", "--k", "1", "--steps", "5")
	assert.NotContains(t, stdout, "earlier")
	write(t, "out/notes.txt", "")
	write(t, "m.csv", "2,0\n0,1\n")
	stdout, _ = learnt(t, "--matrix", "m.csv", "--k", "1", "--steps", "5")
	assert.Less(t, strings.Index(stdout, "earlier"), strings.Index(stdout, "# "), stdout)
	assert.Contains(t, stdout, "earlier")
	assert.NoFileExists(t, "out/nodes.txt")
	assert.FileExists(t, "out/notes.txt", "not a file of omm learn")
	assert.Len(t, testkit.Must(filepath.Glob("out/*")), 6)

	require.NoError(t, os.Remove("out/read.py"))
	code, _, stderr := omm(t, "learn", "--matrix", "m.csv", "--out", "out")
	assert.Equal(t, exitWrongUse, code)
	assert.Contains(t, stderr, "--out out has functions.npy, functions.png", "perhaps the user's files")
	assert.FileExists(t, "out/values.csv")
}

// TestAColumnNumbersTheTrajectories, whose frames may be mixed. It is no coordinate.
func TestAColumnNumbersTheTrajectories(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "t.csv", "walker,x,y\n7,1,2\n-1,5,6\n7,3,4\n")
	for _, columns := range [][]string{nil, {"x", "y"}, {"walker", "x", "y"}} {
		s := testkit.Must((&request{trajectory: []string{"t.csv"}, group: "walker", columns: columns}).trajectories())
		assert.Equal(t, "t.csv: 3 frames of 2 coordinates: x, y; 2 trajectories", s.title)
		assert.Equal(t, []mat.Matrix{mat.NewDense(2, 2, []float64{1, 2, 3, 4}), mat.NewDense(1, 2, []float64{5, 6})},
			s.frames)
		assert.Equal(t, mat.NewDense(3, 2, []float64{1, 2, 5, 6, 3, 4}), s.points, "in the order of the file")
		assert.Equal(t, `frame 0 of "walker" -1 of t.csv`, s.inWords("frame 0 of x[1]"))
	}
	for _, r := range []request{{group: "z"}, {group: "x", columns: []string{"x"}}} {
		r.trajectory = []string{"t.csv"}
		_, err := r.trajectories()
		assert.ErrorContains(t, err, "column \""+r.group)
	}
}

// TestStatesOfATrajectory: a walk on a ring of ten states with shuffled labels has the eigenvalue cos 2π/10. Without
// --states, a note suggests it.
func TestStatesOfATrajectory(t *testing.T) {
	t.Chdir(t.TempDir())
	labels := []int{30, 12, 7, 40, 3, 22, 18, 5, 1, 9}
	rng, state := testkit.NewRand(1), 0
	var text strings.Builder
	var order []float64 // of the label of each frame
	for range 20_000 {
		state = (state + 1 + 8*rng.IntN(2)) % 10
		fmt.Fprintln(&text, labels[state])
		order = append(order, float64(slices.Index(slices.Sorted(slices.Values(labels)), labels[state])))
	}
	write(t, "x.txt", text.String())
	stdout, functions := learnt(t, "--trajectory", "x.txt", "--states", "--lag", "1", "--k", "2", "--steps", "500")
	assert.Contains(t, stdout, "20,000 frames of 1 coordinate; 10 states\n")
	assert.Equal(t, "1\n3\n5\n7\n9\n12\n18\n22\n30\n40\n", string(testkit.Must(os.ReadFile("out/states.txt"))))
	n, _ := functions.Dims()
	assert.Equal(t, 10, n)
	s := testkit.Must((&request{trajectory: []string{"x.txt"}, states: true, k: 2}).trajectories())
	pairs := testkit.Must(s.at(1)).(learn.Pairs)
	assert.Equal(t, order[:19_999], mat.Col(nil, 0, pairs.From))
	values := testkit.Must(files.ReadTable("out/values.csv", []string{"value"}, ""))
	assert.InDelta(t, math.Cos(math.Pi/5), values.At(1, 0), 0.02)
}

// TestLabelsAreSuggestedAsStates if a coordinate has few whole numbers, each often.
func TestLabelsAreSuggestedAsStates(t *testing.T) {
	for _, c := range []struct {
		values int
		first  float64
		step   float64
		notes  int
	}{{2, 0, 1, 0}, {3, 0, 1, 1}, {100, -1, 1, 1}, {101, 0, 1, 0}, {50, -2, 1, 0}, {50, 0, 0.5, 0}} {
		x := mat.NewDense(1_010, 1, nil)
		x.Apply(func(i, _ int, _ float64) float64 { return c.first + c.step*float64(i%c.values) }, x)
		s := subject{points: x}
		s.suggestStates()
		assert.Len(t, s.notes, c.notes, c)
	}
}

// TestSentencesNameFlagsAndColumns instead of fields of the library.
func TestSentencesNameFlagsAndColumns(t *testing.T) {
	s := subject{axes: []string{"phi", "psi"}, parts: []string{"a.npy", "b.npy"}}
	for sentence, want := range map[string]string{
		"set Shift to 0.1, or k to 2": "set --shift to 0.1, or --k to 2",
		"set Steps to more, or use a solver such as spectral.Lanczos": "give more --steps, or use a solver such as " +
			"scipy.sparse.linalg.eigsh",
		"value 2 may be off: train for more steps, or use functions that fit better, such as a network of " +
			"net.Fourier features": "value 2 may be off: give more --steps",
		"coordinate 1 is 9 in frame 3 of x[1]; coordinate 2 is not": `column "psi" is 9 in frame 3 of b.npy; ` +
			"coordinate 2 is not",
	} {
		assert.Equal(t, want, s.inWords(sentence))
	}
	assert.Equal(t, "coordinate 1", subject{}.inWords("coordinate 1"))
}

// TestReplacedPhrasesOccur in the sentences of package learn.
func TestReplacedPhrasesOccur(t *testing.T) {
	var sentences string
	for _, folder := range []string{"../../learn/*.go", "../../learn/inspect/*.go"} {
		for _, path := range testkit.Must(filepath.Glob(folder)) {
			if !strings.HasSuffix(path, "_test.go") {
				sentences += string(testkit.Must(os.ReadFile(path)))
			}
		}
	}
	sentences = regexp.MustCompile(`" *\+\s*"`).ReplaceAllString(sentences, "") // of strings on several lines
	for pair := range slices.Chunk(words, 2) {
		assert.True(t, strings.Contains(sentences, pair[0]), pair[0])
	}
}

// TestFilesThatCannotBeLearnt are refused before a training, by one line with the name of the file.
func TestFilesThatCannotBeLearnt(t *testing.T) {
	t.Chdir(t.TempDir())
	ring(t, "ring.csv", 12)
	for name, content := range map[string]string{"bad.csv": "x,y\n1,2\n3,high\n", "gap.csv": "x,y\n1,\n",
		"narrow.csv": "y\n1\n2\n", "good.csv": "x,y\n1,2\n3,4\n5,6\n", "s.txt": "1\n2\n1\n2\n", "t.txt": "7\n7\n"} {
		write(t, name, content)
	}
	save(t, "wide.npy", mat.NewDense(2, 9, nil))
	save(t, "x.npy", mat.NewDense(9, 2, []float64{0.5, 17: 0}))
	for line, word := range map[string]string{
		"--trajectory wide.npy --lag 1":                 "transposed? save x.T",
		"--pairs wide.npy,wide.npy":                     "transposed? save x.T",
		"--trajectory x.npy --states --lag 1":           "whole numbers",
		"--trajectory s.txt t.txt --states --lag 2":     "s.txt: state 7 is in no pair of frames with a lag of 2",
		"--trajectory x.npy --lags 1,9":                 "longer than the lag",
		"--trajectory x.npy x.npy none --lag 1":         "none",
		"--trajectory x.npy --group 5 --lag 1":          `no column "5"`,
		"--graph ring.csv --k 13":                       "ring.csv: --k is 13, want at most",
		"--pairs x.npy,wide.npy":                        "x.npy: pairs: x is 9×2 and x' is 2×9, want equal shapes",
		"--graph x.npy --columns 0,1,2":                 `no column "2"`,
		"--matrix nowhere.npy":                          "nowhere.npy",
		"--trajectory bad.csv --lag 1":                  "bad.csv:3",
		"--pairs good.csv,gap.csv":                      "gap.csv:2",
		"--trajectory good.csv,narrow.csv --lag 1":      "narrow.csv",
		"--trajectory good.csv --lag 5":                 "has 3",
		"--kernel rbf:1 --samples good.csv --columns z": "x, y",
		"--pairs good.csv,narrow.csv --columns y":       "",
	} {
		code, stdout, stderr := omm(t, append([]string{"learn", "--out", "out"}, strings.Fields(line)...)...)
		assert.Equal(t, exitFailure, code, line)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
		assert.Contains(t, stderr, word, line)
		assert.NotContains(t, stdout, "#", line)
	}
}

// TestGraphsAreDrawnInThePlaneOfTwoFunctions: 2 and 3. The first function is drawn as positive.
func TestGraphsAreDrawnInThePlaneOfTwoFunctions(t *testing.T) {
	nan := math.NaN()
	l := &learn.Learned{Run: learn.Run{Values: []float64{1, .5, .2}, Bounds: []float64{nan, nan, nan}}}
	phi := mat.NewDense(2, 3, []float64{-1, 2, 3, -1, 4, 5})
	f := subject{rows: "node"}.picture(l, phi)
	assert.Equal(t, [][]float64{{2, 4}, {3, 5}, {1, 1}, {2, 4}, {3, 5}}, append([][]float64{f.X, f.Y}, f.Functions...))
	assert.Equal(t, []any{"function 2", "function 3", true}, []any{f.XLabel, f.YLabel, f.Equal})
	f = subject{rows: "row"}.picture(l, phi)
	assert.Equal(t, []float64{0, 1}, f.X, "rows of a matrix have an order")
	assert.Nil(t, f.Y)
}
