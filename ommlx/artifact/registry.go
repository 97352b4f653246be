package artifact

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"operator-omm/ommlx/artifact/draw"
)

// Entry is one figure or table of the paper.
type Entry struct {
	Name  string // as in the names of its files
	Short string // what ONLY= takes
	About string // one line
	run   func(context.Context, *Lab) error
}

// Figures lists the figures that can be regenerated, in the order of the paper.
func Figures() []Entry {
	return []Entry{
		{"fig1_laplacian_rl", "fig1", "average cosine similarity per environment, and the top-11 spectra", fig1},
		{"fig2_hydrogen", "fig2", "2D hydrogen: eigenfunctions of Sanger's variant and LoRA-seq, aligned, and exact", hydrogen().drawPicture},
		{"fig3_grids", "fig3", "the twelve grid environments", fig3},
		{"fig4_hydrogen_numerical", "fig4", "2D hydrogen: errors of energies and eigenfunctions per mode", hydrogen().drawNumbers},
		{"fig5_oscillator", "fig5", "harmonic oscillator: eigenfunctions as learned, aligned and exact", oscillator().drawPicture},
		{"fig6_oscillator_numerical", "fig6", "harmonic oscillator: errors of energies and eigenfunctions per mode", oscillator().drawNumbers},
		{"fig7_well", "fig7", "infinite well: eigenfunctions as learned, aligned and exact", well().drawPicture},
		{"fig8_well_numerical", "fig8", "infinite well: errors of energies and eigenfunctions per mode", well().drawNumbers},
	}
}

// Tables lists the tables that can be regenerated.
func Tables() []Entry {
	return []Entry{
		{"tab2_ablation_k50", "tab2", "k = 50: ALLO tuned for k = 11, ALLO re-tuned, OMM, beside the paper's numbers", tab2},
		{"schrodinger_variants", "variants", "Schrödinger equations: OMM-seq on hydrogen, finite differences, scale, samples, batch, mask, optimiser", variants},
		{"choices_k50", "choices", "k = 50: which pair law, shift and expectation reproduce the paper's Table 2", choices},
	}
}

// Make regenerates the entries, or the one that only names; an error lists the names there are.
func (lab *Lab) Make(ctx context.Context, entries []Entry, only string) error {
	var names []string
	made := false
	for _, e := range entries {
		names = append(names, e.Short)
		if only != "" && only != e.Short && only != e.Name {
			continue
		}
		made = true
		start := time.Now()
		lab.say("%s: %s (%s profile)", e.Name, e.About, lab.Profile)
		if err := e.run(ctx, lab); err != nil {
			return err
		}
		lab.say("%s: done in %s", e.Name, time.Since(start).Round(time.Second))
	}
	if !made {
		return fmt.Errorf("there is nothing called %q; choose one of %s", only, strings.Join(names, ", "))
	}
	return nil
}

// drawing is what package draw can draw.
type drawing interface{ Figure() (*draw.Figure, error) }

// figure writes the numbers of a figure and its pictures.
func (lab *Lab) figure(name string, data any, d drawing) error {
	base := filepath.Join(lab.output("figures"), name)
	if err := writeJSON(base+".json", data); err != nil {
		return err
	}
	fig, err := d.Figure()
	if err != nil {
		return err
	}
	if err := draw.Save(fig, base); err != nil {
		return err
	}
	lab.say("wrote %s.{png,svg,pdf,json}", base)
	return nil
}

// output is the folder of finished figures or tables. A smoke run keeps away from the committed ones.
func (lab *Lab) output(kind string) string {
	if lab.Profile == Smoke {
		return filepath.Join(lab.Root, ".omm", "smoke", kind)
	}
	return filepath.Join(lab.Root, kind)
}
