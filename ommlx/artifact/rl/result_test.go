package rl

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
)

// example is a whole result of two runs and two functions, with its key.
func example(t testing.TB) (*Result, string) {
	t.Helper()
	r := &Result{Config: tiny()}
	r.Config.K, r.Config.Seeds = 2, []int64{7, 8}
	for _, seed := range r.Config.Seeds {
		r.Runs = append(r.Runs, Run{Seed: seed, Average: 0.75, PerMode: []float64{1, 0.5}})
	}
	key, err := lab.Key(r.Config)
	require.NoError(t, err)
	return r, key
}

func TestAResultThatIsNotWholeIsRefused(t *testing.T) {
	r, key := example(t)
	require.NoError(t, lab.Check(r, key))
	assert.ErrorContains(t, lab.Check(r, "another"), "the result of another configuration, "+key)
	r.Runs[0].PerMode = r.Runs[0].PerMode[:1]
	assert.ErrorContains(t, lab.Check(r, key), "run 0 has 1 scores where there must be 2")
	r.Runs[0].Seed = 9
	assert.ErrorContains(t, lab.Check(r, key), "run 0 has the seed 9 instead of 7")
	r.Runs = nil
	assert.ErrorContains(t, lab.Check(r, key), "0 runs instead of 2")
}

// FuzzResult: what is read of any file can be averaged, and is kept again as it was.
func FuzzResult(f *testing.F) {
	r, key := example(f)
	text, err := json.Marshal(r)
	require.NoError(f, err)
	for from, to := range map[string]string{
		"":               "",
		`"seed":7`:       `"seed":7,"diverged_at_step":3`,
		`[7,8]`:          `null`,
		`0.5`:            `null`,
		`0.75`:           `1e400`,
		`[1,0.5]`:        `[1]`,
		`"history":null`: `"history":[{"loss":["NaN",null]}]`,
	} {
		f.Add([]byte(strings.Replace(string(text), from, to, 1)))
	}
	for _, text := range []string{"", "{}", "null", "[", `{"config":{"k":1e9}}`, `{"runs":[{}]}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := lab.Decode[Experiment, Run](text, key)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.LessOrEqual(t, len(averages(r)), len(r.Config.Seeds))
		_ = newFig1Value(row{}, r)
		first, err := json.Marshal(r)
		require.NoError(t, err)
		again, err := lab.Decode[Experiment, Run](first, key)
		require.NoError(t, err)
		second, err := json.Marshal(again)
		require.NoError(t, err)
		require.Equal(t, string(first), string(second))
	})
}
