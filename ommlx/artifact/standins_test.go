package artifact_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/dataset"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// someData are data that fetch brings here.
func someData(fetch func(context.Context) error) (data *report.Data, asked *int) {
	here, times := false, 0
	return &report.Data{Name: "the mazes", StandIns: "our own", Command: "omm data get x",
		Here: func() bool { return here },
		Fetch: func(ctx context.Context) error {
			times++
			err := fetch(ctx)
			here = err == nil
			return err
		}}, &times
}

// TestDataAreFetchedOnce: one line says what came of it, and nothing is asked of a network where a lab may not.
func TestDataAreFetchedOnce(t *testing.T) {
	stopped, stop := context.WithCancelCause(t.Context())
	stop(errors.New("it took too long"))
	broken := &url.Error{Op: "Get", URL: "https://x", Err: errors.New("no such host")}
	for _, c := range []struct {
		ctx     context.Context
		profile run.Profile
		online  bool
		err     error
		want    string
	}{
		{t.Context(), run.Quick, true, nil, "fetched the mazes and verified them\n"},
		{t.Context(), run.Quick, true, broken, "the mazes cannot be fetched (no such host); our own stand in for " +
			"them, as each picture and table says; `omm data get x` tries again\n"},
		{t.Context(), run.Paper, true, broken, "the mazes cannot be fetched (no such host)\n"},
		{stopped, run.Paper, true, broken, "the mazes cannot be fetched (it took too long)\n"},
		{t.Context(), run.Smoke, false, nil, "the mazes are not on this machine; our own stand in for them, as each " +
			"picture and table says; `omm data get x` tries again\n"},
		{t.Context(), run.Paper, false, nil, ""},
	} {
		var out bytes.Buffer
		data, asked := someData(func(context.Context) error { return c.err })
		report.Prepare(c.ctx, &run.Lab{Out: &out, Profile: c.profile, Online: c.online},
			[]report.Entry{{Data: data}, {}, {Data: data}})
		require.Equal(t, c.want, out.String())
		require.Equal(t, map[bool]int{true: 1}[c.online], *asked)
	}
}

// TestThePaperProfileDoesWithoutMissingData: it trains what needs none of them, draws what is kept of the rest, and
// says once what it left out. Nothing stands in for the data.
func TestThePaperProfileDoesWithoutMissingData(t *testing.T) {
	var out bytes.Buffer
	l := &run.Lab{Root: t.TempDir(), Target: t.TempDir(), Profile: run.Paper, Out: &out}
	needy, other := newMadeUp(20), newMadeUp(20)
	other.Target = 1
	trained(t, l, needy.with(1))
	needs := func(name string, list ...madeUp) report.Entry {
		e := entry(list...)
		e.Name, e.Partial = name, true
		return e
	}
	needy.Needs = "the data are not here"
	_, err := run.Run(t.Context(), l, needy)
	require.ErrorContains(t, err, "made up, target 3: the data are not here")

	out.Reset()
	require.NoError(t, report.Make(t.Context(), l, []report.Entry{needs("tab8", needy), needs("tab9", needy, other)}))
	require.Contains(t, out.String(), "tab8: this is of what is kept; 1 runs cannot be trained here\n")
	require.Contains(t, out.String(), "/tables/tab9_made_up.{csv,json,md,tex}\n")
	require.Equal(t, 1, bytes.Count(out.Bytes(), []byte("left out: ")))
	require.Contains(t, out.String(), "left out: 1 run, since the data are not here\n")
	require.Len(t, results(t, l), 3)
}

// TestThePaperProfileDrawsWhatIsKeptBeforeItTrains: who interrupts the hours that follow has the picture.
func TestThePaperProfileDrawsWhatIsKeptBeforeItTrains(t *testing.T) {
	var out bytes.Buffer
	l := &run.Lab{Root: t.TempDir(), Target: t.TempDir(), Profile: run.Paper, Out: &out}
	kept, missing := newMadeUp(20), newMadeUp(20)
	missing.Target = 1
	trained(t, l, kept)
	e := entry(kept, missing)
	e.Partial = true
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, report.Make(ctx, l, []report.Entry{e}), train.ErrInterrupted)
	require.Contains(t, out.String(), ": drawn of what is kept, before the training of 2 runs\n")
	require.FileExists(t, filepath.Join(l.Target, e.File(run.Paper)))
}

// TestThePaperIsPlannedWithoutMazes: the plan of the paper profile names the same trainings on every machine, none of
// them of a stand-in, and those that cannot be trained are told.
func TestThePaperIsPlannedWithoutMazes(t *testing.T) {
	keys := func(p run.Profile) (all []string, lacking int) {
		for _, e := range append(artifact.Figures(), artifact.Tables()...) {
			jobs := testkit.Must(e.Jobs(p))
			all = append(all, runKeys(t, jobs)...)
			for _, j := range jobs {
				if j.Lacks != "" {
					lacking++
				}
			}
		}
		return all, lacking
	}
	root := testkit.Committed(t, run.Committed, rl.Figure1().File(run.Paper))
	here, _ := keys(run.Paper)
	t.Setenv(dataset.DataVariable, t.TempDir())
	t.Setenv(fsx.CacheVariable, t.TempDir())
	t.Chdir(t.TempDir())
	without, lacking := keys(run.Paper)
	require.Equal(t, here, without)
	require.Positive(t, lacking)
	_, lacking = keys(run.Quick)
	require.Zero(t, lacking, "the profiles of minutes take stand-ins")

	var out bytes.Buffer
	l := &run.Lab{Root: t.TempDir(), Target: t.TempDir(), Profile: run.Paper, Out: &out, KeptOnly: true}
	kept := filepath.Join(l.Root, run.Committed)
	require.NoError(t, os.CopyFS(kept, os.DirFS(filepath.Join(root, run.Committed))))
	require.NoError(t, report.Make(t.Context(), l, []report.Entry{rl.Figure1()}))
	require.NotContains(t, out.String(), "stand in")
	var drawn, committed rl.Fig1Data
	for of, d := range map[string]*rl.Fig1Data{l.Target: &drawn, root: &committed} {
		text := testkit.Must(os.ReadFile(filepath.Join(of, rl.Figure1().File(run.Paper))))
		require.NoError(t, json.Unmarshal(text, d))
	}
	require.NotEmpty(t, committed.Environments)
	require.Equal(t, committed.Environments, drawn.Environments)
}
