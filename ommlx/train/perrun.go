package train

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// PerRun holds one number for each run, [R]. In JSON, which has no such numbers, NaN and the infinities are the strings
// "NaN", "+Inf" and "-Inf": a run that diverges may well leave one of them in the history.
type PerRun []float64

// MarshalJSON writes an array of numbers and of the three strings.
func (p PerRun) MarshalJSON() ([]byte, error) {
	out := make([]any, len(p))
	for i, x := range p {
		out[i] = x
		if math.IsNaN(x) || math.IsInf(x, 0) {
			out[i] = strconv.FormatFloat(x, 'g', -1, 64)
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes, exactly.
func (p *PerRun) UnmarshalJSON(data []byte) error {
	var in []json.RawMessage
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*p = make(PerRun, len(in))
	for i, raw := range in {
		switch text := string(raw); text {
		case "null": // which package json would take for 0
			return fmt.Errorf("entry %d of numbers per run is null", i)
		case `"NaN"`, `"+Inf"`, `"-Inf"`:
			(*p)[i], _ = strconv.ParseFloat(text[1:len(text)-1], 64)
		default:
			if err := json.Unmarshal(raw, &(*p)[i]); err != nil {
				return fmt.Errorf("entry %d of numbers per run: %w", i, err)
			}
		}
	}
	return nil
}
