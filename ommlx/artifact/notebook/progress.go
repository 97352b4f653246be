package notebook

import (
	"fmt"
	"html"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/train"
)

func init() {
	if gonbui.IsNotebook {
		say.Notebook = func(line string, ended bool) { show(ofCell.html(line, ended)) }
	}
}

// Progress returns a function for [train.Options].Progress that shows one line below the cell. The lines of several
// finished trainings are folded under the last one. A [learn.Learn] without Progress has such a line too.
func Progress(label string) func(train.Status) { return (&train.Bar{Label: label}).Show }

// ofCell are the trainings of the cell, which is a process; display identifies their output.
var ofCell, display = trainings{}, "trainings_" + gonbui.UniqueId()

// trainings are the last lines of finished trainings.
type trainings []string

// html returns the cell's output: the finished trainings, and the current one.
func (t *trainings) html(line string, ended bool) string {
	if ended {
		*t = append(*t, line)
	}
	out := ""
	if n := len(*t); n > 2 {
		out = fmt.Sprintf("<details><summary>%d trainings have ended.</summary>%s</details>", n-1, pre((*t)[:n-1]))
		out += pre((*t)[n-1:])
	} else if n > 0 {
		out = pre(*t)
	}
	if !ended {
		out += pre([]string{line})
	}
	return out
}

func pre(lines []string) string {
	return `<pre style="word-break: normal">` + html.EscapeString(strings.Join(lines, "\n")) + "</pre>"
}

func show(html string) {
	gonbui.UpdateHTML(display, html)
	gonbui.Sync() // deliver the output before the program ends
}
