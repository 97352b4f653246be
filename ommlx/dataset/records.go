package dataset

import (
	"fmt"
	"io"
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

// checkLabels makes sure that each label of a part is one of that many classes.
func checkLabels(part string, labels []int, classes int) error {
	for i, label := range labels {
		if label >= classes {
			return fmt.Errorf("record %d of %s has the fine label %d, expected 0 to %d", i+1, part, label, classes-1)
		}
	}
	return nil
}
