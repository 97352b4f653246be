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

// ticksAt labels these numbers.
func ticksAt(values ...float64) (list plot.ConstantTicks) {
	for _, x := range values {
		list = append(list, plot.Tick{Value: x, Label: number(x)})
	}
	return list
}

// halves are ticks at 0, in the middle and at the end.
func halves(end float64) plot.ConstantTicks { return ticksAt(0, end/2, end) }

// wholeTicks labels whole numbers, at most nine of them, from low on.
func wholeTicks(low, high float64) (list []plot.Tick) {
	for x := math.Ceil(low); x <= high; x += max(1, math.Ceil((high-low)/8)) {
		list = append(list, ticksAt(x)...)
	}
	return list
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
func logTicks(low, high float64) (list []plot.Tick) {
	const edge = 1 + 1e-9
	least, most := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	every := math.Ceil((most - least + 1) / 8)
	short, plain := high/low < 50, low > 0.9e-3 && high < 1.1e5
	for power := least; power <= most; power++ {
		for multiple := 1; multiple <= 9; multiple++ {
			tick := plot.Tick{Value: float64(multiple) * math.Pow(10, power)}
			if tick.Value < low/edge || tick.Value > high*edge {
				continue
			}
			labelled := multiple == 1 && math.Mod(power, every) == 0 || short && (multiple == 2 || multiple == 5)
			switch {
			case labelled && plain:
				tick.Label = number(tick.Value)
			case labelled:
				tick.Label = powerOfTen(multiple, int(power))
			case every > 1: // they would be a smear
				continue
			}
			list = append(list, tick)
		}
	}
	return list
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
	switch {
	case power == 0:
		return strconv.Itoa(multiple)
	case multiple > 1:
		return strconv.Itoa(multiple) + "·" + powerOfTen(1, power)
	}
	return "10" + strings.Map(func(r rune) rune {
		if r == '-' {
			return '⁻'
		}
		return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0']
	}, strconv.Itoa(power))
}
