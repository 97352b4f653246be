package rl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhoIsAheadWhenInWords(t *testing.T) {
	a := curveOf(labelSequential, 0, 0.5, 0.6, 0.7, 0.7)
	b := curveOf(labelALLO, 0, 0.2, 0.6, 0.9, 0.9)
	duel := mustDuel(t, a, b)
	level := mustDuel(t, a, curveOf(labelALLO, 0, 0.5, 0.6, 0.7, 0.7))
	d := CurvesData{Environments: []CurvesEnvironment{{Name: "E", Steps: 400, Duels: []Duel{duel}},
		{Name: "F", Steps: 400, Duels: []Duel{level}}, {Name: "G"}}}
	text, err := d.Text(labelSequential, labelALLO)
	require.NoError(t, err)
	require.Equal(t, [][]string{
		{"E", "OMM-seq 100; ALLO 300 to the end", "-0.200 ± 0.000"},
		{"F", "neither", "+0.000 ± 0.000"},
		{"G", "not run yet", ""},
	}, text.Rows)
	_, err = d.Text("OMM", labelALLO)
	require.ErrorContains(t, err, `do not compare "OMM" with "ALLO"`)
}
