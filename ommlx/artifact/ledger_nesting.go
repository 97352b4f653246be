package artifact

import (
	"math"

	"operator-omm/ommlx/claims"
)

// keptNesting are the claims about objectives that rest on figure 1.
var keptNesting = []kept{
	{"seq-vs-joint", "figures/fig1_laplacian_rl.json", "make figures PROFILE=paper ONLY=fig1", reading(nestingsAgree)},
}

// nestingsAgree compares sequential with joint nesting over the environments.
func nestingsAgree(d Fig1Data, e *claims.Evidence) error {
	worst := math.Inf(1)
	for _, env := range d.Environments {
		worst = min(worst, env.bar("OMM-seq")-env.bar("OMM-joint"))
	}
	sequential, joint := d.average("OMM-seq"), d.average("OMM-joint")
	e.Printed("joint nesting's average over the environments less that of sequential nesting", joint-sequential, leeway)
	e.Note("sequential %.3f, joint %.3f; sequential ahead in %d of %d environments, at worst behind by %.3f", sequential, joint,
		d.ahead("OMM-seq", "OMM-joint"), len(d.Environments), max(0, -worst))
	return nil
}
