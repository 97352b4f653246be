package say

import (
	"errors"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFirstLine(t *testing.T) {
	assert.Equal(t, "shapes do not fit", FirstLine(errors.New("\n shapes do\tnot fit \n goroutine 1 [running]:")))
}

// FuzzPrintable: the result is one line of printable characters, which Printable does not change.
func FuzzPrintable(f *testing.F) {
	for _, text := range []string{"", "a\nb", "\x1b[31mred", "\xff", "tab\tin", "\u2028", "a\u202eb", " … "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		said := Printable(text)
		for _, r := range said {
			require.True(t, unicode.IsPrint(r), "%q", said)
		}
		require.Equal(t, said, Printable(said))
	})
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 999: "999", 1000: "1,000", 80000: "80,000", 1234567: "1,234,567", -4000: "-4,000", -400: "-400",
	} {
		assert.Equal(t, want, Thousands(n))
	}
}
