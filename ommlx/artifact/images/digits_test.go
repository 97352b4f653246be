package images

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
)

// TestDigitsMatchScikitLearn checks the table's published checksum, and each pixel and label against the table.
func TestDigitsMatchScikitLearn(t *testing.T) {
	assert.Equal(t, "09f66e6debdee2cd2b5ae59e0d6abbb73fc2b0e0185d2e1957e9ebb51e23aa22", fsx.SHA256Of(digitsTable))
	d := Digits()
	assert.Equal(t, "digits", d.Name)
	assert.Equal(t, []int{8, 8, 1, 10}, []int{d.Height, d.Width, d.Channels, len(d.Classes)})
	assert.Equal(t, []int{1545, 252}, []int{d.Train.Len(), d.Test.Len()})
	rows := digitsRows()
	for start, split := range map[int]Images{0: d.Train, 1545: d.Test} {
		require.Len(t, split.Pixels, 64*split.Len())
		for k, value := range split.Pixels {
			row := rows[start+k/64]
			require.InDelta(t, float64(row[k%64])/16, float64(value)/255, 0.5/255+1e-12)
			require.Equal(t, row[64], split.Labels[k/64])
		}
	}
}

// Every image is a digit or its negative, about half of each; the labels are unchanged.
func TestNegativesAreDigitsOrTheirNegatives(t *testing.T) {
	plain, d := Digits(), Negatives()
	require.Equal(t, d, Negatives(), "repeated call")
	require.Equal(t, plain.Train.Labels, d.Train.Labels)
	turned := 0
	for n := range d.Train.Labels {
		turn := d.Train.Pixels[n*64] ^ plain.Train.Pixels[n*64]
		require.Contains(t, []uint8{0, 255}, turn)
		for p := n * 64; p < (n+1)*64; p++ {
			require.Equal(t, plain.Train.Pixels[p]^turn, d.Train.Pixels[p])
		}
		turned += int(turn) / 255
	}
	require.InDelta(t, 0.5, float64(turned)/float64(d.Train.Len()), 0.05)
}
