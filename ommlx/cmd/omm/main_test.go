package main

import (
	"os"
	"testing"
)

// No test asks a network.
func TestMain(m *testing.M) {
	online = false
	os.Exit(m.Run())
}
