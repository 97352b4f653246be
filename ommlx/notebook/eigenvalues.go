package notebook

import (
	"fmt"
	"math"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"

	"operator-omm/ommlx/learn"
)

// Eigenvalues shows what was learned beside the truth, with residuals and, of several seeds, the spread; below it a
// sentence for every symptom. True eigenvalues are in the order of learned.Values; fewer of them, or nil, leave cells
// empty.
func Eigenvalues(learned *learn.Learned, truth []float64) {
	gonbui.DisplayMarkdown(eigenvalues(learned, truth))
	gonbui.Sync()
}

// eigenvalues writes that in Markdown.
func eigenvalues(learned *learn.Learned, truth []float64) string {
	header, exact, values := []string{"$i$"}, []string{"true $\\lambda_i$"}, []string{"learned"}
	errs, residuals, spread := []string{"relative error"}, []string{"residual"}, []string{"spread over seeds"}
	for i, value := range learned.Values {
		header, values = append(header, fmt.Sprint(i+1)), append(values, fmt.Sprintf("%.5g", value))
		residuals = append(residuals, size(learned.Residuals[i]))
		if learned.Spread != nil {
			spread = append(spread, size(learned.Spread[i]))
		}
		if i < len(truth) {
			exact = append(exact, fmt.Sprintf("%.5g", truth[i]))
			errs = append(errs, size(math.Abs((value-truth[i])/truth[i])))
		} else {
			exact, errs = append(exact, ""), append(errs, "")
		}
	}
	rows := [][]string{exact, values, errs, residuals}
	if learned.Spread != nil {
		rows = append(rows, spread)
	}
	return table(header, rows) + "\n" + advice(learned.Advice())
}

// size writes a number that is small or not known.
func size(x float64) string {
	if math.IsNaN(x) {
		return "unknown"
	}
	return fmt.Sprintf("%.1e", x)
}

// advice writes a sentence to each item of a list.
func advice(sentences []string) string {
	if len(sentences) == 0 {
		return "No symptom."
	}
	return "- " + strings.Join(sentences, "\n- ")
}
