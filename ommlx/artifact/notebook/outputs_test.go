package notebook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

const number = `([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)`

// measured are the numbers that the text of each notebook relies on. NUMBER in a pattern, at each match, must be in
// [least, most].
var measured = []struct {
	notebook, pattern string
	least, most       float64
}{
	{"00", `VᵀV  = ⎡ NUMBER `, 0.999, 1.001},
	{"00", `mode 1: norm \S+ eigenvalue NUMBER,`, 0.9999, 1.0001},
	{"00", `batches of 8, Rayleigh quotient: error NUMBER`, 0.4, 1},
	{"00", `batches of 8, OMM: error NUMBER`, 0, 0.3},
	{"01", `L \+ λ₁\+λ₂\+λ₃ = NUMBER `, -1e-10, 1e-10},
	{"01", `‖VVᵀW₁₋₃ − W₁₋₃‖ = NUMBER `, 0, 1e-6},
	{"01", `largest difference of the two sides for 100 random V and κ: NUMBER`, 0, 1e-12},
	{"01", `norm 1.4 \| NUMBER \|`, 200, 200},
	{"01", `norm 2.5 \| NUMBER \|`, 0, 199},
	{"01", `starts of norm below 1: NUMBER;`, 0, 1.01},
	{"02", `the formula differs from the library's gradient by NUMBER`, 0, 1e-12},
	{"02", `TriOFM formula against the library's gradient: NUMBER`, 0, 1e-12},
	{"03", `slope of the bias NUMBER,`, -1.1, -0.9},
	{"03", `f = φ: .* with one batch NUMBER,`, -2.1, -1.9},
	{"03", `B = 64: the share is at most NUMBER from`, 0, 0.03},
	{"04", `average NUMBER after \d+ steps`, 0.97, 1},
	{"04", `differences +loss \S+ standard deviation over batches NUMBER`, 0, 0.1},
	{"04", `sequential: the losses differ by NUMBER,`, 0, 1e-4},
	{"06", `at the end: \[NUMBER `, 0, 0.1},
	{"06", `at the end: \[\S+ NUMBER `, 0.5, 1},
	{"06", `at the end: \[\S+ \S+ NUMBER\]`, 0, 0.1},
	{"06", `oscillator, k = 28, .*; NUMBER lost`, 0, 0},
	{"06", `well, k = 15, .*; NUMBER lost`, 2, 2},
	{"07", `linear classifier NUMBER % top-1`, 60, 100},
	{"09", `\| [123] \| NUMBER \| `, 27.0924, 27.0925},
	{"09", `\| [123] \| \S+ \| NUMBER \| `, 27.0924, 27.0925},
	{"09", `p = 2: 1 − μ falls as t\^NUMBER,`, -0.53, -0.48},
	{"09", `B = 1024: order 2 ends NUMBER times closer than order 1`, 5.6, 10.4},
	{"09", `than order 1, and NUMBER times closer than mix ¼`, 1.05, 4},
	{"09", `OMM-1, norm √3 \| 9 \| \d+ % \| NUMBER`, 0, 0.005},
	{"10", `B.1's equation: \D+f and Tf \| \[NUMBER `, 1.999, 2.001},
	{"10", `start \(0.01, 1.6\): end \(0.000, 1.600\), loss NUMBER`, -1e-3, 1e-3},
	{"10", `k = 2, first column \S+ \S+: loss NUMBER`, -1, -1},
	{"10", `\| 0.5 \| \S+ \| NUMBER \| 32`, 31, 32},
	{"13", `\| Lanczos \| \S+ \| NUMBER \|`, 0, 1e-10},
	{"13", `\| 256 \| NUMBER \|`, 0, 0.003},
}

func TestNotebookOutputs(t *testing.T) {
	folder := filepath.Join(testkit.Committed(t, "notebooks"), "notebooks")
	for _, m := range measured {
		files := testkit.Must(filepath.Glob(filepath.Join(folder, m.notebook+"_*.ipynb")))
		require.Len(t, files, 1, m.notebook)
		pattern := regexp.MustCompile(strings.ReplaceAll(m.pattern, "NUMBER", number))
		found := pattern.FindAllStringSubmatch(printed(t, files[0]), -1)
		assert.NotEmpty(t, found, "%s: no output matches %s", m.notebook, m.pattern)
		for _, f := range found {
			value := testkit.Must(strconv.ParseFloat(f[1], 64))
			assert.True(t, m.least <= value && value <= m.most, "%s: %s is outside [%g, %g]", m.notebook, f[0], m.least,
				m.most)
		}
	}
}

func TestLearnedEigenvalues(t *testing.T) {
	folder := filepath.Join(testkit.Committed(t, "notebooks"), "notebooks")
	tables := 0
	for _, file := range testkit.Must(filepath.Glob(filepath.Join(folder, "*.ipynb"))) {
		for line := range strings.Lines(printed(t, file)) {
			cells, found := strings.CutPrefix(strings.Trim(line, "| \n"), "relative error | ")
			if !found {
				continue
			}
			tables++
			for cell := range strings.SplitSeq(cells, " | ") {
				assert.LessOrEqual(t, testkit.Must(strconv.ParseFloat(cell, 64)), 0.08, "%s: %s", file, line)
			}
		}
	}
	assert.GreaterOrEqual(t, tables, 6)
}

// printed returns the outputs of a notebook's cells, with tables in Markdown.
func printed(t *testing.T, file string) string {
	var read struct {
		Cells []struct {
			Outputs []struct {
				Text []string
				Data struct {
					Markdown []string `json:"text/markdown"`
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(file)), &read), file)
	var out strings.Builder
	for _, c := range read.Cells {
		for _, o := range c.Outputs {
			out.WriteString(strings.Join(o.Text, ""))
			if o.Data.Markdown != nil {
				out.WriteString(strings.Join(o.Data.Markdown, "") + "\n")
			}
		}
	}
	return out.String()
}
