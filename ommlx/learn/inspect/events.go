package inspect

import (
	"fmt"
	"math"

	"omm-go/ommlx/internal/say"
)

const (
	// MinSlow is the value above which the sign changes of a function are counted.
	MinSlow = 0.5
	// MinEvents is the number of transitions below which they tell little about their rate.
	MinEvents = 4
)

// FewEvents remarks on slow functions whose values rest on a few transitions. crossed holds the number of pairs in
// which each function changes sign, or nil if unknown.
func FewEvents(values, crossed []float64, lag int) string {
	for i, pairs := range crossed {
		events := pairs / float64(max(1, lag))
		if i == 0 || !(values[i] > MinSlow) || !(events < MinEvents) {
			continue
		}
		if pairs == 0 {
			return fmt.Sprintf("function %d changes sign in no pair, so the data are two sets that no pair joins, and "+
				"value %d, %.4g, is no rate; use data with such transitions, or learn each set separately", i+1, i+1,
				values[i])
		}
		return fmt.Sprintf("function %d changes sign in only %s, so its value rests on about %s; use longer "+
			"trajectories", i+1, say.Count(int(pairs), "pair"), say.Count(int(math.Ceil(events)), "transition"))
	}
	return ""
}
