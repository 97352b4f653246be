package artifact_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// outcome is the part of a kept result that does not depend on time and place.
type outcome struct {
	Label   string          `json:"label"`
	Runs    json.RawMessage `json:"runs"`
	History json.RawMessage `json:"history"`
}

// TestKeysKeepTheirMeaning trains one seed of grid worlds with every form of the objective, and of Schrödinger
// equations. Results of older commits are found by key, so a configuration must still give the recorded numbers, up to
// rounding. If a result is meant to change, raise resultFormat in package run, which changes every key, and record
// again with OMM_RECORD=1. Two records replaced older ones of the same format: on 2026-11-25 that of hydrogen, because
// the quadrature of the evaluation became finer (see package pde), and on 2026-11-27 all, on the pure-Go engine, when
// XLA still gave the old numbers.
func TestKeysKeepTheirMeaning(t *testing.T) {
	path := filepath.Join("testdata", "format.json")
	var want, got struct {
		Results map[string]outcome `json:"results"` // by key
	}
	require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(path)), &want))
	require.NotEmpty(t, want.Results)
	labels := map[string]bool{}
	for _, o := range want.Results {
		labels[o.Label] = true
	}
	got.Results = map[string]outcome{}
	l := &run.Lab{Root: t.TempDir(), Profile: run.Smoke, PureGo: true}
	planned := report.Planned(run.Smoke, rl.Figure1(), pde.Figure2(), pde.Figure7(), rl.Beyond())
	for _, e := range planned {
		if e = e.With(e.RunSeeds()[:1]); !labels[e.Label()] {
			continue
		}
		r := testkit.Must(run.Run(t.Context(), l, e))
		got.Results[run.Key(e)] = outcome{e.Label(), testkit.Must(json.Marshal(r.Runs)),
			testkit.Must(json.Marshal(r.History))}
	}
	if os.Getenv("OMM_RECORD") != "" {
		text := testkit.Must(json.MarshalIndent(got, "", " "))
		require.NoError(t, os.WriteFile(path, append(text, '\n'), 0o644))
		return
	}
	for key, w := range want.Results {
		g, there := got.Results[key]
		require.True(t, there, "%s is no longer a configuration of the smoke profile, or its key has changed", w.Label)
		requireNear(t, w.Runs, g.Runs, w.Label)
		requireNear(t, w.History, g.History, w.Label)
	}
}

// ritz matches the scores after a Ritz step. They are missing if functions are linearly dependent, which depends on
// rounding after a few steps.
var ritz = regexp.MustCompile(`"ritz(_rotated)?":\{[^}]*\},?`)

var number = regexp.MustCompile(`-?\d+(\.\d+)?(e[-+]?\d+)?`)

// requireNear compares two JSON texts, with a tolerance of 0.002 max(1, |want|) for numbers.
func requireNear(t *testing.T, want, got json.RawMessage, label string) {
	t.Helper()
	var texts [2]string
	for i, text := range []json.RawMessage{want, got} {
		var compact bytes.Buffer
		require.NoError(t, json.Compact(&compact, text))
		texts[i] = ritz.ReplaceAllString(compact.String(), "")
	}
	require.Equal(t, number.ReplaceAllString(texts[0], "#"), number.ReplaceAllString(texts[1], "#"), label)
	numbers := number.FindAllString(texts[1], -1)
	for i, text := range number.FindAllString(texts[0], -1) {
		a, b := testkit.Must(strconv.ParseFloat(text, 64)), testkit.Must(strconv.ParseFloat(numbers[i], 64))
		require.InDelta(t, a, b, 2e-3*math.Max(1, math.Abs(a)), label)
	}
}
