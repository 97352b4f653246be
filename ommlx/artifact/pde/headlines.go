package pde

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/report"
)

// Headlines are the lines of README.md on section 3.2.1.
func Headlines() []report.Headline {
	return []report.Headline{
		report.NewHeadline("Figures 2, 4: hydrogen, error of energies", "sanger-on-par-with-lora", Figure4(),
			meanErrors),
		report.NewHeadline("Figures 5, 6: oscillator, error of energies", "oscillator-figs", Figure6(), meanErrors),
		report.NewHeadline("Figures 7, 8: well, error of energies", "well-figs", Figure8(), meanErrors),
	}
}

// meanErrors averages the relative errors of the energies over modes and runs, by method.
func meanErrors(n Numbers) (paper, ours string, err error) {
	var list []string
	var counts []int
	for _, r := range n.Results {
		var errs []float64
		for _, run := range r.Runs {
			errs = append(errs, run.Errors...)
		}
		if len(errs) == 0 {
			return "", "", fmt.Errorf("the method %q has no errors", r.Config.Method)
		}
		list = append(list, fmt.Sprintf("%s %.4f", MethodName(r.Config.Method), stat.Mean(errs, nil)))
		counts = append(counts, len(r.Runs))
	}
	runs, err := report.RunsEach(counts)
	return "curves alone", strings.Join(list, ", ") + "; " + runs, err
}
