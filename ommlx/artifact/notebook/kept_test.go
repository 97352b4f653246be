package notebook

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

func TestCommittedPrefersPaperScale(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "notebooks"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "figures", "quick"), 0o755))
	t.Chdir(filepath.Join(root, "notebooks"))
	e := report.Entry{Kind: report.Figure, Name: "fig9", Plan: func(run.Profile) ([]run.Job, error) { return nil, nil }}
	var v struct{ X int }
	read := func() string { return testkit.Must(committed(e, &v)) }
	require.Empty(t, read())
	require.NoError(t, os.WriteFile("../figures/quick/fig9.json", []byte(`{"x":1}`), 0o644))
	require.Equal(t, "figures/quick/fig9.json", read())
	require.Equal(t, 1, v.X)
	require.NoError(t, os.WriteFile("../figures/fig9.json", []byte(`{"x":2}`), 0o644))
	require.Equal(t, "figures/fig9.json", read())
	require.Equal(t, 2, v.X)
	require.NoError(t, os.WriteFile("../figures/fig9.json", []byte(`{`), 0o644))
	_, err := committed(e, &v)
	require.ErrorContains(t, err, "figures/fig9.json")
}
