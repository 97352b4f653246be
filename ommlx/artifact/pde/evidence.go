package pde

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// Evidence lists the claims that rest on figures 2 and 4 to 8 and on [Beyond].
func Evidence() []claims.Source {
	return append(variantSources(),
		claims.From("sanger-on-par-with-lora", Figure2(), picturesMatch),
		claims.From("sanger-on-par-with-lora", Figure4(), onPar),
		claims.From("inverse-unstable", Figure6(), meanErrorIsSmall),
		claims.From("inverse-unstable", Figure8(), meanErrorIsSmall),
		claims.From("oscillator-figs", Figure5(), picturesMatch),
		claims.From("oscillator-figs", Figure6(), energiesAreAccurate),
		claims.From("well-figs", Figure7(), picturesMatch),
		claims.From("well-figs", Figure8(), energiesAreAccurate))
}

// accurate is the largest relative error of energies, and the largest 1 − cosine, that counts as accurate.
const accurate = 0.05

// worse bounds Sanger's error minus LoRA's, relative to LoRA's, for the two to count as comparable.
const worse = 0.25

// onPar compares Sanger's variant with LoRA-seq by energies, angles and subspaces: Sanger's mean error minus LoRA's may
// be at most a quarter of LoRA's. It is open if the 95% interval of the difference contains that bound.
func onPar(n Numbers, e *claims.Evidence) error {
	sanger, lora := n.Results[0], n.Results[1]
	for _, m := range metrics {
		s, l := overRuns(sanger, m.of), overRuns(lora, m.of)
		e.Note("%s: Sanger's %s, LoRA's %s", m.name, s, l)
		d, half := s.Minus(l)
		e.Uncertain(m.name+": Sanger's less LoRA's", d, worse*l.Mean, math.Abs(d-worse*l.Mean) <= half)
	}
	e.Printed("runs of Sanger's variant that diverged", float64(len(sanger.Runs)-len(sanger.Finished())), 0)
	e.Runs = runsByMethod(n.Results)
	return nil
}

// runsByMethod lists the number of runs of each result of a figure. The paper prints its numbers only for hydrogen.
func runsByMethod(results []*Result) string {
	return strings.Join(xslices.Map(results, func(r *Result) string {
		return run.If(len(results) > 1, "%s ", MethodName(r.Config.Method)) + say.Count(len(r.Runs), "run") +
			run.If(r.Config.System == "hydrogen", " of %d", len(r.Config.paper().Seeds))
	}), ", ")
}

// meanErrorIsSmall records the mean relative error of the energies in a figure of errors.
func meanErrorIsSmall(n Numbers, e *claims.Evidence) error {
	r := n.Results[0]
	errors := overRuns(r, energyErrors)
	e.Printed(r.Config.System+": mean relative error of the energies", errors.Mean, accurate)
	e.Runs = r.Config.System + " " + say.Count(len(r.Runs), "run")
	e.Note("%s: %s", r.Config.System, errors)
	return nil
}

// energiesAreAccurate records the largest error over a figure's modes, which is NaN if all runs diverged.
func energiesAreAccurate(n Numbers, e *claims.Evidence) error {
	r := n.Results[0]
	means := xslices.Map(perMode(r, energyErrors), func(s report.Spread) float64 { return s.Mean })
	worst := slices.Max(append(means, overRuns(r, energyErrors).Mean))
	e.Printed("largest relative error of an energy, mean over the runs", worst, accurate)
	e.Runs = runsByMethod(n.Results[:1])
	for _, m := range metrics {
		e.Note("%s %s", m.name, overRuns(r, m.of))
	}
	_, spectrum, err := r.Config.lowest(r.Config.K)
	if err != nil {
		return err
	}
	lost := 0
	for _, one := range r.Finished() {
		for i, space := range spectrum.Spaces {
			if one.Subspaces[i]*float64(space.Dim()) > 0.5 { // of one function
				lost++
				break
			}
		}
	}
	e.Note("a function of some eigenspace is not learned in %d of %s", lost, say.Count(len(r.Finished()), "run"))
	return nil
}

