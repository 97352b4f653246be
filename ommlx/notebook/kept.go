package notebook

import (
	"fmt"
	"os"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"

	"operator-omm/ommlx/artifact/draw"
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

// Shown is [Kept] for a committed figure, which it draws, too.
func Shown(e report.Entry, data draw.Drawing) bool {
	if !Kept(e, data) {
		return false
	}
	Check(Show(data))
	return true
}

// Picture shows the committed picture of a figure: at the paper's scale, or else the quick one. Where there is none it
// shows nothing, as [Kept] says.
func Picture(e report.Entry) {
	file, _, err := e.Read("..")
	Check(err)
	if file == "" {
		return
	}
	gonbui.DisplayPng(Must(os.ReadFile("../" + strings.TrimSuffix(file, "json") + "png")))
	gonbui.Sync()
}
