package train

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLookTellsWhoHoldsAFolderAndWhatIsInIt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	look := func() [2]bool {
		held, begun := Look(dir)
		return [2]bool{held, begun}
	}
	require.Equal(t, [2]bool{false, false}, look(), "there is no folder")
	lock, err := acquire(dir)
	require.NoError(t, err)
	require.Equal(t, [2]bool{true, false}, look())
	require.NoError(t, os.WriteFile(filepath.Join(dir, checkpointName(7)), nil, 0o644))
	require.Equal(t, [2]bool{true, true}, look())
	lock.release()
	require.Equal(t, [2]bool{false, true}, look())
	again, err := acquire(dir)
	require.NoError(t, err, "looking holds nothing")
	again.release()
}
