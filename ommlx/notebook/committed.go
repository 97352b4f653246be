package notebook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// Committed fills v from the JSON of a figure or table of the checkout whose folder notebooks/ holds the notebook: that
// at the paper's scale, or the quick one where there is none of that. It returns the name of the file, "" where there
// is neither. An error says which file cannot be read.
func Committed(e report.Entry, v any) (file string, err error) {
	for _, p := range []lab.Profile{lab.Paper, lab.Quick} {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(e.File(p))))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if err := json.Unmarshal(text, v); err != nil {
			return "", fmt.Errorf("%s cannot be read (%w); make it again", e.File(p), err)
		}
		return e.File(p), nil
	}
	return "", nil
}
