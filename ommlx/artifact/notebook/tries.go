package notebook

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// suggestion matches a change that a notebook suggests: a text in a cell and its replacement.
var suggestion = regexp.MustCompile("`([^`]+)` → `([^`]+)`")

// separator is the line of a cell that separates declarations from statements in GoNB.
const separator = "%%\n"

// Tries returns a notebook that makes each change suggested as "`old` → `new`" in the first cell that contains the old
// text and runs that cell; if the cell only declares, it also runs the following cells up to one with statements. It
// keeps the declarations of other cells. It returns an error if no cell contains an old text.
func Tries(notebook []byte) (tries []byte, err error) {
	var read struct {
		Cells []struct {
			Type   string   `json:"cell_type"`
			Source []string `json:"source"`
		} `json:"cells"`
		Metadata json.RawMessage `json:"metadata"`
	}
	if err := json.Unmarshal(notebook, &read); err != nil {
		return nil, fmt.Errorf("notebook: not a notebook: %w", err)
	}
	var code []string
	var suggested [][]string
	for _, c := range read.Cells {
		if source := strings.Join(c.Source, ""); c.Type == "code" {
			code = append(code, source)
		} else {
			suggested = append(suggested, suggestion.FindAllStringSubmatch(source, -1)...)
		}
	}
	changes := make([][]string, len(code)) // of each cell: its changed sources
	for _, s := range suggested {
		i := slices.IndexFunc(code, func(source string) bool { return strings.Contains(source, s[1]) })
		if i < 0 {
			return nil, fmt.Errorf("notebook: no cell contains the suggested change of %s", s[1])
		}
		changes[i] = append(changes[i], strings.Replace(code[i], s[1], s[2], 1))
	}

	cells := []any{}
	add := func(source string) {
		cells = append(cells, map[string]any{"cell_type": "code", "id": fmt.Sprint("cell-", len(cells)),
			"source": source, "metadata": struct{}{}, "outputs": []any{}, "execution_count": nil})
	}
	for i, source := range code {
		for _, changed := range changes[i] {
			add(changed)
			for j := i + 1; j < len(code) && !strings.Contains(changed, separator); j++ {
				changed = code[j]
				add(changed)
			}
		}
		if declared, _, _ := strings.Cut(source, separator); strings.TrimSpace(declared) != "" {
			if strings.Contains(declared, `. "github.com/gomlx/gomlx/core/graph"`) {
				declared += "\nvar _ *Node\n" // the code that uses the import may be gone
			}
			add(declared)
		}
	}
	return json.Marshal(map[string]any{"cells": cells, "metadata": read.Metadata, "nbformat": 4, "nbformat_minor": 5})
}
