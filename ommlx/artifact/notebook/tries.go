package notebook

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// suggestion is a change that a notebook suggests: a text of a cell, and what to write in its place.
var suggestion = regexp.MustCompile("`([^`]+)` → `([^`]+)`")

// separator is the line of a cell above which GoNB declares, and below which it does.
const separator = "%%\n"

// Tries returns a notebook that makes each change which a notebook suggests as "`old` → `new`", in the first cell that
// has the old text, and runs that cell; where the cell only declares, also those after it up to one that does
// something. Of the other cells it has the declarations. The error names an old text that no cell has, or says that the
// text is no notebook.
func Tries(notebook []byte) (tries []byte, err error) {
	var read struct {
		Cells []struct {
			Type   string   `json:"cell_type"`
			Source []string `json:"source"`
		} `json:"cells"`
		Metadata json.RawMessage `json:"metadata"`
	}
	if err := json.Unmarshal(notebook, &read); err != nil {
		return nil, fmt.Errorf("this is no notebook: %w", err)
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
	changes := make([][]string, len(code)) // of each cell, as they change it
	for _, s := range suggested {
		i := slices.IndexFunc(code, func(source string) bool { return strings.Contains(source, s[1]) })
		if i < 0 {
			return nil, fmt.Errorf("a change of %s is suggested, which no cell has", s[1])
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
				declared += "\nvar _ *Node\n" // what used the import may be left out
			}
			add(declared)
		}
	}
	return json.Marshal(map[string]any{"cells": cells, "metadata": read.Metadata, "nbformat": 4, "nbformat_minor": 5})
}
