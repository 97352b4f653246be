package pde

import (
	"fmt"
	"math"
	"strings"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
)

// Findings returns the sentence of README.md on Schrödinger's equation.
func Findings() []claims.Finding {
	return []claims.Finding{func(root string) (string, error) {
		var parts []string
		for _, f := range []struct {
			name  string
			entry report.Entry
		}{{"hydrogen", Figure4()}, {"oscillator", Figure6()}, {"well", Figure8()}} {
			n, err := report.ReadAtScale[Numbers](root, f.entry)
			if err != nil {
				return "", err
			}
			far, counts := 0.0, []int(nil)
			for _, r := range n.Results {
				distance := distanceOf(r)
				far, counts = math.Max(far, distance.Mean), append(counts, len(r.Runs))
			}
			runs, err := report.RunsEach(counts)
			if err != nil {
				return "", err
			}
			parts = append(parts, fmt.Sprintf("%s %.3f (%s)", f.name, far, strings.TrimSuffix(runs, " each")))
		}
		return "Schrödinger's equation: the learned eigenspaces are close to the exact ones. Mean subspace distance, " +
			"from 0 to 1: " + strings.Join(parts, ", ") + ".", nil
	}}
}
