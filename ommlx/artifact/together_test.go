package artifact_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/train"
)

// meddled is madeUp, with the same keys, during whose run another process is at work.
type meddled struct {
	madeUp
	others *others
}

// others is what another process does while a run is at a place. It does each once.
type others struct {
	valid, started func()   // after the first look at what is kept; with the data there
	trained        []string // the seeds of each training that began
}

func once(do *func()) {
	if now := *do; now != nil {
		*do = nil
		now()
	}
}

// MarshalJSON leaves out the others.
func (m meddled) MarshalJSON() ([]byte, error) { return json.Marshal(m.madeUp) }

func (m meddled) With(seeds []int64) meddled              { return meddled{m.with(seeds...), m.others} }
func (m meddled) Whole(*lab.Result[meddled, value]) error { return nil }

func (m meddled) Validate() error {
	once(&m.others.valid)
	return m.madeUp.Validate()
}

func (m meddled) Start(b compute.Backend) (lab.Task[value], error) {
	task, err := m.madeUp.Start(b)
	score := task.Score
	task.Score = func(now train.Snapshot) ([]float64, error) {
		if now.Step == 0 {
			m.others.trained = append(m.others.trained, fmt.Sprint(m.Seeds))
		}
		return score(now)
	}
	once(&m.others.started)
	return task, err
}

// What another process keeps while the data is collected, or between two looks at what is kept, is not trained again.
func TestWhatIsKeptMeanwhileIsNotTrained(t *testing.T) {
	for _, c := range []struct {
		kept []int64
		want []string
	}{{[]int64{1, 2}, nil}, {[]int64{1}, []string{"[2]"}}} {
		for _, at := range []func(*others) *func(){
			func(o *others) *func() { return &o.valid }, func(o *others) *func() { return &o.started },
		} {
			l, e := worker(t.TempDir(), nil), newMadeUp(300)
			o := &others{}
			*at(o) = func() { run(t, l, e.with(c.kept...)) }
			both := run(t, l, meddled{e, o})
			require.Len(t, both.Runs, 2)
			require.Equal(t, c.want, o.trained)
			requireNoCheckpoints(t, l.Root)
		}
	}
}

func requireNoCheckpoints(t *testing.T, root string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(root, ".omm", "runs", "*", "*.ckpt"))
	require.NoError(t, err)
	require.Empty(t, left, "checkpoints of finished trainings must be gone")
}
