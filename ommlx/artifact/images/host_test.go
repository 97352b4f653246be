package images

import (
	"cmp"
	"math"
	"slices"

	"omm-go/ommlx/internal/testkit"
)

// Reference implementations of the operations of a [Recipe], pixel by pixel in float64.

// valueAt returns a number of an image [H, W, C].
func valueAt(image testkit.Array, y, x, c int) float64 {
	return image.Data[(y*image.Dims[1]+x)*image.Dims[2]+c]
}

// filled returns an image of the size of another one.
func filled(like testkit.Array, value func(y, x, c int) float64) testkit.Array {
	out := testkit.NewArray(like.Dims...)
	width, channels := like.Dims[1], like.Dims[2]
	for i := range out.Data {
		out.Data[i] = value(i/channels/width, i/channels%width, i%channels)
	}
	return out
}

// hostBox is torchvision's RandomResizedCrop as a loop, for the uniform numbers of one image.
func hostBox(c Crop, u []float64, height, width int) (top, left, h, w int) {
	for i := range 10 {
		area := float64(height*width) * (c.Scale.Low + (c.Scale.High-c.Scale.Low)*u[atArea+i])
		ratio := c.Ratio.Low * math.Pow(c.Ratio.High/c.Ratio.Low, u[atRatio+i])
		w := int(math.RoundToEven(math.Sqrt(area * ratio)))
		h := int(math.RoundToEven(math.Sqrt(area / ratio)))
		if 0 < w && w <= width && 0 < h && h <= height {
			return int(u[atTop] * float64(height-h+1)), int(u[atLeft] * float64(width-w+1)), h, w
		}
	}
	return 0, 0, height, width
}

// keys is the kernel of Keys (1981) with a = −½, from its general form.
func keys(d float64) float64 {
	const a = -0.5
	switch d = math.Abs(d); {
	case d <= 1:
		return (a+2)*d*d*d - (a+3)*d*d + 1
	case d < 2:
		return a*d*d*d - 5*a*d*d + 8*a*d - 4*a
	}
	return 0
}

// hostResize resamples a box of one image: columns, then rows, each by a normalised sum over the box's pixels.
func hostResize(image testkit.Array, top, left, h, w int) testkit.Array {
	resample := func(i, size, start, length int, pixel func(j int) float64) float64 {
		centre := float64(start) + (float64(i)+0.5)*float64(length)/float64(size)
		sum, weights := 0.0, 0.0
		for j := start; j < start+length; j++ {
			weight := keys(float64(j) + 0.5 - centre)
			sum, weights = sum+weight*pixel(j), weights+weight
		}
		return min(max(sum/weights, 0), 1)
	}
	across := filled(image, func(y, x, c int) float64 {
		return resample(x, image.Dims[1], left, w, func(j int) float64 { return valueAt(image, y, j, c) })
	})
	return filled(image, func(y, x, c int) float64 {
		return resample(y, image.Dims[0], top, h, func(j int) float64 { return valueAt(across, j, x, c) })
	})
}

func hostLuminance(rgb []float64) float64 { return 0.299*rgb[0] + 0.587*rgb[1] + 0.114*rgb[2] }

// mix applies brightness, contrast or saturation; grey returns the level for a factor of 0.
func mix(image testkit.Array, factor float64, grey func(rgb []float64) float64) testkit.Array {
	out := image.Clone()
	for rgb := range slices.Chunk(out.Data, 3) {
		level := grey(rgb)
		for c, v := range rgb {
			rgb[c] = min(max(factor*v+(1-factor)*level, 0), 1)
		}
	}
	return out
}

// turned adds a turn to the hue by the textbook formula for the six sectors.
func turned(image testkit.Array, turn float64) testkit.Array {
	out := image.Clone()
	for rgb := range slices.Chunk(out.Data, 3) {
		r, g, b := rgb[0], rgb[1], rgb[2]
		value, least := max(r, g, b), min(r, g, b)
		hue := 0.0
		if value > least {
			switch value {
			case r:
				hue = (g - b) / (value - least)
			case g:
				hue = 2 + (b-r)/(value-least)
			case b:
				hue = 4 + (r-g)/(value-least)
			}
		}
		hue = math.Mod(hue+6*turn+12, 6)
		sector, rest := math.Modf(hue)
		falling, rising := value-(value-least)*rest, least+(value-least)*rest
		turned := [][3]float64{{value, rising, least}, {falling, value, least}, {least, value, rising},
			{least, falling, value}, {rising, least, value}, {value, least, falling}}[int(sector)]
		copy(rgb, turned[:])
	}
	return out
}

