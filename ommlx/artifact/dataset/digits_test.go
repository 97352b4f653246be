package dataset

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheDigitsAreThoseOfScikitLearn, each pixel and label where it belongs.
func TestTheDigitsAreThoseOfScikitLearn(t *testing.T) {
	assert.Equal(t, "09f66e6debdee2cd2b5ae59e0d6abbb73fc2b0e0185d2e1957e9ebb51e23aa22", sum(digitsTable))
	d := Digits()
	assert.Equal(t, "digits", d.Name)
	assert.Equal(t, []int{8, 8, 1, 10}, []int{d.Height, d.Width, d.Channels, len(d.Classes)})
	assert.Equal(t, []int{1545, 252}, []int{d.Train.Len(), d.Test.Len()})
	rows := digitsRows()
	for start, split := range map[int]Split{0: d.Train, 1545: d.Test} {
		require.Len(t, split.Pixels, 64*split.Len())
		for k, value := range split.Pixels {
			row := rows[start+k/64]
			require.InDelta(t, float64(row[k%64])/16, float64(value)/255, 0.5/255+1e-12)
			require.Equal(t, row[64], split.Labels[k/64])
		}
	}
}

// TestHowTheDigitsAreSplit: the test images are those of the last two forms. Why they are not taken out by number: the
// nearest image of an image is on the same form in half of all cases, of 14 forms.
func TestHowTheDigitsAreSplit(t *testing.T) {
	d := Digits()
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

// Every image of the negatives is a digit or its negative, about half of each; the labels are the digits'.
func TestNegativesAreDigitsOrTheirNegatives(t *testing.T) {
	plain, d := Digits(), Negatives()
	require.Equal(t, NegativesName, d.Name)
	require.Equal(t, d, Negatives(), "the same ones at each call")
	turned, sum := 0, 0.0
	for i, split := range []Split{d.Train, d.Test} {
		from := []Split{plain.Train, plain.Test}[i]
		require.Equal(t, from.Labels, split.Labels)
		for n := range split.Labels {
			turn := split.Pixels[n*64] ^ from.Pixels[n*64]
			require.Contains(t, []uint8{0, 255}, turn)
			for p := n * 64; p < (n+1)*64; p++ {
				require.Equal(t, from.Pixels[p]^turn, split.Pixels[p])
				sum += float64(split.Pixels[p]) / 255
			}
			turned += int(turn) / 255
		}
	}
	n := float64(d.Train.Len() + d.Test.Len())
	require.InDelta(t, 0.5, float64(turned)/n, 0.05)
	require.InDelta(t, 0.5, sum/(64*n), 0.02, "the mean that the experiment subtracts")
}
