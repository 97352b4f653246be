package lab

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A commit says what was computed only if it is known, and no file had changed since.
func TestACommitSaysWhatWasComputed(t *testing.T) {
	for commit, open := range map[string]bool{"abc": false, "abc+": true, "abc, then def": false,
		"abc+, then def": true, "abc, then def+": true, "unknown": true, "abc, then unknown": true} {
		require.Equal(t, open, Uncommitted(commit), commit)
	}
	require.True(t, Uncommitted(commit(t.TempDir())), "a folder without git")
}
