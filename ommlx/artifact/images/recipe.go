package images

// Recipe is a distribution of random views of images for contrastive learning. Its operations and their distributions
// are torchvision's on PIL images, as solo-learn uses them. They are applied in the order of the fields. An operation
// with zero fields is skipped, so the zero value leaves images unchanged.
type Recipe struct {
	Crop   Crop    `json:"crop"`
	Jitter Jitter  `json:"jitter"`
	Grey   float64 `json:"grey"` // probability of a greyscale image
	Blur   Blur    `json:"blur"`
	Flip   float64 `json:"flip"` // probability of a horizontal reflection
	// Mean and Std normalise each channel, x ↦ (x − Mean)/Std, for intensities in [0, 1]. If nil, views stay in [0, 1].
	Mean []float64 `json:"mean,omitempty"`
	Std  []float64 `json:"std,omitempty"`
}

// Range is an interval from which a number is drawn uniformly.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Crop is torchvision's RandomResizedCrop: a random box, resized to the size of the whole image by bicubic
// interpolation.
//
// The box's area is a uniform fraction of the image's, the logarithm of its aspect ratio is uniform, and its position
// is uniform inside the image. Width and height are rounded to whole pixels. Boxes that do not fit are drawn again, up
// to 10 in all; then the whole image is used, as torchvision does if its ratio is allowed.
type Crop struct {
	Scale Range `json:"scale"` // fraction of the image's area, in (0, 1]
	Ratio Range `json:"ratio"` // width over height
}

// Jitter is torchvision's ColorJitter: with the given probability its four operations are applied in random order, each
// with a factor uniform in [max(0, 1 − s), 1 + s], where s is the strength. The hue is turned by a uniform angle in
// [−Hue, Hue], where 1 is a full turn.
type Jitter struct {
	Probability float64 `json:"probability"`
	Brightness  float64 `json:"brightness"`
	Contrast    float64 `json:"contrast"`
	Saturation  float64 `json:"saturation"`
	Hue         float64 `json:"hue"` // at most 0.5
}

// Blur is PIL's GaussianBlur, applied with the given probability and a uniform standard deviation in pixels.
type Blur struct {
	Probability float64 `json:"probability"`
	Sigma       Range   `json:"sigma"`
}

// SoloLearn returns the recipe of Table 1: solo-learn's default augmentations for CIFAR-100 ("we used the default data
// augmentations for CIFAR-100 in the codebase", Section C.3), the same for both views. The numbers are from
// scripts/pretrain/cifar/augmentations/symmetric.yaml and solo/data/pretrain_dataloader.py (range of the blur, mean and
// standard deviation of CIFAR-100) at commit 9187ea3. Ratio is torchvision's default.
func SoloLearn() Recipe {
	return Recipe{
		Crop:   Crop{Scale: Range{0.08, 1}, Ratio: Range{3. / 4, 4. / 3}},
		Jitter: Jitter{Probability: 0.8, Brightness: 0.8, Contrast: 0.8, Saturation: 0.8, Hue: 0.2},
		Grey:   0.2,
		Blur:   Blur{Probability: 0.5, Sigma: Range{0.1, 2}},
		Flip:   0.5,
		Mean:   []float64{0.5071, 0.4865, 0.4409},
		Std:    []float64{0.2673, 0.2564, 0.2762},
	}
}
