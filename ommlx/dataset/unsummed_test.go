package dataset

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unsummed is large without what is known of it.
func unsummed() (Collection, []byte) {
	c, content := large()
	c.Files[0].SHA256, c.Files[0].Size, c.Files[0].Most = "", 0, 4_000_000
	return c, content
}

// A file of which neither sum nor size is published goes on like others, and what is there is not fetched again.
func TestAFileWithoutASumGoesOn(t *testing.T) {
	c, content := unsummed()
	var asked []string
	url, dir := answers(t, &asked, cut(content, 1_000_000), rangeless([]byte("<html>Log in</html>")), whole(content)),
		t.TempDir()
	assert.ErrorContains(t, c.Get(t.Context(), url, dir, nil), "cut off after 1000000 of 3000000 bytes")
	part := filepath.Join(dir, "big.bin.part")
	assert.EqualError(t, c.Get(t.Context(), url, dir, nil), "cannot fetch big.bin: "+url+"/big.bin has 19 bytes, and "+
		part+" has more already; check the address, or delete that file to begin anew")
	require.NoError(t, c.Get(t.Context(), url, dir, nil))
	requireContent(t, dir, content)
	var out bytes.Buffer
	require.NoError(t, c.Get(t.Context(), url, dir, &out))
	assert.Contains(t, out.String(), "already there")
	assert.Equal(t, []string{"", "bytes=1000000-", "bytes=1000000-"}, asked)
}

// The process was killed when all had come: the server tells.
func TestAllOfAFileWithoutASumHadCome(t *testing.T) {
	c, content := unsummed()
	for _, more := range []int{0, 1} {
		var asked []string
		url, dir := answers(t, &asked, whole(content), whole(content)), t.TempDir()
		part := append(bytes.Clone(content), make([]byte, more)...)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "big.bin.part"), part, 0o644))
		require.NoError(t, c.Get(t.Context(), url, dir, nil))
		requireContent(t, dir, content)
		assert.Len(t, asked, 1+more, "what is more than the server has is discarded")
	}
}

func TestAFileWithoutASumHasALimit(t *testing.T) {
	c, content := unsummed()
	c.Files[0].Most = 2_999_999
	var asked []string
	url, dir := answers(t, &asked, whole(content)), t.TempDir()
	assert.ErrorContains(t, c.Get(t.Context(), url, dir, nil), "it has more than 2999999 bytes")
	assert.Empty(t, files(t, dir))
}
