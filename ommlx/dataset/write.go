package dataset

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"strings"
)

// archive returns a data set of 32×32 colour images in the form that [readArchive] reads, its parts in a folder of the
// name of the set.
func (d *Images) archive() ([]byte, error) {
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	parts := tar.NewWriter(zipped)
	for _, part := range []struct {
		name    string
		content []byte
	}{
		{namesPart, []byte(strings.Join(d.Classes, "\n") + "\n")},
		{trainPart, d.Train.records(len(d.Classes))},
		{testPart, d.Test.records(len(d.Classes))},
	} {
		head := tar.Header{Name: d.Name + "/" + part.name, Mode: 0o644, Size: int64(len(part.content))}
		if err := parts.WriteHeader(&head); err != nil {
			return nil, err
		}
		if _, err := parts.Write(part.content); err != nil {
			return nil, err
		}
	}
	if err := parts.Close(); err != nil {
		return nil, err
	}
	if err := zipped.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// records returns the images in the format that [readRecords] reads, for a set of that many classes. Neighbouring
// classes share a coarse label.
func (s Split) records(classes int) []byte {
	out := make([]byte, 0, s.Len()*recordBytes)
	for i, label := range s.Labels {
		out = append(out, byte(label*coarseClasses/max(classes, coarseClasses)), byte(label))
		image := s.Pixels[i*cifarChannels*plane:]
		for c := range cifarChannels {
			for p := range plane {
				out = append(out, image[p*cifarChannels+c])
			}
		}
	}
	return out
}
