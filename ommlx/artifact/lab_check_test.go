package artifact

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keptExamples are whole results of two runs and two functions, with their keys.
func keptExamples(t testing.TB) (l *LaplacianResult, lKey string, s *SchrodingerResult, sKey string) {
	t.Helper()
	l = &LaplacianResult{Config: tiny()}
	l.Config.K, l.Config.Seeds = 2, []int64{7, 8}
	for _, seed := range l.Config.Seeds {
		l.Runs = append(l.Runs, LaplacianRun{Seed: seed, Average: 0.75, PerMode: []float64{1, 0.5}})
	}
	s = &SchrodingerResult{Config: wellExperiment(Smoke)}
	s.Config.K, s.Config.Seeds = 2, []int64{7, 8}
	two := []float64{0.5, 0.25}
	for _, seed := range s.Config.Seeds {
		s.Runs = append(s.Runs, SchrodingerRun{Seed: seed, Energies: two, Errors: two, Angles: two, Norms: two, Subspaces: two})
	}
	for i := range 2 {
		values := make([]float64, pictureSide*pictureSide)
		for p := range values {
			values[p] = float64((p+1)%(7+i)) - 3
		}
		s.Picture = append(s.Picture, values)
	}
	lKey, err := keyOf(l.Config)
	require.NoError(t, err)
	sKey, err = keyOf(s.Config)
	require.NoError(t, err)
	return l, lKey, s, sKey
}

func TestAResultThatIsNotWholeIsRefused(t *testing.T) {
	l, lKey, s, sKey := keptExamples(t)
	require.NoError(t, l.check(lKey))
	require.NoError(t, s.check(sKey))
	assert.ErrorContains(t, l.check(sKey), "the result of another configuration, "+lKey)
	assert.ErrorContains(t, s.check(lKey), "the result of another configuration, "+sKey)

	l.Runs[0].PerMode = l.Runs[0].PerMode[:1]
	assert.ErrorContains(t, l.check(lKey), "run 0 has 1 scores where there must be 2")
	l.Runs[0].Seed = 9
	assert.ErrorContains(t, l.check(lKey), "run 0 has the seed 9 instead of 7")
	l.Runs = nil
	assert.ErrorContains(t, l.check(lKey), "0 runs instead of 2")

	s.Picture[1] = s.Picture[1][1:]
	assert.ErrorContains(t, s.check(sKey), "function 1 of its picture has 1023 values instead of 1024")
	s.Picture = s.Picture[:1]
	assert.ErrorContains(t, s.check(sKey), "1 functions instead of 2")
	s.Runs[0].Subspaces = nil
	assert.ErrorContains(t, s.check(sKey), "run 0 has 0 scores")
	s.Runs[0].Diverged = 3
	assert.ErrorContains(t, s.check(sKey), "1 functions instead of 2", "what diverged need not have been judged")
	s.Runs[0].Seed = 9
	assert.ErrorContains(t, s.check(sKey), "run 0 has the seed 9 instead of 7")
	s.Runs = nil
	assert.ErrorContains(t, s.check(sKey), "0 runs instead of 2")
}

// FuzzResult: what is read of any file can be averaged and drawn, and is kept again as it was.
func FuzzResult(f *testing.F) {
	l, lKey, s, sKey := keptExamples(f)
	for _, result := range []any{l, s} {
		text, err := json.Marshal(result)
		require.NoError(f, err)
		for from, to := range map[string]string{"": "", `"seed":7`: `"seed":7,"diverged_at_step":3`, `[7,8]`: `null`, `0.5`: `null`, `0.25`: `1e400`, `[0.5,0.25]`: `[0.5]`,
			`"relative_errors":[0.5,0.25]`: `"relative_errors":[0,1,2]`, `"subspace_distances":[0.5,0.25]`: `"subspace_distances":[0,0,0]`,
			`"history":null`: `"history":[{"loss":["NaN",null]}]`} {
			f.Add([]byte(strings.Replace(string(text), from, to, 1)))
		}
	}
	for _, text := range []string{"", "{}", "null", "[", `{"config":{"k":1e9}}`, `{"runs":[{}]}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var l LaplacianResult
		if err := decodeResult(text, lKey, &l); err == nil {
			finished, diverged := l.Averages()
			require.Equal(t, len(l.Config.Seeds), len(finished)+diverged)
			var bar Fig1Value
			require.NoError(t, bar.fill(&l))
			requireKeptAgain(t, lKey, &l, &LaplacianResult{})
		} else {
			require.NotContains(t, err.Error(), "\n")
		}
		var s SchrodingerResult
		if err := decodeResult(text, sKey, &s); err == nil {
			// Functions that are zero are an error, and that all runs diverged, but nothing is out of range.
			_, _ = alignedWaves(&s)
			_, _ = variantRow("", s)
			for _, of := range []func(SchrodingerRun) []float64{
				func(r SchrodingerRun) []float64 { return r.Errors },
				func(r SchrodingerRun) []float64 { return r.Angles },
				func(r SchrodingerRun) []float64 { return r.Subspaces },
			} {
				_, _ = perMode(&s, of)
			}
			requireKeptAgain(t, sKey, &s, &SchrodingerResult{})
		} else {
			require.NotContains(t, err.Error(), "\n")
		}
	})
}

// requireKeptAgain writes a result and reads it into another one of its type.
func requireKeptAgain(t *testing.T, key string, result, again checked) {
	t.Helper()
	first, err := json.Marshal(result)
	require.NoError(t, err)
	require.NoError(t, decodeResult(first, key, again))
	second, err := json.Marshal(again)
	require.NoError(t, err)
	require.Equal(t, string(first), string(second))
}
