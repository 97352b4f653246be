package page

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/fsx"
)

// The lines of README.md between which the part stands.
const (
	begin = "<!-- reproduced: written by `make check` -->"
	end   = "<!-- /reproduced -->"
)

// WriteREADME writes the part of README.md anew that says what was reproduced. Every number of it is read from the
// committed ledger, figures and tables. The file stays untouched where nothing changed. headlines are the experiments
// that it shows, in their order. The error names what is missing or cannot be read.
func WriteREADME(root string, headlines []report.Headline) error {
	path := filepath.Join(root, "README.md")
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	part, err := readmePart(root, headlines)
	if err != nil {
		return err
	}
	text, err := replace(string(old), part)
	if err != nil {
		return err
	}
	return fsx.Update(path, []byte(text))
}

// readmePart returns what stands between the two lines: the verdicts by kind of claim, and the numbers of the
// experiments.
func readmePart(root string, headlines []report.Headline) (string, error) {
	r, err := readReproduced(root, headlines)
	if err != nil {
		return "", err
	}
	text := line(r.Verdicts[0]...) + "|---|--:|--:|--:|--:|--:|\n"
	for _, row := range r.Verdicts[1:] {
		text += line(row...)
	}
	text += "\n" + line("Experiment", "Paper", "Here", "Scale", "Verdict") + "|---|---|---|---|---|\n"
	for _, e := range r.Experiments {
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

// reproduced is what a committed ledger says.
type reproduced struct {
	Claims      []ledger.Row
	Verdicts    [][]string // as of countVerdicts
	Experiments []experiment
}

// readReproduced reads the ledger, which must be there, and the numbers of the experiments.
func readReproduced(root string, headlines []report.Headline) (r reproduced, err error) {
	if r.Claims, err = ledger.Committed(root); err != nil {
		return r, err
	}
	if len(r.Claims) == 0 {
		return r, errors.New("the ledger is missing; make it with `make check`")
	}
	if r.Verdicts, err = countVerdicts(r.Claims); err != nil {
		return r, err
	}
	r.Experiments, err = readExperiments(root, r.Claims, headlines)
	return r, err
}

// experiment is a line of the table of experiments.
type experiment struct {
	report.Headline
	Paper, Ours string // their numbers
	File        string // the JSON that has them, as figures/paper/fig1_laplacian_rl.json
	Verdict     claims.Verdict
}

// readExperiments reads the numbers of each headline from what is committed in a checkout, and its verdict from the
// rows of the ledger. The error names what is missing or cannot be read.
func readExperiments(root string, rows []ledger.Row, headlines []report.Headline) (all []experiment, err error) {
	verdicts := map[string]claims.Verdict{}
	for _, r := range rows {
		verdicts[r.ID] = r.Verdict
	}
	for _, h := range headlines {
		file, text, err := h.Entry.Read(root)
		if err != nil {
			return nil, err
		}
		if file == "" {
			return nil, fmt.Errorf("there is no %s here, which README.md shows; restore it with git", h.Entry.Name)
		}
		paper, ours, err := h.Numbers(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; make it again with `%s`", file, err, h.Entry.Command())
		}
		if verdicts[h.Claim] == "" {
			return nil, fmt.Errorf("the ledger has no claim %q, which README.md shows; make it again with `make check`",
				h.Claim)
		}
		all = append(all, experiment{h, paper, ours, file, verdicts[h.Claim]})
	}
	return all, nil
}

// Scale is how much was computed: the paper's protocol, or minutes.
func (e experiment) Scale() lab.Profile { return report.ProfileOf(e.File) }

// Shown is the file for reading beside the JSON: the picture of a figure, the text of a table.
func (e experiment) Shown() string {
	base := strings.TrimSuffix(e.File, ".json")
	if e.Entry.Kind == report.Figure {
		return base + ".png"
	}
	return base + ".md"
}

// countVerdicts counts the verdicts of a ledger by kind of claim: a header, a row for each verdict that a claim has, in
// the order of [claims.Verdicts], and their sums. The error says what is wrong with the ledger.
func countVerdicts(rows []ledger.Row) (table [][]string, err error) {
	kinds := []claims.Kind{claims.Identity, claims.Theorem, claims.Behaviour, claims.Number}
	by := map[claims.Verdict][]ledger.Row{}
	for _, r := range rows {
		if !slices.Contains(claims.Verdicts(), r.Verdict) || !slices.Contains(kinds, r.Kind) {
			return nil, fmt.Errorf("the ledger calls the claim %s %q of kind %q, which this version does not know; "+
				"make it again with `make check`", r.ID, r.Verdict, r.Kind)
		}
		by[r.Verdict] = append(by[r.Verdict], r)
	}
	counted := func(name string, of []ledger.Row) []string {
		count := map[claims.Kind]int{}
		for _, r := range of {
			count[r.Kind]++
		}
		cells := []string{name}
		for _, k := range kinds {
			cells = append(cells, strconv.Itoa(count[k]))
		}
		return append(cells, strconv.Itoa(len(of)))
	}
	table = append(table, []string{"Verdict", "identities", "theorems", "behaviour", "numbers", "all"})
	for _, v := range claims.Verdicts() {
		if by[v] != nil {
			table = append(table, counted(string(v), by[v]))
		}
	}
	return append(table, counted("all claims", rows)), nil
}
