package claims_test

import (
	"os"
	"strings"
	"testing"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/papertest"
)

// TestRecordsOfAnotherProcess is the child process of TestReadTests.
func TestRecordsOfAnotherProcess(t *testing.T) {
	mode := os.Getenv("OMM_CLAIMS_CHILD")
	if mode == "" {
		t.Skip("run by TestReadTests")
	}
	id := claims.All()[0].ID
	t.Run("passes", func(t *testing.T) { papertest.Of(t, id).Printed(strings.Repeat("a long text, ", 250), 1, 2) })
	t.Run("is skipped", func(t *testing.T) {
		papertest.Of(t, id)
		t.Skip("the maze files are not here")
	})
	if mode == "fail" {
		t.Run("fails", func(t *testing.T) {
			papertest.Of(t, id)
			t.Error("on purpose")
		})
	}
	if mode == "die" {
		t.Attr(claims.Attribute, `{"claim":"`+id+`"}`)
		os.Exit(3)
	}
}
