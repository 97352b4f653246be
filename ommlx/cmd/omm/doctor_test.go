package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDoctor(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "")
	t.Chdir(t.TempDir())
	code, stdout, _ := omm(t, "doctor")
	assert.Equal(t, exitOK, code)
	assert.Regexp(t, "(?m)^engine .* on ", stdout)
	assert.Regexp(t, "(?m)^checkout +missing: ", stdout)
	assert.Contains(t, stdout, "notebooks")
}
