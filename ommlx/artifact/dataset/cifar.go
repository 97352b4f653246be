package dataset

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// The binary format of CIFAR-100, by its page: each record is a coarse label, a fine label, and the red, the green and
// the blue values of 32 rows of 32 pixels, one byte each.
const (
	cifarSide     = 32
	cifarChannels = 3
	plane         = cifarSide * cifarSide
	recordBytes   = 2 + cifarChannels*plane
)

// CIFAR100 returns the official binary version of CIFAR-100, 60,000 colour images of 32×32 pixels in 100 classes, from
//
//	Krizhevsky: Learning Multiple Layers of Features from Tiny Images, technical report, University of Toronto, 2009,
//
// as one archive, which is read where it lies (see [LoadCIFAR100]). Its page, www.cs.toronto.edu/~kriz/cifar.html,
// prints the MD5 03b5dce01913d631647c71ecec9e9cb8. Size and SHA-256 are those that TensorFlow Datasets pins for the
// same address (tensorflow_datasets/url_checksums/cifar100.txt); MLDatasets.jl and the examples of GoMLX pin the same
// SHA-256.
func CIFAR100() Collection {
	return Collection{
		Kind:    "cifar100",
		BaseURL: "https://www.cs.toronto.edu/~kriz",
		Files: []File{{
			Name:   "cifar-100-binary.tar.gz",
			SHA256: "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec",
			Size:   168_513_733,
		}},
	}
}

// LoadCIFAR100 reads CIFAR-100 from its official archive, looked for along [SearchPath] and verified by SHA-256. Labels
// are the 100 fine ones. Images stay in the order of the files; they take 184 MB of memory, and a few seconds.
//
// Where no folder has the archive, the error wraps [io/fs.ErrNotExist] and names `omm data get cifar100`. Other errors
// say that the archive is altered or cannot be read.
func LoadCIFAR100() (*Images, error) { return CIFAR100().images() }

// images reads the one archive of the collection. What is in it follows from its SHA-256, and is not judged again.
func (c Collection) images() (*Images, error) {
	name, err := c.Path(c.Files[0].Name)
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
		return nil, fmt.Errorf("%s cannot be read: %w; replace it with `omm data get %s`", name, err, c.Kind)
	}
	return d, nil
}

// readArchive reads a compressed tar with train.bin, test.bin and fine_label_names.txt, the name of one class a line.
func readArchive(archive io.Reader) (*Images, error) {
	content, err := gzip.NewReader(archive)
	if err != nil {
		return nil, err
	}
	d := &Images{Name: CIFAR100Name, Height: cifarSide, Width: cifarSide, Channels: cifarChannels}
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

// readRecords reads a part of an archive, of that many bytes.
func readRecords(content io.Reader, bytes int64) (Split, error) {
	n := bytes / recordBytes
	s := Split{Pixels: make([]uint8, n*cifarChannels*plane), Labels: make([]int, n)}
	record := make([]byte, recordBytes)
	for i := range s.Labels {
		if _, err := io.ReadFull(content, record); err != nil {
			return s, err
		}
		s.Labels[i] = int(record[1])
		image := s.Pixels[i*cifarChannels*plane:]
		for p := range plane {
			for c := range cifarChannels {
				image[p*cifarChannels+c] = record[2+c*plane+p]
			}
		}
	}
	return s, nil
}
