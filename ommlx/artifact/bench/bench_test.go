package bench

import (
	"bytes"
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// Without Python each comparison measures our own side and reports the others as missing.
func TestRunWithoutAlternatives(t *testing.T) {
	for name, line := range map[string]string{
		"step":     `tiny +\d.*\[.*PyTorch eager`,
		"hydrogen": `lora_seq +\d.*forward, by hand`,
		"resnet":   `batch 128 +\d.*channels last`,
		"eigsh":    `1000 nodes +\d.*eigsh`,
		"scale":    `1e\+03 edges, step +\d.*PyTorch`,
	} {
		var out bytes.Buffer
		o := Options{Engine: testkit.PureGo(t), Python: "no-such-interpreter", Cases: []string{name}, Rounds: 2,
			small: true}
		require.NoError(t, Run(t.Context(), &out, o), name)
		assert.Regexp(t, `(?m)^`+line+` +python: .*no-such-interpreter`, out.String())
		if name != "eigsh" {
			assert.Regexp(t, `(?m) compiled in \d+\.\d s$`, out.String())
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"step", "eigsh"} {
		o := Options{Engine: testkit.PureGo(t), Python: "sh", Cases: []string{name}, Rounds: 1, small: true}
		assert.ErrorIs(t, Run(ctx, &bytes.Buffer{}, o), train.ErrInterrupted, name)
	}
}

func TestFramework(t *testing.T) {
	var out bytes.Buffer
	command := func(script string) *framework {
		return &framework{name: "Sh", cmd: exec.CommandContext(t.Context(), "sh", "-c", script)}
	}
	f := command(`while read -r q; do echo '{"seconds": 3, "version": "1.2"}'; done`)
	took, err := f.round(30, nil)()
	require.NoError(t, err)
	assert.Equal(t, 100*time.Millisecond, took)
	f.stop(&out)
	assert.Equal(t, "Sh 1.2\n", out.String())

	for script, word := range map[string]string{
		`echo '{"error": "No module named jax"}'; cat > /dev/null`: "not installed",
		`read -r q; exit 3`:                           "Sh ended without an answer: exit status 3",
		`echo nonsense; cat > /dev/null`:              "Sh answered",
		`echo '{"seconds": "long"}'; cat > /dev/null`: "Sh answered",
	} {
		f := command(script)
		for range 2 { // the second call returns the stored error
			_, err = f.round(1, nil)()
			assert.ErrorContains(t, err, word)
		}
		f.stop(&out)
	}
}

// The ratio and the target use the median of the rounds' ratios, not the ratio of medians.
func TestLine(t *testing.T) {
	var out bytes.Buffer
	s := &session{out: &out}
	ours, theirs := []float64{10, 20, 30}, []float64{40, 10, 20} // ratios 0.25, 2, 1.5; medians 20 and 20
	s.line("x", ours, contender{label: "other", target: 1}, theirs, nil)
	s.line("x", ours, contender{label: "other", target: 1.5}, theirs, nil)
	assert.Regexp(t, `20\.0 +\[10\.0–30\.0\] .* 1\.50 +≤ 1\.00 +missed by 50 %\n.* 1\.50 +≤ 1\.50 +reached\n`,
		out.String())
}
