package images

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

func tiny() Experiment {
	e := Quick("simclr", Top)
	e.Seeds, e.Width, e.K, e.Batch, e.Epochs = run.Seeds(2), 1, 4, 256, 1
	e.Probe.Batch, e.Probe.Epochs = 256, 3
	return e.scheduled(glyphImages)
}

// An interrupted training resumes to the same result as an uninterrupted one.
func TestResumeIsIdentical(t *testing.T) {
	whole := papertest.Resumed[Run](t, tiny())
	require.Len(t, whole, 2)
	assert.NotEqual(t, whole[0].Linear, whole[1].Linear, "different seeds")
	for _, one := range whole {
		assert.Equal(t, 1_664, one.Linear.N)
		assert.Positive(t, one.Linear.Top5)
	}
}

// Table 1 in the smoke profile is drawn from real trainings on glyphs, and then again from the kept results. A linear
// classifier of pixels does not read letters in an unseen typeface.
func TestWriteTable1(t *testing.T) {
	files := papertest.Made(t, &run.Lab{Root: t.TempDir(), Profile: run.Smoke}, Table1())
	for _, cells := range []string{"| Ours (glyphs) top-1 |", "| OMM-seq, p = 1 | projector | 59.91 | ",
		"| pixels | none |", " | not tested |"} {
		assert.Contains(t, files["tab1_cifar100.md"], cells)
	}
	var d Tab1Data
	require.NoError(t, json.Unmarshal([]byte(files["tab1_cifar100.json"]), &d))
	require.Equal(t, Pixels, d.Rows[1].Method)
	require.Less(t, *d.Rows[1].Top1, 40.0)
	missing := Tab1Data{Rows: rows(run.Paper)}.Text().Rows[0]
	assert.Equal(t, []string{"OMM, p = 1", "projector", "60.02", "not run"}, missing[:4])
}

func TestFrozenParametersDoNotChange(t *testing.T) {
	e, b := tiny().With(run.Seeds(1)).(Experiment).frozen(), testkit.PureGo(t)
	p := testkit.Must(e.problem(testkit.Must(e.read())))
	before, first := representation.Encoder{Backbone: e.backbone()}.Init(e.Seeds)
	config := e.config(glyphImages)
	config.Steps = 2
	trained := testkit.Must(train.Run(t.Context(), p, config, train.Options{Backend: b}))
	for i := range before {
		require.True(t, before[i].InDelta(trained.Params[i], 1e-20), i)
	}
	last := trained.State[len(trained.State)-len(first):]
	require.False(t, first[0].InDelta(last[0], 1e-6))
}
