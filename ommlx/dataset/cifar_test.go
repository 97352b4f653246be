package dataset

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/testkit"
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

// file is one file of an archive.
type file struct{ name, content string }

// small returns the files of an archive in the form of the official one, with 3 classes, 3 training images and 2 test
// images.
func small() []file {
	const folder = "cifar-100-binary/"
	return []file{
		{folder + "test.bin", string(append(record(19, 2), record(0, 0)...))},
		{folder + "coarse_label_names.txt", "beings\nthings\n"},
		{folder + "train.bin", strings.Repeat(string(record(0, 0)), 2) + string(record(1, 1))},
		{folder + "fine_label_names.txt", "apple\nbaby\r\ncup\n\n"},
	}
}

// packed writes files into a compressed archive.
func packed(t testing.TB, files []file) []byte { return zipped(t, tarred(t, files)) }

func zipped(t testing.TB, content []byte) []byte {
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	_, err := zipped.Write(content)
	require.NoError(t, err)
	require.NoError(t, zipped.Close())
	return out.Bytes()
}

// tarred writes files into an archive.
func tarred(t testing.TB, files []file) []byte {
	var out bytes.Buffer
	parts := tar.NewWriter(&out)
	require.NoError(t, parts.WriteHeader(&tar.Header{Name: "cifar-100-binary/", Typeflag: tar.TypeDir, Mode: 0o755}))
	for _, f := range files {
		require.NoError(t, parts.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.content)), Mode: 0o644}))
		_, err := parts.Write([]byte(f.content))
		require.NoError(t, err)
	}
	require.NoError(t, parts.Close())
	return out.Bytes()
}

// archived is CIFAR-100 with another archive in its place.
func archived(content []byte) Collection {
	c := CIFAR100()
	c.Files[0].SHA256, c.Files[0].Size = sum(content), int64(len(content))
	return c
}

func TestCIFARIsRead(t *testing.T) {
	isolate(t)
	archive := packed(t, small())
	c := archived(archive)
	c.BaseURL, _ = serve(t, map[string]string{"cifar-100-binary.tar.gz": string(archive)})
	_, err := c.load(counts{3, 3, 2})
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, "get it with `omm data get cifar100`")

	require.NoError(t, c.Get(t.Context(), "", "", nil))
	d := testkit.Must(c.load(counts{3, 3, 2}))
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

	// The archive is the pinned one, and still its content is looked at.
	path := testkit.Must(c.Path("cifar-100-binary.tar.gz"))
	for _, wrong := range []counts{{4, 3, 2}, {3, 50_000, 2}, {3, 3, 10_000}} {
		_, err = c.load(wrong)
		assert.EqualError(t, err, fmt.Sprintf("%s cannot be used: it has 3 classes, 3 training images and 2 test "+
			"images, expected %d, %d and %d; replace it with `omm data get cifar100`", path, wrong.classes,
			wrong.train, wrong.test))
	}
	_, err = LoadCIFAR100()
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
	assert.Len(t, seen, 2*7)
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

func TestArchivesThatCannotBeUsed(t *testing.T) {
	change := func(i int, content string) []file {
		files := small()
		files[i].content = content
		return files
	}
	const test, train, names = 0, 2, 3
	whole := packed(t, small())
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-8] ^= 1 // the sum of the content
	plain := tarred(t, small())
	within := bytes.Index(plain, []byte("train.bin")) + 1000
	var announced bytes.Buffer // where a file would begin
	require.NoError(t, tar.NewWriter(&announced).WriteHeader(&tar.Header{Name: "train.bin", Size: 50_001 * 3074}))
	for says, archive := range map[string][]byte{
		"train.bin has 3073 bytes, which is no multiple of a record's 3074 (2 labels, 32×32×3 values)": packed(t,
			change(train, string(record(0, 0)[1:]))),
		"test.bin has 0 bytes, which is no multiple of a record's 3074": packed(t, change(test, "")),
		"train.bin has 50001 records, expected at most 50000":           zipped(t, announced.Bytes()),
		"record 2 of train.bin has the fine label 3, expected 0 to 2": packed(t,
			change(train, string(record(0, 0))+string(record(0, 3)))),
		"record 1 of test.bin has the fine label 255, expected 0 to 2": packed(t,
			change(test, string(record(0, 255)))),
		"record 1 of test.bin has the coarse label 20, expected 0 to 19": packed(t,
			change(test, string(record(20, 0)))),
		"line 2 of fine_label_names.txt is not the name of a class":      packed(t, change(names, "apple\n\ncup\n")),
		"line 1 of fine_label_names.txt is not the name of a class":      packed(t, change(names, "")),
		"it has no file test.bin":                                        packed(t, small()[1:]),
		"it has no file train.bin":                                       packed(t, append(small()[:2], small()[3])),
		"it has no file fine_label_names.txt":                            packed(t, small()[:3]),
		"it is not a compressed archive, or cut":                         []byte("<html>"),
		"its list of files cannot be read (unexpected EOF)":              whole[:30],
		"its end cannot be read (gzip: invalid checksum)":                flipped,
		"train.bin cannot be read beyond record 0 of 3 (unexpected EOF)": zipped(t, plain[:within]),
	} {
		d, err := readArchive(bytes.NewReader(archive))
		assert.Nil(t, d, says)
		if assert.Error(t, err, says) {
			assert.Contains(t, err.Error(), says)
			assert.NotContains(t, err.Error(), "\n")
		}
	}
}

// FuzzReadParts: whatever an archive holds, it becomes images whose numbers agree, or is refused in one line.
func FuzzReadParts(f *testing.F) {
	f.Add(tarred(f, small()))
	f.Add(tarred(f, small()[1:]))
	f.Add(tarred(f, small())[:5000])
	f.Add([]byte{})
	f.Add(tarred(f, []file{{"train.bin", string(record(0, 255))}, {"x/test.bin", string(record(0, 0))},
		{"../fine_label_names.txt", "a\nb"}}))
	f.Fuzz(func(t *testing.T, content []byte) {
		d, err := readParts(bytes.NewReader(content))
		if err != nil {
			require.Nil(t, d)
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.NotEmpty(t, d.Classes)
		for _, split := range []Split{d.Train, d.Test} {
			require.Positive(t, split.Len())
			require.Len(t, split.Pixels, split.Len()*d.Height*d.Width*d.Channels)
			for _, label := range split.Labels {
				require.GreaterOrEqual(t, label, 0)
				require.Less(t, label, len(d.Classes))
			}
		}
	})
}
