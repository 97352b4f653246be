package ommlx

import (
	"fmt"
	"math"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/stat/combin"
)

// OMM is the Orbital Minimization Method, of any order p and with any nesting. The zero value is OMM-1 without nesting,
//
//	L(f) = −2 tr M[f,Tf] + tr(M[f] M[f,Tf]),
//
// and in general, Eq. (8),
//
//	L^(p)(f) = tr({Σ_{j=1}^{2p} (−1)^j C(2p,j) M[f]^{j−1}} M[f,Tf]).
//
// For a positive semidefinite T its minimum is −Σ_{i≤k} λ_i, at functions that span the leading eigenspace and are
// orthonormal (Theorem 1); with joint or sequential nesting they are the eigenfunctions themselves, in order
// (Theorem 2). If T has negative eigenvalues the loss is unbounded below: see Shifted.
type OMM struct {
	stateless
	// Orders are the weights of up to 30 orders, at least 0: Orders[p−1] is the weight of L^(p). nil is OMM-1; OMM-2 is
	// {0, 1}, and the mixture L^(1) + L^(2) of the paper's appendix on higher orders is {1, 1}.
	Orders []float64
	// Nesting is NoNesting, Joint or Sequential. Sequential needs order 1: the partial stop-gradients do not carry over
	// to higher powers of M[f] (section 2.3.1).
	Nesting Nesting
	// Weights are the positive weights α of nesting, one per function. Joint trains f_i by Σ_j α_j L(f_1, …, f_j);
	// Sequential trains it by α_i L(f_1, …, f_i), so the weights scale the gradient of each function, which matters if
	// functions share a network. nil means 1/k each for Joint, as in the paper, and 1 each for Sequential.
	Weights []float64
}

// Name returns "omm" with the order if it is not 1, and the nesting: "omm2", "omm_seq". The mixture of orders 1 and 2,
// both with weight 1, is "omm12"; other mixtures list the weights, "omm[0.5 0 2]".
func (o OMM) Name() string { return o.Nesting.suffixed("omm" + o.orderID()) }

func (o OMM) orderID() string {
	id := ""
	for i, w := range o.orders() {
		if w != 0 && w != 1 || i > 8 {
			return fmt.Sprint(o.Orders)
		}
		if w == 1 {
			id += fmt.Sprint(i + 1)
		}
	}
	if id == "1" {
		return ""
	}
	return id
}

// orders returns the weights up to the highest order with a nonzero weight.
func (o OMM) orders() []float64 {
	if o.Orders == nil {
		return []float64{1}
	}
	highest := len(o.Orders)
	for highest > 0 && o.Orders[highest-1] == 0 {
		highest--
	}
	return o.Orders[:highest]
}

// Traits returns the traits of OMM.
func (OMM) Traits() Traits { return Traits{Bilinear: true} }

// Validate returns an error if a setting is invalid for k functions.
func (o OMM) Validate(k int) error {
	for i, w := range o.orders() {
		if !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("Orders[%d] is %g, want finite and at least 0", i, w)
		}
	}
	highest := len(o.orders())
	if highest == 0 {
		return fmt.Errorf("Orders is %v, want a positive weight, or nil for OMM-1", o.Orders)
	}
	if highest > 30 {
		return fmt.Errorf("Orders reaches %d, want at most 30: larger binomials overflow", highest)
	}
	if o.Nesting == Sequential && highest > 1 {
		return fmt.Errorf("sequential nesting needs order 1, but Orders reaches %d: use Joint, or order 1", highest)
	}
	return o.Nesting.validate(o.Weights, k)
}

// Loss returns the loss; see OMM for the equation.
func (o OMM) Loss(b Batch, _ []*Node) (*Node, []*Node) {
	mustBeValid(o, b)
	return b.linear(o.loss), nil
}

func (o OMM) loss(b Batch) *Node {
	c := o.coefficients()
	m, mT := b.Moments(o.Nesting)
	if o.Nesting == Joint && len(c) > 2 { // Q is not linear
		return jointByPrefix(m, mT, c, orUniform(o.Weights, m.Shape().Dim(-1)))
	}
	// Eq. (9) for Sequential; tr(AB) is ⟨A,B⟩ because M^seq[f] is symmetric, in its gradients too.
	return inner(o.Nesting.weighted(polynomial(m, IdentityLike(m), c), o.Weights), mT)
}

// coefficients returns the coefficients of the polynomial Q in L = tr(Q(M[f]) M[f,Tf]): c[j−1] = Σ_p w_p (−1)^j
// C(2p,j).
func (o OMM) coefficients() []float64 {
	orders := o.orders()
	c := make([]float64, 2*len(orders))
	for i, w := range orders {
		n := 2 * (i + 1)
		for j := 1; j <= n; j++ {
			c[j-1] += w * float64(1-2*(j%2)) * float64(combin.Binomial(n, j))
		}
	}
	return c
}

// polynomial returns Σ_j c[j] m^j by Horner's rule, for m [...,] k×k, the unit m⁰, which on a block of m is the
// identity of that block, and at least two coefficients.
func polynomial(m, unit *Node, c []float64) *Node {
	last := len(c) - 1
	q := Add(MulScalar(unit, c[last-1]), MulScalar(m, c[last]))
	for j := last - 2; j >= 0; j-- {
		q = Add(MulScalar(unit, c[j]), matMul(m, q))
	}
	return q
}

// jointByPrefix returns Σ_i α_i tr(Q(M_{1:i}) MT_{1:i}) for a polynomial Q of any degree, on a batch of k zero-padded
// k×k prefixes. A mask can replace the sum only if Q is linear.
func jointByPrefix(m, mT *Node, c, alpha []float64) *Node {
	k := len(alpha)
	prefixes := make([][][]float64, k)
	for n := range k { // 1 for the functions of the prefix
		prefixes[n] = byLaterIndex(slices.Concat(slices.Repeat([]float64{1}, n+1), make([]float64, k-n-1)))
	}
	mask := ExpandLeftToRank(ConstAs(m, prefixes), m.Rank()+1)
	padded := Mul(InsertAxes(m, -3), mask) // [R,] k×k×k
	unit := BroadcastToShape(Mul(mask, IdentityLike(padded)), padded.Shape())
	losses := inner(polynomial(padded, unit, c), InsertAxes(mT, -3)) // [R,] k
	return ReduceSum(Mul(losses, ExpandLeftToRank(ConstAs(m, alpha), losses.Rank())), -1)
}

// Order returns the Orders of OMM-p: p − 1 zeros and a 1. It panics for p < 1.
func Order(p int) []float64 { return append(make([]float64, p-1), 1) }
