package learn

import (
	"fmt"
	"math"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/net"
	"omm-go/ommlx/spectral"
)

const (
	minLearned      = 1e-4 // eigenvalue, relative to the spectral radius, that more steps can find
	maxTimesDefault = 10   // learning rate or shift, relative to the default, above which it explains a failure
)

func (r Run) accuracy() spectral.Accuracy {
	return spectral.Accuracy{Values: r.Values, Residuals: r.Residuals, Bounds: r.Bounds, Outside: r.outside,
		Edge: r.edge, Radius: r.radius}
}

// incomplete describes values that may be off and functions that are not separated, with one remedy.
func (l *Learned) incomplete() string {
	var parts []string
	if i, by := l.accuracy().Missed(); i >= 0 {
		parts = append(parts, fmt.Sprintf("value %d is %.6g, but this eigenvalue is at least %.6g", i+1, l.Values[i],
			l.Values[i]+by))
	}
	if off := l.uncertain(); off != "" {
		parts = append(parts, off)
	}
	if mixed, distance, residual := l.accuracy().Mixed(); mixed != nil {
		parts = append(parts, fmt.Sprintf("%s are not separated and may be mixtures of each other, since values "+
			"differ by %.2g with residuals of up to %.2g", say.Numbered("function", mixed), distance, residual))
	}
	if parts == nil {
		return ""
	}
	return strings.Join(parts, "; ") + ": " + l.remedy()
}

// uncertain names values that may be off by too much.
func (l *Learned) uncertain() string {
	gap := math.Inf(1)
	if len(l.Values) == 1 && l.Task.gap != nil {
		gap = l.Task.gap(l.Values[0])
	}
	off, widest := l.accuracy().Uncertain(l.Task.apply != nil, gap)
	if off == nil {
		return ""
	}
	return fmt.Sprintf("%s may be off by up to %.2g", say.Numbered("value", off), widest)
}

// remedy is what to do about residuals.
func (l *Learned) remedy() string {
	switch {
	case l.Task.improve != "":
		return l.Task.improve
	case l.Task.defaults.Rate > 0 && l.settings.Rate > maxTimesDefault*l.Task.defaults.Rate:
		return fmt.Sprintf("lower Rate from %g to about %g, the default", l.settings.Rate, l.Task.defaults.Rate)
	case l.settings.Shift > maxTimesDefault*max(1, l.Task.defaults.Shift):
		return fmt.Sprintf("lower Shift from %g to about 1, the spectral radius of T", l.settings.Shift)
	case l.settings.cycles != nil && floats.Min(xslices.Map(l.Values, math.Abs)) < minLearned*l.radius:
		return "such small eigenvalues take long to learn; use a solver such as spectral.Lanczos"
	case l.settings.cycles != nil:
		return fmt.Sprintf("the default budget of %d steps is used; set Steps to more, or use a solver such as "+
			"spectral.Lanczos", l.Result.Step)
	case net.IsDiscrete(l.Task.Functions):
		return "train for more steps"
	}
	return "train for more steps, or use functions that fit better, such as a network of net.Fourier features"
}
