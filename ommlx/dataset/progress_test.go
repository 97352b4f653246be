package dataset

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slow is a network on which a file comes in pieces with a pause before each, on a clock that does not wait.
type slow struct {
	content []byte
	piece   int
	pause   time.Duration
}

func (s *slow) RoundTrip(r *http.Request) (*http.Response, error) {
	rest := s.content
	body := reader(func(b []byte) (int, error) {
		if len(rest) == 0 {
			return 0, io.EOF
		}
		select {
		case <-time.After(s.pause):
		case <-r.Context().Done():
			return 0, r.Context().Err()
		}
		n := copy(b, rest[:min(s.piece, len(rest))])
		rest = rest[n:]
		return n, nil
	})
	return &http.Response{
		StatusCode: 200, ContentLength: int64(len(s.content)), Body: io.NopCloser(body), Request: r,
	}, nil
}

// fetchSlowly fetches the large file in pieces of 30 kB and returns what was written.
func fetchSlowly(t *testing.T, dir string, pause time.Duration) (string, error) {
	c, content := large()
	saved := http.DefaultClient.Transport
	t.Cleanup(func() { http.DefaultClient.Transport = saved })
	http.DefaultClient.Transport = &slow{content, 30_000, pause}
	var out bytes.Buffer
	var err error
	synctest.Test(t, func(t *testing.T) { err = c.Get(t.Context(), "http://slow", dir, &out) })
	return out.String(), err
}

// A transfer may take as long as it likes while bytes come: this one takes 98 minutes.
func TestASlowTransferIsNotGivenUp(t *testing.T) {
	dir := t.TempDir()
	_, err := fetchSlowly(t, dir, silence-time.Second)
	require.NoError(t, err)
	_, content := large()
	requireContent(t, dir, content)
}

func TestASilentTransferIsGivenUp(t *testing.T) {
	dir := t.TempDir()
	_, err := fetchSlowly(t, dir, silence+time.Second)
	assert.EqualError(t, err, "the transfer of big.bin from http://slow/big.bin was given up: no byte came for 1m0s; "+
		"nothing was written for it, try again")
	assert.False(t, errors.Is(err, errUnexpected))
	assert.Empty(t, files(t, dir))
}

// In a log a transfer of 100 s with 30 kB each second is told every 15 s.
func TestProgressInALog(t *testing.T) {
	dir := t.TempDir()
	out, err := fetchSlowly(t, dir, time.Second)
	require.NoError(t, err)
	lines := strings.Split(out, "\n")
	require.Len(t, lines, 8)
	assert.Equal(t, " 16% big.bin  480.0 kB of 3.0 MB  30.0 kB/s  left 1m24s", lines[0])
	assert.Equal(t, "[1/1] "+dir+"/big.bin: fetched, 3.0 MB", lines[6])
}

func TestAmount(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 bytes", 999: "999 bytes", 1000: "1.0 kB", 169_001_437: "169.0 MB", 999_949: "999.9 kB", 999_950: "1.0 MB",
		1_444_000_000: "1.4 GB", 5_000_000_000_000: "5.0 TB",
	} {
		assert.Equal(t, want, Amount(bytes))
	}
}
