package train

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shown draws a training of 1,000 steps that was taken up at step 200 and takes 10 ms a step.
func shown(b *Bar) {
	b.Label, b.Every = "a run", 1 // a nanosecond: every line
	for step := 400; step <= 1000; step += 200 {
		b.Show(Status{Step: step, Steps: 1000, FirstStep: 200, Loss: []float64{-1, -4}, Value: []float64{0.5, 0.75},
			Diverged: []int{0, 7}, Elapsed: time.Duration(step-200) * 10 * time.Millisecond})
	}
}

func TestBarInALog(t *testing.T) {
	var out bytes.Buffer
	shown(&Bar{W: &out})
	for _, c := range out.String() {
		require.False(t, unicode.IsControl(c) && c != '\n', "control character %q", c)
	}
	lines := strings.SplitAfter(out.String(), "\n")
	require.Empty(t, lines[len(lines)-1], "whole lines")
	lines = lines[:len(lines)-1]
	require.NotEmpty(t, lines)
	for _, want := range []string{" 80% a run", "step 800/1000", "100 steps/s", "loss -2.5", "score 0.625",
		"1 of 2 diverged",
		"left 2s"} {
		assert.Contains(t, lines[len(lines)-2], want)
	}
	assert.Contains(t, lines[len(lines)-1], "step 1000/1000")
	assert.NotContains(t, lines[len(lines)-1], "left")
}

func TestBarInATerminal(t *testing.T) {
	var out bytes.Buffer
	shown(&Bar{W: &out, Medium: Terminal})
	draws := strings.Split(out.String(), "\r\x1b[K")
	require.Len(t, draws, 5)
	assert.Empty(t, draws[0])
	assert.Contains(t, draws[1], "[======          ]  40% a run  step 400/1000  100 steps/s")
	assert.Contains(t, draws[1], "left 6s")
	assert.Equal(t, 1, strings.Count(out.String(), "\n"))
	assert.True(t, strings.HasSuffix(draws[4], "\n"), "the last one ends the line")
}

func TestBarEndsItsLineWhenStopped(t *testing.T) {
	var out bytes.Buffer
	b := Bar{W: &out, Medium: Terminal, Every: time.Hour}
	b.Show(Status{Step: 1, Steps: 9, Elapsed: 1})
	b.Show(Status{Step: 2, Steps: 9, Elapsed: 1}) // too soon
	b.Show(Status{Step: 3, Steps: 9, Elapsed: 1, Stopped: true})
	assert.NotContains(t, out.String(), "step 2/9")
	assert.Contains(t, out.String(), "step 3/9")
	assert.True(t, strings.HasSuffix(out.String(), "\n"))
}

func TestBarInANotebook(t *testing.T) {
	var lines []string
	shown(&Bar{Medium: Notebook, Display: func(line string) { lines = append(lines, line) }})
	require.Len(t, lines, 4)
	for _, line := range lines {
		assert.NotContains(t, line, "\n")
		assert.Contains(t, line, "steps/s")
	}
}

// TestBarOfALargerJob: a quarter of all took a minute, so three more are left.
func TestBarOfALargerJob(t *testing.T) {
	var out bytes.Buffer
	shown(&Bar{W: &out, Medium: Terminal, Work: func(fraction float64) (float64, time.Duration) {
		return fraction / 4, time.Duration(fraction * float64(time.Minute))
	}})
	assert.Contains(t, out.String(), "(all: 25%, left 3m0s)")
}

func TestMediumOf(t *testing.T) {
	assert.Equal(t, Lines, MediumOf(&bytes.Buffer{}))
	file, err := os.Create(t.TempDir() + "/log")
	require.NoError(t, err)
	defer file.Close()
	assert.Equal(t, Lines, MediumOf(file))
}

// TestProgressOfATraining: what is reported fits the training, and its end is reported.
func TestProgressOfATraining(t *testing.T) {
	o := pureGo(t)
	o.Eval = size
	var all []Status
	o.Progress = func(s Status) { all = append(all, s) }
	result := mustRun(t, toy(4, 1, 2), config(20, 5), o)
	last := all[len(all)-1]
	assert.Equal(t, 20, last.Step)
	assert.Equal(t, []float64(result.History[4].Value), last.Value)
	assert.False(t, last.Stopped)
	before := 0
	for _, s := range all {
		assert.Greater(t, s.Step, before)
		assert.Equal(t, 20, s.Steps)
		assert.Len(t, s.Loss, 2)
		assert.Positive(t, s.Elapsed)
		before = s.Step
	}
}

func TestSpeedHasThreeDigitsAtLeast(t *testing.T) {
	for steps, want := range map[int]string{92930: " 92930 ", 25: " 25.0 ", 3: " 3.00 "} {
		line := (&Bar{}).line(Status{Step: steps, Steps: steps, Loss: []float64{0}, Elapsed: time.Second})
		assert.Contains(t, line, want+"steps/s")
	}
}
