package artifact_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/train"
)

// Finish trains what is named, by the key of a seed or of a whole job, and nothing else.
func TestFinishTrainsWhatIsNamed(t *testing.T) {
	jobs := mustMadeUpJobs(t)
	parts, err := jobs[0].Parts()
	require.NoError(t, err)
	root := t.TempDir()
	done, err := worker(root, nil).Finish(t.Context(), jobs, []string{parts[1].Key, jobs[2].Key})
	require.NoError(t, err)
	require.Equal(t, lab.Worked{Trained: 3}, done)
	require.Len(t, results(t, worker(root, nil)), 3)
	_, kept, err := parts[1].Result(worker(root, nil))
	require.NoError(t, err)
	require.True(t, kept)
	_, err = worker(root, nil).Finish(t.Context(), jobs, []string{parts[1].Key, "abc"})
	require.ErrorIs(t, err, lab.ErrUnknown)
	require.EqualError(t, err, `no training has this key: "abc"`)
}

// Finish waits for the process that is at work on a training, and trains it where that process ends without a result.
func TestFinishWaits(t *testing.T) {
	jobs := mustMadeUpJobs(t)[1:2]
	root := t.TempDir()
	lock := hold(t, root, jobs[0].Key)
	stopped, stop := context.WithCancel(t.Context())
	l := worker(root, &stopAt{text: "waiting for another process", then: stop})
	done, err := l.Finish(stopped, jobs, []string{jobs[0].Key})
	require.ErrorIs(t, err, train.ErrInterrupted)
	require.Equal(t, lab.Worked{Left: 1}, done)

	l = worker(root, &stopAt{text: "waiting for another process", then: func() { require.NoError(t, lock.Close()) }})
	done, err = l.Finish(t.Context(), jobs, []string{jobs[0].Key})
	require.NoError(t, err)
	require.Equal(t, lab.Worked{Trained: 1}, done)
}

// A process that is killed once it has kept its result leaves checkpoints. The next worker that comes by removes them.
func TestCheckpointsOfAKeptResultGo(t *testing.T) {
	jobs := mustMadeUpJobs(t)[1:2]
	l := worker(t.TempDir(), nil)
	_, err := l.Work(t.Context(), jobs)
	require.NoError(t, err)
	dir := filepath.Join(l.Root, ".omm", "runs", jobs[0].Key)
	require.NoDirExists(t, dir)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "step-000000002000.ckpt"), nil, 0o644))
	done, err := l.Work(t.Context(), jobs)
	require.NoError(t, err)
	require.Equal(t, lab.Worked{}, done)
	require.NoDirExists(t, dir)
}

// stopAt calls then once a text is written to it.
type stopAt struct {
	text string
	then func()
}

func (s *stopAt) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(s.text)) {
		s.then()
	}
	return len(p), nil
}
