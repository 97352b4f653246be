package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDoctor(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "")
	code, stdout, _ := omm(t, "doctor")
	assert.Equal(t, exitOK, code)
	for _, name := range []string{
		"backend", "a test graph ran", "device", "cores", "go1.", "simd", "ok  checkout", "notebooks",
		"grids", "cifar100", "ogbn-products",
	} {
		assert.Contains(t, stdout, name)
	}
}

// TestDoctorOutsideACheckout says which data a command would see here, and why there may be more elsewhere.
func TestDoctorOutsideACheckout(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("OMM_CACHE", cache)
	t.Setenv("OMM_DATA", "")
	t.Chdir(t.TempDir())
	report := examineFolders()
	assert.Equal(t, absent, report[0].verdict)
	assert.Contains(t, report[0].value, "none here")
	assert.Contains(t, report[0].repair, "cloned repository")
	assert.Equal(t, absent, report[1].verdict)
	assert.Contains(t, report[1].value, "0 of 6 official files in "+filepath.Join(cache, "grids")+";")
	for _, data := range report[1:] {
		assert.Contains(t, data.repair, "`omm data get "+data.name+"`")
		assert.Regexp(t, "; .+", data.value)
	}
}

// TestDoctorFailsWithData that is altered, since figures and tables that read it cannot be made.
func TestDoctorFailsWithData(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "")
	data := t.TempDir()
	t.Setenv("OMM_DATA", data)
	require.NoError(t, os.Mkdir(filepath.Join(data, "grids"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(data, "grids", "GridMaze-7.txt"), []byte("x\n"), 0o644))
	code, stdout, stderr := omm(t, "doctor")
	assert.Equal(t, exitFailure, code)
	assert.Contains(t, stdout, "NO  grids")
	assert.Equal(t, "omm: not all figures and tables can be made; the lines with NO say why: grids\n", stderr)
}
