package run

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

func TestKeyRejectsNaN(t *testing.T) {
	require.Len(t, Key(map[string]int{"steps": 3}), 32)
	require.PanicsWithError(t, "naming a configuration: json: unsupported value: NaN", func() { Key(math.NaN()) })
}

// fake is an experiment that trains nothing.
type fake struct {
	Name    string
	Takes   Cost
	Seeds   []int64
	onStart func()
}

func newFake(name string, seconds float64) fake {
	return fake{Name: name, Takes: Cost{Seconds: seconds}, Seeds: Seeds(1)}
}

func (f fake) Validate() error   { return nil }
func (f fake) Label() string     { return f.Name }
func (f fake) Cost() Cost        { return f.Takes }
func (f fake) RunSeeds() []int64 { return f.Seeds }
func (f fake) NewRun() Evaluated { return nil }

func (f fake) With(seeds []int64) Experiment {
	f.Seeds = seeds
	return f
}

func (f fake) Start(compute.Backend) (Prepared, error) {
	f.onStart()
	return Prepared{}, train.ErrHeld
}

// TestTimeLeftForAllTrainings: the label of a training shows the time left for all announced runs, without runs that
// another process has trained or is training.
func TestTimeLeftForAllTrainings(t *testing.T) {
	var out string
	l := &Lab{Root: t.TempDir(), Display: func(line string) { out = line }, PureGo: true}
	shown := func() string {
		l.progress("label")(train.Status{Steps: 100, Loss: []float64{1}, Stopped: true})
		return out
	}
	first, elsewhere := newFake("first", 5), newFake("elsewhere", 30)
	held, last := newFake("held", 10), newFake("last", 2)
	first.onStart = func() {
		require.Contains(t, shown(), "label (all: left 47s)")
		require.NoError(t, l.keep(elsewhere, &Result{Runs: []json.RawMessage{[]byte("{}")}}))
		l.began, l.done = time.Now().Add(-9500*time.Millisecond), 5 // as after a training
	}
	started := false
	last.onStart = func() {
		started = true
		require.Contains(t, shown(), "(all: left 4s)", "twice the estimate")
	}
	lock := testkit.Must(train.Lock(l.runDir(Key(held))))
	defer lock.Close()
	require.NoError(t, l.Work(t.Context(), List([]fake{first, elsewhere, held, last, first})))
	require.True(t, started)
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
