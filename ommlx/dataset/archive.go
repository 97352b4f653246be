package dataset

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode"
)

// The parts of an archive of images, named as in that of CIFAR-100.
const (
	trainPart = "train.bin"
	testPart  = "test.bin"
	namesPart = "fine_label_names.txt"
)

// The binary format of CIFAR-100, by its page: each record is a coarse label, a fine label, and the red, the green and
// the blue values of 32 rows of 32 pixels, one byte each.
const (
	cifarSide     = 32
	cifarChannels = 3
	plane         = cifarSide * cifarSide
	recordBytes   = 2 + cifarChannels*plane
	coarseClasses = 20
	maxRecords    = 50_000 // as many as the training images of CIFAR-100
)

// maxNames bounds the part with the names of the classes, in bytes; that of CIFAR-100 has about a thousand.
const maxNames = 1 << 16

// readArchive reads an archive in the form of CIFAR-100's: a compressed tar with [trainPart], [testPart] (see
// [readRecords]) and [namesPart], the name of one class a line, in any order and folder. Errors say which part is
// missing or what is wrong with it.
func readArchive(archive io.Reader) (*Images, error) {
	content, err := gzip.NewReader(archive)
	if err != nil {
		return nil, fmt.Errorf("it is not a compressed archive, or cut off (%w)", err)
	}
	return readParts(content)
}

// readParts reads the archive without its compression.
func readParts(content io.Reader) (*Images, error) {
	d := &Images{Name: CIFAR100Name, Height: cifarSide, Width: cifarSide, Channels: cifarChannels}
	for parts := tar.NewReader(content); ; {
		head, err := parts.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("its list of files cannot be read (%w)", err)
		}
		if head.Typeflag != tar.TypeReg {
			continue
		}
		switch path.Base(head.Name) {
		case trainPart:
			d.Train, err = readRecords(trainPart, parts, head.Size)
		case testPart:
			d.Test, err = readRecords(testPart, parts, head.Size)
		case namesPart:
			d.Classes, err = readNames(parts)
		}
		if err != nil {
			return nil, err
		}
	}
	// The sum of the whole content comes after the last file.
	if _, err := io.Copy(io.Discard, content); err != nil {
		return nil, fmt.Errorf("its end cannot be read (%w)", err)
	}
	if d.Classes == nil {
		return nil, fmt.Errorf("it has no file %s", namesPart)
	}
	for _, part := range []struct {
		name string
		Split
	}{{trainPart, d.Train}, {testPart, d.Test}} {
		if part.Len() == 0 {
			return nil, fmt.Errorf("it has no file %s", part.name)
		}
		for i, label := range part.Labels {
			if label >= len(d.Classes) {
				return nil, fmt.Errorf("record %d of %s has the fine label %d, expected 0 to %d", i+1, part.name,
					label, len(d.Classes)-1)
			}
		}
	}
	return d, nil
}

// readNames reads the names of the classes.
func readNames(content io.Reader) ([]string, error) {
	text, err := io.ReadAll(io.LimitReader(content, maxNames))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read (%w)", namesPart, err)
	}
	names := strings.Split(strings.TrimRight(string(text), "\r\n"), "\n")
	for i, name := range names {
		names[i] = strings.TrimSuffix(name, "\r")
		if names[i] == "" || strings.ContainsFunc(names[i], func(r rune) bool { return !unicode.IsPrint(r) }) {
			return nil, fmt.Errorf("line %d of %s is not the name of a class", i+1, namesPart)
		}
	}
	return names, nil
}

// readRecords reads a part of an archive, of that many bytes. Errors name the part and the record.
func readRecords(part string, content io.Reader, bytes int64) (Split, error) {
	n := bytes / recordBytes
	switch {
	case bytes%recordBytes != 0 || n == 0:
		return Split{}, fmt.Errorf("%s has %d bytes, which is no multiple of a record's %d (2 labels, %d×%d×%d values)",
			part, bytes, recordBytes, cifarSide, cifarSide, cifarChannels)
	case n > maxRecords:
		return Split{}, fmt.Errorf("%s has %d records, expected at most %d", part, n, maxRecords)
	}
	s := Split{Pixels: make([]uint8, n*cifarChannels*plane), Labels: make([]int, n)}
	record := make([]byte, recordBytes)
	for i := range s.Labels {
		if _, err := io.ReadFull(content, record); err != nil {
			return Split{}, fmt.Errorf("%s cannot be read beyond record %d of %d (%w)", part, i, n, err)
		}
		if coarse := record[0]; coarse >= coarseClasses {
			return Split{}, fmt.Errorf("record %d of %s has the coarse label %d, expected 0 to %d",
				i+1, part, coarse, coarseClasses-1)
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
