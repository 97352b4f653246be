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

// maxNames bounds the part with the names of the classes, in bytes; that of CIFAR-100 has about a thousand.
const maxNames = 1 << 16

// readArchive reads an archive in the form of CIFAR-100's: a compressed tar with [trainPart], [testPart] (see
// [readRecords]) and [namesPart], the name of one class a line, in any order and folder. The name of the result is
// left to the caller. Errors say which part is missing or what is wrong with it.
func readArchive(archive io.Reader) (*Images, error) {
	content, err := gzip.NewReader(archive)
	if err != nil {
		return nil, fmt.Errorf("it is not a compressed archive, or cut off (%w)", err)
	}
	return readParts(content)
}

// readParts reads the archive without its compression.
func readParts(content io.Reader) (*Images, error) {
	d := &Images{Height: cifarSide, Width: cifarSide, Channels: cifarChannels}
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
	for _, part := range []struct {
		name string
		read bool
	}{
		{trainPart, d.Train.Labels != nil}, {testPart, d.Test.Labels != nil}, {namesPart, d.Classes != nil},
	} {
		if !part.read {
			return nil, fmt.Errorf("it has no file %s", part.name)
		}
	}
	if err := checkLabels(trainPart, d.Train.Labels, len(d.Classes)); err != nil {
		return nil, err
	}
	if err := checkLabels(testPart, d.Test.Labels, len(d.Classes)); err != nil {
		return nil, err
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
