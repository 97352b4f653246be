package notebook

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

// Kept fills v from the committed JSON of a figure or table, at the paper's scale if it exists, otherwise the quick
// one. It prints the file name and returns true, or prints the command that makes the file and returns false.
// An unreadable file ends the cell.
func Kept(e report.Exhibit, v any) bool {
	scale, text, err := e.Read("..")
	Check(err)
	if scale == "" {
		fmt.Printf("No %s yet: run `make %s ONLY=%s` for a quick one, or `%s` for the paper's scale.\n",
			e.Name, e.Kind, e.ShortName, e.CommandOf(run.Paper))
		return false
	}
	if err := json.Unmarshal(text, v); err != nil {
		Check(fmt.Errorf("%s: %w; make it again", e.File(scale), err))
	}
	fmt.Println("Read from", e.File(scale))
	return true
}

// Picture shows the committed picture of a figure, at the paper's scale if it exists, otherwise the quick one. If
// neither exists it shows nothing.
func Picture(e report.Exhibit) {
	scale, _, err := e.Read("..")
	Check(err)
	if scale != "" {
		showPNG(Must(os.ReadFile("../" + strings.TrimSuffix(e.File(scale), "json") + "png")))
	}
}
