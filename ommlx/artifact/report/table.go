package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"strings"

	"operator-omm/ommlx/artifact/lab"
)

// Text is a table as text: a header, rows of as many cells, and a note beneath.
type Text struct {
	Title  string
	Header []string
	Rows   [][]string
	Note   string
	// Widths are those of the columns in LaTeX, as parts of the text width, for a table of many pages; nil for one that
	// is as wide as its cells.
	Widths []float64
}

// WriteTable writes a table's numbers as JSON and its text as Markdown, CSV and LaTeX.
func WriteTable(l *lab.Lab, name string, data any, t Text) error {
	return WriteTableIn(output(l, Table), l, name, data, t)
}

// WriteTableIn is WriteTable into a folder of its own.
func WriteTableIn(dir string, l *lab.Lab, name string, data any, t Text) error {
	base := filepath.Join(dir, name)
	if err := writeJSON(base+".json", data); err != nil {
		return err
	}
	commas, err := t.csv()
	if err != nil {
		return err
	}
	for ending, text := range map[string]string{".md": t.markdown(), ".csv": commas, ".tex": t.latex()} {
		if err := writeFile(base+ending, []byte(text)); err != nil {
			return err
		}
	}
	l.Say("wrote %s.{md,csv,tex,json}", base)
	return nil
}

func (t Text) markdown() string {
	var out strings.Builder
	line := func(cells []string) {
		escaped := make([]string, len(cells))
		for i, c := range cells {
			escaped[i] = Markdown(c)
		}
		fmt.Fprintf(&out, "| %s |\n", strings.Join(escaped, " | "))
	}
	fmt.Fprintf(&out, "# %s\n\n", t.Title)
	line(t.Header)
	rule := make([]string, len(t.Header))
	for i := range rule {
		rule[i] = "---"
	}
	line(rule)
	for _, row := range t.Rows {
		line(row)
	}
	fmt.Fprintf(&out, "\n%s\n", t.Note)
	return out.String()
}

func (t Text) csv() (string, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	if err := w.WriteAll(append([][]string{t.Header}, t.Rows...)); err != nil {
		return "", fmt.Errorf("table %q: %w", t.Title, err)
	}
	return out.String(), nil
}

// Markdown writes text so that Markdown shows it as it is, also in the cell of a table; code in backticks stays code.
func Markdown(text string) string {
	escape := strings.NewReplacer("*", `\*`, "](", `]\(`, "<", "&lt;", "|", "&#124;")
	var out strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			part = "`" + strings.ReplaceAll(part, "|", `\|`) + "`"
		} else {
			part = escape.Replace(part)
		}
		out.WriteString(part)
	}
	return out.String()
}
