package notebook

import (
	_ "embed"

	"github.com/janpfeifer/gonb/gonbui"
)

// plane.html is one page of HTML and JavaScript that loads nothing.
//
//go:embed plane.html
var plane string

// Plane shows the loss of one vector in the plane with a slider for λ₂ and two for the start of a gradient path, for
// A = diag(2, λ₂). It needs no kernel: it works in a static viewer that runs JavaScript.
func Plane() {
	gonbui.DisplayHTML(plane)
	gonbui.Sync()
}
