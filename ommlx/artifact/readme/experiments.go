package readme

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/artifact/report"
)

// experiment is a line of the table of experiments.
type experiment struct {
	name  string // as the reader knows it
	only  string // the entry that has the numbers, as ONLY= takes it
	claim string // the ID of the claim whose verdict stands beside them
	// read returns the paper's numbers and ours from the JSON of the entry.
	read func(text []byte) (paper, ours string, err error)
}

// list is in the order of the paper.
var list = []experiment{
	{"Figure 1: grid worlds, k = 11, mean cosine", "fig1", "fig1-comparable", readFigure1},
	{"Table 2 (a): k = 50, ALLO tuned for k = 11", "tab2", "tab2-a", readTable2("a")},
	{"Table 2 (b): k = 50, ALLO re-tuned", "tab2", "tab2-b", readTable2("b")},
	{"Table 2 (c): k = 50, OMM-seq", "tab2", "tab2-c", readTable2("c")},
	{"Figures 2, 4: hydrogen, error of energies", "fig4", "sanger-on-par-with-lora", readEnergies},
	{"Figures 5, 6: oscillator, error of energies", "fig6", "oscillator-figs", readEnergies},
	{"Figures 7, 8: well, error of energies", "fig8", "well-figs", readEnergies},
	{"Table 1: images, linear probe, top-1 in %", "tab1", "tab1-omm", readTable1},
	{"Table 3: graph, linear probe in %", "tab3", "tab3-omm", readTable3},
}

// experiments is a table with a line for each of them: the paper's numbers, ours, the scale and the verdict.
func experiments(root string, entries []report.Entry, rows []ledger.Row) (string, error) {
	verdicts := map[string]string{}
	for _, r := range rows {
		verdicts[r.ID] = string(r.Verdict)
	}
	table := line("Experiment", "Paper", "Here", "Scale", "Verdict") + "|---|---|---|---|---|\n"
	for _, x := range list {
		chosen, err := report.Select(entries, x.only)
		if err != nil {
			return "", err
		}
		file, text, err := chosen[0].Read(root)
		if err != nil {
			return "", err
		}
		if file == "" {
			return "", fmt.Errorf("there is no %s here, which README.md shows; restore it with git", chosen[0].Name)
		}
		paper, ours, err := x.read(text)
		if err != nil {
			return "", fmt.Errorf("%s: %w; make it again with `%s`", file, err, chosen[0].Command())
		}
		if verdicts[x.claim] == "" {
			return "", fmt.Errorf("the ledger has no claim %q, which README.md shows; make it again with `make check`",
				x.claim)
		}
		scale := "quick"
		if strings.Contains(file, "/paper/") {
			scale = "paper"
		}
		table += line(x.name, paper, ours, fmt.Sprintf("[%s](%s)", scale, shown(file)), verdicts[x.claim])
	}
	return table, nil
}

// shown is the file for reading beside the JSON of an entry: the picture of a figure, the text of a table.
func shown(file string) string {
	base := strings.TrimSuffix(file, ".json")
	if strings.HasPrefix(file, string(report.Figure)) {
		return base + ".png"
	}
	return base + ".md"
}

// decode reads the JSON of an entry into data.
func decode(text []byte, data any) error {
	if err := json.Unmarshal(text, data); err != nil {
		return fmt.Errorf("it does not have the form that README.md is written from (%w)", err)
	}
	return nil
}

// span writes the least and the largest number of runs of what is averaged; there is at least one number.
func span(counts []int) string {
	least, most := slices.Min(counts), slices.Max(counts)
	switch {
	case most == 1:
		return "1 run each"
	case least == most:
		return fmt.Sprintf("%d runs each", most)
	}
	return fmt.Sprintf("%d to %d runs each", least, most)
}
