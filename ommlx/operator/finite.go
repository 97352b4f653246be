package operator

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// Weighted returns f and Tf on all N states, weighted so that means over the rows are expectations: with W[s, s'] the
// joint law of a pair and ρ[s] = Σ_s' W[s, s'],
//
//	f̃_s = √(Nρ_s) f(s),   (Tf)~_s = √(N/ρ_s) Σ_s' W[s, s'] f(s'),
//
// so that f̃ᵀf̃/N = Σ_s ρ_s f(s)f(s)ᵀ and f̃ᵀ(Tf)~/N = Σ_{s,s'} W[s, s'] f(s)f(s')ᵀ: the exact second moments of the
// paper's Section 2.3. States with ρ = 0 drop out.
//
// table [R, N, k] is f on every state; pairs [R, N, N] is W, which must be symmetric for T to be self-adjoint.
func Weighted(table, pairs *Node) (f, tf *Node) {
	const where = "operator.Weighted"
	requireShape(where, "the table", "[R, N, k]", table, some, some, some)
	runs, states := table.Shape().Dim(0), table.Shape().Dim(1)
	requireShape(where, "the pair law", "[R, N, N] for a table [R, N, k]", pairs, runs, states, states)
	n := float64(states)
	rho := ReduceAndKeep(pairs, ReduceSum, -1) // [R, N, 1]
	root := Sqrt(MulScalar(rho, n))
	visited := GreaterThan(root, ZerosLike(root))
	inverse := Where(visited, Inverse(root), ZerosLike(root))
	applied := DotGeneral(pairs, []int{2}, []int{0}, table, []int{1}, []int{0}) // W f, [R, N, k]
	return Mul(table, root), MulScalar(Mul(applied, inverse), n)
}
