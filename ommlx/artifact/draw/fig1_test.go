package draw

import (
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// smallFig1 has three environments and four methods, each with one run of the given value.
func smallFig1(value float64) Fig1 {
	fig := Fig1{Note: "test"}
	for _, name := range []string{"a", "b", "c"} {
		e := Fig1Environment{Name: name, Spectrum: []float64{0, 0.01, 0.1, 1}}
		for _, method := range []string{"x", "y", "z", "all"} {
			e.Bars = append(e.Bars, Fig1Bar{Method: method, Beyond: method == "all", Runs: []float64{value}, Steps: 10})
		}
		fig.Environments = append(fig.Environments, e)
	}
	return fig
}

func drawFig1(t *testing.T, f Fig1) image.Image {
	t.Helper()
	fig, err := f.Figure()
	return drawn(t, fig, err)
}

func TestEveryBarStandsWhereItShouldAndIsAsHighAsItsMean(t *testing.T) {
	empty := drawFig1(t, smallFig1(0))
	var last image.Rectangle
	var gaps []int
	for i := range 3 {
		for j := range 4 {
			full := smallFig1(0)
			full.Environments[i].Bars[j].Runs[0] = 1
			box := difference(t, empty, drawFig1(t, full))
			require.False(t, box.Empty(), "environment %d, method %d is not drawn", i, j)
			if !last.Empty() {
				gaps = append(gaps, box.Min.X-last.Max.X)
				assert.InDelta(t, last.Min.Y, box.Min.Y, 3, "a bar of 1 ends at the same height everywhere")
			}
			last = box
		}
	}
	// Neighbouring outlines touch; what goes beyond the paper and the next group stand apart.
	for n, gap := range gaps {
		if apart := n%4 >= 2; apart {
			assert.Greater(t, gap, 5, "gap %d", n)
		} else {
			assert.InDelta(t, 0, gap, 4, "gap %d", n)
		}
	}
	half := smallFig1(0)
	half.Environments[2].Bars[3].Runs[0] = 0.5
	box := difference(t, empty, drawFig1(t, half))
	assert.InDelta(t, float64(last.Dy())/2, box.Dy(), 4, "half the value is half the height")
	assert.InDelta(t, last.Max.Y, box.Max.Y, 3)
}

func TestWhiskersAndRunsAppearFromTwoRunsOn(t *testing.T) {
	one, two := smallFig1(0.5), smallFig1(0.5)
	two.Environments[1].Bars[0].Runs = []float64{0.3, 0.7} // the same mean, σ = 0.28
	a, b := one.Environments[1].Bars[0], two.Environments[1].Bars[0]
	meanA, _, err := meanStd(a.Runs)
	require.NoError(t, err)
	meanB, std, err := meanStd(b.Runs)
	require.NoError(t, err)
	require.InDelta(t, meanA, meanB, 1e-12)

	// Both have the mark key and the runs line of a figure with several runs.
	one.Environments[0].Bars[0].Runs, two.Environments[0].Bars[0].Runs = []float64{0.5, 0.5}, []float64{0.5, 0.5}
	full := smallFig1(0)
	full.Environments[1].Bars[0].Runs[0] = 1
	unit := difference(t, drawFig1(t, smallFig1(0)), drawFig1(t, full)).Dy()
	box := difference(t, drawFig1(t, one), drawFig1(t, two))
	assert.InDelta(t, 2*std*float64(unit), box.Dy(), 6, "the whisker spans two standard deviations")
}

func TestNotRunIsNotZero(t *testing.T) {
	without := func(environment int) Fig1 {
		f := smallFig1(0)
		b := &f.Environments[environment].Bars[1]
		b.NotRun, b.Runs = true, nil
		return f
	}
	zero, notRun := smallFig1(0), without(1)
	// The two differ in nothing but where the mark stands.
	marks := difference(t, drawFig1(t, without(0)), drawFig1(t, without(1)))
	full := smallFig1(0)
	full.Environments[1].Bars[1].Runs[0] = 1
	bar := difference(t, drawFig1(t, zero), drawFig1(t, full))
	require.False(t, marks.Empty())
	assert.InDelta(t, (bar.Min.X+bar.Max.X)/2, marks.Max.X, 30, "the mark stands where the bar would")
	assert.Less(t, marks.Dy(), bar.Dy()/4)
	assert.Greater(t, marks.Dy(), 10, "more than the edge of a bar of height 0")
	labels := func(f Fig1) (all []string) {
		for _, k := range f.markKeys() {
			all = append(all, k.label)
		}
		return all
	}
	assert.NotContains(t, labels(zero), "not run")
	assert.Contains(t, labels(notRun), "not run")
}

func TestNotesTellWhatAReaderMustKnow(t *testing.T) {
	notes := strings.Join(fakeFig1().notes(), "\n")
	assert.Contains(t, notes, "not the paper's full protocol")
	assert.Contains(t, notes, "Our maze")
	assert.Contains(t, notes, "ALLO on GridRoom-32 3 of 10")
	assert.Contains(t, notes, "OMM-seq 4 × 10,000–80,000")
	plain := strings.Join(smallFig1(1).notes(), "\n")
	assert.NotContains(t, plain, "maze")
	assert.NotContains(t, plain, "iverged")
}

func TestHardAndDisconnectedSpectraAreDrawn(t *testing.T) {
	base, hard, split := smallFig1(1), smallFig1(1), smallFig1(1)
	hard.Environments[1].Hard = true
	for i, style := range hard.spectrumStyles() {
		assert.Equal(t, i == 1, style.mark.shape == cross, "x marks the hard instance, and it alone")
	}
	assert.False(t, difference(t, drawFig1(t, base), drawFig1(t, hard)).Empty())
	split.Environments[1].Spectrum[1] = -1e-17 // a second zero up to rounding: two parts
	assert.False(t, difference(t, drawFig1(t, base), drawFig1(t, split)).Empty())
}

// The mean after a Ritz step is drawn, also where it is that of the runs themselves, and is named in the key.
func TestRitzStepIsDrawn(t *testing.T) {
	base, turned := smallFig1(0.5), smallFig1(0.5)
	turned.Environments[1].Bars[0].Ritz = []float64{0.5}
	assert.False(t, difference(t, drawFig1(t, base), drawFig1(t, turned)).Empty())
	for fig, named := range map[*Fig1]bool{&base: false, &turned: true} {
		var labels []string
		for _, k := range fig.markKeys() {
			labels = append(labels, k.label)
		}
		assert.Equal(t, named, slices.Contains(labels, "after a Ritz step"))
	}
}

func TestFig1Refuses(t *testing.T) {
	for want, spoil := range map[string]func(*Fig1){
		"note":          func(f *Fig1) { f.Note = " " },
		"environments":  func(f *Fig1) { f.Environments = nil },
		"twice":         func(f *Fig1) { f.Environments[1].Name = "a" },
		"no bars":       func(f *Fig1) { f.Environments[0].Bars = nil },
		"differ":        func(f *Fig1) { f.Environments[1].Bars = f.Environments[1].Bars[:2] },
		"finite":        func(f *Fig1) { f.Environments[2].Bars[0].Runs[0] = math.NaN() },
		"outside":       func(f *Fig1) { f.Environments[2].Bars[0].Runs[0] = 1.2 },
		"of 1.5":        func(f *Fig1) { f.Environments[2].Bars[0].Ritz = []float64{1.5} },
		"of NaN":        func(f *Fig1) { f.Environments[2].Bars[0].Ritz = []float64{math.NaN()} },
		"NotRun":        func(f *Fig1) { f.Environments[2].Bars[0].Runs = nil },
		"negative":      func(f *Fig1) { f.Environments[2].Bars[0].Diverged = -1 },
		"same number":   func(f *Fig1) { f.Environments[2].Spectrum = []float64{0, 1} },
		"not 0":         func(f *Fig1) { f.Environments[2].Spectrum[0] = 0.1 },
		"ascending":     func(f *Fig1) { f.Environments[2].Spectrum[3] = 0.05 },
		"not a finite":  func(f *Fig1) { f.Environments[2].Spectrum[3] = math.Inf(1) },
		"can be nega":   func(f *Fig1) { f.Environments[2].Spectrum[1] = -0.5 },
		"no moves":      func(f *Fig1) { f.Environments[2].Spectrum = make([]float64, 4) },
		"appears twice": func(f *Fig1) { twice(f) },
		"at most":       func(f *Fig1) { f.Environments = f.Environments[:1]; tooMany(f) },
	} {
		fig := smallFig1(0.5)
		spoil(&fig)
		_, err := fig.Figure()
		assert.ErrorContains(t, err, want)
	}
}

func twice(f *Fig1) {
	for i := range f.Environments {
		f.Environments[i].Bars[1].Method = "x"
	}
}

func tooMany(f *Fig1) {
	for _, name := range []string{"m", "n"} {
		f.Environments[0].Bars = append(f.Environments[0].Bars, Fig1Bar{Method: name, Runs: []float64{1}})
	}
}
