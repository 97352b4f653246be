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
		if t.Label != "" && t.Value == math.Trunc(t.Value) {
			list[i].Label = number(t.Value)
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
// multiples are ticks without a label. An axis has one notation: 0.001 and 20,000, or 10⁻⁵ and 10⁶ where it leaves
// those bounds.
func logTicks(low, high float64) []plot.Tick {
	const edge = 1 + 1e-9
	every := math.Ceil((math.Ceil(math.Log10(high)) - math.Floor(math.Log10(low)) + 1) / 8)
	short, plain := high/low < 50, low > 0.9e-3 && high < 1.1e5
	var ticks []plot.Tick
	for power := math.Floor(math.Log10(low)); power <= math.Log10(high)+1; power++ {
		for multiple := 1; multiple <= 9; multiple++ {
			value := float64(multiple) * math.Pow(10, power)
			if value < low/edge || value > high*edge {
				continue
			}
			labelled := multiple == 1 && math.Mod(power, every) == 0 || short && (multiple == 2 || multiple == 5)
			switch {
			case labelled && plain:
				ticks = append(ticks, plot.Tick{Value: value, Label: number(value)})
			case labelled:
				ticks = append(ticks, plot.Tick{Value: value, Label: powerOfTen(multiple, int(power))})
			case every == 1: // further out they would be a smear
				ticks = append(ticks, plot.Tick{Value: value})
			}
		}
	}
	return ticks
}

// number writes 0.001, 12.5 and 20,000.
func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e9 {
		return say.Thousands(int(x))
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// powerOfTen writes 10⁻⁴, 5·10⁻⁴ and 1.
func powerOfTen(multiple, power int) string {
	if power == 0 {
		return strconv.Itoa(multiple)
	}
	raised := strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7",
		"⁷", "8", "⁸", "9", "⁹").Replace(strconv.Itoa(power))
	if multiple == 1 {
		return "10" + raised
	}
	return strconv.Itoa(multiple) + "·10" + raised
}
