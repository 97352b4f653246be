package notebook

import (
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

func TestProtocolsAreThoseOfTheTrainings(t *testing.T) {
	rows := map[string][]string{}
	for _, row := range Protocols() {
		require.Len(t, row, 5)
		rows[row[0]] = row[2:]
	}
	require.Equal(t, []string{"(2, 0.01)", "(2, 1)", "(2, 1)"}, rows[`ALLO's $(b,\alpha_\text{barrier})$`])
	require.Equal(t, []string{"0.001", "0.001", "0.002"}, rows["rate of OMM"])
	require.Equal(t, []string{"$1/k$", "$(k-i+1)^2$", ""}, rows["weights of OMM-joint"])
	require.Equal(t, []string{"8000 of 80000 steps", "none", "none"}, rows["warm-up"])
}

func TestMeansOfFigure1(t *testing.T) {
	bar := func(label string, p rl.Protocol, mean float64, theirs, ritz *float64) rl.Fig1Value {
		return rl.Fig1Value{Label: label, Protocol: p, Theirs: theirs,
			MeanCosines: rl.MeanCosines{Mean: &mean, OtherMeans: rl.OtherMeans{Ritz: ritz}}}
	}
	environment := func(name string, hard bool, shift float64) rl.Fig1Environment {
		return rl.Fig1Environment{Name: name, Hard: hard, Bars: []rl.Fig1Value{
			bar("ALLO", rl.PublicProtocol, 0.5+shift, new(0.625+shift), new(0.75)),
			bar("ALLO", rl.PrintedProtocol, 0.25+shift, nil, new(1.0)),
			bar("ALLO, Ritz step", rl.PrintedProtocol, 0.25, nil, nil)}}
	}
	d := rl.Fig1Data{Environments: []rl.Fig1Environment{environment("easy", false, 0), environment("hard", true, 0.25)}}
	require.Equal(t, [][]string{{"ALLO", "0.375", "0.500", "1.000", "1.000"}}, Means(d, rl.PrintedProtocol))
	header, rows := HardMeans(d)
	require.Equal(t, []string{"mean cosine similarity", "all", "hard", "hard"}, header)
	require.Equal(t, []string{"logged runs, ALLO", "0.750", "0.875", "0.875"}, rows[0])
	require.Len(t, rows, 4)
	require.Equal(t, "2 rows have the authors' mean. Half of our means are within 0.125 of it, all within 0.125.",
		Apart(d))
	require.Equal(t, "No row has the authors' mean.", Apart(rl.Fig1Data{}))
}

func TestRowsOfTheCommittedTables(t *testing.T) {
	root := testkit.Committed(t, "tables/*.json", "figures/fig1_laplacian_rl.json")
	tab2 := testkit.Must(report.ReadUnder[rl.Tab2Data](root, rl.Table2(), run.Paper))
	rows := Parts(tab2, rl.PublicProtocol, "a", "unknown")
	require.Len(t, rows, 1)
	require.Equal(t, []string{"10", "0.592", "0.556", "-0.036 ± 0.022", "0.566", "0.795"}, rows[0][1:])
	beyond := testkit.Must(report.ReadUnder[rl.BeyondData](root, rl.Beyond(), run.Paper))
	require.Equal(t, []string{"OMM-seq, products, κ = 1", "10", "0.756", "0.837", "-0.082", "0.900"},
		Estimators(beyond)[0])
	require.Equal(t, [][]string{{"ALLO, differences", "0.888", "0.992"}}, HardEstimators(beyond, "ALLO, differences"))
	fig1 := testkit.Must(report.ReadUnder[rl.Fig1Data](root, rl.Figure1(), run.Paper))
	rows = LoggedLosses(fig1, 0.9, 50)
	require.Len(t, rows, 13)
	require.Equal(t, []string{"GridMaze-7", "-169.9", "-307.3", "-169.0", "-169.0", "", "", "0.917"}, rows[0])
	require.Equal(t, "0.846, hard 0.618", rows[12][7])
}

func TestDraws(t *testing.T) {
	row := func(method string, dataSeed int64, averages ...float64) rl.BeyondRow {
		result := &rl.Result{Config: rl.Experiment{Environment: "A", Method: method, K: 11, DataSeed: dataSeed}}
		for i, x := range averages {
			result.Runs = append(result.Runs, rl.Run{Seed: int64(i + 1), Average: x})
		}
		return rl.BeyondRow{Environment: "A", K: 11, Results: []*rl.Result{result},
			MeanCosines: rl.MeanCosines{Mean: new(averages[0])}}
	}
	draws, leads := Draws(rl.BeyondData{Rows: []rl.BeyondRow{row("omm_seq", gridworld.AuthorsSeed, 0.75),
		row("allo", gridworld.AuthorsSeed, 0.5), row("omm_seq", 1, 0.5, 0.75), row("allo", 1, 0.25, 0.75),
		row("allo", 2, 0)}})
	require.Len(t, draws, 3)
	require.Equal(t, []string{"A", "OMM-seq", "0", "0.750", "1", "0.500", "2", "", ""}, draws[0])
	require.Len(t, leads, 1)
	require.Equal(t, "2 of 2", leads[0][1])
	require.Contains(t, leads[0][2], "+0.12 ± ")
}
