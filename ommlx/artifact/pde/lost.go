package pde

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/internal/say"
)

const far = 0.3 // radians between a wrong mode and the exact one

// farModes lists the wrong modes of a run, from 0.
func farModes(r Run) (modes []int) {
	for mode, angle := range r.Angles {
		if angle > far {
			modes = append(modes, mode)
		}
	}
	return modes
}

// numbered joins modes, counted from 1.
func numbered(modes []int) string {
	all := xslices.Map(modes, func(mode int) string { return strconv.Itoa(mode + 1) })
	return cmp.Or(strings.Join(all, ", "), "none")
}

// failed names the wrong modes of the run shown, and counts the runs with such modes.
func (p *Pictures) failed() (text string) {
	for _, r := range p.Results {
		runs := 0
		for _, one := range r.Finished() {
			if farModes(one) != nil {
				runs++
			}
		}
		if runs == 0 {
			continue
		}
		drawn := p.drawn(r)
		shown := drawn.Runs[0]
		text += fmt.Sprintf(" %s: the run shown has seed %d. Its modes more than %g rad from the exact ones: %s. Such "+
			"modes appear in %d of %s", MethodName(r.Config.Method), shown.Seed, far, numbered(farModes(shown)), runs,
			say.Count(len(r.Finished()), "run"))
		if drawn != r {
			text += fmt.Sprintf(", among them %s of seed %d in the last row", numbered(farModes(r.Runs[0])),
				picturedSeed)
		}
		text += "."
	}
	return text
}

// lost returns the row of a run whose last modes are wrong, from the first column of the block with the first of them,
// where a row has its label.
func lost(r Run, learned [][]float64) (titles []string, maps [][]float64, label string) {
	wrong := slices.DeleteFunc(farModes(r), func(mode int) bool { return mode >= len(learned) })
	if len(wrong) == 0 {
		return nil, nil, ""
	}
	from := wrong[0] / draw.BlockPanels * draw.BlockPanels
	titles, maps = make([]string, len(learned)), append(make([][]float64, from), learned[from:]...)
	for _, mode := range wrong {
		titles[mode] = "lost"
	}
	return titles, maps, fmt.Sprintf("seed %d: %s lost", r.Seed, say.Count(len(wrong), "mode"))
}
