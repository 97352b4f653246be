package readme

import (
	"errors"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// readEnergies averages the relative errors of the energies over modes and runs, by method.
func readEnergies(text []byte) (paper, ours string, err error) {
	var data struct {
		Results []struct {
			Config struct {
				Method string `json:"method"`
			} `json:"config"`
			Runs []struct {
				Errors []float64 `json:"relative_errors"`
			} `json:"runs"`
		} `json:"results"`
	}
	if err := decode(text, &data); err != nil {
		return "", "", err
	}
	names := map[string]string{"sanger": "Sanger", "lora_seq": "LoRA-seq", "omm_seq": "OMM-seq"}
	var list []string
	var counts []int
	for _, r := range data.Results {
		var errs []float64
		for _, run := range r.Runs {
			errs = append(errs, run.Errors...)
		}
		if len(errs) == 0 || names[r.Config.Method] == "" {
			return "", "", fmt.Errorf("the method %q is unknown or has no errors", r.Config.Method)
		}
		list = append(list, fmt.Sprintf("%s %.4f", names[r.Config.Method], stat.Mean(errs, nil)))
		counts = append(counts, len(r.Runs))
	}
	if len(list) == 0 {
		return "", "", errors.New("it has no results")
	}
	return "curves alone", strings.Join(list, ", ") + "; " + span(counts), nil
}

// readTable1 picks rows of the linear probe.
func readTable1(text []byte) (paper, ours string, err error) {
	var data struct {
		Data string `json:"data"`
		Rows []struct {
			Label    string   `json:"label"`
			Encoding string   `json:"encoding"`
			Paper    *float64 `json:"paper_top1"`
			Ours     *float64 `json:"top1"`
		} `json:"rows"`
	}
	if err := decode(text, &data); err != nil {
		return "", "", err
	}
	var pairs []pair
	for _, r := range data.Rows {
		if r.Encoding == "projector" {
			pairs = append(pairs, pair{r.Label, r.Paper, r.Ours})
		}
	}
	return beside(pairs, "CIFAR-100", data.Data, "OMM, p = 1", "OMM, p = 2", "SimCLR")
}

// readTable3 picks rows of the linear probe.
func readTable3(text []byte) (paper, ours string, err error) {
	var data struct {
		Graph string `json:"graph"`
		Rows  []struct {
			Label     string `json:"label"`
			Functions string `json:"functions"`
			Probe     struct {
				Paper *float64 `json:"paper"`
				Ours  *float64 `json:"ours"`
			} `json:"probe"`
		} `json:"rows"`
	}
	if err := decode(text, &data); err != nil {
		return "", "", err
	}
	var pairs []pair
	for _, r := range data.Rows {
		if r.Functions == "representation" {
			pairs = append(pairs, pair{r.Label, r.Probe.Paper, r.Probe.Ours})
		}
	}
	return beside(pairs, "ogbn-products", data.Graph, "OMM", "Neural Eigenmaps")
}

// pair is the paper's number and ours, in per cent.
type pair struct {
	label       string
	paper, ours *float64
}

// beside writes the numbers of some labels, the paper's with its data and ours with ours.
func beside(pairs []pair, paperData, ourData string, labels ...string) (paper, ours string, err error) {
	var printed, measured []string
	for _, label := range labels {
		var found pair
		for _, p := range pairs {
			if p.label == label {
				found = p
			}
		}
		if found.paper == nil || found.ours == nil {
			return "", "", fmt.Errorf("it has no numbers of %q", label)
		}
		printed = append(printed, fmt.Sprintf("%s %.4g", label, *found.paper))
		measured = append(measured, fmt.Sprintf("%s %.1f", label, *found.ours))
	}
	return paperData + ": " + strings.Join(printed, "; "), ourData + ": " + strings.Join(measured, "; "), nil
}
