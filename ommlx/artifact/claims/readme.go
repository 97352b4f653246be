package claims

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
)

// The lines of README.md that enclose the generated part.
const (
	begin = "<!-- reproduced: written by `make check` -->"
	end   = "<!-- /reproduced -->"
)

// WriteREADME rewrites the results in README.md: findings, verdicts and experiments. Every number comes from the
// committed ledger, figures and tables. Missing or unreadable files are errors.
func WriteREADME(root string, findings []Finding, headlines []Headline) error {
	path := filepath.Join(root, "README.md")
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	c, err := readContent(root, headlines)
	if err != nil {
		return err
	}
	part := "- " + tally(c.Claims) + "\n"
	for _, f := range findings {
		sentence, err := f(root)
		if err != nil {
			return err
		}
		part += "- " + sentence + "\n"
	}
	part += "\n![The paper's values and ours, one row per experiment and protocol](figures/overview.png)\n"
	part += "\n" + line("Verdict", "Number", "Meaning") + "|---|--:|---|\n"
	for _, row := range c.Verdicts {
		part += line(row...)
	}
	part += "\n" + line("Experiment", "Paper", "Here", "Verdict") + "|---|---|---|---|\n"
	for _, e := range c.Experiments {
		ending := map[report.Kind]string{report.Figure: "png", report.Table: "md"}[e.Entry.Kind]
		shown := fmt.Sprintf("[%s](%s)", e.Name, strings.TrimSuffix(e.File, "json")+ending)
		part += line(shown, e.Paper, e.Ours, fmt.Sprintf("[%s](tables/claims.md#%s)", e.Row.Verdict, e.Row.Anchor()))
	}
	before, rest, opened := strings.Cut(string(old), begin+"\n")
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		return fmt.Errorf("claims: README.md lacks the line %q or %q; restore it with git", begin, end)
	}
	return fsx.Update(path, []byte(before+begin+"\n"+part+end+after))
}

func line(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// tally returns the sentence with the number of claims by verdict.
func tally(rows []Row) string {
	n, numbers := count(rows), map[int]bool{}
	for _, r := range rows {
		numbers[r.Number] = true
	}
	return fmt.Sprintf("**Of %d verdicts on %d claims, %d are that the claim holds and %d that it holds with a "+
		"caveat.** %d are wrong as printed, %d not reproduced, %d undecided, %d not tested. %d claims on section 3.1 "+
		"have two verdicts, one for each protocol.", len(rows), len(numbers), n[Holds], n[HoldsCaveat],
		n[WrongAsPrinted], n[NotReproduced], n[Undecided], n[NotTested], len(rows)-len(numbers))
}

// countVerdicts returns a row for each of the six verdicts: name, number of claims, meaning.
func countVerdicts(rows []Row) (table [][]string) {
	n := count(rows)
	for _, d := range Definitions() {
		table = append(table, []string{d[0], strconv.Itoa(n[Verdict(d[0])]), d[1]})
	}
	return table
}

// WriteGallery writes figures/README.md: all figures of a checkout, at the paper's scale and quick, each with its
// caption, verdicts and command. Unreadable files are errors.
func WriteGallery(root string, figures []report.Entry) error {
	rows, err := Committed(root)
	if err != nil {
		return err
	}
	var out strings.Builder
	out.WriteString("# The figures\n\nWritten by `omm figures` and `omm check`; edit nothing here. " +
		"A quick figure shows that the path works; only one at the paper's scale says anything of the paper.\n")
	for _, e := range figures {
		about := report.Markdown(strings.ToUpper(e.About[:1]) + e.About[1:])
		fmt.Fprintf(&out, "\n## %s\n\n%s.\n", section{Entry: e}.Title(), about)
		for _, p := range e.Profiles() {
			if err := plate(&out, root, e, p, rows); err != nil {
				return fmt.Errorf("claims: %s: %w", e.Name, err)
			}
		}
	}
	return fsx.Update(filepath.Join(root, "figures", "README.md"), []byte(out.String()))
}

// plate writes the picture of one profile with its caption, or nothing if there is no picture.
func plate(out *strings.Builder, root string, e report.Entry, p run.Profile, rows []Row) error {
	file := e.File(p)
	raw, err := os.ReadFile(filepath.Join(root, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	head, err := report.Decode[report.FigureHead](raw)
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(strings.TrimPrefix(file, "figures/"), ".json")
	scale := map[run.Profile]string{run.Paper: "At the paper's scale", run.Quick: "Quick"}[p]
	if !e.Trains() {
		scale = "Every profile"
	}
	fmt.Fprintf(out, "\n### %s\n\n![%s](%s.png)\n\n", scale, report.Markdown(e.About), base)
	fmt.Fprintf(out, "**What to look at.** %s\n\n%s\n\n", e.Look,
		report.Markdown(strings.TrimSpace(head.Paper+" "+head.Note)))
	var verdicts []string
	for _, r := range On(rows, file) {
		verdicts = append(verdicts, fmt.Sprintf("[Claim %d](../tables/claims.md#%s): %s", r.Number, r.Anchor(),
			r.Words()))
	}
	if verdicts != nil {
		fmt.Fprintf(out, "**Verdict.** %s.\n\n", strings.Join(verdicts, "; "))
	}
	fmt.Fprintf(out, "**Command.** `%s`; for a paper: [SVG](%s.svg), [PDF](%s.pdf); every number: [JSON](%s.json)\n",
		e.CommandOf(p), base, base, base)
	return nil
}
