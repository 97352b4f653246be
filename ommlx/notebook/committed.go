package notebook

import (
	"encoding/json"
	"fmt"

	"operator-omm/ommlx/artifact/report"
)

// Committed fills v from the JSON of a figure or table of the checkout whose folder notebooks/ holds the notebook: that
// at the paper's scale, or the quick one where there is none of that. It returns the name of the file, "" where there
// is neither. An error says which file cannot be read.
func Committed(e report.Entry, v any) (file string, err error) {
	file, text, err := e.Read("..")
	if err != nil || file == "" {
		return "", err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return "", fmt.Errorf("%s cannot be read (%w); make it again", file, err)
	}
	return file, nil
}
