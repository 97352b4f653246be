package run

import (
	"encoding/json"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

func TestKeyRejectsNaN(t *testing.T) {
	require.Len(t, Key(map[string]int{"steps": 3}), 32)
	require.PanicsWithError(t, "naming a configuration: json: unsupported value: NaN", func() { Key(math.NaN()) })
}

// fake is an experiment that trains nothing.
type fake struct {
	Name     string
	Takes    Cost
	Seeds    []int64
	onEngine func(compute.Backend)
	onStart  func()
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

func (f fake) Start(b compute.Backend) (Prepared, error) {
	if f.onEngine != nil {
		f.onEngine(b)
	}
	f.onStart()
	return Prepared{}, train.ErrHeld
}

// TestTimeLeft: the line of a training shows the time left for all announced runs, from the speed of this session. Runs
// of other processes and steps of earlier sessions do not count as work of this session.
func TestTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out string
		say.Notebook = func(line string, _ bool) { out = line }
		defer func() { say.Notebook = nil }()
		l := &Lab{}
		first, resumed, elsewhere := newFake("room first", 10), newFake("maze second", 30), newFake("elsewhere", 20)
		l.Expect([]Experiment{first, resumed, elsewhere})
		at := func(from, step int) train.Status {
			time.Sleep(10 * time.Second)
			return train.Status{FirstStep: from, Step: step, Steps: 100, Loss: []float64{1}}
		}
		one := l.begin(first)
		one.show(at(0, 0))
		require.Contains(t, out, "room first (all: left 1m0s)", "before a step it is the estimate")
		one.show(at(0, 50))
		require.Contains(t, out, "(all: left 3m40s)", "5 of 60 s took 20 s")
		l.board.skip(elsewhere)
		one.show(at(0, 75))
		require.Contains(t, out, "(all: left 2m10s)", "7.5 of 40 s took 30 s")
		two := l.begin(resumed)
		two.show(at(90, 90))
		require.Contains(t, out, " 91% of all trainings, left 30s; room first 75%; maze second 90%")
		one.show(at(0, 100))
		one.end()
		require.NotContains(t, out, "left")
		two.show(at(90, 95))
		require.Contains(t, out, "maze second (all: left 8s)", "11.5 of 58.5 s took 60 s")
		two.end()
	})
}

// TestWorkSkips: Work trains each run once and skips those that another process has trained or is training.
func TestWorkSkips(t *testing.T) {
	l := &Lab{Root: t.TempDir(), PureGo: true}
	first, elsewhere, held, last := newFake("first", 5), newFake("elsewhere", 3), newFake("held", 1), newFake("last", 2)
	var started []string
	first.onStart = func() {
		started = append(started, "first")
		require.NoError(t, l.keep(elsewhere, &Result{Runs: []json.RawMessage{[]byte("{}")}}))
	}
	last.onStart = func() { started = append(started, "last") }
	lock := testkit.Must(train.Lock(l.runDir(Key(held))))
	defer lock.Close()
	require.NoError(t, l.Work(t.Context(), []Experiment{first, elsewhere, held, last, first}))
	require.Equal(t, []string{"first", "last"}, started)
	require.InDelta(t, 11, l.board.ended, 1e-9)
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
