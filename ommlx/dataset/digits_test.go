package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/pip"
	"operator-omm/ommlx/internal/testkit"
)

// rows are digits in the form of the official file: row i has the label i modulo 10, and (i+j) modulo 17 as pixel j.
func rows(n int) string {
	var text strings.Builder
	for i := range n {
		for j := range 64 {
			fmt.Fprintf(&text, "%d,", (i+j)%17)
		}
		fmt.Fprintf(&text, "%d\n", i%10)
	}
	return text.String()
}

func zip(t testing.TB, text string) []byte {
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	_, err := zipped.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, zipped.Close())
	return out.Bytes()
}

// fakeDigits is the collection with another content, in a wheel that a stand-in for pip finds.
func fakeDigits(t *testing.T, content []byte) (c Collection, calls string) {
	store := t.TempDir()
	c = Digits()
	c.Files[0].SHA256, c.Files[0].Size = sum(content), int64(len(content))
	c.wheel.Wheel = testkit.WriteWheel(t, store, c.wheel.Wheel,
		map[string]string{"sklearn/datasets/data/digits.csv.gz": string(content), "sklearn/__init__.py": ""})
	return c, testkit.FakePython(t, "cp '"+store+"'/*.whl \"$dest\"")
}

func TestDigitsComeWithPipOnce(t *testing.T) {
	data, _ := isolate(t)
	c, calls := fakeDigits(t, zip(t, rows(1797)))
	_, err := c.loadDigits()
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, "`omm data get digits` downloads it")

	path := filepath.Join(data, "digits", "digits.csv.gz")
	var out strings.Builder
	for range 2 {
		d, err := c.fetchDigits(t.Context(), &out)
		require.NoError(t, err)
		assert.Equal(t, "digits", d.Name)
		assert.Equal(t, []int{8, 8, 1, 10}, []int{d.Height, d.Width, d.Channels, len(d.Classes)})
		assert.Equal(t, []int{1545, 252}, []int{d.Train.Len(), d.Test.Len()})
		for start, split := range map[int]Split{0: d.Train, 1545: d.Test} {
			require.Len(t, split.Pixels, 64*split.Len())
			for k, value := range split.Pixels {
				i, j := start+k/64, k%64
				require.InDelta(t, float64((i+j)%17)/16, float64(value)/255, 0.5/255+1e-12)
				require.EqualValues(t, i%10, split.Labels[k/64])
			}
		}
	}
	assert.Contains(t, out.String(), "Getting the Python wheel of scikit-learn 1.8.0 with pip (9.1 MB) …\n")
	assert.Contains(t, out.String(), "[1/1] "+path+": taken from it, ")
	out.Reset()
	require.NoError(t, c.Get(t.Context(), "", "", &out))
	assert.Equal(t, "[1/1] "+path+": already there\n", out.String())
	assert.Equal(t, []string{"digits.csv.gz"}, files(t, filepath.Dir(path)))
	said, err := os.ReadFile(calls)
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(said), "\n"))
	assert.Contains(t, string(said), "--python-version 3.11 --abi cp311 scikit-learn==1.8.0")
}

// What a user has, anywhere on the search path, is not downloaded.
func TestDigitsOfTheUser(t *testing.T) {
	_, cache := isolate(t)
	content := zip(t, rows(1797))
	c, calls := fakeDigits(t, content)
	put(t, filepath.Join(cache, "operator-omm", "digits"), "digits.csv.gz", string(content))
	_, err := c.fetchDigits(t.Context(), nil)
	require.NoError(t, err)
	assert.NoFileExists(t, calls)
}

func TestDigitsThatDoNotCome(t *testing.T) {
	content := zip(t, rows(1797))
	t.Run("no network", func(t *testing.T) {
		data, _ := isolate(t)
		testkit.FakePython(t, "echo 'ERROR: No matching distribution found' >&2; exit 1")
		c := Digits()
		_, err := c.fetchDigits(t.Context(), nil)
		_, unavailable := errors.AsType[pip.Unavailable](err)
		assert.True(t, unavailable)
		assert.EqualError(t, err, "cannot get the digits: pip failed: No matching distribution found")
		assert.Empty(t, files(t, filepath.Join(data, "digits")))
	})
	t.Run("another file in the wheel", func(t *testing.T) {
		data, _ := isolate(t)
		c, _ := fakeDigits(t, content)
		c.Files[0].SHA256 = strings.Repeat("0", 64)
		_, err := c.fetchDigits(t.Context(), nil)
		_, damaged := errors.AsType[*fsx.Damaged](err)
		assert.True(t, damaged)
		assert.ErrorContains(t, err, "digits.csv.gz of scikit-learn 1.8.0 is truncated or altered")
		assert.Empty(t, files(t, filepath.Join(data, "digits")))
	})
	t.Run("a folder in the way", func(t *testing.T) {
		data, _ := isolate(t)
		c, _ := fakeDigits(t, content)
		require.NoError(t, os.MkdirAll(filepath.Join(data, "digits", "digits.csv.gz", "taken"), 0o755))
		assert.ErrorContains(t, c.Get(t.Context(), "", "", nil), "cannot write data to "+filepath.Join(data, "digits"))
	})
	t.Run("another address", func(t *testing.T) {
		isolate(t)
		c, _ := fakeDigits(t, content)
		assert.EqualError(t, c.Get(t.Context(), "http://x", "", nil), `the data "digits" come with pip, `+
			"not from http://x; name another address in pip's own settings")
	})
}

