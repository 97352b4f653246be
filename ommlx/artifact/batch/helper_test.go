package batch_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

var keyLine = regexp.MustCompile(`(?m)^ +([0-9a-f]{32}) # `)

// keysIn are the keys in an array of one training for each task.
func keysIn(t *testing.T, text string) (keys []string) {
	t.Helper()
	for _, match := range keyLine.FindAllStringSubmatch(text, -1) {
		keys = append(keys, match[1])
	}
	require.NotEmpty(t, keys, text)
	return keys
}

// results are the kept results of a checkout by the names of their files, without their provenance: when, where and in
// how many seconds.
func results(t *testing.T, root string) map[string]any {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, ".omm", "results", "*"))
	require.NoError(t, err)
	all := map[string]any{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var content map[string]any
		require.NoError(t, json.Unmarshal(text, &content), path)
		require.Contains(t, content, "provenance")
		delete(content, "provenance")
		all[filepath.Base(path)] = content
	}
	return all
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}
