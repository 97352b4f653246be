package graphs

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// debian/README.md states the numbers of hubs.
func TestDebianSnapshot(t *testing.T) {
	d := testkit.Must(Experiment{Graph: DebianName}.open())
	require.Equal(t, counts{56_936, 247_295, 500, 51, 5_682}, debian)
	require.Equal(t, counts{d.Nodes(), d.Edges(), d.Features, d.Classes, len(d.Of(Training))}, debian)
	require.Equal(t, 21_840, d.Degree(0))
	require.InDelta(t, 0.088, float64(d.Degree(0))/float64(d.Edges()), 0.0005)
	sizes, ofHub, all := make([]int, d.Classes), 0.0, 0.0
	for i := range d.Nodes() {
		for _, j := range d.Row(i) {
			s := 1 / math.Sqrt(float64(d.Degree(i)*d.Degree(int(j))))
			all += s
			if i == 0 || j == 0 {
				ofHub += s
			}
		}
		require.Positive(t, d.Degree(i))
		if i > 0 {
			require.LessOrEqual(t, d.Degree(i), d.Degree(i-1))
		}
		if d.Parts[i] != None {
			sizes[d.Labels[i]]++
		}
		square := 0.0
		for _, x := range d.X[i*d.Features : (i+1)*d.Features] {
			square += float64(x) * float64(x) / float64(d.Features)
		}
		require.InDelta(t, math.Round(square), square, 1e-5, "0 or 1")
	}
	require.InDelta(t, 0.004, ofHub/all, 0.0005, "share of the sum of S")
	labelled := 0
	for i, n := range sizes {
		require.GreaterOrEqual(t, n, 90, i)
		labelled += n
	}
	require.InDelta(t, 0.1, float64(len(d.Of(Training)))/float64(labelled), 0.01)
	require.InDelta(t, 0.1, float64(len(d.Of(Validation)))/float64(labelled), 0.01)
}

func TestDamagedDebianSnapshotIsAnError(t *testing.T) {
	for _, at := range []int{0, len(debianSnapshot) / 2, len(debianSnapshot) - 1} {
		damaged := append([]byte(nil), debianSnapshot...)
		damaged[at] ^= 0x55
		_, err := readDebian(damaged)
		require.ErrorContains(t, err, DebianName, at)
	}
	_, err := readDebian(debianSnapshot[:len(debianSnapshot)/2])
	require.ErrorContains(t, err, DebianName)
}
