package notebook

import (
	"fmt"
	"slices"
)

// dotsSide is the side of the picture, in pixels.
const dotsSide = 300

// classColours are the first of the Okabe–Ito colours, a class each.
var classColours = [][3]uint8{{0, 114, 178}, {230, 159, 0}, {0, 158, 115}, {204, 121, 167}, {86, 180, 233},
	{213, 94, 0}, {0, 0, 0}}

// Dots shows a dot for each point in the colour of its class, of which there are seven at the most. The picture fits
// the points. An error says what does not fit.
func Dots(x, y []float64, classes []int) error {
	pixels, err := dots(x, y, classes)
	if err != nil {
		return err
	}
	return Images(pixels, dotsSide, dotsSide, 3, 1)
}

func dots(x, y []float64, classes []int) ([]uint8, error) {
	if len(x) != len(y) || len(x) != len(classes) || len(x) == 0 {
		return nil, fmt.Errorf("dots have %d and %d numbers and %d classes; give as many of each, at least 1", len(x),
			len(y), len(classes))
	}
	pixels := slices.Repeat([]uint8{255}, dotsSide*dotsSide*3)
	place := func(v float64, all []float64) int {
		low, high := slices.Min(all), slices.Max(all)
		return 1 + int((v-low)/(high-low)*(dotsSide-3))
	}
	for _, all := range [][]float64{x, y} {
		if !(slices.Max(all) > slices.Min(all)) {
			return nil, fmt.Errorf("coordinates of dots are all alike, or not numbers: %g to %g", slices.Min(all),
				slices.Max(all))
		}
	}
	for i := range x {
		if classes[i] < 0 || classes[i] >= len(classColours) {
			return nil, fmt.Errorf("dot %d has class %d; there are colours for 0 to %d", i, classes[i],
				len(classColours)-1)
		}
		column, row := place(x[i], x), dotsSide-1-place(y[i], y)
		for _, pixel := range []int{row*dotsSide + column, row*dotsSide + column + 1,
			(row-1)*dotsSide + column, (row-1)*dotsSide + column + 1} {
			copy(pixels[pixel*3:], classColours[classes[i]][:])
		}
	}
	return pixels, nil
}
