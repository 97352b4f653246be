package pde

import (
	"cmp"
	"errors"
	"fmt"
	"math"
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
	note := func(what string, of func(Run) []float64) {
		e.Note("%s: Sanger's %s, LoRA's %s", what, overRuns(sanger, of), overRuns(lora, of))
	}
	for _, m := range metrics {
		note(m.name, m.of)
		l := overRuns(lora, m.of)
		d, half := overRuns(sanger, m.of).Minus(l)
		e.Uncertain(m.name+": Sanger's less LoRA's", d, worse*l.Mean, math.Abs(d-worse*l.Mean) <= half)
	}
	note("energy of mode 1", func(r Run) []float64 { return r.Errors[:1] })
	note("energies of the other modes", func(r Run) []float64 { return r.Errors[1:] })
	s, err1 := worstOf(sanger)
	l, err2 := worstOf(lora)
	e.Note("largest relative error of an energy (up to %g counts as accurate in claims 97 and 101): Sanger's %.3f in "+
		"mode %d, LoRA's %.3f in mode %d", accurate, s.off, s.mode, l.off, l.mode)
	e.Printed("runs of Sanger's variant that diverged", float64(len(sanger.Runs)-len(sanger.Finished())), 0)
	e.Runs = runsByMethod(n.Results)
	return cmp.Or(err1, err2)
}

// worst describes states that a mean over modes hides.
type worst struct {
	mode int     // of the largest relative error of an energy, from 1
	off  float64 // that error, mean over the runs that did not diverge; NaN if all runs diverged
	lost int     // number of runs in which a function of some eigenspace is not learned
}

func worstOf(r *Result) (worst, error) {
	w := worst{off: math.NaN()}
	for i, s := range perMode(r, energyErrors) {
		if !(s.Mean <= w.off) {
			w.mode, w.off = i+1, s.Mean
		}
	}
	_, spectrum, err := r.Config.lowest(r.Config.K)
	for _, one := range r.Finished() {
		for i, space := range spectrum.Spaces {
			if one.Subspaces[i]*float64(space.Dim()) > 0.5 { // of one function
				w.lost++
				break
			}
		}
	}
	return w, err
}

// runsByMethod lists the number of runs of each result of a figure. The paper prints its numbers only for hydrogen.
func runsByMethod(results []*Result) string {
	return strings.Join(xslices.Map(results, func(r *Result) string {
		runs := say.Count(len(r.Runs), "run")
		if r.Config.System == "hydrogen" {
			runs += fmt.Sprintf(" of %d", len(protocols[run.Paper].Seeds))
		}
		if len(results) > 1 {
			runs = MethodName(r.Config.Method) + " " + runs
		}
		return runs
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
	w, err := worstOf(r)
	e.Printed("largest relative error of an energy, mean over the runs", w.off, accurate)
	e.Runs = runsByMethod(n.Results[:1])
	for _, m := range metrics {
		e.Note("%s %s", m.name, overRuns(r, m.of))
	}
	e.Note("a function of some eigenspace is not learned in %d of %s", w.lost, say.Count(len(r.Finished()), "run"))
	return err
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

// Headlines returns the lines of tables/README.md on section 3.2.1.
func Headlines() []claims.Headline {
	return xslices.Map(systems, func(s system) claims.Headline {
		return claims.NewHeadline(s.headline+"; mean error of energies, distance of eigenspaces", s.claim, s.ofErrors(),
			meanErrors)
	})
}

// meanErrors formats, for each method, the mean relative error of the energies and the mean subspace distance, from 0
// to 1.
func meanErrors(n Numbers) (paper, ours string, err error) {
	list := xslices.Map(n.Results, func(r *Result) string {
		return fmt.Sprintf("%s %.4f and %.4f", MethodName(r.Config.Method), overRuns(r, energyErrors).Mean,
			overRuns(r, distances).Mean)
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

// Findings returns the findings on Schrödinger's equation. Of the methods of a figure they have the larger errors.
func Findings(root string) (f claims.Findings, err error) {
	var spaces, means, energies, lost []string
	for _, s := range systems {
		figure := s.ofErrors()
		n, err := report.ReadUnder[Numbers](root, figure, run.Paper)
		if err == nil && len(n.Results) == 0 {
			err = fmt.Errorf("%s has no results", figure.File(run.Paper))
		}
		if err != nil {
			return f, err
		}
		energy, distance, w := 0.0, 0.0, worst{}
		for _, r := range n.Results {
			energy, distance = max(energy, overRuns(r, energyErrors).Mean), max(distance, overRuns(r, distances).Mean)
			of, err := worstOf(r)
			if err != nil {
				return f, err
			}
			if of.off > w.off {
				w = of
			}
			if of.lost > 0 {
				lost = append(lost, fmt.Sprintf("; in %d of %s of the %s a function is not learned", of.lost,
					say.Count(len(r.Finished()), "run"), s.name))
			}
		}
		spaces = append(spaces, fmt.Sprintf("%.3f (%s, %s)", distance, s.name, runsOf(n.Results)))
		means = append(means, fmt.Sprintf("%s %.3f and %.3f (%s)", s.name, energy, distance, runsOf(n.Results)))
		energies = append(energies, fmt.Sprintf("%.1f %% (%s, mode %d)", 100*w.off, s.name, w.mode))
		if s.name != "oscillator" {
			f.Highlights = append(f.Highlights, claims.Highlight{
				Name:    "Figure " + figure.ShortName[3:] + ": " + s.name,
				Measure: "subspace distance", File: "figures/" + figure.Name + ".png",
				Claim: s.claim, Paper: math.NaN(), Ours: distance})
		}
	}
	f.Sentences = []string{"**Schrödinger's equation**: the learned eigenspaces have a mean distance, from 0 to 1, " +
		"of " + strings.Join(spaces, ", ") + ". Hydrogen has the samples of the base code."}
	f.Details = []string{"Schrödinger's equation, hydrogen with the " + BaseCode + ": mean relative error of the " +
		"energies and mean subspace distance, from 0 to 1: " + strings.Join(means, ", ") + ". The worst energies are " +
		"off by " + strings.Join(energies, ", ") + strings.Join(lost, "") + "."}
	return f, nil
}

// Overview returns the rows of the overview on figures 4, 6 and 8: the mean subspace distance over eigenspaces and over
// the runs that did not diverge, with the standard deviation over these runs. The paper prints only curves. Rows
// without a result are left out.
func Overview(root string) (draw.DotGroup, error) {
	g := draw.DotGroup{Title: "Section 3.2: mean over eigenspaces"}
	for _, s := range systems {
		n, err := report.ReadUnder[Numbers](root, s.ofErrors(), run.Paper)
		if err != nil {
			return g, err
		}
		for _, r := range n.Results {
			mean := overRuns(r, distances)
			if mean.Runs == 0 {
				continue
			}
			row := draw.DotRow{Name: strings.ToUpper(s.name[:1]) + s.name[1:] + ", " + MethodName(r.Config.Method),
				Kind: s.protocol, Runs: say.Count(mean.Runs, "run"), Ours: mean.Mean}
			_, row.Half = mean.Numbers()
			g.Rows = append(g.Rows, row)
		}
	}
	return g, nil
}
