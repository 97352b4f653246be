package images

import (
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/train"
)

// Names of the data sets in results and tables.
const (
	CIFAR100Name = "CIFAR-100" // [LoadCIFAR100]
	GlyphsName   = "glyphs"    // [Glyphs]
)

// Set is a data set of labelled images of one size.
type Set struct {
	Name     string   // [CIFAR100Name] or [GlyphsName]
	Height   int      // in pixels
	Width    int      // in pixels
	Channels int      // 3: red, green, blue; 1: grey
	Classes  []string // class names
	// Draws is the number of images in a row that show the same subject, if the set has several of each; else 0. The
	// images of a subject are views of it.
	Draws       int
	Train, Test Images
}

// Images is one part of a data set of N images.
type Images struct {
	Pixels []uint8 // [N, Height, Width, Channels], from 0 (black) to 255
	Labels []int   // [N], each an index into the classes
}

// Len returns N.
func (s Images) Len() int { return len(s.Labels) }

// Views draws two views of samples, the int32 indices [R, B] of images [N, H, W, C]: both [R, B, H, W, C]. They are two
// views of the same image by the recipe or, if the set has several images of each subject, a view of this image and one
// of a random image of its subject, which can be the same image.
func (d *Set) Views(r Recipe, images, samples *Node, random *train.Random) (first, second *Node) {
	take := func(samples *Node) *Node { return Gather(images, InsertAxes(samples, -1)) }
	first, second = r.Views(take(samples), random)
	if d.Draws < 2 {
		return first, second
	}
	subjects := DivScalar(samples, int32(d.Draws)) // rounded down
	others := Add(MulScalar(subjects, int32(d.Draws)), random.IntN(d.Draws, samples.Shape().Dim(-1)))
	_, second = r.Views(take(others), random)
	return first, second
}
