package artifact

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"path/filepath"
	"strings"
)

// tableText is a table as text: a header, rows of as many cells, and a note beneath.
type tableText struct {
	Title  string
	Header []string
	Rows   [][]string
	Note   string
	// Widths are those of the columns in LaTeX, as parts of the text width, for a table of many pages; nil for one that
	// is as wide as its cells.
	Widths []float64
}

// Verdict is what a rule says of our number beside the paper's.
type Verdict string

// The verdicts.
const (
	Reproduced Verdict = "reproduced"
	Differs    Verdict = "differs"
	NotAtScale Verdict = "not run at paper scale"
)

// verdict compares two means: at the paper's scale they agree when they differ by at most two standard
// deviations, those of both sets of runs added in quadrature, with 0.01 as the least that counts as a difference.
func verdict(p Profile, ours, ourStd, paper, paperStd float64) Verdict {
	if p != Paper {
		return NotAtScale
	}
	if math.Abs(ours-paper) <= max(0.01, 2*math.Hypot(ourStd, paperStd)) {
		return Reproduced
	}
	return Differs
}

// table writes a table's numbers as JSON and its text as Markdown, CSV and LaTeX.
func (lab *Lab) table(name string, data any, t tableText) error {
	base := filepath.Join(lab.output("tables"), name)
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
	lab.say("wrote %s.{md,csv,tex,json}", base)
	return nil
}

func (t tableText) markdown() string {
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

func (t tableText) csv() (string, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	if err := w.WriteAll(append([][]string{t.Header}, t.Rows...)); err != nil {
		return "", fmt.Errorf("table %q: %w", t.Title, err)
	}
	return out.String(), nil
}

// Markdown writes text so that Markdown shows it as it is, in the cell of a table too; words between backticks stay code.
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

// plusMinus prints a mean with its spread over runs; one run has none.
func plusMinus(mean, std float64) string {
	if math.IsNaN(std) {
		return fmt.Sprintf("%.4f (1 run)", mean)
	}
	return fmt.Sprintf("%.4f ± %.4f", mean, std)
}
