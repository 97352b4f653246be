package images

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// cifarRecord is an image in CIFAR-100's binary format whose red, green and blue value at row y and column x are
// 8y+x/4 plus 0, 1 and 2, modulo 256.
func cifarRecord(coarse, fine byte) []byte {
	out := []byte{coarse, fine}
	for channel := range 3 {
		for y := range 32 {
			for x := range 32 {
				out = append(out, byte(8*y+x/4+channel))
			}
		}
	}
	return out
}

// smallArchive returns an archive in the official format, with 3 classes, 3 training images and 2 test images.
func smallArchive(t *testing.T) []byte {
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	parts := tar.NewWriter(zipped)
	require.NoError(t, parts.WriteHeader(&tar.Header{Name: "cifar-100-binary/", Typeflag: tar.TypeDir, Mode: 0o755}))
	for _, f := range []struct{ name, content string }{
		{"test.bin", string(append(cifarRecord(19, 2), cifarRecord(0, 0)...))},
		{"coarse_label_names.txt", "beings\nthings\n"},
		{"train.bin", strings.Repeat(string(cifarRecord(0, 0)), 2) + string(cifarRecord(1, 1))},
		{"fine_label_names.txt", "apple\nbaby\r\ncup\n\n"},
	} {
		head := &tar.Header{Name: "cifar-100-binary/" + f.name, Size: int64(len(f.content)), Mode: 0o644}
		require.NoError(t, parts.WriteHeader(head))
		testkit.Must(parts.Write([]byte(f.content)))
	}
	require.NoError(t, errors.Join(parts.Close(), zipped.Close()))
	return out.Bytes()
}

func TestReadCIFAR(t *testing.T) {
	archive := smallArchive(t)
	d := testkit.Must(readArchive(bytes.NewReader(archive)))
	assert.Equal(t, "CIFAR-100", d.Name)
	assert.Equal(t, []string{"apple", "baby", "cup"}, d.Classes)
	assert.Equal(t, []int{32, 32, 3}, []int{d.Height, d.Width, d.Channels})
	assert.Equal(t, []int{0, 0, 1}, d.Train.Labels)
	assert.Equal(t, []int{2, 0}, d.Test.Labels)
	for _, part := range []Images{d.Train, d.Test} {
		require.Len(t, part.Pixels, part.Len()*32*32*3)
		for i, value := range part.Pixels {
			channel, x, y := i%3, i/3%32, i/(3*32)%32
			require.EqualValues(t, byte(8*y+x/4+channel), value, "pixel %d", i)
		}
	}
	_, err := readArchive(bytes.NewReader(archive[:len(archive)/2]))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
}
