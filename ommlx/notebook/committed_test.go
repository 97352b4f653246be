package notebook

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/report"
)

func TestCommittedIsAtThePapersScaleFirst(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "notebooks"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "figures", "paper"), 0o755))
	t.Chdir(filepath.Join(root, "notebooks"))
	e := report.Entry{Kind: report.Figure, Name: "fig9"}
	var v struct{ X int }
	read := func() string {
		file, err := Committed(e, &v)
		require.NoError(t, err)
		return file
	}
	require.Empty(t, read())
	require.NoError(t, os.WriteFile("../figures/fig9.json", []byte(`{"x":1}`), 0o644))
	require.Equal(t, "figures/fig9.json", read())
	require.Equal(t, 1, v.X)
	require.NoError(t, os.WriteFile("../figures/paper/fig9.json", []byte(`{"x":2}`), 0o644))
	require.Equal(t, "figures/paper/fig9.json", read())
	require.Equal(t, 2, v.X)
	require.NoError(t, os.WriteFile("../figures/paper/fig9.json", []byte(`{`), 0o644))
	_, err := Committed(e, &v)
	require.ErrorContains(t, err, "figures/paper/fig9.json cannot be read")
}
