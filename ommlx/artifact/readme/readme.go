// Package readme writes the part of README.md that says what was reproduced. Every number of it is read from the
// committed ledger, figures and tables.
package readme

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/internal/fsx"
)

// The lines of README.md between which the part stands.
const (
	begin = "<!-- reproduced: written by `make check` -->"
	end   = "<!-- /reproduced -->"
)

// Update writes the part of README.md anew in a checkout. The file stays untouched where nothing changed. headlines
// are the experiments that it shows, in their order. The error names what is missing or cannot be read.
func Update(root string, headlines []report.Headline) error {
	path := filepath.Join(root, "README.md")
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	part, err := Part(root, headlines)
	if err != nil {
		return err
	}
	text, err := replace(string(old), part)
	if err != nil || bytes.Equal(old, []byte(text)) {
		return err
	}
	return fsx.Write(path, []byte(text))
}

// Part returns what stands between the two lines: the verdicts by kind of claim, and the numbers of the experiments.
func Part(root string, headlines []report.Headline) (string, error) {
	verdicts, err := Verdicts(root)
	if err != nil {
		return "", err
	}
	experiments, err := Experiments(root, headlines)
	if err != nil {
		return "", err
	}
	text := line(verdicts[0]...) + "|---|--:|--:|--:|--:|--:|\n"
	for _, row := range verdicts[1:] {
		text += line(row...)
	}
	text += "\n" + line("Experiment", "Paper", "Here", "Scale", "Verdict") + "|---|---|---|---|---|\n"
	for _, e := range experiments {
		text += line(e.Name, e.Paper, e.Ours, fmt.Sprintf("[%s](%s)", e.Scale(), e.Shown()), string(e.Verdict))
	}
	return text, nil
}

// replace puts part between the two lines of a text, which must both be there, once.
func replace(text, part string) (string, error) {
	before, rest, ok := strings.Cut(text, begin+"\n")
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed || strings.Contains(after, begin) {
		return "", fmt.Errorf("README.md must have the lines %q and %q once; restore them with git", begin, end)
	}
	return before + begin + "\n" + part + end + after, nil
}

// line writes a row of a Markdown table.
func line(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }
