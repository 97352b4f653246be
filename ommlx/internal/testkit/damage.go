package testkit

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// damages is the environment variable with which test-crash in .ci/Makefile raises the number of alterations.
const damages = "OMM_TEST_DAMAGES"

// FindsDamage alters the content of a file, 200 times or as often as test-crash in .ci/Makefile sets: it flips a bit,
// cuts the end off, adds bytes or zeros some. Each time, reading must fail or return what the intact file returns.
func FindsDamage(t *testing.T, path string, read func() (content any, err error)) {
	t.Helper()
	count := 200
	if text := os.Getenv(damages); text != "" {
		count = Must(strconv.Atoi(text))
	}
	whole := Must(os.ReadFile(path))
	want := Must(read())
	random, harmless := rand.New(rand.NewPCG(1, 2)), 0
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
		got, err := read()
		if err == nil {
			harmless++
			require.Equal(t, want, got, "a file that was altered is read as another one")
		}
	}
	require.NoError(t, os.WriteFile(path, whole, 0o644))
	require.Equal(t, want, Must(read()))
	t.Logf("%s: %d of %d alterations found, and the others change nothing that is read: %d", filepath.Ext(path),
		count-harmless, count, harmless)
}
