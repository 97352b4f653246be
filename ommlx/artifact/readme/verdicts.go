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

// Verdicts counts the verdicts of the committed ledger of a checkout by kind of claim: a header, a row for each verdict
// that a claim has, in the order of [claims.Verdicts], and their sums. The error says what is wrong with the ledger.
func Verdicts(root string) (table [][]string, err error) {
	rows, err := committed(root)
	if err != nil {
		return nil, err
	}
	kinds := []claims.Kind{claims.Identity, claims.Theorem, claims.Behaviour, claims.Number}
	count := map[claims.Verdict]map[claims.Kind]int{}
	for _, v := range claims.Verdicts() {
		count[v] = map[claims.Kind]int{}
	}
	total := map[claims.Kind]int{}
	for _, r := range rows {
		if count[r.Verdict] == nil || !slices.Contains(kinds, r.Kind) {
			return nil, fmt.Errorf("the ledger calls the claim %s %q of kind %q, which this version does not know; "+
				"make it again with `make check`", r.ID, r.Verdict, r.Kind)
		}
		count[r.Verdict][r.Kind]++
		total[r.Kind]++
	}
	counted := func(name string, of map[claims.Kind]int) []string {
		cells, sum := []string{name}, 0
		for _, k := range kinds {
			cells = append(cells, strconv.Itoa(of[k]))
			sum += of[k]
		}
		return append(cells, strconv.Itoa(sum))
	}
	table = append(table, []string{"Verdict", "identities", "theorems", "behaviour", "numbers", "all"})
	for _, v := range claims.Verdicts() {
		if len(count[v]) > 0 {
			table = append(table, counted(string(v), count[v]))
		}
	}
	return append(table, counted("all claims", total)), nil
}
