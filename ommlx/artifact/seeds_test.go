package artifact_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// results are the files of kept results, with their content.
func results(t *testing.T, l *run.Lab) map[string]string {
	names := testkit.Must(filepath.Glob(filepath.Join(l.Root, ".omm", "results", "*.json")))
	files := map[string]string{}
	for _, name := range names {
		text := testkit.Must(os.ReadFile(name))
		files[name] = string(text)
	}
	return files
}

// TestASeedJoinsThoseThatAreThere: an experiment of several seeds is the union of experiments of one. What is kept of
// some seeds is not trained again, and the joined result is that of a training of all.
func TestASeedJoinsThoseThatAreThere(t *testing.T) {
	l := &run.Lab{Root: t.TempDir(), Profile: run.Quick}
	e := newMadeUp(300)
	trained(t, l, e.with(2))
	before := results(t, l)
	require.Len(t, before, 1)

	all := e.with(1, 2, 3)
	job := testkit.Must(run.NewJob(all))
	state, rest := testkit.Must2(l.Progress(job))
	require.Equal(t, run.Begun, state)
	require.Equal(t, []int64{1, 3}, rest.Seeds)
	require.Equal(t, 2., rest.Cost.Seconds, "a second for each seed")

	joined := trained(t, l, all)
	after := results(t, l)
	require.Len(t, after, 3, "one file for each seed")
	for name, text := range before {
		require.Equal(t, text, after[name], "the seed that was there was not trained again")
	}
	require.Len(t, joined.History[0].Value, 3)
	state, _ = testkit.Must2(l.Progress(job))
	require.Equal(t, run.Kept, state)

	// Another order of the seeds is another order of the runs; each run keeps where it comes from.
	turned, origin := testkit.Must2(report.Gather(l, []madeUp{e.with(3, 1)}))
	require.Equal(t, []float64{foundBy(joined)[2], foundBy(joined)[0]}, foundBy(turned[0]))
	require.Len(t, origin.Trained, 2)
	single, missing := testkit.Must2(run.Load(l, e.with(3)))
	require.Empty(t, missing)
	require.Equal(t, []int64{3}, origin.Trained[0].Seeds)
	require.Equal(t, single.Provenance.Seconds, origin.Trained[0].Seconds)
	require.InEpsilon(t, origin.Seconds(), turned[0].Provenance.Seconds, 1e-12)
}

// TestTheShareOfSeedsTogether: seeds are expected one by one, and count as much when they are trained together.
func TestTheShareOfSeedsTogether(t *testing.T) {
	var said bytes.Buffer
	l := &run.Lab{Root: t.TempDir(), Profile: run.Quick, Out: &said}
	e, other := newMadeUp(300).with(1, 2, 3), newMadeUp(300).with(4, 5, 6)
	l.Expect(testkit.Must(l.Open(testkit.Must(run.NewJobs([]madeUp{e, other})))))
	trained(t, l, e)
	require.Contains(t, said.String(), "(all: 50%")
}

// A damaged result of one seed is named, and not trained over; one that another process trains is not trained twice.
func TestASeedThatIsDamagedOrHeld(t *testing.T) {
	l := &run.Lab{Root: t.TempDir(), Profile: run.Quick}
	e := newMadeUp(300)
	key := run.Key(e.with(2))
	lock := hold(t, l.Root, key)
	state := func() run.State {
		s, _ := testkit.Must2(l.Progress(testkit.Must(run.NewJob(e))))
		return s
	}
	require.Equal(t, run.Running, state())
	_, err := run.Run(t.Context(), l, e)
	require.ErrorIs(t, err, train.ErrHeld)
	require.NoError(t, lock.Close())
	require.Equal(t, run.Open, state(), "a folder without a checkpoint")
	trained(t, l, e)
	path := filepath.Join(l.Root, ".omm", "results", key+".json")
	require.NoError(t, os.WriteFile(path, []byte("{"), 0o644))
	_, err = run.Run(t.Context(), l, e)
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "remove it")

	// What cannot be read may be a good result: no advice to remove it. Root reads everything, but no folder.
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Mkdir(path, 0o755))
	_, err = run.Run(t.Context(), l, e)
	require.ErrorContains(t, err, "once it can be read")
	require.NotContains(t, err.Error(), "remove it")
}

