package images

import (
	"cmp"
	"math"
	"slices"

	"omm-go/ommlx/internal/testkit"
)

// Reference implementations of the operations of a [Recipe], pixel by pixel in float64.

// picture is one image.
type picture struct {
	height, width, channels int
	data                    []float64
}

func newPicture(height, width, channels int) picture {
	return picture{height, width, channels, make([]float64, height*width*channels)}
}

func (p picture) at(y, x, c int) *float64 { return &p.data[(y*p.width+x)*p.channels+c] }

// pictures returns views of images [N, H, W, C] that share their data.
func pictures(images testkit.Array) (out []picture) {
	for n := range images.Dims[0] {
		out = append(out, picture{images.Dims[1], images.Dims[2], images.Dims[3], images.Run(n).Data})
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
func hostResize(p picture, top, left, h, w int) picture {
	resample := func(size, start, length int, pixel func(j int) float64) []float64 {
		out := make([]float64, size)
		for i := range out {
			centre := float64(start) + (float64(i)+0.5)*float64(length)/float64(size)
			sum, weights := 0.0, 0.0
			for j := start; j < start+length; j++ {
				weight := keys(float64(j) + 0.5 - centre)
				sum, weights = sum+weight*pixel(j), weights+weight
			}
			out[i] = min(max(sum/weights, 0), 1)
		}
		return out
	}
	across, out := newPicture(p.height, p.width, p.channels), newPicture(p.height, p.width, p.channels)
	for c := range p.channels {
		for y := range p.height {
			for x, v := range resample(p.width, left, w, func(j int) float64 { return *p.at(y, j, c) }) {
				*across.at(y, x, c) = v
			}
		}
		for x := range p.width {
			for y, v := range resample(p.height, top, h, func(j int) float64 { return *across.at(j, x, c) }) {
				*out.at(y, x, c) = v
			}
		}
	}
	return out
}

func hostLuminance(rgb []float64) float64 { return 0.299*rgb[0] + 0.587*rgb[1] + 0.114*rgb[2] }

// mix applies brightness, contrast or saturation; grey returns the level for a factor of 0.
func mix(p picture, factor float64, grey func(rgb []float64) float64) picture {
	out := newPicture(p.height, p.width, 3)
	for i := 0; i < len(p.data); i += 3 {
		for c := range 3 {
			v := factor*p.data[i+c] + (1-factor)*grey(p.data[i:i+3])
			out.data[i+c] = min(max(v, 0), 1)
		}
	}
	return out
}

// turned adds a turn to the hue by the textbook formula for the six sectors.
func turned(p picture, turn float64) picture {
	out := newPicture(p.height, p.width, 3)
	for i := 0; i < len(p.data); i += 3 {
		r, g, b := p.data[i], p.data[i+1], p.data[i+2]
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
		rgb := [][3]float64{{value, rising, least}, {falling, value, least}, {least, value, rising},
			{least, falling, value}, {rising, least, value}, {value, least, falling}}[int(sector)]
		copy(out.data[i:], rgb[:])
	}
	return out
}

func hostJitter(p picture, operation int, strength float64) picture {
	switch operation {
	case brightness:
		return mix(p, strength, func([]float64) float64 { return 0 })
	case contrast:
		mean := 0.0
		for i := 0; i < len(p.data); i += 3 {
			mean += hostLuminance(p.data[i:i+3]) / float64(p.height*p.width)
		}
		return mix(p, strength, func([]float64) float64 { return mean })
	case saturation:
		return mix(p, strength, hostLuminance)
	default:
		return turned(p, strength)
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
func hostBlur(p picture, sigma float64) picture {
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
	average := func(p picture, dy, dx int) picture {
		out := newPicture(p.height, p.width, p.channels)
		for y := range p.height {
			for x := range p.width {
				for c := range p.channels {
					sum, weights := 0.0, 0.0
					for d := -reach; d <= reach; d++ {
						at := p.at(min(max(y+d*dy, 0), p.height-1), min(max(x+d*dx, 0), p.width-1), c)
						sum, weights = sum+boxWeight(radius, d)**at, weights+boxWeight(radius, d)
					}
					*out.at(y, x, c) = sum / weights
				}
			}
		}
		return out
	}
	for range 3 {
		p = average(average(p, 0, 1), 1, 0)
	}
	return p
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

func hostView(r Recipe, p picture, u []float64) picture {
	if r.Crop != (Crop{}) {
		top, left, h, w := hostBox(r.Crop, u, p.height, p.width)
		p = hostResize(p, top, left, h, w)
	}
	if u[atJitter] < r.Jitter.Probability {
		factors, order := hostFactors(r.Jitter, u)
		for _, operation := range order {
			p = hostJitter(p, operation, factors[operation])
		}
	}
	if u[atGrey] < r.Grey {
		p = mix(p, 0, hostLuminance)
	}
	if sigma := hostSigma(r.Blur, u); sigma > 0 {
		p = hostBlur(p, sigma)
	}
	out := newPicture(p.height, p.width, p.channels)
	for y := range p.height {
		for x := range p.width {
			for c := range p.channels {
				from := x
				if u[atFlip] < r.Flip {
					from = p.width - 1 - x
				}
				v := *p.at(y, from, c)
				if r.Mean != nil {
					v = (v - r.Mean[c]) / r.Std[c]
				}
				*out.at(y, x, c) = v
			}
		}
	}
	return out
}
