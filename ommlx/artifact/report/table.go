package report

import (
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
)

// Text is a table as text: a header, rows of as many cells, and a note beneath.
type Text struct {
	Title  string
	Header []string
	Rows   [][]string
	Note   string
}

func (t Text) markdown() string {
	line := func(cells []string) string {
		return "| " + strings.Join(xslices.Map(cells, Markdown), " | ") + " |\n"
	}
	out := "# " + t.Title + "\n\n" + line(t.Header) + "|" + strings.Repeat(" --- |", len(t.Header)) + "\n"
	for _, cells := range t.Rows {
		out += line(cells)
	}
	return out + "\n" + t.Note + "\n"
}

func (t Text) csv() string {
	var out strings.Builder
	if err := csv.NewWriter(&out).WriteAll(append([][]string{t.Header}, t.Rows...)); err != nil {
		panic(err) // a strings.Builder never fails
	}
	return out.String()
}

var markdown = strings.NewReplacer("*", `\*`, "](", `]\(`, "<", "&lt;", "|", "&#124;")

// Markdown escapes text for Markdown, including table cells; code in backticks stays code.
func Markdown(text string) string {
	parts := strings.Split(text, "`")
	for i, part := range parts {
		if parts[i] = markdown.Replace(part); i%2 == 1 {
			parts[i] = strings.ReplaceAll(part, "|", `\|`)
		}
	}
	return strings.Join(parts, "`")
}

// latex formats the table for a document that loads booktabs.
func (t Text) latex() string {
	line := func(cells []string) string {
		return strings.Join(xslices.Map(cells, latex.Replace), " & ") + " \\\\\n"
	}
	out := fmt.Sprintf("%% %s\n\\begin{tabular}{%s}\n\\toprule\n", t.Title, strings.Repeat("l", len(t.Header))) +
		line(t.Header) + "\\midrule\n"
	for _, cells := range t.Rows {
		out += line(cells)
	}
	return out + fmt.Sprintf("\\bottomrule\n\\end{tabular}\n%% %s\n", t.Note)
}

// latex escapes text for LaTeX, and writes signs that pdfLaTeX lacks as formulas.
var latex = strings.NewReplacer(
	"&", `\&`, "%", `\%`, "_", `\_`, "#", `\#`, "$", `\$`, "{", `\{`, "}", `\}`, "^", `\^{}`, "~", `\~{}`,
	`\`, `\textbackslash{}`, "|", `\textbar{}`, "–", `--`, "—", `---`, "<", `$<$`, ">", `$>$`, "±", `$\pm$`,
	"·", `$\cdot$`, "×", `$\times$`, "√", `$\sqrt{}$`, "−", `$-$`, "≤", `$\le$`, "≥", `$\ge$`, "≈", `$\approx$`,
	"½", `$\tfrac12$`, "²", `${}^2$`, "α", `$\alpha$`, "β", `$\beta$`, "γ", `$\gamma$`, "κ", `$\kappa$`,
	"λ", `$\lambda$`, "μ", `$\mu$`, "σ", `$\sigma$`, "φ", `$\phi$`)
