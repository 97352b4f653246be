package graphs

import (
	"fmt"
	"strings"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/claims"
)

// Evidence lists the claims that rest on Table 3.
func Evidence() []ledger.Source {
	return []ledger.Source{
		ledger.From("tab3", Table3(), besidePrinted),
		ledger.From("omm-beats-lora-sparse", Table3(), besideLoRA),
		ledger.From("omm-captures-eigenfunctions", Table3(), captured),
	}
}

// besidePrinted counts what the rule says of the accuracies beside the printed ones.
func besidePrinted(d Tab3Data, e *claims.Evidence) error {
	cells := 0
	var each []string
	for _, r := range d.Rows {
		for _, c := range []Cell{r.Probe, r.Smoothed} {
			if c.Paper == nil {
				continue
			}
			cells++
			ledger.Compare(e, c.Verdict)
		}
		if r.Probe.Ours != nil {
			each = append(each, fmt.Sprintf("%s (%s) %.1f", r.Label, r.Functions, *r.Probe.Ours))
		}
	}
	if cells == 0 {
		return fmt.Errorf("it has no row of the paper's; make it again")
	}
	e.Note("linear probes on %s, in per cent: %s", d.Graph, strings.Join(each, ", "))
	return nil
}

// besideLoRA says where LoRA and OMM diverge, and what they reach.
func besideLoRA(d Tab3Data, e *claims.Evidence) error {
	found := 0
	for _, r := range d.Rows {
		if r.Method != "lora" && r.Method != "omm" || r.Functions == "representation" || r.Runs == 0 {
			continue
		}
		found++
		if r.Probe.Ours == nil {
			e.Note("%s: %s", r.Label, r.Note)
		} else {
			e.Note("%s: %.1f %% on the embedding", r.Label, *r.Probe.Ours)
		}
	}
	if found == 0 {
		return fmt.Errorf("it has neither OMM nor LoRA; make it again")
	}
	ledger.Small(e, d.Graph == Paper("omm", 1).Graph)
	return nil
}

// captured records by how much others capture more of the leading eigenvalues than OMM does.
func captured(d Tab3Data, e *claims.Evidence) error {
	sums := map[string]float64{}
	for _, r := range d.Rows {
		if r.Captured != nil && r.Functions == "embedding" {
			sums[r.Label] = *r.Captured
			e.Note("%s: %.2f", r.Label, *r.Captured)
		}
	}
	own, found := sums["OMM"]
	if !found {
		return fmt.Errorf("it does not say what OMM captures; make it again")
	}
	for _, other := range []string{"Neural Eigenmaps", "LoRA"} {
		if sum, found := sums[other]; found {
			e.Printed("sum of leading eigenvalues captured by "+other+" less that of OMM", sum-own, 0)
		}
	}
	ledger.Small(e, d.Graph == Paper("omm", 1).Graph)
	return nil
}
