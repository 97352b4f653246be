package versions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLicence tells licences by their text, however its lines are broken.
func TestLicence(t *testing.T) {
	for text, want := range map[string]string{
		"Permission is hereby granted, free\nof charge, to any person":                          "MIT",
		"Redistribution and use in source and binary forms, with …":                             "BSD-2-Clause",
		"Redistribution and use in source and binary forms … may be used to endorse or promote": "BSD-3-Clause",
		"All rights reserved.": "",
	} {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, "licenses"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "LICENSE.md"), []byte(text), 0o644))
		got, err := licence(dir)
		require.NoError(t, err)
		assert.Equal(t, want, got, text)
	}
	_, err := licence(filepath.Join(t.TempDir(), "none"))
	assert.Error(t, err)
}

// TestLookUpModules asks the go command for a module that this program is built with.
func TestLookUpModules(t *testing.T) {
	testify := &Component{Name: "github.com/stretchr/testify", Version: "v1.12.1"}
	require.NoError(t, LookUpModules(t.Context(), ".", []*Component{testify}))
	assert.Equal(t, "MIT", testify.Licence)
	assert.Equal(t, "208.5 kB", testify.Size)
}

// TestRowsAreReadAsTheyAreWritten goes there and back.
func TestRowsAreReadAsTheyAreWritten(t *testing.T) {
	rows := []Component{{"a", "1", "h1:x=", "MIT", "1.0 kB"}, {Name: "b", Version: "*"}}
	var b strings.Builder
	write(&b, "Title", "Text.", rows)
	got := read(b.String())
	for _, row := range rows {
		assert.Equal(t, row, got[row.key()])
	}
}
