package images

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/csv"
	"math/rand/v2"
	"strconv"
	"strings"
)

// digitsTable has a row for each image: 64 values from 0 to 16, and the label. Its licence is in digits.LICENSE.
//
//go:embed digits.csv.gz
var digitsTable []byte

const (
	digitsMax = 16 // the value of a white pixel
	// digitsTrain is how many of the first images are for training. The images lie form by form: each form repeats the
	// same sequence of 130 digits, with a few missing, beginning with 0 to 9 three times. The cut is between two
	// forms, so that the last two forms, 252 images, test on handwriting that was not seen, as UCI's own split does,
	// whose training images are not in the file. Images taken out by number would test on writing that was seen: for
	// half of all images the nearest one is on the same form, of 14. (The description counts 13 people, so one of them
	// may have filled in two forms.)
	digitsTrain = 1545
)

// Digits returns the handwritten digits of scikit-learn, which this package contains: 1,797 grey images of 8×8 pixels,
// which are the test images of the set of the UCI repository that
//
//	Alpaydin, Kaynak: Cascading Classifiers, Kybernetika 34(4), 1998
//
// describes. Pixels are scaled from 0 … 16 to 0 … 255. The first 1,545 images are for training; the last 252, from two
// separate forms, for testing.
func Digits() *Set {
	d := &Set{Name: DigitsName, Height: digitsSide, Width: digitsSide, Channels: 1,
		Classes: strings.Split("0123456789", "")}
	for i, row := range digitsRows() {
		split := &d.Train
		if i >= digitsTrain {
			split = &d.Test
		}
		last := len(row) - 1
		for _, value := range row[:last] {
			split.Pixels = append(split.Pixels, uint8((value*255+digitsMax/2)/digitsMax))
		}
		split.Labels = append(split.Labels, row[last])
	}
	return d
}

// Negatives are [Digits] in which every image is a photographic negative with probability 1/2, by a generator with a
// fixed seed. A class has the mean of every other one, grey, so that a linear classifier of pixels fails, while each
// image is as readable as before.
func Negatives() *Set {
	d, rng := Digits(), rand.New(rand.NewPCG(1, 0x9e9))
	d.Name = NegativesName
	for _, split := range []Images{d.Train, d.Test} {
		for i := range split.Labels {
			if rng.IntN(2) == 1 {
				for p := range digitsSide * digitsSide {
					split.Pixels[i*digitsSide*digitsSide+p] ^= 255
				}
			}
		}
	}
	return d
}

// digitsRows reads the table. It panics if this package was built with another one.
func digitsRows() [][]int {
	packed, err := gzip.NewReader(bytes.NewReader(digitsTable))
	if err != nil {
		panic(err)
	}
	table, err := csv.NewReader(packed).ReadAll()
	if err != nil {
		panic(err)
	}
	rows := make([][]int, len(table))
	for i, cells := range table {
		for _, cell := range cells {
			value, err := strconv.Atoi(cell)
			if err != nil {
				panic(err)
			}
			rows[i] = append(rows[i], value)
		}
	}
	return rows
}
