package claims

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/fsx"
)

// WritePages writes the pages that show results: figures/README.md and tables/README.md with every figure and table of
// a checkout at the paper's scale and quick, and the results in README.md. Every number comes from the committed
// ledger, figures and tables. Missing or unreadable files are errors, after which nothing has been written.
func WritePages(root string, figures, tables []report.Exhibit, headlines []Headline, findings Findings) error {
	c, err := readContent(root, headlines)
	if err != nil {
		return err
	}
	drawn, err := gallery(root, figures, c.Claims)
	if err != nil {
		return err
	}
	listed, err := gallery(root, tables, c.Claims)
	if err != nil {
		return err
	}
	readme, err := withResults(root, c.Claims, findings)
	if err != nil {
		return err
	}
	return cmp.Or(writePage(filepath.Join(root, "figures", "README.md"), "figures.md", drawn),
		writePage(filepath.Join(root, "tables", "README.md"), "tables.md", struct {
			content
			Details []string
			Tables  [][]section
		}{c, findings.Details, listed}), fsx.Write(filepath.Join(root, "README.md"), readme))
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

// withResults returns README.md with the numbers of verdicts, the sentences and the highlights.
func withResults(root string, rows []Row, findings Findings) ([]byte, error) {
	type highlight struct {
		Highlight
		Row Row
	}
	shown := struct {
		Claims     []Row
		Sentences  []string
		Highlights []highlight
	}{Claims: rows, Sentences: findings.Sentences}
	for _, h := range findings.Highlights {
		row, err := rowOf(rows, h.Claim, h.Protocol)
		if err != nil {
			return nil, err
		}
		shown.Highlights = append(shown.Highlights, highlight{h, row})
	}
	old, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return nil, err
	}
	before, rest, opened := strings.Cut(string(old), begin)
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		return nil, fmt.Errorf("claims: README.md lacks the line %q or %q; restore it with git", begin, end)
	}
	page := bytes.NewBufferString(before + begin)
	if err := pages.ExecuteTemplate(page, "results.md.tmpl", shown); err != nil {
		return nil, err
	}
	page.WriteString(end + after)
	return page.Bytes(), nil
}
