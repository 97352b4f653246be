package graphs

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// tableOff returns Table 3 with the printed accuracies plus off, and 50 % plus off where none is printed.
func tableOff(p run.Profile, off float64) (d Tab3Data) {
	accuracies := func(n printed) *Accuracies {
		if n.probe.Paper == nil {
			n = printed{paper(50, 0), paper(50, 0)}
		}
		spread := func(c Cell) []float64 {
			mean, std := *c.Paper+off, *c.PaperStd
			return []float64{(mean - std) / 100, mean / 100, (mean + std) / 100}
		}
		return &Accuracies{Test: spread(n.probe), Smoothed: spread(n.smoothed)}
	}
	for _, r := range rows(p) {
		e := r.experiment(p)
		e.Seeds = []int64{1}
		run := Run{Seed: 1, Embedding: accuracies(r.embedding), Propagated: 0.4}
		if e.learns() {
			run.Representation = accuracies(r.representation)
		}
		if e.learns() && (e.Network.Summed || e.Network.Unnormalised) {
			run = Run{Seed: 1, Diverged: 6, Note: "diverged at step 6"}
		}
		d.Graph = e.Graph
		d.Results = append(d.Results, &Result{Config: e, Runs: []Run{run}})
		d.Rows = append(d.Rows, r.lines(d.Results[len(d.Results)-1])...)
	}
	return d
}

func evidenceOf(t *testing.T, claim string, p run.Profile, d Tab3Data) claims.Evidence {
	t.Helper()
	return papertest.Measured(t, Evidence(), claim, Table3(), p, d)
}

func TestTable3IsComparedWithThePrintedNumbers(t *testing.T) {
	papertest.Compares(t, Evidence(), Table3(), []string{"tab3-omm", "tab3-eigenmaps"}, tableOff, 9)
	require.Contains(t, evidenceOf(t, "tab3-omm", run.Paper, tableOff(run.Paper, 0)).Notes[0], "OMM (embedding) 74.2")
}

func TestTable3WithoutResultsHasRowsNotRun(t *testing.T) {
	var d Tab3Data
	for _, r := range rows(run.Paper) {
		d.Rows = append(d.Rows, r.lines(nil)...)
	}
	text := d.Text()
	require.Len(t, text.Rows, 12*2+3)
	for _, cells := range text.Rows {
		require.Equal(t, "not run", cells[3])
	}
}

// The quick profile's graph is not at the paper's scale, but the notes list the results of LoRA and OMM.
func TestLoRAIsComparedWithOMM(t *testing.T) {
	d := tableOff(run.Quick, 0)
	sum := map[string]float64{"OMM": 6, "LoRA": 5, "Neural Eigenmaps": 7}
	for i, r := range d.Rows {
		if s, there := sum[r.Label]; there {
			d.Rows[i].Captured = &s
		}
	}
	e := evidenceOf(t, "omm-beats-lora-sparse", run.Quick, d)
	require.Equal(t, claims.Small, e.Outcome)
	require.Contains(t, e.Notes, "LoRA: 50.0 % on the embedding")
	paper := evidenceOf(t, "omm-beats-lora-sparse", run.Paper, tableOff(run.Paper, 0))
	require.Contains(t, paper.Notes, "OMM, loss summed over functions: 1 of 1 run diverged, at step 6")
	e = evidenceOf(t, "omm-captures-eigenfunctions", run.Quick, d)
	require.InDelta(t, 1, e.Measured[0].Value, 1e-12, "Neural Eigenmaps")
	require.InDelta(t, -1, e.Measured[1].Value, 1e-12, "LoRA")
}

// The paper's text on Table 3 holds for the printed numbers: the embedding is ahead by 0.51 points, and by 1.71 after
// Correct & Smooth; the embedding of Neural Eigenmaps is 23.29 points lower; the width falls from 23.41 to 3.21. LoRA
// stays finite in these rows, unlike in the paper; Neural Eigenmaps without norms does not.
func TestStatementsOnTable3AreMeasured(t *testing.T) {
	for claim, want := range map[string][]float64{
		"tab3-embedding-better":     {-0.51, -1.71},
		"eigenmaps-embedding-drops": {-23.29},
		"tab3-smoothed-close":       {-8.35, 3.21 / 23.41},
		"tab3-lora-diverges":        {3},
		"tab3-normalisation":        {0, 0},
	} {
		e := evidenceOf(t, claim, run.Paper, tableOff(run.Paper, 0))
		require.Equal(t, claims.Done, e.Outcome)
		require.Len(t, e.Measured, len(want), claim)
		for i, m := range e.Measured {
			require.InDelta(t, want[i], m.Value, 1e-9, "%s: %s", claim, m.What)
		}
		require.Equal(t, claims.Small, evidenceOf(t, claim, run.Quick, tableOff(run.Quick, 0)).Outcome)
	}
}

// S and S + I differ here, which is a remark: the verdict rests on the spectrum of S.
func TestShiftsAreARemarkOnHyperparameters(t *testing.T) {
	e := evidenceOf(t, "omm-hyperparameter-free-graph", run.Quick, tableOff(run.Quick, 0))
	require.Equal(t, claims.Done, e.Outcome)
	require.Empty(t, e.Measured)
	require.Equal(t, []string{"linear probes on debian-packages, in per cent: OMM (representation) 73.7, OMM " +
		"(embedding) 74.2, OMM of S + I (representation) 50.0, OMM of S + I (embedding) 50.0"}, e.Notes)
}

func TestHeadlineHasTheFirstReadingThatWasRun(t *testing.T) {
	for nodes, want := range map[bool]string{true: "OMM 73.7; Neural", false: "OMM, 20 epochs of nodes 73.7"} {
		d := tableOff(run.Paper, 0)
		for i, r := range d.Rows {
			if r.Nodes == nodes && r.Probe.Paper != nil {
				d.Rows[i].Probe.Ours = nil
			}
		}
		_, ours := testkit.Must2(Headline().Numbers(testkit.Must(json.Marshal(d))))
		require.Contains(t, ours, want)
		require.Contains(t, ours, "; without learning: features of the nodes 50.0, label propagation 40.0")
	}
}
