package claims

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/fsx"
)

// WriteFigures writes figures/README.md: all figures of a checkout, at the paper's scale and quick, each with its
// caption, verdicts and command. Unreadable files are errors.
func WriteFigures(root string, figures []report.Exhibit) error {
	rows, err := Committed(root)
	if err != nil {
		return err
	}
	list, err := gallery(root, figures, rows)
	if err != nil {
		return err
	}
	return writePage(filepath.Join(root, "figures", "README.md"), "figures.md", list)
}

// WriteTables writes tables/README.md: the experiments with the paper's numbers and ours, details of the findings, and
// all tables of a checkout like the figures of [WriteFigures].
func WriteTables(root string, tables []report.Exhibit, headlines []Headline, findings Findings) error {
	c, err := readContent(root, headlines)
	if err != nil {
		return err
	}
	list, err := gallery(root, tables, c.Claims)
	if err != nil {
		return err
	}
	return writePage(filepath.Join(root, "tables", "README.md"), "tables.md", struct {
		content
		Details []string
		Tables  [][]section
	}{c, findings.Details, list})
}

// gallery returns the sections of each exhibit with files in a checkout.
func gallery(root string, exhibits []report.Exhibit, rows []Row) (list [][]section, err error) {
	for _, e := range exhibits {
		scales, err := sections(root, e, rows)
		if err != nil {
			return nil, err
		}
		if scales != nil {
			list = append(list, scales)
		}
	}
	return list, nil
}

// The lines of README.md that enclose the generated part.
const (
	begin = "<!-- reproduced: written by `make check` -->\n"
	end   = "<!-- /reproduced -->"
)

// WriteREADME rewrites the results in README.md: the numbers of verdicts, sentences and highlights. Every number comes
// from the committed ledger, figures and tables. Missing or unreadable files are errors.
func WriteREADME(root string, findings Findings) error {
	type highlight struct {
		Highlight
		Row Row
	}
	shown := struct {
		Claims     []Row
		Sentences  []string
		Highlights []highlight
	}{Sentences: findings.Sentences}
	var err error
	if shown.Claims, err = Committed(root); err != nil {
		return err
	}
	for _, h := range findings.Highlights {
		row, err := rowOf(shown.Claims, h.Claim, h.Protocol)
		if err != nil {
			return err
		}
		shown.Highlights = append(shown.Highlights, highlight{h, row})
	}
	path := filepath.Join(root, "README.md")
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, opened := strings.Cut(string(old), begin)
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		return fmt.Errorf("claims: README.md lacks the line %q or %q; restore it with git", begin, end)
	}
	page := bytes.NewBufferString(before + begin)
	if err := pages.ExecuteTemplate(page, "results.md.tmpl", shown); err != nil {
		return err
	}
	return fsx.Write(path, []byte(page.String()+end+after))
}
