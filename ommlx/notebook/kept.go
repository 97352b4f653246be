package notebook

import (
	"fmt"

	"operator-omm/ommlx/artifact/report"
)

// Kept is [Committed] for a cell: it says below the cell which file was read, or which command makes one where there is
// none, and reports whether there is one. A file that cannot be read ends the cell.
func Kept(e report.Entry, v any) bool {
	file := Must(Committed(e, v))
	if file == "" {
		fmt.Printf("There is no %s yet. `make %s ONLY=%s` makes a quick one, `%s` that of the paper's scale.\n",
			e.Name, e.Kind, e.Short, e.Command())
		return false
	}
	fmt.Println("Read from", file)
	return true
}
