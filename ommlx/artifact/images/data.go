package images

import "github.com/gomlx/gomlx/core/tensors"

// Names of the data sets in results and tables.
const (
	CIFAR100Name  = "CIFAR-100"            // [LoadCIFAR100]
	DigitsName    = "digits"               // [Digits]
	NegativesName = "digits and negatives" // [Negatives]
)

// Set is a data set of labelled images of one size.
type Set struct {
	Name        string   // [CIFAR100Name], [DigitsName] or [NegativesName]
	Height      int      // in pixels
	Width       int      // in pixels
	Channels    int      // 3: red, green, blue; 1: grey
	Classes     []string // class names
	Train, Test Images
}

// Images is one part of a data set of N images.
type Images struct {
	Pixels []uint8 // [N, Height, Width, Channels], from 0 (black) to 255
	Labels []int   // [N], each an index into the classes
}

// Len returns N.
func (s Images) Len() int { return len(s.Labels) }

// tensor returns n images of a part, [n, Height, Width, Channels]. Its first images follow the last.
func (d *Set) tensor(s Images, first, n int) *tensors.Tensor {
	size := d.Height * d.Width * d.Channels
	flat := make([]uint8, 0, n*size)
	for i := range n {
		at := (first + i) % s.Len()
		flat = append(flat, s.Pixels[at*size:(at+1)*size]...)
	}
	return tensors.FromFlatDataAndDimensions(flat, n, d.Height, d.Width, d.Channels)
}
