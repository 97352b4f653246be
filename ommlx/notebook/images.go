package notebook

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"github.com/janpfeifer/gonb/gonbui"
)

// The size of a sheet's images and the space between them, in pixels of the screen.
const (
	imageSide = 48
	imageGap  = 4
)

// Images shows images [N, height, width, channels] of one channel (grey) or three below the cell, from 0 (black) to
// 255: so many to a row, each enlarged by whole pixels to a side of at least 48. An error says what does not fit.
func Images(pixels []uint8, height, width, channels, perRow int) error {
	sheet, err := imageSheet(pixels, height, width, channels, perRow)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := png.Encode(&out, sheet); err != nil {
		return fmt.Errorf("images: %w", err)
	}
	gonbui.DisplayPng(out.Bytes())
	gonbui.Sync()
	return nil
}

func imageSheet(pixels []uint8, height, width, channels, perRow int) (*image.RGBA, error) {
	size := height * width * channels
	switch {
	case height < 1 || width < 1 || channels != 1 && channels != 3:
		return nil, fmt.Errorf("images of %d×%d pixels and %d channels cannot be shown; give a positive size and 1 or "+
			"3 channels", height, width, channels)
	case perRow < 1:
		return nil, fmt.Errorf("%d images to a row cannot be shown; give at least 1", perRow)
	case len(pixels) == 0 || len(pixels)%size != 0:
		return nil, fmt.Errorf("%d numbers are no whole images of %d×%d×%d; give that many for each image", len(pixels),
			height, width, channels)
	}
	n, zoom := len(pixels)/size, (imageSide+max(height, width)-1)/max(height, width)
	columns, rows := min(n, perRow), (n+perRow-1)/perRow
	stepX, stepY := width*zoom+imageGap, height*zoom+imageGap
	sheet := image.NewRGBA(image.Rect(0, 0, columns*stepX-imageGap, rows*stepY-imageGap))
	for i := range n {
		left, top := i%perRow*stepX, i/perRow*stepY
		for y := range height * zoom {
			for x := range width * zoom {
				at := pixels[i*size+(y/zoom*width+x/zoom)*channels:][:channels]
				sheet.SetRGBA(left+x, top+y, color.RGBA{at[0], at[len(at)/2], at[len(at)-1], 255})
			}
		}
	}
	return sheet, nil
}
