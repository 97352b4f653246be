package readme

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"operator-omm/ommlx/claims"
)

// row is what the part needs of a row of tables/claims.json.
type row struct {
	ID      string         `json:"id"`
	Kind    claims.Kind    `json:"kind"`
	Verdict claims.Verdict `json:"verdict"`
}

// ledger reads tables/claims.json.
func ledger(root string) ([]row, error) {
	path := filepath.Join(root, "tables", "claims.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the ledger is missing (%w); make it with `make check`", err)
	}
	var data struct {
		Rows []row `json:"rows"`
	}
	if err := json.Unmarshal(text, &data); err != nil {
		return nil, fmt.Errorf("%s cannot be read (%w); restore it with git", path, err)
	}
	return data.Rows, nil
}

// countVerdicts is a table of verdicts, in the order of [claims.Verdicts], by kind of claim. It leaves out verdicts
// that no claim has.
func countVerdicts(rows []row) (string, error) {
	kinds := []claims.Kind{claims.Identity, claims.Theorem, claims.Behaviour, claims.Number}
	count := map[claims.Verdict]map[claims.Kind]int{}
	for _, v := range claims.Verdicts() {
		count[v] = map[claims.Kind]int{}
	}
	total := map[claims.Kind]int{}
	for _, r := range rows {
		if count[r.Verdict] == nil || !slices.Contains(kinds, r.Kind) {
			return "", fmt.Errorf("the ledger calls the claim %s %q of kind %q, which this version does not know; "+
				"make it again with `make check`", r.ID, r.Verdict, r.Kind)
		}
		count[r.Verdict][r.Kind]++
		total[r.Kind]++
	}
	counted := func(name string, of map[claims.Kind]int) string {
		cells, sum := []string{name}, 0
		for _, k := range kinds {
			cells = append(cells, strconv.Itoa(of[k]))
			sum += of[k]
		}
		return line(append(cells, strconv.Itoa(sum))...)
	}
	table := line("Verdict", "identities", "theorems", "behaviour", "numbers", "all") + "|---|--:|--:|--:|--:|--:|\n"
	for _, v := range claims.Verdicts() {
		if len(count[v]) > 0 {
			table += counted(string(v), count[v])
		}
	}
	return table + counted("all claims", total), nil
}
