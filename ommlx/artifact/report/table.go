package report

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
)

// Text is a table as text: a header, rows of as many cells, and a note beneath.
type Text struct {
	Title  string
	Header []string
	Rows   [][]string
	Note   string
	// Widths are the column widths in LaTeX, as fractions of the text width, for a table of several pages; nil fits the
	// columns to their cells.
	Widths []float64
}

// WriteTable writes a table's data as JSON and its text as Markdown, CSV and LaTeX.
func WriteTable(l *run.Lab, name string, data any, t Text) error {
	files, err := t.files(name, data)
	if err != nil {
		return err
	}
	return save(l, Table, name, files)
}

// WriteTableIn is WriteTable into another folder.
func WriteTableIn(dir string, l *run.Lab, name string, data any, t Text) error {
	files, err := t.files(name, data)
	if err != nil {
		return err
	}
	return write(l, filepath.Join(dir, name), files)
}

// files returns the files of a table by their endings.
func (t Text) files(name string, data any) (map[string][]byte, error) {
	numbers, err := asJSON(name, data)
	return map[string][]byte{".json": numbers, ".md": []byte(t.markdown()), ".csv": []byte(t.csv()),
		".tex": []byte(t.latex())}, err
}

func (t Text) markdown() string {
	line := func(cells []string) string { return "| " + row(cells, Markdown, " | ") + " |\n" }
	out := "# " + t.Title + "\n\n" + line(t.Header) + "|" + strings.Repeat(" --- |", len(t.Header)) + "\n"
	for _, cells := range t.Rows {
		out += line(cells)
	}
	return out + "\n" + t.Note + "\n"
}

// row joins cells, each formatted by written.
func row(cells []string, written func(string) string, between string) string {
	all := make([]string, len(cells))
	for i, c := range cells {
		all[i] = written(c)
	}
	return strings.Join(all, between)
}

func (t Text) csv() string {
	var out strings.Builder
	if err := csv.NewWriter(&out).WriteAll(append([][]string{t.Header}, t.Rows...)); err != nil {
		panic(err) // a strings.Builder never fails
	}
	return out.String()
}

// Markdown escapes text for Markdown, including table cells; code in backticks stays code.
func Markdown(text string) string {
	return spans(text, strings.NewReplacer("*", `\*`, "](", `]\(`, "<", "&lt;", "|", "&#124;").Replace,
		func(code string) string { return "`" + strings.ReplaceAll(code, "|", `\|`) + "`" })
}

// spans formats a text whose parts between backticks are code.
func spans(text string, plain, code func(string) string) string {
	parts := strings.Split(text, "`")
	for i := range parts {
		if i%2 == 0 {
			parts[i] = plain(parts[i])
		} else {
			parts[i] = code(parts[i])
		}
	}
	return strings.Join(parts, "")
}

// Stamp returns the first sentence of a note, which is printed in the picture to mark quick runs. figures/README.md has
// the whole note.
func Stamp(note string) string {
	first, _, more := strings.Cut(note, ". ")
	if more {
		first += "."
	}
	return first
}

// WriteFigure writes the data of a figure as JSON, its picture, and its text, if any, as Markdown.
func WriteFigure(l *run.Lab, name string, data any, d draw.Drawing, text ...Text) error {
	numbers, err := asJSON(name, data)
	if err != nil {
		return err
	}
	fig, err := d.Figure()
	if err != nil {
		return err
	}
	files, err := draw.Files(fig)
	if err != nil {
		return fmt.Errorf("drawing %s: %w", name, err)
	}
	files[".json"] = numbers
	for _, t := range text {
		files[".md"] = []byte(t.markdown())
	}
	return save(l, Figure, name, files)
}

