package learn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/spectral"
)

// mostMonomials takes minutes and a gigabyte for 10,000 pairs.
const mostMonomials = 5_000

// EDMD computes the k largest Ritz values and eigenfunctions of the transition operator in the span of all monomials of
// the standardised coordinates up to a degree, to compare with [Learn] (extended dynamic mode decomposition; Williams,
// Kevrekidis and Rowley 2015). As there, each pair counts in both directions, some pairs are held out, and
// [Learned.Advice] reports overfitting and violated assumptions. The cost is cubic in the number of monomials, which is
// limited to the number of pairs and to 5,000. The result has no Diagnosis and no file.
func (o Pairs) EDMD(degree, k int) (*Learned, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if degree < 0 || k < 1 {
		return nil, fmt.Errorf("EDMD: k is %d and degree is %d, want at least 1 and 0", k, degree)
	}
	n, d := o.From.Dims()
	most := min(n, mostMonomials)
	if count := combin.GeneralizedBinomial(float64(d+degree), float64(degree)); count > float64(most) {
		return nil, fmt.Errorf("EDMD: %.0f monomials up to degree %d of %s, want at most %d: lower the degree", count,
			degree, say.Count(d, "coordinate"), most)
	}
	o.Functions = nil
	o.made = o.followed()
	b := &basis{standardised: standardise(o.From, nil), degree: degree}
	trained, apart := o.split()
	rows, _ := trained.From.Dims()
	starts, ends := trained.weigh(b.monomials(trained.From)), trained.weigh(b.monomials(trained.To))
	_, count := starts.Dims()
	if k > count {
		return nil, fmt.Errorf("EDMD: k is %d, want at most the %d monomials up to degree %d", k, count, degree)
	}
	var f, tf mat.Dense
	f.Stack(starts, ends)
	tf.Stack(ends, starts)
	found, err := spectral.Diagnose(&f, &tf, nil)
	if err != nil {
		return nil, err
	}
	if found.Ritz == nil {
		return nil, fmt.Errorf("EDMD: the %d monomials up to degree %d are linearly dependent on %s: %s", count, degree,
			say.Count(rows, "pair"), b.remedy(trained))
	}
	b.rotation = mat.DenseCopyOf(found.Rotation.Slice(0, count, 0, k))
	l := &Learned{Run: Run{Values: found.Ritz[:k], Residuals: unknown(k), Bounds: unknown(k), rotation: b.rotation},
		Task: Task{Noisy: true, Pairs: o, HeldOut: apart, Rows: rows, Premises: o.premises()}, k: k, basis: b}
	l.crossed = crossings(b.at(o.From), b.at(o.To), n)
	if apart.From != nil {
		l.HeldOut, err = apart.score(b.at(apart.From), b.at(apart.To))
	}
	l.Runs = []Run{l.Run}
	return l, err
}

// basis holds functions in the span of monomials of standardised coordinates.
type basis struct {
	standardised
	degree   int
	rotation *mat.Dense // monomials × functions
}

func (b *basis) monomials(points mat.Matrix) *mat.Dense {
	return monomials(b.standardise(points), b.degree)
}

func (b *basis) at(points mat.Matrix) *mat.Dense { return product(b.monomials(points), b.rotation) }

// remedy names a coordinate that is constant or a linear combination of others on the pairs, if there is one.
func (b *basis) remedy(of Pairs) string {
	linear := monomials(b.standardise(of.From), 1)
	if n, d := linear.Dims(); n >= d {
		var qr mat.QR
		var r mat.Dense // R_jj is the norm of what is left of column j
		qr.Factorize(linear)
		qr.RTo(&r)
		for j := 1; j < d; j++ {
			if !(math.Abs(r.At(j, j)) > 1e-6*mat.Norm(linear.ColView(j), 2)) {
				return fmt.Sprintf("coordinate %d is constant or a linear combination of those before it; remove it",
					j-1)
			}
		}
	}
	return "lower the degree or use more pairs"
}

// weigh multiplies rows by the roots of the pairs' weights, relative to the mean weight.
func (o Pairs) weigh(f *mat.Dense) *mat.Dense {
	mean := stat.Mean(o.Weights, nil) // NaN without weights
	for p, w := range o.Weights {
		floats.Scale(math.Sqrt(w/mean), f.RawRowView(p))
	}
	return f
}

// monomials evaluates all monomials of the columns of y up to a degree, at every row.
func monomials(y mat.Matrix, degree int) *mat.Dense {
	n, dim := y.Dims()
	one := make([]float64, n)
	floats.AddConst(1, one)
	all, last := [][]float64{one}, []int{0} // last: the first variable to multiply a monomial by
	for from := 0; degree > 0; degree-- {
		for end := len(all); from < end; from++ {
			for d := last[from]; d < dim; d++ {
				all = append(all, floats.MulTo(make([]float64, n), all[from], mat.Col(nil, d, y)))
				last = append(last, d)
			}
		}
	}
	m := mat.NewDense(n, len(all), nil)
	for j, column := range all {
		m.SetCol(j, column)
	}
	return m
}
