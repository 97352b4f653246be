package notebook

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"operator-omm/ommlx/artifact/ledger"
)

// Point is a correction of the paper that changes results.
type Point struct {
	What   string   // what is so, in Markdown
	Name   string   // what has it right, for go doc
	File   string   // where that is, below ommlx/
	Claims []string // the corrections in the ledger, by their IDs
}

// Points shows corrections with links: to the paper's sections, to the ledger, and to the code. An ID that the ledger
// does not correct ends the cell.
func Points(points ...Point) {
	Table([]string{"what is so", "where the paper says otherwise", "claims, with what was measured", "code"},
		Must(linked(Must(ledger.Committed("..")), points)))
}

func linked(rows []ledger.Row, points []Point) (table [][]string, err error) {
	for _, p := range points {
		var places, claims []string
		for _, id := range p.Claims {
			i := slices.IndexFunc(rows, func(r ledger.Row) bool { return r.ID == id && r.Correction+r.Instead != "" })
			if i < 0 {
				return nil, fmt.Errorf("the ledger has no correction %q; run `make check`", id)
			}
			if place := sections(rows[i].Where); !slices.Contains(places, place) {
				places = append(places, place)
			}
			claims = append(claims, fmt.Sprintf("[%d](../tables/claims.md): %s", rows[i].Number, rows[i].Verdict))
		}
		table = append(table, []string{p.What, strings.Join(places, "; "), strings.Join(claims, "; "),
			fmt.Sprintf("[`%s`](%s)", p.Name, path.Join("../ommlx", p.File))})
	}
	return table, nil
}

// section is a section of the paper, or one of its appendices.
var section = regexp.MustCompile(`§([\d.]*\d)|App\. ([A-Z])(?:\.(\d))?`)

// sections links the sections that a place names: §2.3.1 is #S2.SS3.SSS1 of the paper, and App. B.2 #A2.SS2.
func sections(where string) string {
	return section.ReplaceAllStringFunc(where, func(name string) string {
		found := section.FindStringSubmatch(name)
		anchor, numbers := "S", strings.Split(found[1], ".")
		if appendix := found[2]; appendix != "" {
			anchor, numbers = "A", []string{fmt.Sprint(appendix[0] - 'A' + 1), found[3]}
		}
		anchor += numbers[0]
		for i, number := range numbers[1:] {
			if number != "" {
				anchor += "." + strings.Repeat("S", i+2) + number
			}
		}
		return fmt.Sprintf("[%s](https://arxiv.org/html/2510.21952v1#%s)", name, anchor)
	})
}
