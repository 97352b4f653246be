package run

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

func TestKeyRejectsNaN(t *testing.T) {
	require.Len(t, Key(map[string]int{"steps": 3}), 32)
	require.PanicsWithError(t, "naming a configuration: json: unsupported value: NaN", func() { Key(math.NaN()) })
}

// job returns a job that computes nothing.
func job(key string, seconds float64) Job {
	return Job{Key: key, Seeds: Seeds(1), Cost: Cost{Seconds: seconds},
		Run:    func(context.Context, *Lab) error { return nil },
		Result: func(*Lab) ([]Outcome, []int64, error) { return nil, Seeds(1), nil }}
}

// TestTimeLeftForAllJobs: the label of a training shows the time left for all announced runs, without runs that another
// process has trained or is training.
func TestTimeLeftForAllJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out string
		l := &Lab{Root: t.TempDir(), Display: func(line string) { out = line }}
		shown := func() string {
			l.progress("label")(train.Status{Steps: 100, Loss: []float64{1}, Stopped: true})
			return out
		}
		missing := Seeds(1)
		first, elsewhere, held, last := job("first", 5), job("elsewhere", 30), job("held", 10), job("last", 2)
		first.Run = func(context.Context, *Lab) error {
			require.Contains(t, shown(), "label (all: left 47s)")
			missing = nil
			time.Sleep(10 * time.Second)
			l.done, l.left = l.done+5, l.left-5 // as after a training
			return nil
		}
		elsewhere.Result = func(*Lab) ([]Outcome, []int64, error) { return nil, missing, nil }
		last.Run = func(context.Context, *Lab) error {
			require.Contains(t, shown(), "(all: left 4s)", "twice the estimate")
			return nil
		}
		lock := testkit.Must(train.Lock(l.runDir(held.Key)))
		defer lock.Close()
		require.NoError(t, l.Work(t.Context(), []Job{first, elsewhere, held, last, first}))
	})
	require.Nil(t, (&Lab{}).progress("no output"))
}

// TestJoinHistories joins histories whose first point has no loss. One run diverges and ends early.
func TestJoinHistories(t *testing.T) {
	short := []train.Point{{Step: 0, Value: train.PerRun{1}}, {Step: 5, Loss: train.PerRun{3}, Value: train.PerRun{5}}}
	long := []train.Point{{Step: 0, Value: train.PerRun{2}}, {Step: 5, Loss: train.PerRun{4}, Value: train.PerRun{6}},
		{Step: 9, Loss: train.PerRun{7}}}
	joined := JoinHistories([][]train.Point{short, long})
	require.Equal(t, []train.Point{
		{Step: 0, Value: train.PerRun{1, 2}},
		{Step: 5, Loss: train.PerRun{3, 4}, Value: train.PerRun{5, 6}},
	}, joined[:2])
	require.Equal(t, 9, joined[2].Step)
	require.True(t, math.IsNaN(joined[2].Loss[0]))
	require.Equal(t, 7., joined[2].Loss[1])
	require.Nil(t, joined[2].Value)
	require.Nil(t, JoinHistories([][]train.Point{nil, nil}))
}