// TestLeftoversGo with any command: checkpoints of a process that was killed after it had kept the results and before
// it removed them, also of seeds that were trained together. What a process works on stays.
func TestLeftoversGo(t *testing.T) {
	l := &run.Lab{Root: t.TempDir(), Profile: run.Quick}
	e := newMadeUp(2_000)
	stop(t, l, e)
	runs, aside := filepath.Join(l.Root, ".omm", "runs"), filepath.Join(l.Root, "aside")
	require.NoError(t, os.Rename(runs, aside))
	trained(t, l, e)
	requireNoCheckpoints(t, l.Root)
	require.NoError(t, os.RemoveAll(runs))
	require.NoError(t, os.Rename(aside, runs))
	done, open := run.Key(e.with(1)), run.Key(e.with(3))
	held := run.Key(e.with(2))
	for _, key := range []string{done, open, held} {
		require.NoError(t, os.MkdirAll(filepath.Join(runs, key), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(runs, key, "step-000000000300.ckpt"), nil, 0o644))
	}
	defer hold(t, l.Root, held).Close()
	l.Sweep()
	left := testkit.Must(filepath.Glob(filepath.Join(runs, "*", "*.ckpt")))
	require.Len(t, left, 2)
	require.NoDirExists(t, filepath.Join(runs, done))
}

// TestAResultThatCannotBeWritten costs no training: the last checkpoint stays, and the next call goes on from it.
func TestAResultThatCannotBeWritten(t *testing.T) {
	l, e := &run.Lab{Root: t.TempDir(), Profile: run.Quick}, newMadeUp(300).with(1)
	e.others = &others{}
	results := filepath.Join(l.Root, ".omm", "results")
	require.NoError(t, os.MkdirAll(filepath.Dir(results), 0o755))
	require.NoError(t, os.Symlink("nowhere", results))
	_, err := run.Run(t.Context(), l, e)
	require.ErrorContains(t, err, "once there is room, or "+results+" can be written, the same command goes on from "+
		"the last checkpoint")
	require.NoError(t, os.Remove(results))
	_, err = run.Run(t.Context(), l, e)
	require.NoError(t, err)
	require.Len(t, e.others.trained, 1, "it began at step 0 once")
}

// TestWhatIsNoJob: equal seeds would count one run twice, absurdly many take all memory, and numbers must fit.
func TestWhatIsNoJob(t *testing.T) {
	for want, seeds := range map[string][]int64{
		"the number of runs is 0": nil, "the seed 7 stands twice": {1, 7, 3, 7},
		"the number of runs is 100000; it must be from 1 to 1000": make([]int64, 100_000),
	} {
		e := newMadeUp(300).with(seeds...)
		_, err := run.Run(t.Context(), &run.Lab{Root: t.TempDir(), Profile: run.Quick}, e)
		require.ErrorContains(t, err, want)
		_, err = run.NewJob(e)
		require.ErrorContains(t, err, want)
	}
	_, err := run.NewJob(madeUp{Target: math.NaN(), Seeds: []int64{1}, Train: run.Training{Steps: 1}})
	require.EqualError(t, err, "made up, target NaN: the target is NaN; it must be a number")
	_, err = run.NewJob(madeUp{Seeds: []int64{1}})
	require.ErrorContains(t, err, "number of steps")
}

// hold locks the folder of a training, as the process that trains does; closing the file ends it.
func hold(t *testing.T, root, key string) *os.File {
	dir := filepath.Join(root, ".omm", "runs", key)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	lock := testkit.Must(os.Create(filepath.Join(dir, "lock")))
	require.NoError(t, syscall.Flock(int(lock.Fd()), syscall.LOCK_EX))
	return lock
}

// others is what another process does while a run is at a place, each once.
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

// What another process keeps while the data is collected, or between two looks at what is kept, is not trained again.
func TestWhatIsKeptMeanwhileIsNotTrained(t *testing.T) {
	for _, c := range []struct {
		kept []int64
		want []string
	}{{[]int64{1, 2}, nil}, {[]int64{1}, []string{"[2]"}}} {
		for _, at := range []func(*others) *func(){
			func(o *others) *func() { return &o.valid }, func(o *others) *func() { return &o.started },
		} {
			l, e, o := worker(t.TempDir(), nil), newMadeUp(300), &others{}
			*at(o) = func() { trained(t, l, e.with(c.kept...)) }
			meddled := e
			meddled.others = o
			require.Len(t, trained(t, l, meddled).Runs, 2)
			require.Equal(t, c.want, o.trained)
			requireNoCheckpoints(t, l.Root)
		}
	}
}

func requireNoCheckpoints(t *testing.T, root string) {
	t.Helper()
	left := testkit.Must(filepath.Glob(filepath.Join(root, ".omm", "runs", "*", "*.ckpt")))
	require.Empty(t, left, "checkpoints of finished trainings must be gone")
}
