package images

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"omm-go/ommlx/artifact/run"
)

// The binary format of CIFAR-100, from its web page: each record is a coarse label, a fine label, and the red, green
// and blue values of 32 rows of 32 pixels, one byte each.
const (
	plane       = cifarSide * cifarSide
	recordBytes = 2 + colours*plane
)

// CIFAR100 is the official binary version of CIFAR-100, 60,000 colour images of 32×32 pixels in 100 classes, from
//
//	Krizhevsky: Learning Multiple Layers of Features from Tiny Images, technical report, University of Toronto, 2009,
//
// as one archive. Size and SHA-256 are from TensorFlow Datasets (url_checksums/cifar100.txt); MLDatasets.jl and the
// GoMLX examples pin the same SHA-256.
var CIFAR100 = run.File{
	Kind:   "cifar100",
	URL:    "https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz",
	SHA256: "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec",
	Most:   168_513_733,
}

// LoadCIFAR100 reads CIFAR-100 from its archive, which must already be downloaded (see [run.File.Find]). Labels are the
// 100 fine classes. The images take 184 MB of memory.
func LoadCIFAR100() (*Set, error) {
	name, err := CIFAR100.Find()
	if err != nil {
		return nil, err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	d, err := readArchive(file)
	if err != nil {
		return nil, fmt.Errorf("images: %s: %w", name, err)
	}
	return d, nil
}

// readArchive reads a compressed tar with train.bin, test.bin and fine_label_names.txt, which has one class name per
// line.
func readArchive(archive io.Reader) (*Set, error) {
	content, err := gzip.NewReader(archive)
	if err != nil {
		return nil, err
	}
	d := &Set{Name: CIFAR100Name, Height: cifarSide, Width: cifarSide, Channels: colours}
	for parts := tar.NewReader(content); ; {
		head, err := parts.Next()
		if errors.Is(err, io.EOF) {
			return d, nil
		}
		if err != nil {
			return nil, err
		}
		switch path.Base(head.Name) {
		case "train.bin":
			d.Train, err = readRecords(parts, head.Size)
		case "test.bin":
			d.Test, err = readRecords(parts, head.Size)
		case "fine_label_names.txt":
			var names []byte
			names, err = io.ReadAll(parts)
			d.Classes = strings.Fields(string(names))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", head.Name, err)
		}
	}
}

// readRecords reads one file of the archive, which has the given number of bytes.
func readRecords(content io.Reader, bytes int64) (Images, error) {
	n := bytes / recordBytes
	s := Images{Pixels: make([]uint8, n*colours*plane), Labels: make([]int, n)}
	record := make([]byte, recordBytes)
	for i := range s.Labels {
		if _, err := io.ReadFull(content, record); err != nil {
			return s, err
		}
		s.Labels[i] = int(record[1])
		image := s.Pixels[i*colours*plane:]
		for p := range plane {
			for c := range colours {
				image[p*colours+c] = record[2+c*plane+p]
			}
		}
	}
	return s, nil
}