// picturesMatch compares the functions of the pictured modes with the exact eigenspaces, in all runs that did not
// diverge.
func picturesMatch(p Pictures, e *claims.Evidence) error {
	e.Seconds = 0 // the figure of errors counts the same training
	e.Runs = runsByMethod(p.Results)
	for _, r := range p.Results {
		modes := min(picturedModes, len(r.Picture))
		cosines := overRuns(r, func(one Run) []float64 { return xslices.Map(one.Angles[:modes], math.Cos) })
		name := MethodName(r.Config.Method)
		e.Printed(fmt.Sprintf("%s: 1 − average cosine of the angles between the first %d functions and the exact "+
			"eigenspaces, mean over the runs", name, modes), 1-cosines.Mean, accurate)
		e.Note("%s: average cosine %s over %s", name, cosines.Text(3), say.Count(cosines.Runs, "run"))
	}
	return nil
}

// Headlines returns the lines of README.md on section 3.2.1.
func Headlines() []claims.Headline {
	of := func(figures, claim string, entry report.Entry) claims.Headline {
		return claims.NewHeadline(figures+", distance of eigenspaces", claim, entry, meanDistances)
	}
	return []claims.Headline{of("Figures 2, 4: hydrogen", "sanger-on-par-with-lora", Figure4()),
		of("Figures 5, 6: oscillator", "oscillator-figs", Figure6()),
		of("Figures 7, 8: well", "well-figs", Figure8())}
}

// meanDistances formats the mean subspace distance of each method, from 0 to 1, over runs and eigenspaces.
func meanDistances(n Numbers) (paper, ours string, err error) {
	list := xslices.Map(n.Results, func(r *Result) string {
		return fmt.Sprintf("%s %.4f", MethodName(r.Config.Method), overRuns(r, distances).Mean)
	})
	if len(list) == 0 {
		err = errors.New("no results")
	}
	return "curves only", strings.Join(list, ", ") + "; " + runsOf(n.Results) + " each", err
}

// runsOf formats the smallest and the largest number of runs of results.
func runsOf(results []*Result) string {
	return say.Runs(xslices.Map(results, func(r *Result) int { return len(r.Runs) }))
}

// errorFigures reads figures 4, 6 and 8 at the paper's scale.
func errorFigures(root string) (all [3]Numbers, err error) {
	for i, entry := range []report.Entry{Figure4(), Figure6(), Figure8()} {
		if all[i], err = report.ReadUnder[Numbers](root, entry, run.Paper); err != nil {
			return all, err
		}
	}
	return all, nil
}

// Finding is the [claims.Finding] on Schrödinger's equation.
func Finding(root string) (string, error) {
	figures, err := errorFigures(root)
	var parts []string
	for i, n := range figures {
		largest := 0.0
		for _, r := range n.Results {
			largest = max(largest, overRuns(r, distances).Mean)
		}
		parts = append(parts, fmt.Sprintf("%s %.3f (%s)", variedSystems[i], largest, runsOf(n.Results)))
	}
	return "Schrödinger's equation: the learned eigenspaces are close to the exact ones. Mean subspace distance, " +
		"from 0 to 1: " + strings.Join(parts, ", ") + ".", err
}

// Overview returns the rows of the overview on figures 4, 6 and 8: the mean subspace distance over eigenspaces and over
// the runs that did not diverge, with the standard deviation over these runs. The paper prints only curves. Rows
// without a result are left out.
func Overview(root string) (draw.DotGroup, error) {
	g := draw.DotGroup{Title: "Section 3.2: mean over eigenspaces"}
	figures, err := errorFigures(root)
	for i, n := range figures {
		for _, r := range n.Results {
			s := overRuns(r, distances)
			if s.Runs == 0 {
				continue
			}
			row := draw.DotRow{Name: []string{"Hydrogen, ", "Oscillator, ", "Well, "}[i] + MethodName(r.Config.Method),
				Kind: "as printed", Runs: say.Count(s.Runs, "run"), Ours: s.Mean}
			_, row.Half = s.Numbers()
			g.Rows = append(g.Rows, row)
		}
	}
	return g, err
}
