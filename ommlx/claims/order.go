package claims

// Appendix D: higher order.
var higherOrder = []Claim{
	{
		ID: "omm-p-gradient", Where: "App. D", Kind: Identity,
		Statement: "∇L^(p) = −2 (Σ_{i<2p} R^i A R^{2p−1−i}) V with R = I − VVᵀ.",
		Check:     "the library's gradient on random matrices for p = 1, 2, 3",
	},
	{
		ID: "idempotent-simplification", Where: "App. D", Kind: Identity,
		Statement: "Where R = VVᵀ is idempotent, ∇L^(p) = ∇L^(1) − 4(p−1)RARV, so that a higher order " +
			"adds Δ = 16(p−1)²‖RARV‖² − 8(p−1) tr(∇L^(1)ᵀRARV) to the squared norm of the gradient.",
		Check: "the printed difference with R = VVᵀ, and the orders compared, at random V with VᵀV = I",
		Correction: "R is I − VVᵀ. If it is idempotent then RV = 0: the added term and Δ are zero and all orders " +
			"have the same gradient, −2RAV. In general, " +
			"for VVᵀ = μΠ, Π a projector, e = 1 − μ: ∇L^(p) = −2[(1 − e^{2p})/μ (I − Π)AV + 2p e^{2p−1} ΠAV].",
		Replaced: true,
	},
	{
		ID: "higher-order-larger-gradients", Where: "App. D", Kind: Behaviour,
		Statement: "For p > 1 large enough the norm of the gradient is strictly larger than that of OMM-1.",
		Check:     "ratios of the gradient's two parts to those of OMM-1 at V = √μ Q, against the closed form",
		Correction: "The part that turns the space is (1 − e^{2p})/(1 − e²) times that of OMM-1, " +
			"larger for 0 < μ < 2, μ ≠ 1. The part that changes norms is p e^{2p−2} times: " +
			"larger for small μ, and smaller near the minimum (p = 2: for 0.293 < μ < 1.707).",
	},
	{
		ID: "omm1-gradient-proportional", Where: "App. D", Kind: Identity,
		Statement: "‖∇L^(1)‖ becomes small in proportion to ‖I − VᵀV‖.",
		Check:     "V = (1, 1)ᵀ/√2 for A = diag(1, 0), and random orthonormal V",
		Correction: "Where VᵀV = I the gradient is −2RAV, which is zero on invariant subspaces only. " +
			"Only the part that changes norms is proportional to I − VᵀV.",
		Replaced: true,
	},
	{
		ID: "higher-order-escapes-flat-minima", Where: "App. D, §3.3", Kind: Behaviour,
		Statement: "Higher order speeds up convergence near the minimum and helps to escape flat minima, " +
			"by its additional gradient.",
		Check: "second derivatives at the minimum for p = 1, 2, 3; gradient flows of one mode and of the space " +
			"against closed forms; largest stable steps; batches at the minimum",
		Correction: "Not by its gradient: the loss of a norm rises as λ e^{2p}, e = 1 − μ, so for p ≥ 2 the minimum " +
			"itself is flat in the norms and 1 − μ falls as t^{−1/(2p−2)} instead of exponentially; " +
			"turns go at the rate 2(λ_i − λ_l) for every p. It helps otherwise: early, while μ is small; " +
			"by stable steps up to 1/(λ_1 − λ_d) instead of 1/(4λ_1); and a batch moves the learned space less.",
		Replaced: true,
	},
	{
		ID: "mixture", Where: "App. D, §3.3", Kind: Identity,
		Statement: "Orders can be mixed: L^(1) + L^(2), with the gradients added.",
		Check:     "value and gradient of the library's mixture against the sum, on random matrices",
	},
}
