package testkit

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// FindsDamage alters a file 200 times, or $OMM_TEST_DAMAGES times: it flips a bit, cuts off the end, adds bytes or
// zeros some. Each time, reading must fail or return the content of the intact file.
func FindsDamage(t *testing.T, path string, read func() (content any, err error)) {
	t.Helper()
	count := Must(strconv.Atoi(cmp.Or(os.Getenv("OMM_TEST_DAMAGES"), "200")))
	whole := Must(os.ReadFile(path))
	want := Must(read())
	random := rand.New(rand.NewPCG(1, 2))
	for range count {
		bad, at := bytes.Clone(whole), random.IntN(len(whole))
		switch random.IntN(8) {
		case 0:
			bad = bad[:at]
		case 1:
			bad = append(bad, bytes.Repeat([]byte{byte(at)}, 1+at%100)...)
		case 2:
			clear(bad[at:min(at+512, len(bad))])
		default:
			bad[at] ^= 1 << random.IntN(8)
		}
		require.NoError(t, os.WriteFile(path, bad, 0o644))
		if got, err := read(); err == nil {
			require.Equal(t, want, got, "altered content was accepted")
		}
	}
	require.NoError(t, os.WriteFile(path, whole, 0o644))
	require.Equal(t, want, Must(read()))
}
