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
	c.Findings = findings
	if c.Figures, err = gallery(root, figures, c.Claims); err != nil {
		return err
	}
	if c.Tables, err = gallery(root, tables, c.Claims); err != nil {
		return err
	}
	readme, err := c.readme(root)
	if err != nil {
		return err
	}
	return cmp.Or(writePage(filepath.Join(root, "figures", "README.md"), "figures.md", c),
		writePage(filepath.Join(root, "tables", "README.md"), "tables.md", c),
		fsx.Write(filepath.Join(root, "README.md"), readme))
}

// The lines of README.md that enclose the generated part.
const (
	begin = "<!-- reproduced: written by `make check` -->\n"
	end   = "<!-- /reproduced -->"
)

// readme returns README.md with the numbers of verdicts, the sentences and the highlights.
func (c content) readme(root string) ([]byte, error) {
	for i, h := range c.Highlights {
		row, err := rowOf(c.Claims, h.Claim, h.Protocol)
		if err != nil {
			return nil, err
		}
		c.Highlights[i].Row = row
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
	if err := pages.ExecuteTemplate(page, "results.md.tmpl", c); err != nil {
		return nil, err
	}
	page.WriteString(end + after)
	return page.Bytes(), nil
}