func TestDigitsThatCannotBeUsed(t *testing.T) {
	data, _ := isolate(t)
	replaced := func(old, new string) []byte { return zip(t, strings.Replace(rows(1797), old, new, 1)) }
	whole := zip(t, rows(1797))
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-8] ^= 1
	beyondTheEnd := fmt.Sprintf("it cannot be read beyond byte %d of its rows (gzip: invalid", len(rows(1797)))
	for says, content := range map[string][]byte{
		"it has 1796 rows, expected 1797":                        zip(t, rows(1796)),
		"it has 2000 rows, expected 1797":                        zip(t, rows(2000)),
		"row 1 has 64 values, expected 64 and a label":           replaced("0,1,2,", "0,1,"),
		`row 1 has the value "17" in column 2, expected 0 to 16`: replaced("0,1,2,", "0,17,2,"),
		`row 1 has the value "-1" in column 2, expected 0 to 16`: replaced("0,1,2,", "0,-1,2,"),
		`row 1 has the value "12" in column 65, expected 0 to 9`: replaced("12,0\n", "12,12\n"),
		"it is not a compressed file, or cut off (EOF)":          {},
		"it cannot be read beyond byte ":                         whole[:len(whole)/2],
		beyondTheEnd:                                             flipped,
	} {
		c := Digits()
		c.Files[0].SHA256, c.Files[0].Size = sum(content), int64(len(content))
		put(t, filepath.Join(data, "digits"), "digits.csv.gz", string(content))
		_, err := c.loadDigits()
		path := filepath.Join(data, "digits", "digits.csv.gz")
		assert.ErrorContains(t, err, path+" cannot be used: "+says)
		assert.ErrorContains(t, err, "; replace it with `omm data get digits`")
		_, err = LoadDigits()
		assert.ErrorContains(t, err, path+" is altered: SHA-256 is ")
	}
}

func TestDigitsIsWellFormed(t *testing.T) {
	for _, sum := range []string{Digits().Files[0].SHA256, Digits().wheel.SHA256} {
		assert.Regexp(t, regexp.MustCompile(`^[0-9a-f]{64}$`), sum)
	}
}

// TestOfficialDigits checks, where the file is, that the test images are those of the last two forms, and why they are
// not taken out by number: the nearest image of an image is on the same form in half of all cases, of 14 forms.
func TestOfficialDigits(t *testing.T) {
	d, err := LoadDigits()
	if err != nil {
		require.ErrorIs(t, err, fs.ErrNotExist)
		t.Skip("the digits are not on this machine; `omm data get digits` gets them")
	}
	labels := append(append([]int{}, d.Train.Labels...), d.Test.Labels...)
	pixels := append(append([]uint8{}, d.Train.Pixels...), d.Test.Pixels...)
	const begin = "01234567890123456" // a form begins with 0 to 9 three times, and one has lost its first digit
	var text strings.Builder
	for _, label := range labels {
		fmt.Fprint(&text, label)
	}
	form, forms := make([]int, len(labels)), -1
	for i := range labels {
		before, after := text.String()[:i], text.String()[i:]
		if strings.HasPrefix(after, begin) && !strings.HasSuffix(before, "9") ||
			strings.HasPrefix(after, begin[1:]) && !strings.HasSuffix(before, "0") {
			forms++
		}
		form[i] = forms
	}
	assert.Equal(t, 14, forms+1)
	assert.NotEqual(t, form[1544], form[1545], "the cut is between two forms")
	assert.Equal(t, form[1545]+1, form[1796], "two forms are for testing")
	same := 0
	for i := range labels {
		nearest, least := 0, 1<<30
		for j := range labels {
			distance := 0
			for p := range 64 {
				difference := int(pixels[64*i+p]) - int(pixels[64*j+p])
				distance += difference * difference
			}
			if i != j && distance < least {
				nearest, least = j, distance
			}
		}
		if form[nearest] == form[i] {
			same++
		}
	}
	assert.InDelta(t, 0.5, float64(same)/float64(len(labels)), 0.1)
}

// FuzzReadDigits: whatever a row holds, it becomes an image, or is refused in one line.
func FuzzReadDigits(f *testing.F) {
	good := strings.TrimSuffix(rows(1), "\n")
	f.Add(good)
	for _, row := range []string{
		"", ",", "0", strings.Replace(good, "16", "17", 1), strings.Repeat(",", 64), good + ",", "+" + good,
		strings.Replace(good, "5", "5.0", 1), "\x1b[31m" + good,
	} {
		f.Add(row)
	}
	f.Fuzz(func(t *testing.T, row string) {
		var s Split
		if err := s.appendDigit(row); err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.Equal(t, 1, s.Len())
		require.Len(t, s.Pixels, 64)
		require.Less(t, s.Labels[0], 10)
	})
}
