package bench

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/gomlx/compute"
	_ "github.com/gomlx/compute/gobackend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/train"
)

func engine(t *testing.T) compute.Backend {
	t.Helper()
	b, _, err := backend.Open()
	require.NoError(t, err)
	return b
}

// pureGo needs no compilation, which would be most of a test that measures little.
func pureGo(t *testing.T) compute.Backend {
	t.Helper()
	b, err := compute.NewWithConfig("go:ops_sequential")
	require.NoError(t, err)
	t.Cleanup(b.Finalize)
	return b
}

// report returns what a benchmark writes where there is no Python.
func report(t *testing.T, e compute.Backend, name string, scale float64) string {
	t.Helper()
	var out bytes.Buffer
	o := Options{Engine: e, Python: "no-such-interpreter", Cases: []string{name}, Rounds: 2, scale: scale}
	require.NoError(t, Run(context.Background(), &out, o))
	return out.String()
}

// TestRunWithoutAlternatives measures our own side and says that the others are not there.
func TestRunWithoutAlternatives(t *testing.T) {
	out := report(t, engine(t), "tiny", 0.01)
	assert.Regexp(t, `(?m)^step +\d+\.\d+ +\[.*PyTorch eager +no-such-interpreter cannot be run`, out)
	assert.Regexp(t, `(?m)^compiling a training program: median \d+\.\d s of 1, slowest \d+\.\d s \(tiny\)`, out)
	assert.Regexp(t, `(?m)^peak memory of this process: 0\.\d+ GiB$`, out)
}

func TestRunRefuses(t *testing.T) {
	err := Run(context.Background(), nil, Options{Cases: []string{"tiny", "huge"}})
	assert.ErrorContains(t, err, `there is no benchmark "huge"; the benchmarks are paper, environments, rows, `+
		`runs, tiny, hydrogen, laplacian, growth, resnet, views, feed, devices, objectives, learn, solvers, `+
		`conversion, product, edges, lanczos, graph`)
	err = Run(context.Background(), nil, Options{Rounds: -1})
	assert.ErrorContains(t, err, "the number of rounds is -1")
	err = Run(context.Background(), nil, Options{Edges: 5})
	assert.ErrorContains(t, err, "the largest graphs are to have 5 edges; give 100000 to 100000000, or 0 for 10000000")
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := Run(ctx, &bytes.Buffer{}, Options{Engine: engine(t), Python: "sh", Cases: []string{"tiny"}, scale: 0.01})
	assert.ErrorIs(t, err, train.ErrInterrupted)
}

// TestFramework talks to a process that answers as the scripts do.
func TestFramework(t *testing.T) {
	ctx := context.Background()
	f := command(ctx, "sh", "Sh", `while read -r q; do echo '{"wall": 3, "cpu": 6, "version": "1.2"}'; done`)
	l, err := f.ask(question{Steps: 30})
	require.NoError(t, err)
	assert.Equal(t, lap{100 * time.Millisecond, 200 * time.Millisecond}, l)
	assert.Equal(t, "1.2", f.version)
	f.stop()

	for script, word := range map[string]string{
		`echo '{"error": "No module named jax"}'; cat > /dev/null`: "not installed",
		`read -r q; exit 3`:              "Sh ended without an answer",
		`echo nonsense; cat > /dev/null`: `Sh answered "nonsense`,
	} {
		f := command(ctx, "sh", "Sh", script)
		for range 2 { // the second time without asking
			_, err = f.ask(question{Steps: 1})
			assert.ErrorContains(t, err, word)
		}
		f.stop()
	}
}

// TestLine: a ratio is the median of the rounds' ratios, not the ratio of medians, and the target is judged by it.
func TestLine(t *testing.T) {
	var out bytes.Buffer
	s := &session{out: &out}
	laps := func(walls ...time.Duration) (l []lap) {
		for _, w := range walls {
			l = append(l, lap{wall: w * time.Millisecond, cpu: w * time.Millisecond})
		}
		return l
	}
	ours, theirs := laps(10, 20, 30), laps(40, 10, 20) // ratios 0.25, 2, 1.5; medians 20 and 20
	s.line("x", ours, contender{label: "other", target: 1}, theirs, nil)
	s.line("x", ours, contender{label: "other", target: 1.5}, theirs, nil)
	assert.Regexp(t, `20\.0 +\[10\.0–30\.0\] .* 1\.50 +≤ 1\.00 +missed by 50 %\n.* 1\.50 +≤ 1\.50 +reached\n`,
		out.String())
	assert.Equal(t, 2.5, median([]float64{4, 1, 2, 3}))
}
