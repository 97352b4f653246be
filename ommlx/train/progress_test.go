package train

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/internal/say"
)

// inNotebook passes the lines of bars to a function.
func inNotebook(t *testing.T, show func(line string)) {
	say.Notebook = func(line string, _ bool) { show(line) }
	t.Cleanup(func() { say.Notebook = nil })
}

// TestBarShowsATraining of 1,000 steps that is resumed at step 200 and takes 20 ms a step, with a minute before the
// first report.
func TestBarShowsATraining(t *testing.T) {
	b, lines := Bar{Label: "a run"}, []string(nil)
	inNotebook(t, func(line string) { lines = append(lines, line) })
	for step := 400; step <= 1000; step += 200 {
		b.line = say.Line{} // a new one shows its first line at once
		b.Show(Status{Step: step, Steps: 1000, FirstStep: 200, Loss: []float64{-1, -4}, Value: []float64{0.5, 0.75},
			Diverged: []int{0, 7}, Eigenvalues: [][]float64{{1, 0.5, 0.25, 0.125, 0.0625}, nil},
			Elapsed: time.Minute + time.Duration(step-200)*20*time.Millisecond})
	}
	assert.Contains(t, lines[0], "[======          ]  40% a run  step 400/1000  loss -2.5")
	assert.Contains(t, lines[1], "[=========       ]  60% a run  step 600/1000  50.0 steps/s")
	assert.Contains(t, lines[1], "left 8s")
	for _, want := range []string{" 80% a run", "step 800/1000", "50.0 steps/s", "loss -2.5", "score 0.625",
		"values [1 0.5 0.25 0.125 0.0625]", "1 of 2 diverged", "left 4s"} {
		assert.Contains(t, lines[2], want)
	}
	assert.Contains(t, lines[3], "step 1000/1000")
	assert.NotContains(t, lines[3], "left")
}

func TestBarShortensValuesOnATerminal(t *testing.T) {
	for want, values := range map[string][]float64{"[5 4 3 2 …]": {5, 4, 3, 2, 1}, "[4 3 2 1]": {4, 3, 2, 1}} {
		var out bytes.Buffer
		(&Bar{W: &out}).Show(Status{Steps: 9, Stopped: true, Eigenvalues: [][]float64{values}})
		assert.Contains(t, out.String(), "values "+want)
	}
}

func TestBarEndsItsLineWhenStopped(t *testing.T) {
	var out bytes.Buffer
	b := Bar{W: &out}
	b.Show(Status{Step: 1, Steps: 9, Elapsed: 1})
	b.Show(Status{Step: 2, Steps: 9, Elapsed: 1}) // too soon
	b.Show(Status{Step: 3, Steps: 9, Elapsed: 1, Stopped: true})
	assert.NotContains(t, out.String(), "step 2/9")
	assert.Contains(t, out.String(), "step 3/9")
	assert.True(t, strings.HasSuffix(out.String(), "\n"))
}

// TestNoTimeLeftBeforeStepsAreSteady: no time is estimated in the first seconds of steps. The first report includes the
// 73 s that the evaluation at step 0 took to compile.
func TestNoTimeLeftBeforeStepsAreSteady(t *testing.T) {
	var out string
	var b Bar
	inNotebook(t, func(line string) { out = line })
	draw := func(first, step int, elapsed time.Duration) string {
		b.line = say.Line{} // a new one shows its first line at once
		b.Show(Status{Step: step, Steps: 80_000, FirstStep: first, Elapsed: elapsed, Loss: []float64{1}})
		return out
	}
	const compiled = 73 * time.Second
	line := draw(0, 1, compiled)
	assert.NotContains(t, line, "left")
	assert.NotContains(t, line, "steps/s", "one step in 73 s is no speed")
	line = draw(0, 101, compiled+time.Second)
	assert.NotContains(t, line, "left")
	assert.Contains(t, line, "100 steps/s")
	assert.Contains(t, draw(0, 401, compiled+4*time.Second), "left 13m16s")
	assert.NotContains(t, draw(0, 1, compiled), "left", "another training, on the same bar")
}