func hostJitter(image testkit.Array, operation int, strength float64) testkit.Array {
	switch operation {
	case brightness:
		return mix(image, strength, func([]float64) float64 { return 0 })
	case contrast:
		mean := 0.0
		for rgb := range slices.Chunk(image.Data, 3) {
			mean += 3 * hostLuminance(rgb) / float64(len(image.Data))
		}
		return mix(image, strength, func([]float64) float64 { return mean })
	case saturation:
		return mix(image, strength, hostLuminance)
	default:
		return turned(image, strength)
	}
}

// boxWeight returns the unnormalised weight of a pixel at a distance, for a box of radius l + a.
func boxWeight(radius float64, distance int) float64 {
	return min(max(radius+1-math.Abs(float64(distance)), 0), 1)
}

func boxVariance(radius float64) float64 {
	sum, squares := 0.0, 0.0
	for d := -int(radius) - 1; d <= int(radius)+1; d++ {
		w := boxWeight(radius, d)
		sum, squares = sum+w, squares+w*float64(d*d)
	}
	return squares / sum
}

// hostBlur averages three times along rows and three times along columns; border pixels are repeated outwards.
func hostBlur(image testkit.Array, sigma float64) testkit.Array {
	low, high := 0.0, 100.0
	for range 100 { // bisection instead of the closed form
		if mid := (low + high) / 2; 3*boxVariance(mid) < sigma*sigma {
			low = mid
		} else {
			high = mid
		}
	}
	radius := (low + high) / 2
	reach := int(radius) + 1
	average := func(image testkit.Array, dy, dx int) testkit.Array {
		return filled(image, func(y, x, c int) float64 {
			sum, weights := 0.0, 0.0
			for d := -reach; d <= reach; d++ {
				row, column := min(max(y+d*dy, 0), image.Dims[0]-1), min(max(x+d*dx, 0), image.Dims[1]-1)
				weight := boxWeight(radius, d)
				sum, weights = sum+weight*valueAt(image, row, column, c), weights+weight
			}
			return sum / weights
		})
	}
	for range 3 {
		image = average(average(image, 0, 1), 1, 0)
	}
	return image
}

// hostFactors returns the factors of brightness, contrast and saturation and the turn of the hue, and the order of the
// four operations.
func hostFactors(j Jitter, u []float64) (factors []float64, order []int) {
	for operation, strength := range []float64{j.Brightness, j.Contrast, j.Saturation, j.Hue} {
		low, high := max(0, 1-strength), 1+strength
		if operation == hue {
			low, high = -strength, strength
		}
		factors, order = append(factors, low+(high-low)*u[atBrightness+operation]), append(order, operation)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(u[atOrder+a], u[atOrder+b]) })
	return factors, order
}

// hostSigma returns the standard deviation of the blur, 0 for none.
func hostSigma(b Blur, u []float64) float64 {
	if u[atBlur] < b.Probability {
		return b.Sigma.Low + (b.Sigma.High-b.Sigma.Low)*u[atSigma]
	}
	return 0
}

func hostView(r Recipe, image testkit.Array, u []float64) testkit.Array {
	if r.Crop != (Crop{}) {
		top, left, h, w := hostBox(r.Crop, u, image.Dims[0], image.Dims[1])
		image = hostResize(image, top, left, h, w)
	}
	if u[atJitter] < r.Jitter.Probability {
		factors, order := hostFactors(r.Jitter, u)
		for _, operation := range order {
			image = hostJitter(image, operation, factors[operation])
		}
	}
	if u[atGrey] < r.Grey {
		image = mix(image, 0, hostLuminance)
	}
	if sigma := hostSigma(r.Blur, u); sigma > 0 {
		image = hostBlur(image, sigma)
	}
	return filled(image, func(y, x, c int) float64 {
		if u[atFlip] < r.Flip {
			x = image.Dims[1] - 1 - x
		}
		v := valueAt(image, y, x, c)
		if r.Mean != nil {
			v = (v - r.Mean[c]) / r.Std[c]
		}
		return v
	})
}
