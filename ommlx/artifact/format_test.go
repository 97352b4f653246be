package artifact_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// recorded contains results of short trainings when the format was last raised, and the machine that computed them.
type recorded struct {
	Processor string             `json:"processor"` // see processor
	Plugin    string             `json:"plugin"`    // SHA-256
	Cores     int                `json:"cores"`
	Results   map[string]outcome `json:"results"` // by key
}

var processorLine = regexp.MustCompile(`(?m)^(vendor_id|cpu family|model|stepping|flags)\s*: (.*?)\s*$`)

// processor identifies the processor as far as XLA's choice of instructions depends on it. Names do not: virtual
// machines call every generation "AMD EPYC".
func processor(t *testing.T) string {
	t.Helper()
	info := testkit.Must(os.ReadFile("/proc/cpuinfo"))
	first, _, _ := strings.Cut(string(info), "\n\n")
	var parts []string
	for _, m := range processorLine.FindAllStringSubmatch(first, -1) {
		if m[1] == "flags" {
			m[2] = fsx.SHA256Of([]byte(m[2]))[:8]
		}
		parts = append(parts, m[2])
	}
	return strings.Join(parts, " ")
}

// outcome is the part of a kept result that does not depend on time and place.
type outcome struct {
	Label   string          `json:"label"`
	Runs    json.RawMessage `json:"runs"`
	History json.RawMessage `json:"history"`
}

// shortTrainings trains one seed of each recorded training: grid worlds with every form of the objective, and
// Schrödinger equations.
func shortTrainings(t *testing.T, want recorded) recorded {
	t.Helper()
	labels := map[string]bool{}
	for _, o := range want.Results {
		labels[o.Label] = true
	}
	l := &run.Lab{Root: t.TempDir(), Profile: run.Smoke}
	here := testkit.Must(l.Here())
	r := recorded{processor(t), here.SHA256, here.Cores, map[string]outcome{}}
	plans := testkit.Must(report.Plans([]report.Entry{rl.Figure1(), pde.Figure2(), pde.Figure7(), rl.Beyond()},
		run.Smoke))
	for _, j := range slices.Concat(plans...) {
		if j = j.First(1); !labels[j.Label] {
			continue
		}
		require.NoError(t, j.Run(context.Background(), l))
		text := testkit.Must(os.ReadFile(filepath.Join(l.Root, ".omm", "results", j.Key+".json")))
		var kept struct{ Result outcome }
		require.NoError(t, json.Unmarshal(text, &kept))
		kept.Result.Label = j.Label
		r.Results[j.Key] = kept.Result
	}
	return r
}

// TestKeysKeepTheirMeaning: results of older commits are found by key, so a configuration must still give the recorded
// bits on the same kind of processor with the same plugin, and elsewhere the same numbers up to rounding. If a result
// is meant to change, raise resultFormat in package run, which changes every key, and record again with OMM_RECORD=1.
// Hydrogen was recorded again on 2026-11-25 with the old format: the trainings were the same but the quadrature of
// their evaluation was finer (see package pde).
func TestKeysKeepTheirMeaning(t *testing.T) {
	path := filepath.Join("testdata", "format.json")
	var want recorded
	require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(path)), &want))
	got := shortTrainings(t, want)
	if os.Getenv("OMM_RECORD") != "" {
		text := testkit.Must(json.MarshalIndent(got, "", " "))
		require.NoError(t, os.WriteFile(path, append(text, '\n'), 0o644))
		return
	}
	tolerance := 2e-3
	if got.Processor == want.Processor && got.Plugin == want.Plugin && got.Cores == want.Cores {
		tolerance = 0
	} else {
		t.Logf("recorded on %s with %d cores, here %s with %d: compared to a rounding error",
			want.Processor, want.Cores, got.Processor, got.Cores)
	}
	require.NotEmpty(t, want.Results)
	for key, w := range want.Results {
		g, there := got.Results[key]
		require.True(t, there, "%s is no longer a configuration of the smoke profile, or its key has changed", w.Label)
		requireNear(t, w.Runs, g.Runs, tolerance, w.Label)
		requireNear(t, w.History, g.History, tolerance, w.Label)
	}
}

// ritz matches the scores after a Ritz step. They are missing if functions are linearly dependent, which depends on
// rounding after a few steps.
var ritz = regexp.MustCompile(`"ritz(_rotated)?":\{[^}]*\},?`)

var number = regexp.MustCompile(`-?\d+(\.\d+)?(e[-+]?\d+)?`)

// requireNear compares two JSON texts, with a tolerance for numbers relative to max(1, |want|).
func requireNear(t *testing.T, want, got json.RawMessage, tolerance float64, label string) {
	t.Helper()
	var texts [2]string
	for i, text := range []json.RawMessage{want, got} {
		var compact bytes.Buffer
		require.NoError(t, json.Compact(&compact, text))
		texts[i] = compact.String()
		if tolerance > 0 {
			texts[i] = ritz.ReplaceAllString(texts[i], "")
		}
	}
	require.Equal(t, number.ReplaceAllString(texts[0], "#"), number.ReplaceAllString(texts[1], "#"), label)
	numbers := number.FindAllString(texts[1], -1)
	for i, text := range number.FindAllString(texts[0], -1) {
		a, b := testkit.Must(strconv.ParseFloat(text, 64)), testkit.Must(strconv.ParseFloat(numbers[i], 64))
		require.InDelta(t, a, b, tolerance*math.Max(1, math.Abs(a)), label)
	}
}
