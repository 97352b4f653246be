package artifact

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/claims"
)

func TestNestingsAreCompared(t *testing.T) {
	environment := func(seq, joint float64) Fig1Environment {
		return Fig1Environment{Bars: []Fig1Value{{Label: "OMM-seq", Mean: &seq}, {Label: "OMM-joint", Mean: &joint}}}
	}
	e := says(t, nestingsAgree, claims.Done, Fig1Data{Environments: []Fig1Environment{environment(0.9, 0.5), environment(0.6, 0.8)}})
	require.Len(t, e.Measured, 1)
	require.InDelta(t, -0.1, e.Measured[0].Value, 1e-15)
	require.Equal(t, []string{"sequential 0.750, joint 0.650; sequential ahead in 1 of 2 environments, at worst behind by 0.200"}, e.Notes)
	e = says(t, nestingsAgree, claims.Done, Fig1Data{Environments: []Fig1Environment{environment(0.7, 0.8)}})
	require.False(t, e.Measured[0].Within())
}
