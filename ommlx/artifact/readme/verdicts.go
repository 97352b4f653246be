package readme

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/claims"
)

// committed reads the ledger.
func committed(root string) ([]ledger.Row, error) {
	rows, err := ledger.Committed(root)
	if err == nil && len(rows) == 0 {
		err = errors.New("the ledger is missing; make it with `make check`")
	}
	return rows, err
}

// countVerdicts is a table of verdicts, in the order of [claims.Verdicts], by kind of claim. It leaves out verdicts
// that no claim has.
func countVerdicts(rows []ledger.Row) (string, error) {
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
