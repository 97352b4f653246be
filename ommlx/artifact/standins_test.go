package artifact_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// TestNothingAtThePapersScaleIsOfStandIns: without the paper's data what is drawn of them stays as it is. A quick run
// says once what it is of.
func TestNothingAtThePapersScaleIsOfStandIns(t *testing.T) {
	var out bytes.Buffer
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Paper, Out: &out, KeptOnly: true}
	entry := countingEntry(true)
	entry.StandIns = func() string { return "the data are made up; `omm data get grids` downloads them" }
	_, err := lab.Run(t.Context(), &lab.Lab{Root: l.Root, Profile: lab.Paper}, newMadeUp(20).with(1))
	require.NoError(t, err)
	require.NoError(t, report.Make(t.Context(), l, []report.Entry{entry}))
	require.Equal(t, "tab9_made_up: the data are made up; `omm data get grids` downloads them; nothing at the "+
		"paper's scale is drawn of stand-ins\n", out.String())
	require.NoDirExists(t, l.Root+"/tables")

	l.KeptOnly = false
	require.EqualError(t, report.Make(t.Context(), l, []report.Entry{entry}), "tab9_made_up: the data are made up; "+
		"`omm data get grids` downloads them; nothing at the paper's scale is made of stand-ins")

	out.Reset()
	l.KeptOnly, l.Profile = true, lab.Quick
	require.NoError(t, report.Make(t.Context(), l, []report.Entry{entry, entry}))
	require.Equal(t, 1, bytes.Count(out.Bytes(), []byte("the data are made up")))
	require.FileExists(t, l.Root+"/tables/tab9_made_up.md")
}
