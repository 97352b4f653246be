package artifact

import (
	"context"
	"fmt"
)

// waveFigure is a system whose lowest states are learned by the inverse-operator trick, and the two figures that show them.
type waveFigure struct {
	picture, numbers string // names of the figures
	paper            string // where they are in the paper
	about            string // the system, in words
	experiment       func(Profile) Schrodinger
}

func (f waveFigure) note(lab *Lab, r *SchrodingerResult) string {
	c := r.Config
	scale := ""
	if c.Scale != 1 {
		scale = fmt.Sprintf(", operator times %g (the paper names no factor)", c.Scale)
	}
	return fmt.Sprintf("%s OMM-seq with the inverse-operator trick on %s%s: k = %d, %d steps, batch %d, networks of %d units, %d run(s).",
		lab.Profile.describeWaves(), f.about, scale, c.K, c.Train.Steps, c.Batch, c.Hidden[0], len(c.Seeds))
}

// drawPicture draws the first modes as learned, aligned and exact.
func (f waveFigure) drawPicture(ctx context.Context, lab *Lab) error {
	r, err := lab.TrainWaves(ctx, f.experiment(lab.Profile))
	if err != nil {
		return err
	}
	return lab.wavePictures(f.picture, f.paper, f.note(lab, r), []*SchrodingerResult{r})
}

// drawNumbers draws the errors of every mode.
func (f waveFigure) drawNumbers(ctx context.Context, lab *Lab) error {
	r, err := lab.TrainWaves(ctx, f.experiment(lab.Profile))
	if err != nil {
		return err
	}
	return lab.waveNumbers(f.numbers, f.paper, f.note(lab, r), []*SchrodingerResult{r})
}
