package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/net"
)

// trajectories reads one trajectory from each file, or several by the column --group.
func (r *request) trajectories() (all subject, err error) {
	var points []float64
	for i, path := range r.trajectory {
		s, err := r.table(path, "frame")
		if err != nil {
			return s, err
		}
		if i == 0 {
			all, all.frames, all.parts = s, nil, nil
		}
		_, d := s.points.Dims()
		named := s.axes != nil && all.axes != nil
		if _, want := all.points.Dims(); d != want || named && !slices.Equal(s.axes, all.axes) {
			return s, fmt.Errorf("%s: the %d columns %q differ from %d columns %q in %s; --columns selects columns",
				path, d, s.axes, want, all.axes, all.file)
		}
		if all.axes == nil {
			all.axes = s.axes // the first file may have no header
		}
		points = append(points, s.points.RawMatrix().Data...)
		all.frames, all.parts = append(all.frames, s.frames...), append(all.parts, s.parts...)
	}
	_, d := all.points.Dims()
	all.points = mat.NewDense(len(points)/d, d, points)
	all.describe(r.trajectory...)
	if err := all.upright(); err != nil {
		return all, err
	}
	if r.states {
		return all, all.number(r.k)
	}
	all.suggestStates()
	return all, nil
}

// upright returns an error for an array whose rows are coordinates.
func (s subject) upright() error {
	n, d := s.points.Dims()
	if n >= d {
		return nil
	}
	return fmt.Errorf("%s: %s of %s: transposed? save x.T, with one %s per row, or select fewer --columns", s.file,
		say.Count(n, s.rows), say.Count(d, "coordinate"), s.rows)
}

// split separates the trajectories that the last column numbers.
func (s *subject) split(group string) error {
	n, d := s.points.Dims()
	if d == 1 {
		return fmt.Errorf("%s: column %q is the only one: --group needs others with the frames", s.file, group)
	}
	rows, order := map[float64][]float64{}, []float64(nil)
	for i := range n {
		row := s.points.RawRowView(i)
		v := row[d-1]
		if math.IsNaN(v) {
			return fmt.Errorf("%s: column %q of row %d has no number, want a trajectory's", s.file, group, i)
		}
		if rows[v] == nil {
			order = append(order, v)
		}
		rows[v] = append(rows[v], row[:d-1]...)
	}
	s.frames, s.parts = nil, nil
	for _, v := range order {
		s.frames = append(s.frames, mat.NewDense(len(rows[v])/(d-1), d-1, rows[v]))
		s.parts = append(s.parts, fmt.Sprintf("%q %v of %s", group, v, s.file))
	}
	s.points = mat.DenseCopyOf(s.points.Slice(0, n, 0, d-1))
	s.axes = s.axes[:min(d-1, len(s.axes))]
	return nil
}

// labels returns the different numbers of a coordinate in ascending order, or nil if one is not whole.
func (s subject) labels(j int) []float64 {
	values := slices.DeleteFunc(mat.Col(nil, j, s.points), math.IsNaN)
	if slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) }) {
		return nil
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// suggestStates adds a note on coordinates with few whole numbers, from −1 on as clusters have. Two numbers need no
// states: a network has the same functions of them.
func (s *subject) suggestStates() {
	const few, often = 100, 10 // numbers, and frames with each on average
	n, d := s.points.Dims()
	for j := range d {
		labels := s.labels(j)
		if count := len(labels); count < 3 || count > few || count*often > n || labels[0] < -1 {
			continue
		}
		note := s.inWords(fmt.Sprintf("coordinate %d has only %d whole numbers: if these are states, such as "+
			"clusters, add --states", j, len(labels)))
		if d > 1 {
			note += "; if they number trajectories, --group"
		}
		s.notes = append(s.notes, note)
	}
}

// number replaces the labels in the only coordinate by the numbers of states, for k functions of the states.
func (s *subject) number(k int) error {
	_, d := s.points.Dims()
	labels := s.labels(0)
	if d > 1 || labels == nil {
		return fmt.Errorf("%s: --states needs one column of whole numbers; --columns selects it", s.file)
	}
	for _, x := range s.frames {
		x := x.(*mat.Dense)
		x.Apply(func(_, _ int, label float64) float64 {
			if state, is := slices.BinarySearch(labels, label); is {
				return float64(state)
			}
			return math.NaN()
		}, x)
	}
	s.title += "; " + say.Count(len(labels), "state")
	for _, label := range labels {
		s.names = append(s.names, strconv.FormatFloat(label, 'f', -1, 64))
	}
	s.points, s.axes, s.rows = nil, nil, "state"
	s.states = net.Table{States: len(labels), Out: k, Scale: 0.3} // as learn.Matrix and learn.Graph have
	return nil
}
