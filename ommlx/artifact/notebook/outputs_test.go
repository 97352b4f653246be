package notebook

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

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
	all, _ := notebooks(t)
	outputs := map[string]string{} // by number
	for name, cells := range all {
		outputs[name[:2]] = printed(cells)
	}
	for _, m := range measured {
		pattern := regexp.MustCompile(strings.ReplaceAll(m.pattern, "NUMBER", number))
		found := pattern.FindAllStringSubmatch(outputs[m.notebook], -1)
		assert.NotEmpty(t, found, "%s: no output matches %s", m.notebook, m.pattern)
		for _, f := range found {
			value := testkit.Must(strconv.ParseFloat(f[1], 64))
			assert.True(t, m.least <= value && value <= m.most, "%s: %s is outside [%g, %g]", m.notebook, f[0], m.least,
				m.most)
		}
	}
}

func TestLearnedEigenvalues(t *testing.T) {
	all, _ := notebooks(t)
	tables := 0
	for name, cells := range all {
		for line := range strings.Lines(printed(cells)) {
			errors, found := strings.CutPrefix(strings.Trim(line, "| \n"), "relative error | ")
			if !found {
				continue
			}
			tables++
			for text := range strings.SplitSeq(errors, " | ") {
				assert.LessOrEqual(t, testkit.Must(strconv.ParseFloat(text, 64)), 0.08, "%s: %s", name, line)
			}
		}
	}
	assert.GreaterOrEqual(t, tables, 6)
}
