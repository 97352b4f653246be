package rl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
)

// Findings returns the sentences of README.md on section 3.1, one for each protocol.
func Findings() []claims.Finding {
	return []claims.Finding{byAuthorsCode, asPrinted}
}

// byAuthorsCode compares the means over environments with the authors' runs and with Table 2.
func byAuthorsCode(root string) (string, error) {
	fig1, tab2, err := both(root)
	if err != nil {
		return "", err
	}
	var parts []string
	most := 0.0
	for i, label := range paperMethods {
		rows := fig1.compare(PublicProtocol)
		var theirs []float64
		for _, of := range rows {
			theirs = append(theirs, report.OrNaN(of[i].Theirs))
		}
		ours, their := rows.average(i), stat.Mean(theirs, nil)
		most = math.Max(most, math.Abs(ours-their))
		parts = append(parts, fmt.Sprintf("%s %.3f (theirs %.3f)", label, ours, their))
	}
	for _, part := range paperParts {
		a := tab2.Apart(part, PublicProtocol)
		most = math.Max(most, math.Abs(a.Difference))
		parts = append(parts, fmt.Sprintf("(%s) %.3f (printed %.3f)", part, a.Ours, a.Printed))
	}
	verb := "reproduce to within"
	if most > leeway {
		verb = "differ by up to"
	}
	return fmt.Sprintf("**By the authors' code figure 1 and Table 2 %s %.2f.** Mean cosine similarity over the "+
		"environments: figure 1 %s; Table 2 %s.", verb, math.Ceil(100*most)/100, strings.Join(parts[:3], ", "),
		strings.Join(parts[3:], ", ")), nil
}

func asPrinted(root string) (string, error) {
	fig1, tab2, err := both(root)
	if err != nil {
		return "", err
	}
	rows := fig1.compare(PrintedProtocol)
	var hard []string
	wins := 0
	for _, name := range hardInstances {
		i := slices.IndexFunc(rows, func(of []Fig1Value) bool { return of[0].Result.Config.Environment == name })
		if i < 0 {
			return "", fmt.Errorf("figure 1, %s: %s lacks a run of some method", PrintedProtocol, name)
		}
		omm, allo := report.OrNaN(rows[i][0].Mean), report.OrNaN(rows[i][2].Mean)
		if allo > omm {
			wins++
		}
		hard = append(hard, fmt.Sprintf("%s %.3f to %.3f", name, allo, omm))
	}
	a := tab2.Apart("a", PrintedProtocol)
	return fmt.Sprintf("**By the printed protocol ALLO beats OMM in %d of the %d hard environments** (ALLO to "+
		"OMM-seq: %s), and on average over all environments, %.3f to %.3f. ALLO without re-tuning has %.3f at k = 50, "+
		"where Table 2 (a) prints %.3f.", wins, len(hard), strings.Join(hard, ", "), rows.average(2), rows.average(0),
		a.Ours, a.Printed), nil
}

func both(root string) (fig1 Fig1Data, tab2 Tab2Data, err error) {
	if fig1, err = report.ReadAtScale[Fig1Data](root, Figure1()); err == nil {
		tab2, err = report.ReadAtScale[Tab2Data](root, Table2())
	}
	return fig1, tab2, err
}
