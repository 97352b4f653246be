package dataset

// The names of the image data of this package, as results and tables print them.
const (
	CIFAR100Name  = "CIFAR-100"            // the official files of [CIFAR100], and nothing else
	DigitsName    = "digits"               // [Digits]
	NegativesName = "digits and negatives" // [Negatives]
)

// Images is a data set of labelled images of one size.
type Images struct {
	Name        string   // which data it is: [CIFAR100Name], [DigitsName] or [NegativesName]
	Height      int      // of an image, in pixels
	Width       int      // of an image, in pixels
	Channels    int      // 3: red, green, blue; 1: grey
	Classes     []string // the name of each class
	Train, Test Split
}

// Split is one part of a data set of N images.
type Split struct {
	Pixels []uint8 // [N, Height, Width, Channels], from 0 (black) to 255
	Labels []int   // [N], each an index into the classes
}

// Len returns the number N of images.
func (s Split) Len() int { return len(s.Labels) }
