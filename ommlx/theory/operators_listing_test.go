package theory

import (
	_ "embed"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/internal/testkit"
)

//go:embed testdata/listing.py
var listingProgram string

// listingKept is what [TestParityListing] found when it last was asked to keep it, with OMM_KEEP set.
const listingKept = "testdata/listing.json"

// kept is evidence from a program that most machines do not have.
type kept struct {
	Date       string             `json:"date"`
	Torch      string             `json:"torch"`
	Difference map[string]float64 `json:"difference"` // largest relative one of value and gradients, by nesting
}

// printedVariants are what this package has for each nesting of the listing in appendix B.2.
func printedVariants() map[string]ommlx.Objective {
	return map[string]ommlx.Objective{
		"":       ommlx.OMM{},
		"seq":    ommlx.OMM{Nesting: ommlx.Sequential},
		"jnt":    ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointPseudocode},
		"sanger": ommlx.Sanger{Printed: ommlx.SangerDetached},
	}
}

// Appendix B.2: the listing as the paper's source has it, run by PyTorch, has the values and gradients of this package.
// With Tf = fA, A symmetric, as Sanger's surrogate has OMM-1's value there alone.
func TestParityListing(t *testing.T) {
	text := testkit.Paper(t)
	_, listing, there := strings.Cut(text, `\begin{lstlisting}[]`)
	require.True(t, there)
	listing, _, _ = strings.Cut(listing, `\end{lstlisting}`)

	a, _ := Symmetric(graphtest.NewRand(93), []float64{3, 2, 1, 0.5, 0.2, 0.1})
	at := ommtest.MatrixPoint(Gaussian(graphtest.NewRand(94), 6, 4), a)
	var reply struct {
		Torch   string                       `json:"torch"`
		Results map[string][]graphtest.Array `json:"results"`
	}
	testkit.AskTorch(t, listingProgram, map[string]any{"listing": listing, "f": at.F, "tf": at.TF}, &reply)
	found := kept{time.Now().UTC().Format(time.DateOnly), reply.Torch, map[string]float64{}}
	for nesting, objective := range printedVariants() {
		want := ommtest.EvaluateOnce(t, objective, at, nil)
		got := reply.Results[nesting]
		require.Len(t, got, 3, nesting)
		for i, ours := range []graphtest.Array{want.Loss, want.DF, want.DTF} {
			got[i].Dims = ours.Dims
			difference := graphtest.Difference(ours, got[i])
			require.Less(t, difference, 1e-12, "%s, %d", nesting, i)
			found.Difference[nesting] = max(found.Difference[nesting], difference)
		}
	}
	if os.Getenv("OMM_KEEP") == "" {
		return
	}
	result, err := json.MarshalIndent(found, "", " ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(listingKept, append(result, '\n'), 0o644))
}

// keptListing reads what was kept.
func keptListing(t *testing.T) (k kept) {
	t.Helper()
	text, err := os.ReadFile(listingKept)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &k))
	return k
}
