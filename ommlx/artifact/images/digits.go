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

// digitsTable has one row per image: 64 values from 0 to 16, and the label. Its licence is in digits.LICENSE.
//
//go:embed digits.csv.gz
var digitsTable []byte

const (
	digitsMax = 16 // the value of a white pixel
	// digitsTrain is the number of leading images used for training. The images are ordered by form, each the same
	// sequence of about 130 digits by one person. The cut is between two forms, so the last two, 252 images, test on
	// unseen handwriting, as UCI's own split does (its training images are not in the file). For half of all images the
	// nearest one is on the same form, of 14.
	digitsTrain = 1545
)

// Digits returns the handwritten digits of scikit-learn, which are embedded in this package: 1,797 grey images of 8×8
// pixels, the test images of the UCI data set described in
//
//	Alpaydin, Kaynak: Cascading Classifiers, Kybernetika 34(4), 1998
//
// Pixels are scaled from 0 … 16 to 0 … 255.
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

// Negatives returns [Digits] with each image replaced by its photographic negative with probability 1/2, from a fixed
// seed. All classes then have the same mean, grey, so a linear classifier of pixels fails, although each image is as
// readable as before.
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

// digitsRows parses the table. It panics if the embedded file is not the expected one.
func digitsRows() [][]int {
	var table [][]string
	packed, err := gzip.NewReader(bytes.NewReader(digitsTable))
	if err == nil {
		table, err = csv.NewReader(packed).ReadAll()
	}
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
