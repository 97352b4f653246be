package dataset

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"operator-omm/ommlx/internal/pip"
)

// Digits returns the handwritten digits that scikit-learn carries: 1,797 grey images of 8×8 pixels, which are the test
// images of the set of the UCI repository that
//
//	Alpaydin, Kaynak: Cascading Classifiers, Kybernetika 34(4), 1998
//
// describes. They are taken from one wheel, whatever the platform of this machine: the file is the same in all of them.
func Digits() Collection {
	return Collection{
		Kind: "digits",
		Files: []File{{
			Name:   "digits.csv.gz",
			SHA256: "09f66e6debdee2cd2b5ae59e0d6abbb73fc2b0e0185d2e1957e9ebb51e23aa22",
			Size:   57_523,
		}},
		wheel: &wheel{
			Wheel: pip.Wheel{
				Project: "scikit-learn", Version: "1.8.0",
				File:   "scikit_learn-1.8.0-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl",
				SHA256: "ada8121bcb4dac28d930febc791a69f7cb1673c8495e5eee274190b73a4559c1",
				Options: []string{"--platform", "manylinux_2_28_x86_64", "--implementation", "cp",
					"--python-version", "3.11", "--abi", "cp311"},
				Licence: "BSD-3-Clause", Size: 9_103_788,
			},
			folder: "sklearn/datasets/data",
		},
	}
}

// DigitsWheel returns the wheel that the digits are taken from, of which nothing else is kept.
func DigitsWheel() pip.Wheel { return Digits().wheel.Wheel }

const (
	digitsCount = 1797
	digitsSide  = 8
	digitsMax   = 16 // the value of a white pixel
	// digitsTrain is how many of the first images are for training. The images lie form by form: each form repeats the
	// same sequence of 130 digits, of which a few are lost, beginning with 0 to 9 three times. The cut is between two
	// forms, so that the last two forms, 252 images, test on handwriting that was not seen, as UCI's own split does,
	// whose training images are not in the file. Images taken out by number would test on writing that was seen: for
	// half of all images the nearest one is on the same form, of 14. (The description counts 13 people, so one of them
	// may have filled in two forms.)
	digitsTrain = 1545
)

// LoadDigits reads the digits, looked for along [SearchPath] and verified by SHA-256. Pixels are scaled from 0 … 16 to
// 0 … 255. The first 1,545 images are for training; the last 252, from two forms of their own, for testing.
//
// Where no folder has the file, the error wraps [io/fs.ErrNotExist] and names `omm data get digits`. Other errors say
// that the file is altered or cannot be read.
func LoadDigits() (*Images, error) { return Digits().loadDigits() }

// FetchDigits is [LoadDigits], but gets the file with pip, which takes seconds, where no folder has it, and says so on
// out (nil for silence). The error wraps [pip.Unavailable] where the file cannot be had on this machine.
func FetchDigits(ctx context.Context, out io.Writer) (*Images, error) {
	return Digits().fetchDigits(ctx, out)
}

func (c Collection) fetchDigits(ctx context.Context, out io.Writer) (*Images, error) {
	d, err := c.loadDigits()
	if !errors.Is(err, fs.ErrNotExist) {
		return d, err
	}
	if err := c.Get(ctx, "", "", out); err != nil {
		return nil, err
	}
	return c.loadDigits()
}

// loadDigits reads the one file of the collection.
func (c Collection) loadDigits() (*Images, error) {
	content, path, err := c.Read(c.Files[0].Name)
	if err != nil {
		return nil, err
	}
	all, err := readDigits(bytes.NewReader(content))
	if err == nil && all.Len() != digitsCount {
		err = fmt.Errorf("it has %d rows, expected %d", all.Len(), digitsCount)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used: %w; replace it with `omm data get %s`", path, err, c.Kind)
	}
	const cut = digitsTrain * digitsSide * digitsSide
	return &Images{
		Name: DigitsName, Height: digitsSide, Width: digitsSide, Channels: 1,
		Classes: strings.Split("0123456789", ""),
		Train:   Split{Pixels: all.Pixels[:cut:cut], Labels: all.Labels[:digitsTrain:digitsTrain]},
		Test:    Split{Pixels: all.Pixels[cut:], Labels: all.Labels[digitsTrain:]},
	}, nil
}

// maxDigits bounds the rows, in bytes; the official ones have 264,712.
const maxDigits = 1 << 19

// readDigits reads compressed rows of 64 values and a label, separated by commas. Errors name the row and the value.
func readDigits(content io.Reader) (Split, error) {
	rows, err := gzip.NewReader(content)
	if err != nil {
		return Split{}, fmt.Errorf("it is not a compressed file, or cut off (%w)", err)
	}
	text, err := io.ReadAll(io.LimitReader(rows, maxDigits))
	if err != nil {
		return Split{}, fmt.Errorf("it cannot be read beyond byte %d of its rows (%w)", len(text), err)
	}
	var s Split
	for row := range strings.Lines(string(text)) {
		if err := s.appendDigit(strings.TrimSuffix(row, "\n")); err != nil {
			return Split{}, fmt.Errorf("row %d %w", s.Len()+1, err)
		}
	}
	return s, nil
}

// appendDigit appends the image of a row.
func (s *Split) appendDigit(row string) error {
	const pixels = digitsSide * digitsSide
	values := strings.Split(row, ",")
	if len(values) != pixels+1 {
		return fmt.Errorf("has %d values, expected %d and a label", len(values), pixels)
	}
	for i, text := range values {
		most := uint64(digitsMax)
		if i == pixels {
			most = 9
		}
		value, err := strconv.ParseUint(text, 10, 8)
		if err != nil || value > most {
			return fmt.Errorf("has the value %q in column %d, expected 0 to %d", text, i+1, most)
		}
		if i == pixels {
			s.Labels = append(s.Labels, int(value))
			break
		}
		s.Pixels = append(s.Pixels, uint8((value*255+digitsMax/2)/digitsMax))
	}
	return nil
}
