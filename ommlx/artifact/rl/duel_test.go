package rl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// curveOf is a curve of two runs that agree, evaluated every 100 steps from 0 on.
func curveOf(method string, means ...float64) Curve {
	c := Curve{Method: method, Runs: 2}
	for i, mean := range means {
		c.Points = append(c.Points, CurvePoint{Step: 100 * i, Mean: mean, Std: new(float64)})
	}
	return c
}

// mustDuel compares two curves that can be compared, with 100 steps for each evaluation of the first.
func mustDuel(t *testing.T, a, b Curve) Duel {
	t.Helper()
	d, ok := newDuel(a, b, a.Points[len(a.Points)-1].Step)
	require.True(t, ok)
	require.Equal(t, []string{a.Method, b.Method}, []string{d.First, d.Second})
	return d
}

func TestWhoIsAheadWhen(t *testing.T) {
	for name, c := range map[string]struct {
		a, b      []float64
		leads     []Lead
		crossings []Crossing
		end       string
	}{
		"never crossing": {[]float64{0, 0.5, 0.6, 0.7}, []float64{0, 0.4, 0.5, 0.6},
			[]Lead{{"a", 100, 300}}, []Crossing{}, "a"},
		"crossing once, three quarters of the way": {[]float64{0, 0.5, 0.6, 0.7}, []float64{0, 0.2, 0.7, 0.9},
			[]Lead{{"a", 100, 100}, {"b", 200, 300}}, []Crossing{{175, "b"}}, "b"},
		"crossing twice": {[]float64{0, 0.4, 0.4, 0.4, 0.4}, []float64{0, 0.3, 0.5, 0.5, 0.3},
			[]Lead{{"a", 100, 100}, {"b", 200, 300}, {"a", 400, 400}}, []Crossing{{150, "b"}, {350, "a"}}, "a"},
		"equal throughout": {[]float64{0, 0.4, 0.5}, []float64{0, 0.4, 0.5}, []Lead{}, []Crossing{}, ""},
		"touching is no crossing": {[]float64{0, 0.4, 0.4, 0.4}, []float64{0, 0.2, 0.4, 0.2},
			[]Lead{{"a", 100, 100}, {"a", 300, 300}}, []Crossing{}, "a"},
		"crossing where a stretch of ties begins": {[]float64{0, 0.4, 0.4, 0.4, 0.4}, []float64{0, 0.2, 0.4, 0.4, 0.6},
			[]Lead{{"a", 100, 100}, {"b", 400, 400}}, []Crossing{{200, "b"}}, "b"},
		"half a hundredth is no lead, though the curves cross": {[]float64{0, 0.405, 0.400},
			[]float64{0, 0.400, 0.405}, []Lead{}, []Crossing{{150, "b"}}, ""},
		"before the first step nobody is ahead": {[]float64{0.9, 0.4}, []float64{0, 0.5},
			[]Lead{{"b", 100, 100}}, []Crossing{}, "b"},
	} {
		d := mustDuel(t, curveOf("a", c.a...), curveOf("b", c.b...))
		require.Equal(t, c.leads, d.Leads, name)
		require.Len(t, d.Crossings, len(c.crossings), name)
		for i, want := range c.crossings {
			require.Equal(t, want.Higher, d.Crossings[i].Higher, name)
			require.InDelta(t, want.Step, d.Crossings[i].Step, 1e-9, name)
		}
		require.Equal(t, c.end, d.End.Ahead, name)

		// Turned around, it is the same with the differences of the other sign.
		turned := mustDuel(t, curveOf("b", c.b...), curveOf("a", c.a...))
		require.Equal(t, d.Leads, turned.Leads, name)
		require.Len(t, turned.Crossings, len(d.Crossings), name)
		require.Equal(t, -d.End.Difference, turned.End.Difference, name)
	}
}

// A lead takes Welch's interval, here ±t_6 √(0.01²/4 + 0.01²/4).
func TestALeadIsBeyondTheInterval(t *testing.T) {
	std := 0.01
	several := func(method string, mean float64) Curve {
		return Curve{Method: method, Runs: 4, Points: []CurvePoint{{100, mean, &std}}}
	}
	for mean, ahead := range map[float64]string{0.5175: "a", 0.5171: "", 0.4829: "", 0.4825: "b"} {
		d := mustDuel(t, several("a", mean), several("b", 0.5))
		require.Equal(t, ahead, d.End.Ahead, mean)
		require.InDelta(t, 0.017302, *d.End.Interval, 1e-6)
	}
	// A single run is taken to have the deviation of the others: ±t_3 √(0.01² + 0.01²/4).
	single := Curve{Method: "b", Runs: 1, Points: []CurvePoint{{Step: 100, Mean: 0.5}}}
	for mean, ahead := range map[float64]string{0.5357: "a", 0.5354: ""} {
		require.Equal(t, ahead, mustDuel(t, several("a", mean), single).End.Ahead, mean)
	}
	both := mustDuel(t, Curve{Method: "a", Runs: 1, Points: []CurvePoint{{Step: 100, Mean: 0.9}}}, single)
	require.Empty(t, both.End.Ahead, "two single runs tell nothing")
	require.Nil(t, both.End.Interval)
}

// Curves are compared after equal steps only. What is said of the end is of the whole training, and of a tenth of the
// steps not of more than it.
func TestCurvesAreComparedAfterEqualSteps(t *testing.T) {
	short, long := curveOf("a", 0, 0.5, 0.6), curveOf("b", 0, 0.2, 0.3, 0.4)
	d, ok := newDuel(short, long, 300)
	require.True(t, ok)
	require.Equal(t, []Lead{{"a", 100, 200}}, d.Leads)
	require.Nil(t, d.End, "a has no end")
	require.Nil(t, d.Tenth, "nothing was evaluated up to step 30")

	d, _ = newDuel(short, long, 2_000)
	require.Equal(t, 200, d.Tenth.Step)
	d, _ = newDuel(short, long, 1_999)
	require.Equal(t, 100, d.Tenth.Step)

	between := Curve{Method: "b", Runs: 1, Points: []CurvePoint{{Step: 50}, {Step: 150}}}
	for _, b := range []Curve{between, {Method: "b"}, curveOf("b", 0.3)} {
		_, ok = newDuel(short, b, 300)
		require.False(t, ok)
	}
}

func TestRecordsCountEnvironments(t *testing.T) {
	r := DuelRecord{First: "a", Second: "b"}
	require.Equal(t, "a and b have no environment yet in which both were run to the end", r.String())
	ahead, level, behind := &Standing{Ahead: "a"}, &Standing{}, &Standing{Ahead: "b"}
	for _, d := range []Duel{{End: ahead}, {End: ahead}, {End: level}, {End: behind}, {Tenth: ahead}} {
		d.First, d.Second = "a", "b"
		r.add(d)
	}
	require.Equal(t, DuelCount{2, 1, 1}, r.End)
	require.Equal(t, DuelCount{Ahead: 1}, r.Tenth)
	want := "a is ahead of b at the end in 2 of 4 environments (behind in 1), " +
		"at a tenth of the steps in 1 of 1 (behind in 0)"
	require.Equal(t, want, r.String())
}
