package images

import (
	"cmp"

	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/dataset"
)

// Headline is the line of README.md on Table 1: some of its rows.
func Headline() report.Headline {
	return report.NewHeadline("Table 1: images, linear probe, top-1 in %", "tab1-omm", Table1(),
		func(d Tab1Data) (paper, ours string, err error) {
			var numbers []report.Printed
			for _, method := range []string{"omm", "omm2", "simclr"} {
				row, _ := d.find(method, Projected)
				row.Label = cmp.Or(row.Label, method)
				numbers = append(numbers, report.Printed{Label: row.Label, Paper: row.PaperTop1, Ours: row.Top1})
			}
			return report.Beside(numbers, dataset.CIFAR100Name, d.Data)
		})
}
