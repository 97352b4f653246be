package backend

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/say"
)

func TestInstallLockedAsksForHashes(t *testing.T) {
	calls := fakePython(t, `cp "$lock" "$(dirname "$0")/lock"`)
	require.NoError(t, InstallLocked(t.Context(), "python3", "a==1", "--target", "x"))
	said := must(os.ReadFile(calls))
	assert.Contains(t, string(said), "install --require-hashes --only-binary=:all: --requirement ")
	assert.Contains(t, string(said), " --target x\n")
	lock := must(os.ReadFile(filepath.Join(filepath.Dir(calls), "lock")))
	assert.Equal(t, "a==1", string(lock))
}

// A package with another content is no reason to go on without it, as one that cannot be had is.
func TestInstallLockedRefusesOtherContent(t *testing.T) {
	for says, c := range map[string]struct {
		lines   string
		without bool
	}{
		"nothing was installed: a package came with other content": {
			"echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES OF THE FILE.' >&2; exit 1", false},
		"pip failed: No matching distribution found": {
			"echo 'ERROR: No matching distribution found' >&2; echo 'see the log' >&2; exit 1", true},
		"has no pip: install it": {"echo '/usr/bin/python3: No module named pip' >&2; exit 1", true},
	} {
		fakePython(t, c.lines)
		err := InstallLocked(t.Context(), "python3", "a==1")
		require.ErrorContains(t, err, says)
		_, without := errors.AsType[unavailable](err)
		assert.Equal(t, c.without, without, says)
	}
	t.Setenv("PATH", t.TempDir())
	err := InstallLocked(t.Context(), "python3", "a==1")
	require.ErrorAs(t, err, &unavailable{})
	require.ErrorContains(t, err, "python3 was not found")
}

// A machine that is switched off in the middle leaves a folder, which the next installation removes.
func TestTemporaryRemovesWhatIsOld(t *testing.T) {
	home := filepath.Join(t.TempDir(), "with [brackets], and a comma")
	old, young := filepath.Join(home, "installing-1"), filepath.Join(home, "installing-2")
	require.NoError(t, errors.Join(os.MkdirAll(old, 0o755), os.MkdirAll(young, 0o755)))
	yesterday, slow := time.Now().Add(-24*time.Hour), time.Now().Add(-3*time.Hour) // over a slow line
	require.NoError(t, errors.Join(os.Chtimes(old, yesterday, yesterday), os.Chtimes(young, slow, slow)))
	dir := must(temporary(home))
	assert.True(t, strings.HasPrefix(dir, filepath.Join(home, "installing-")))
	assert.NoDirExists(t, old)
	assert.DirExists(t, young)
}

// FuzzComplaint: whatever pip prints, one short line of it explains its failure.
func FuzzComplaint(f *testing.F) {
	f.Add("WARNING: Retrying …\n" +
		"ERROR: Could not find a version that satisfies the requirement x==1 (from versions: none)\n" +
		"ERROR: No matching distribution found for x==1\n")
	f.Add("/usr/bin/python3: No module named pip\n")
	f.Add("ERROR: \n\n")
	f.Add("\x1b[31mERROR: red\x1b[0m\r\n")
	f.Add("   10%\r   20%\rERROR: cut off\xff")
	f.Add(strings.Repeat("long ", 1000))
	f.Fuzz(func(t *testing.T, output string) {
		said := complaint(output, errors.New("exit status 1"))
		require.NotEmpty(t, said)
		require.Equal(t, say.Printable(said), said)
		require.LessOrEqual(t, utf8.RuneCountInString(said), longestComplaint+2)
		require.True(t, said == "exit status 1" || strings.ContainsFunc(output, func(r rune) bool { return r > ' ' }))
	})
}
