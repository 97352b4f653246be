package graphs

import (
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/dataset/ogb"
)

// Headline is the line of README.md on Table 3: some of its rows.
func Headline() report.Headline {
	return report.NewHeadline("Table 3: graph, linear probe in %", "tab3-omm", Table3(),
		func(d Tab3Data) (paper, ours string, err error) {
			var numbers []report.Printed
			for _, method := range []string{"omm", eigenmaps} {
				number := report.Printed{Label: method}
				for _, r := range d.Rows {
					if r.Method == method && r.Functions == "representation" && r.Probe.Paper != nil {
						number = report.Printed{Label: r.Label, Paper: r.Probe.Paper, Ours: r.Probe.Ours}
					}
				}
				numbers = append(numbers, number)
			}
			return report.Beside(numbers, ogb.ProductsName, d.Graph)
		})
}
