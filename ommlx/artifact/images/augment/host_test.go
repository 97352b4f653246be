package augment

import (
	"cmp"
	"math"
	"slices"
)

// Reference implementations of the operations, pixel by pixel, and of the whole recipe.

// hostBox is torchvision's RandomResizedCrop as a loop, for the uniform numbers of one image. tries is the number of
// candidates drawn, 11 for the central box.
func hostBox(c Crop, u []float64, height, width int) (top, left, h, w, tries int) {
	for i := range 10 {
		area := float64(height*width) * (c.Scale.Low + (c.Scale.High-c.Scale.Low)*u[atArea+i])
		ratio := c.Ratio.Low * math.Pow(c.Ratio.High/c.Ratio.Low, u[atRatio+i])
		w := int(math.RoundToEven(math.Sqrt(area * ratio)))
		h := int(math.RoundToEven(math.Sqrt(area / ratio)))
		if 0 < w && w <= width && 0 < h && h <= height {
			return int(u[atTop] * float64(height-h+1)), int(u[atLeft] * float64(width-w+1)), h, w, i + 1
		}
	}
	h, w = height, width
	if ratio := float64(width) / float64(height); ratio < c.Ratio.Low {
		h = int(math.RoundToEven(float64(width) / c.Ratio.Low))
	} else if ratio > c.Ratio.High {
		w = int(math.RoundToEven(float64(height) * c.Ratio.High))
	}
	return (height - h) / 2, (width - w) / 2, h, w, 11
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
	whole := int(radius)
	switch distance = max(distance, -distance); {
	case distance <= whole:
		return 1
	case distance == whole+1:
		return radius - float64(whole)
	}
	return 0
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
	if sigma == 0 {
		radius = 0
	}
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

func hostView(r Recipe, p picture, u []float64) picture {
	if r.Crop != (Crop{}) {
		top, left, h, w, _ := hostBox(r.Crop, u, p.height, p.width)
		p = hostResize(p, top, left, h, w)
	}
	if u[atJitter] < r.Jitter.Probability {
		order := []int{brightness, contrast, saturation, hue}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(u[atOrder+a], u[atOrder+b]) })
		for _, operation := range order {
			j := r.Jitter
			strength := []float64{j.Brightness, j.Contrast, j.Saturation, j.Hue}[operation]
			low, high := max(0, 1-strength), 1+strength
			if operation == hue {
				low, high = -strength, strength
			}
			p = hostJitter(p, operation, low+(high-low)*u[atBrightness+operation])
		}
	}
	if u[atGrey] < r.Grey {
		p = mix(p, 0, hostLuminance)
	}
	if u[atBlur] < r.Blur.Probability {
		p = hostBlur(p, r.Blur.Sigma.Low+(r.Blur.Sigma.High-r.Blur.Sigma.Low)*u[atSigma])
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
