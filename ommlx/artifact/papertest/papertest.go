// Package papertest contains helpers for tests of the paper's claims, results and evidence.
package papertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// Measured returns the evidence for a claim from data of an exhibit under a profile. It fails the test if no source
// uses the exhibit for the claim.
func Measured(t testing.TB, sources []claims.Source, claim string, exhibit report.Exhibit, p run.Profile,
	data any) claims.Evidence {
	t.Helper()
	i := slices.IndexFunc(sources, func(s claims.Source) bool {
		return s.Claim == claim && s.Exhibit.Name == exhibit.Name
	})
	require.GreaterOrEqual(t, i, 0, "%s is no evidence for %q", exhibit.Name, claim)
	var text map[string]any
	require.NoError(t, json.Unmarshal(testkit.Must(json.Marshal(data)), &text))
	text["provenance"] = report.Origin{Drawn: report.Drawn{Profile: p}}
	e := claims.Evidence{Outcome: claims.Done, Record: claims.Record{Claim: claim}}
	_, err := sources[i].Measured(testkit.Must(json.Marshal(text)), &e)
	require.NoError(t, err)
	return e
}

// Compares requires claims about printed numbers to hold if our numbers equal them, not to be reproduced if ours are
// off, and not to be tested at a smaller scale.
func Compares[D any](t *testing.T, sources []claims.Source, exhibit report.Exhibit, ids []string,
	shown func(p run.Profile, off float64) D, off float64) {
	t.Helper()
	for _, id := range ids {
		claim, _ := claims.Find(id)
		claim.Caveat = ""
		judged := func(p run.Profile, off float64) claims.Verdict {
			return claim.Decide([]claims.Evidence{Measured(t, sources, id, exhibit, p, shown(p, off))})
		}
		require.Equal(t, claims.Holds, judged(run.Paper, 0), id)
		require.Equal(t, claims.NotReproduced, judged(run.Paper, off), id)
		require.Equal(t, claims.NotTested, judged(run.Quick, 0), id)
	}
}

// Made makes exhibits under the smoke profile and returns the contents of all their files by name.
func Made(t *testing.T, place *run.Lab, exhibits ...report.Exhibit) map[string]string {
	t.Helper()
	require.NoError(t, report.Make(t.Context(), place, exhibits))
	files, endings := map[string]string{}, map[report.Kind][]string{
		report.Figure: {".json", ".png", ".svg", ".pdf"}, report.Table: {".json", ".md", ".csv", ".tex"}}
	for _, e := range exhibits {
		for _, ending := range endings[e.Kind] {
			path := filepath.Join(place.Root, strings.TrimSuffix(e.File(run.Smoke), ".json")+ending)
			files[e.Name+ending] = string(testkit.Must(os.ReadFile(path)))
			require.NotEmpty(t, files[e.Name+ending], path)
		}
	}
	return files
}

// Trained returns the result of an experiment, and trains it if necessary.
func Trained[E run.Experiment, R run.Evaluated](t *testing.T, l *run.Lab, e E) *run.Decoded[E, R] {
	t.Helper()
	return testkit.Must(run.Decode[E, R]([]*run.Result{testkit.Must(run.Run(t.Context(), l, e))}))[0]
}

// Resumed returns the runs of a training of four steps, and requires a training that was interrupted at its first
// checkpoint to resume to the same runs.
func Resumed[R any](t *testing.T, e run.Experiment) []R {
	t.Helper()
	b := testkit.PureGo(t)
	require.NoError(t, e.Validate())
	once := func(ctx context.Context, dir string) (runs []R, err error) {
		prepared := testkit.Must(e.Start(b))
		defer prepared.Close()
		prepared.Config.Steps, prepared.Config.EvalEvery = 4, 4 // an evaluation takes longer than a step
		options := train.Options{Backend: b, Dir: dir, Eval: prepared.Eval}
		trained, err := train.Run(ctx, prepared.Problem, prepared.Config, options)
		if err != nil {
			require.ErrorContains(t, err, fmt.Sprintf("at step 1 of %d", prepared.Config.Steps))
			return nil, err
		}
		for _, text := range testkit.Must(prepared.Runs(ctx, trained)) {
			var one R
			require.NoError(t, json.Unmarshal(text, &one))
			runs = append(runs, one)
		}
		return runs, nil
	}
	whole, dir := testkit.Must(once(t.Context(), t.TempDir())), t.TempDir()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	_, err := once(stopped, dir)
	require.ErrorIs(t, err, train.ErrInterrupted)
	require.Equal(t, whole, testkit.Must(once(t.Context(), dir)))
	return whole
}
