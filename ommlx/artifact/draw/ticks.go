package draw

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	"operator-omm/ommlx/internal/say"
)

// ticks are gonum's, with whole numbers as 80,000.
func ticks(low, high float64) []plot.Tick {
	list := plot.DefaultTicks{}.Ticks(low, high)
	for i, t := range list {
		if t.Label != "" && t.Value == math.Trunc(t.Value) && math.Abs(t.Value) < 1e9 {
			list[i].Label = say.Thousands(int(t.Value))
		}
	}
	return list
}

// wholeTicks labels whole numbers, at most nine of them, from low on.
func wholeTicks(low, high float64) []plot.Tick {
	var ts []plot.Tick
	step := max(1, math.Ceil((high-low)/8))
	for x := math.Ceil(low); x <= high; x += step {
		ts = append(ts, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'f', 0, 64)})
	}
	return ts
}

// logScale is [plot.LogScale] with the mean of the ends in the middle. Package plot reserves space for the name of an
// axis around that number, which on a logarithmic axis lies near the upper end: a long name left a quarter of a plot
// empty.
type logScale struct{ plot.LogScale }

// Normalize returns where x is between low, 0, and high, 1.
func (s logScale) Normalize(low, high, x float64) float64 {
	if x == 0.5*(high+low) {
		return 0.5
	}
	return s.LogScale.Normalize(low, high, x)
}

// logTicks labels powers of ten, at most eight of them, and 2 and 5 times those where the axis has few; the other
// multiples are ticks without a label.
func logTicks(low, high float64) []plot.Tick {
	const edge = 1 + 1e-9
	from, to := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	every := math.Ceil((to - from + 1) / 8)
	short := high/low < 50
	var ticks []plot.Tick
	for power := from; power <= to; power++ {
		for multiple := 1; multiple <= 9; multiple++ {
			value := float64(multiple) * math.Pow(10, power)
			if value < low/edge || value > high*edge {
				continue
			}
			labelled := multiple == 1 && math.Mod(power, every) == 0 || short && (multiple == 2 || multiple == 5)
			switch {
			case labelled:
				ticks = append(ticks, plot.Tick{Value: value, Label: powerLabel(value)})
			case every == 1: // further out they would be a smear
				ticks = append(ticks, plot.Tick{Value: value})
			}
		}
	}
	return ticks
}

// powerLabel writes 0.001, 5 and 20,000, but 1e-5 and 1e6.
func powerLabel(value float64) string {
	switch {
	case value >= 1 && value < 1e5:
		return say.Thousands(int(math.Round(value)))
	case value >= 0.9e-3 && value < 1:
		return strconv.FormatFloat(value, 'g', 3, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(value, 'e', 0, 64), "e")
	sign := strings.TrimPrefix(exponent[:1], "+")
	return mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0")
}
