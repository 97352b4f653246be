package claims

// Appendix D: higher order.
var higherOrder = []Claim{{
	ID: "omm-p-gradient", Where: "App. D", Kind: Identity, Line: 1333,
	Quotation: `we can show, by chain rule, that the gradient of the OMM-$p$ objective is`,
	Statement: "∇L^(p) = −2 (Σ_{i<2p} R^i A R^{2p−1−i}) V with R = I − VVᵀ.",
	Check:     "the library's gradient on random matrices for p = 1, 2, 3",
}, {
	ID: "idempotent-simplification", Where: "App. D", Kind: Identity, Line: 1345,
	Quotation: `we restrict our attention to the case where $\Rm=\Vm\Vm^\intercal$ is idempotent, i.e., $\Rm^2=\Rm$.`,
	Statement: "Where R = I − VVᵀ is idempotent (printed there, presumably by a slip: R = VVᵀ), ∇L^(p) = ∇L^(1) − " +
		"4(p−1)RARV, so that a higher order adds Δ = 16(p−1)²‖RARV‖² − 8(p−1) tr(∇L^(1)ᵀRARV) to the squared norm of " +
		"the gradient, with Δ > 0 for large p.",
	Check: "the printed difference and the sign of Δ with R = I − VVᵀ, and the orders compared, at random V with VᵀV " +
		"= I",
	Instead: "The identity holds, but an idempotent R has RV = 0: the added term and Δ are zero, and all orders have " +
		"the same gradient, −2RAV. In general, for VVᵀ = μΠ, Π a projector, e = 1 − μ: ∇L^(p) = −2[(1 − e^{2p})/μ (I " +
		"− Π)AV + 2p e^{2p−1} ΠAV].",
}, {
	ID: "higher-order-larger-gradients", Where: "App. D", Kind: Behaviour, Line: 1367,
	Quotation: `when $p>1$ is sufficiently large, the gradient norm can be made strictly larger than the norm of ` +
		`$\nabla_{\Vm}\Lc_{\omm}^{(1)}(\Vm)$.`,
	Statement: "For p > 1 large enough the norm of the gradient can be made strictly larger than that of OMM-1.",
	Check: "norms of the orders' gradients at random V with VᵀV = I; ratios of the gradient's two parts to those of " +
		"OMM-1 at V = √μ Q, against the closed form",
	Instead: "Not where R = I − VVᵀ is idempotent, the case of which the appendix speaks: there all orders have the " +
		"same gradient. Elsewhere it depends on V. Where the space is invariant the norm is p e^{2p−2} times that of " +
		"OMM-1, e = 1 − μ, which at μ = 0.9 is 0.02 for p = 2 and 5·10⁻⁸ for p = 5. The part that turns the space is " +
		"(1 − e^{2p})/(1 − e²) times that of OMM-1, larger for 0 < μ < 2, μ ≠ 1.",
}, {
	ID: "omm1-gradient-proportional", Where: "App. D", Kind: Identity, Line: 1368,
	Quotation: `the gradient norm of the original OMM gradient $\|\nabla_{\Vm}\Lc_{\omm}^{(1)}(\Vm)\|_{\mathrm{F}}$ ` +
		`becomes small proportional to $\|\Imat_k-\Vm^\intercal\Vm\|_{\mathrm{F}}$.`,
	Statement: "‖∇L^(1)‖ becomes small in proportion to ‖I − VᵀV‖.",
	Check:     "V = (1, 1)ᵀ/√2 for A = diag(1, 0), and random orthonormal V",
	Instead: "Where VᵀV = I the gradient is −2RAV, which is zero on invariant subspaces only. Only the part that " +
		"changes norms is proportional to I − VᵀV.",
}, {
	ID: "higher-order-escapes-flat-minima", Where: "App. D, §3.3", Kind: Behaviour, Line: 1369,
	Quotation: `the additional gradient signal from the OMM with $p>1$ can help escape the flat minima.`,
	Statement: "Near the minimum a higher order may have an additional gradient, which can improve the speed of " +
		"convergence and can help to escape flat minima.",
	Check: "second derivatives at the minimum for p = 1, 2, 3; gradient flows of one mode and of the space against " +
		"closed forms; largest stable steps; batches at the minimum",
	Instead: "The loss of a norm rises as λ e^{2p}, e = 1 − μ, so for p ≥ 2 the minimum itself is flat in the norms " +
		"and 1 − μ falls as t^{−1/(2p−2)} instead of exponentially; turns go at the rate 2(λ_i − λ_l) for every p. " +
		"So there is no additional gradient near the minimum.",
}, {
	ID: "higher-order-can-help", Where: "App. D, §3.3", Kind: Behaviour, Line: 1368,
	Quotation: `This can improve convergence speed when near convergence`,
	Statement: "Higher order can improve the speed of convergence.",
	Check:     "largest stable steps; early phases of gradient flows; batches at the minimum",
	Note: "By other ways than an additional gradient: early, while μ is small; by stable steps up to 1/(λ_1 − λ_d) " +
		"instead of 1/(4λ_1); and a batch moves the learned space less.",
}, {
	ID: "mixture", Where: "App. D, §3.3", Kind: Identity, Line: 1328,
	Quotation: `and even better by using the mixed objective $\Lc_{\omm}^{(1)}(\Vm)+\Lc_{\omm}^{(2)}(\Vm)$.`,
	Statement: "Orders can be mixed: L^(1) + L^(2), with the gradients added.",
	Check:     "value and gradient of the library's mixture against the sum, on random matrices",
}}