// latex formats the table for a document that loads booktabs, array, textcomp and amssymb. Columns with widths also
// need longtable.
func (t Text) latex() string {
	environment, columns := "tabular", strings.Repeat("l", len(t.Header))
	if t.Widths != nil {
		environment, columns = "longtable", ""
		for _, w := range t.Widths {
			columns += fmt.Sprintf(`>{\raggedright\arraybackslash}p{%g\linewidth}`, w)
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%% %s\n\\begin{%s}{%s}\n\\toprule\n", t.Title, environment, columns)
	fmt.Fprintf(&out, "%s \\\\\n\\midrule\n", row(t.Header, latexText, " & "))
	if t.Widths != nil {
		out.WriteString("\\endhead\n")
	}
	for _, cells := range t.Rows {
		fmt.Fprintf(&out, "%s \\\\\n", row(cells, latexText, " & "))
	}
	fmt.Fprintf(&out, "\\bottomrule\n\\end{%s}\n%% %s\n", environment, t.Note)
	return out.String()
}

// latex escapes characters that are special in LaTeX, and writes signs that pdfLaTeX lacks as formulas.
var latex = strings.NewReplacer(
	"&", `\&`, "%", `\%`, "_", `\_`, "#", `\#`, "$", `\$`, "{", `\{`, "}", `\}`, "^", `\^{}`, "~", `\~{}`,
	`\`, `\textbackslash{}`, "–", `--`, "—", `---`, "§", `\S{}`, "|", `\textbar{}`, "’", `'`, "“", "``", "”", `''`,
	"'", `\textquotesingle{}`,

	"±", `$\pm$`, "·", `$\cdot$`, "×", `$\times$`, "√", `$\sqrt{}$`, "∞", `$\infty$`, "−", `$-$`, "→", `$\to$`,
	"←", `$\leftarrow$`, "∂", `$\partial$`, "∇", `$\nabla$`, "≤", `$\le$`, "≥", `$\ge$`, "≠", `$\ne$`,
	"≈", `$\approx$`, "∝", `$\propto$`, "∈", `$\in$`, "⊙", `$\odot$`, "⊗", `$\otimes$`, "∧", `$\wedge$`,
	"⪯", `$\preceq$`, "⪰", `$\succeq$`, "≺", `$\prec$`, "≻", `$\succ$`, "‖", `$\Vert$`, "⟨", `$\langle$`,
	"⟩", `$\rangle$`, "∑", `$\sum$`, "∫", `$\int$`, "α", `$\alpha$`, "β", `$\beta$`, "γ", `$\gamma$`,
	"δ", `$\delta$`, "ε", `$\varepsilon$`, "η", `$\eta$`, "θ", `$\theta$`, "κ", `$\kappa$`, "λ", `$\lambda$`,
	"μ", `$\mu$`, "ν", `$\nu$`, "ξ", `$\xi$`, "π", `$\pi$`, "ρ", `$\rho$`, "σ", `$\sigma$`, "τ", `$\tau$`,
	"φ", `$\phi$`, "ψ", `$\psi$`, "ω", `$\omega$`, "Δ", `$\Delta$`, "Λ", `$\Lambda$`, "Ξ", `$\Xi$`, "Π", `$\Pi$`,
	"Σ", `$\Sigma$`, "Φ", `$\Phi$`, "Ψ", `$\Psi$`, "Ω", `$\Omega$`, "ℓ", `$\ell$`, "ℝ", `$\mathbb{R}$`,
	"ᵀ", `${}^{\top}$`, "⁺", `${}^{+}$`, "⁻", `${}^{-}$`, "⁰", `${}^0$`, "¹", `${}^1$`, "²", `${}^2$`, "³", `${}^3$`,
	"⁴", `${}^4$`, "⁵", `${}^5$`, "⁶", `${}^6$`, "⁷", `${}^7$`, "⁸", `${}^8$`, "⁹", `${}^9$`, "ᵖ", `${}^p$`,
	"ⁿ", `${}^n$`, "₀", `${}_0$`, "₁", `${}_1$`, "₂", `${}_2$`, "₃", `${}_3$`, "₊", `${}_+$`, "₋", `${}_-$`,
	"ᵢ", `${}_i$`, "ⱼ", `${}_j$`, "½", `$\tfrac12$`, "¼", `$\tfrac14$`, "…", `$\ldots$`, "<", `$<$`, ">", `$>$`,
	"⊥", `$\perp$`, "⊂", `$\subset$`, "∘", `$\circ$`, "∪", `$\cup$`, "ℕ", `$\mathbb{N}$`, "ⁱ", `${}^i$`,
	"∀", `$\forall$`, "⊕", `$\oplus$`, "≪", `$\ll$`, "≫", `$\gg$`, "⊁", `$\not\succ$`, "∖", `$\setminus$`,
	"⊤", `$\top$`, "†", `$\dagger$`, "ₖ", `${}_k$`, "ᵏ", `${}^k$`, "∎", `$\square$`,
)

// combining matches a letter with a combining hat, dot or tilde.
var combining = map[string]*regexp.Regexp{`\hat`: regexp.MustCompile("([A-Za-z])\u0302"),
	`\dot`: regexp.MustCompile("([A-Za-z])\u0307"), `\tilde`: regexp.MustCompile("([A-Za-z])\u0303")}

// latexText formats a cell for LaTeX: signs as formulas, words between backticks as code.
func latexText(cell string) string {
	plain := func(text string) string {
		text = latex.Replace(text)
		for accent, marked := range combining {
			text = marked.ReplaceAllString(text, "$$"+accent+"{$1}$$")
		}
		return text
	}
	return spans(cell, plain, func(code string) string { return `\texttt{` + plain(code) + "}" })
}
