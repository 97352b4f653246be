package page

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/assert/yaml"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/testkit"
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
			if !strings.HasPrefix(found[1], "https://") {
				_, err := os.Stat(filepath.Join(here(t), found[1]))
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
	type person struct {
		Family string `yaml:"family-names"`
		Given  string `yaml:"given-names"`
		Name   string `yaml:"name"`
	}
	type work struct {
		Type    string   `yaml:"type"`
		Title   string   `yaml:"title"`
		Authors []person `yaml:"authors"`
		Year    int      `yaml:"year"`
	}
	var cff struct {
		work     `yaml:",inline"`
		Format   string `yaml:"cff-version"`
		Message  string `yaml:"message"`
		Version  string `yaml:"version"`
		Released string `yaml:"date-released"`
		License  string `yaml:"license"`
		Paper    work   `yaml:"preferred-citation"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, "CITATION.cff")), &cff))
	require.Equal(t, "1.2.0", cff.Format)
	require.NotEmpty(t, cff.Message)
	require.NotEmpty(t, cff.Title)
	require.Equal(t, "software", cff.Type)
	require.Equal(t, "Apache-2.0", cff.License)
	require.Len(t, cff.Authors, 1)
	require.NotEmpty(t, cff.Authors[0].Name)
	require.Regexp(t, `^\d+\.\d+\.\d+$`, cff.Version)
	_, err := time.Parse(time.DateOnly, cff.Released)
	require.NoError(t, err)

	newest := regexp.MustCompile(`(?m)^## (.*)$`).FindStringSubmatch(read(t, "CHANGELOG.md"))
	require.Equal(t, []string{"## " + cff.Version + ", " + cff.Released, cff.Version + ", " + cff.Released}, newest)

	require.Equal(t, work{"conference-paper",
		"Revisiting Orbital Minimization Method for Neural Operator Decomposition",
		[]person{{Family: "Ryu", Given: "J. Jon"}, {Family: "Zhou", Given: "Samuel"},
			{Family: "Wornell", Given: "Gregory W."}}, 2025}, cff.Paper)
	readme := read(t, "README.md")
	for _, words := range []string{cff.Paper.Title, "Ryu", "Zhou", "Wornell", "version " + cff.Version} {
		require.Contains(t, strings.Join(strings.Fields(readme), " "), words, "how README.md cites")
	}
}

// TestTheTextsAreShort: one page says how to contribute, and the changelog stays in broad strokes.
func TestTheTextsAreShort(t *testing.T) {
	for name, most := range map[string]int{"README.md": 150, "CONTRIBUTING.md": 65, "CHANGELOG.md": 79} {
		require.LessOrEqual(t, strings.Count(read(t, name), "\n"), most, name)
	}
}
