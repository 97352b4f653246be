package artifact_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// results returns the contents of the result files by path.
func results(t *testing.T, l *run.Lab) map[string]string {
	names := testkit.Must(filepath.Glob(filepath.Join(l.Root, ".omm", "results", "*.json")))
	files := map[string]string{}
	for _, name := range names {
		files[name] = string(testkit.Must(os.ReadFile(name)))
	}
	return files
}

// TestSeedsAreJoined: the result of several seeds joins results of single seeds. Kept seeds are not trained again.
func TestSeedsAreJoined(t *testing.T) {
	l := &run.Lab{Root: t.TempDir(), Profile: run.Quick, PureGo: true}
	e := newMadeUp(300)
	trained(t, l, e.with(2))
	before := results(t, l)
	require.Len(t, before, 1)

	all := e.with(1, 2, 3)
	open := testkit.Must(l.Open([]run.Experiment{all}))
	require.Equal(t, []run.Experiment{e.with(1), e.with(3)}, open)
	require.Equal(t, 2., run.Seconds(open), "one second per seed")

	joined := trained(t, l, all)
	after := results(t, l)
	require.Len(t, after, 3, "one file per seed")
	for name, text := range before {
		require.Equal(t, text, after[name], "the kept seed was not trained again")
	}
	require.Len(t, joined.History[0].Value, 3)

	turned, _ := loaded(t, l, e.with(3, 1))
	require.Equal(t, []float64{foundBy(joined)[2], foundBy(joined)[0]}, foundBy(turned), "in the order of the seeds")
}

// A seed that another process trains is not trained again.
func TestHeldSeedIsNotTrained(t *testing.T) {
	l := &run.Lab{Root: t.TempDir(), Profile: run.Quick, PureGo: true}
	e := newMadeUp(300)
	lock := testkit.Must(train.Lock(filepath.Join(l.Root, ".omm", "runs", run.Key(e.with(2)))))
	defer lock.Close()
	_, err := run.Run(t.Context(), l, e)
	require.ErrorIs(t, err, train.ErrHeld)
}
