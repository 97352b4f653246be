package dataset

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"operator-omm/ommlx/internal/fsx"
)

// Generation describes a set of generated images.
type Generation struct {
	Classes int // 2 to 100
	Images  int // for training, at least 5 for each class and at most 50,000; there are a fifth as many for testing
	Seed    uint64
}

// testShare is how many training images there are for each test image, as in CIFAR-100.
const testShare = 5

// Validate says in one sentence which number is out of range.
func (g Generation) Validate() error {
	if most := len(shapes) * len(textures); g.Classes < 2 || g.Classes > most {
		return fmt.Errorf("generated images have 2 to %d classes, not %d", most, g.Classes)
	}
	if g.Images < testShare*g.Classes || g.Images > maxRecords {
		return fmt.Errorf("with %d classes %d to %d training images are generated, not %d",
			g.Classes, testShare*g.Classes, maxRecords, g.Images)
	}
	return nil
}

// Generate draws images of 32×32 pixels and three channels, for a machine on which no other images are to be had. A
// class is a shape with a texture; position, size, colours, the scale of the texture and noise are random. Colour says
// nothing about the class, shapes and textures are the same in a mirror, and the colours of a texture differ in
// brightness, so that a class can be told after the augmentations of SimCLR (random crop, mirror, other colours, grey):
//
//	Chen, Kornblith, Norouzi, Hinton: A Simple Framework for Contrastive Learning of Visual Representations, 2020.
//
// Classes follow each other in turn. The arithmetic is of whole numbers, but for a square root that every machine
// rounds alike, so that the same Generation gives the same bits everywhere. The error is that of
// [Generation.Validate].
func Generate(g Generation) (*Images, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	d := &Images{Name: GeneratedName, Height: cifarSide, Width: cifarSide, Channels: cifarChannels}
	for class := range g.Classes {
		shape, texture := parts(class)
		d.Classes = append(d.Classes, shapes[shape].name+", "+textures[texture].name)
	}
	d.Train = g.split(g.Images, rand.New(rand.NewPCG(g.Seed, 1)))
	d.Test = g.split(g.Images/testShare, rand.New(rand.NewPCG(g.Seed, 2)))
	return d, nil
}

// split draws n images.
func (g Generation) split(n int, rng *rand.Rand) Split {
	s := Split{Pixels: make([]uint8, n*cifarChannels*plane), Labels: make([]int, n)}
	for i := range s.Labels {
		class := i % g.Classes
		s.Labels[i] = class
		newScene(rng).paint(class, rng, s.Pixels[i*cifarChannels*plane:(i+1)*cifarChannels*plane])
	}
	return s
}

// GeneratedKind names the data folder of generated images, see [Dir].
const GeneratedKind = "generated"

// generated is where generated images are written, and found.
func generated() Collection {
	return Collection{Kind: GeneratedKind, Files: []File{{Name: "images.tar.gz", Most: maxRecords * 2 * recordBytes}},
		made: "omm data generate images"}
}

// WriteGenerated writes the images of [Generate], in the form of the archive of CIFAR-100, to images.tar.gz in [Dir] of
// "generated", in the place of others, and returns the path. Errors are those of [Generation.Validate] and [Dir], or
// say that the folder cannot be written.
func WriteGenerated(g Generation) (path string, err error) {
	d, err := Generate(g)
	if err != nil {
		return "", err
	}
	dir, err := Dir(generated().Kind)
	if err != nil {
		return "", err
	}
	archive, err := d.archive()
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, generated().Files[0].Name)
	if err = os.MkdirAll(dir, 0o755); err == nil {
		err = fsx.Write(path, archive)
	}
	if err != nil {
		return "", Unwritable(dir, err)
	}
	return path, nil
}

// LoadGenerated reads the images that [WriteGenerated] wrote, the first match along [SearchPath]. Where there are none,
// the error wraps [io/fs.ErrNotExist] and names `omm data generate images`; other errors say what is wrong with the
// file.
func LoadGenerated() (*Images, error) { return generated().load(GeneratedName, counts{}) }
