package dataset

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// record is an image in CIFAR-100's binary format whose red, green and blue value at row y and column x are
// 8y+x/4 plus 0, 1 and 2, modulo 256.
func record(coarse, fine byte) []byte {
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

// small is an archive in the form of the official one, with 3 classes, 3 training images and 2 test images.
func small(t *testing.T) []byte {
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	parts := tar.NewWriter(zipped)
	require.NoError(t, parts.WriteHeader(&tar.Header{Name: "cifar-100-binary/", Typeflag: tar.TypeDir, Mode: 0o755}))
	for _, f := range []struct{ name, content string }{
		{"test.bin", string(append(record(19, 2), record(0, 0)...))},
		{"coarse_label_names.txt", "beings\nthings\n"},
		{"train.bin", strings.Repeat(string(record(0, 0)), 2) + string(record(1, 1))},
		{"fine_label_names.txt", "apple\nbaby\r\ncup\n\n"},
	} {
		head := &tar.Header{Name: "cifar-100-binary/" + f.name, Size: int64(len(f.content)), Mode: 0o644}
		require.NoError(t, parts.WriteHeader(head))
		testkit.Must(parts.Write([]byte(f.content)))
	}
	require.NoError(t, errors.Join(parts.Close(), zipped.Close()))
	return out.Bytes()
}

func TestCIFARIsRead(t *testing.T) {
	isolate(t)
	archive, c := small(t), CIFAR100()
	c.Files[0].SHA256, c.Files[0].Size = sum(archive), int64(len(archive))
	var asked []string
	c.BaseURL = answers(t, &asked, whole(archive))
	_, err := c.images()
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, "get it with `omm data get cifar100`")

	require.NoError(t, c.Get(t.Context(), "", "", nil))
	d := testkit.Must(c.images())
	assert.Equal(t, "CIFAR-100", d.Name)
	assert.Equal(t, []string{"apple", "baby", "cup"}, d.Classes)
	assert.Equal(t, []int{32, 32, 3}, []int{d.Height, d.Width, d.Channels})
	assert.Equal(t, []int{0, 0, 1}, d.Train.Labels)
	assert.Equal(t, []int{2, 0}, d.Test.Labels)
	for _, split := range []Split{d.Train, d.Test} {
		require.Len(t, split.Pixels, split.Len()*32*32*3)
		for i, value := range split.Pixels {
			channel, x, y := i%3, i/3%32, i/(3*32)%32
			require.EqualValues(t, byte(8*y+x/4+channel), value, "pixel %d of all", i)
		}
	}

	_, err = readArchive(bytes.NewReader(archive[:len(archive)/2]))
	assert.ErrorContains(t, err, "unexpected EOF")
	_, err = LoadCIFAR100()
	path := testkit.Must(c.Path("cifar-100-binary.tar.gz"))
	assert.ErrorContains(t, err, path+" is altered: SHA-256 is "+sum(archive))
}

func TestCollectionsAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Collections() {
		for _, f := range c.Files {
			assert.NoError(t, f.check(c.Kind))
			assert.Regexp(t, regexp.MustCompile(`^[0-9a-f]{64}$`), f.SHA256)
			assert.False(t, seen[c.Kind+f.Name] || seen[f.SHA256], "%s is listed twice", f.Name)
			seen[c.Kind+f.Name], seen[f.SHA256] = true, true
		}
	}
}

// The official archive, where `omm data get cifar100` has put it: 600 images of each class, 500 for training.
func TestOfficialCIFAR100(t *testing.T) {
	d, err := LoadCIFAR100()
	if err != nil {
		require.ErrorIs(t, err, fs.ErrNotExist)
		t.Skip("CIFAR-100 is not on this machine; `omm data get cifar100` downloads it")
	}
	assert.Equal(t, "apple", d.Classes[0])
	assert.Equal(t, "worm", d.Classes[99])
	// Cattle, dinosaur, apple, boy and aquarium fish, as in the documentation of MLDatasets.jl.
	assert.Equal(t, []int{19, 29, 0, 11, 1}, d.Train.Labels[:5])
	for _, part := range []struct {
		of   Split
		each int
	}{{d.Train, 500}, {d.Test, 100}} {
		of := make([]int, 100)
		for _, label := range part.of.Labels {
			of[label]++
		}
		for class, n := range of {
			assert.Equal(t, part.each, n, d.Classes[class])
		}
	}
}
