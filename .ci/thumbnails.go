// Command thumbnails writes notebooks/thumbnails/NN.png for each notebook: a picture of at most 240×160 pixels and 30 KB.
// Run `make -f .ci/Makefile thumbnails` after executing notebooks.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"log"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/image/draw"
)

// chosen lists notebooks whose first picture is not the best one.
var chosen = map[string]struct {
	output int    // number of the picture in the outputs
	file   string // or a figure
}{
	"05": {file: "figures/fig2_hydrogen.png"},
	"06": {file: "figures/fig5_oscillator.png"},
	"09": {output: 1},
	"11": {file: "figures/fig1_laplacian_rl.png"},
	"13": {output: 1},
}

func main() {
	files, err := filepath.Glob("notebooks/*.ipynb")
	check(err)
	check(os.MkdirAll("notebooks/thumbnails", 0o755))
	for _, file := range files {
		number := filepath.Base(file)[:2]
		choice := chosen[number]
		text, err := os.ReadFile(choice.file)
		if choice.file == "" {
			all := pictures(file)
			if choice.output >= len(all) {
				log.Fatalf("%s: %d pictures, want number %d; execute the notebook", file, len(all), choice.output)
			}
			text, err = all[choice.output], nil
		}
		check(err)
		small := thumbnail(text, 240)
		for side := 220.0; len(small) > 30_000; side -= 20 {
			small = thumbnail(text, side)
		}
		name := filepath.Join("notebooks", "thumbnails", number+".png")
		check(os.WriteFile(name, small, 0o644))
		fmt.Printf("wrote %s, %d KB\n", name, len(small)/1000)
	}
}

// thumbnail returns a picture in a box of width×⅔ width.
func thumbnail(text []byte, width float64) []byte {
	picture, err := png.Decode(bytes.NewReader(text))
	check(err)
	size := picture.Bounds().Size()
	scale := min(width/float64(size.X), width/1.5/float64(size.Y))
	small := image.NewRGBA(image.Rect(0, 0, int(scale*float64(size.X)), int(scale*float64(size.Y))))
	draw.CatmullRom.Scale(small, small.Rect, picture, picture.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	check((&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small))
	return out.Bytes()
}

// pictures returns the PNG files in the outputs of a notebook.
func pictures(file string) (all [][]byte) {
	text, err := os.ReadFile(file)
	check(err)
	var notebook struct {
		Cells []struct {
			Outputs []struct {
				Data map[string]any
			}
		}
	}
	check(json.Unmarshal(text, &notebook))
	for _, cell := range notebook.Cells {
		for _, output := range cell.Outputs {
			if code, is := output.Data["image/png"].(string); is {
				picture, err := base64.StdEncoding.DecodeString(strings.TrimSpace(code))
				check(err)
				all = append(all, picture)
			}
		}
	}
	return all
}

func check(err error) {
	if err != nil {
		log.Fatalln(err)
	}
}
