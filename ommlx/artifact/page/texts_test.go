package page

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/assert/yaml"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

func read(t *testing.T, name string) string {
	return string(testkit.Must(os.ReadFile(filepath.Join(here(t), name))))
}

// TestWhatTheTextsNameExists holds that files, folders, make targets and linked pages that the texts name are there.
func TestWhatTheTextsNameExists(t *testing.T) {
	links := regexp.MustCompile(`\]\(([^)]+)\)`)
	files := regexp.MustCompile("`((?:ommlx|figures|tables|notebooks|docker|\\.ci)/[\\w./-]*)`")
	targets := regexp.MustCompile("(?:`|    )make ([a-z]+)")
	makefile := read(t, "Makefile")
	for _, name := range []string{"README.md", "ARTIFACT.md", "CONTRIBUTING.md", "CHANGELOG.md"} {
		text := read(t, name)
		for _, found := range append(links.FindAllStringSubmatch(text, -1), files.FindAllStringSubmatch(text, -1)...) {
			if path, _, _ := strings.Cut(found[1], "#"); !strings.HasPrefix(path, "https://") {
				_, err := os.Stat(filepath.Join(here(t), path))
				assert.NoError(t, err, name)
			}
		}
		for _, found := range targets.FindAllStringSubmatch(text, -1) {
			assert.Contains(t, makefile, "\n"+found[1]+":", "%s names a target that make does not have", name)
		}
	}
}

// TestTheCitationIsComplete holds what the Citation File Format 1.2.0 requires, and that version and date are those of
// the newest entry of CHANGELOG.md.
func TestTheCitationIsComplete(t *testing.T) {
	var cff map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(read(t, "CITATION.cff")), &cff))
	require.Subset(t, cff, map[string]any{"cff-version": "1.2.0", "type": "software", "license": "Apache-2.0"})
	require.NotEmpty(t, cff["message"])
	require.NotEmpty(t, cff["title"])
	require.Regexp(t, `^\[map\[name:[^:]+\]\]$`, fmt.Sprint(cff["authors"]))
	version, released := fmt.Sprint(cff["version"]), fmt.Sprint(cff["date-released"])
	require.Regexp(t, `^\d+\.\d+\.\d+$`, version)
	_, err := time.Parse(time.DateOnly, released)
	require.NoError(t, err)

	newest := regexp.MustCompile(`(?m)^## (.*)$`).FindStringSubmatch(read(t, "CHANGELOG.md"))
	require.Equal(t, version+", "+released, newest[1])

	title := "Revisiting Orbital Minimization Method for Neural Operator Decomposition"
	author := func(given, family string) any { return map[string]any{"given-names": given, "family-names": family} }
	require.Subset(t, cff["preferred-citation"], map[string]any{"type": "conference-paper", "title": title,
		"year": 2025, "authors": []any{author("J. Jon", "Ryu"), author("Samuel", "Zhou"),
			author("Gregory W.", "Wornell")}})
	for _, words := range []string{title, "Ryu", "Zhou", "Wornell", "version " + version} {
		require.Contains(t, strings.Join(strings.Fields(read(t, "README.md")), " "), words, "how README.md cites")
	}
}

// TestTheTextsAreShort: one page says how to contribute, and the changelog stays in broad strokes.
func TestTheTextsAreShort(t *testing.T) {
	for name, most := range map[string]int{"README.md": 120, "CONTRIBUTING.md": 65, "CHANGELOG.md": 79} {
		require.LessOrEqual(t, strings.Count(read(t, name), "\n"), most, name)
	}
}
