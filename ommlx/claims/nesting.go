package claims

// Sections 2.2.4 and 2.2.5: nesting and Sanger's rule, for matrices.
var nesting = []Claim{{
	ID: "joint-objective", Where: "§2.2.4", Kind: Identity, Line: 479,
	Quotation: `When $p=1$, we can use the same masking technique of \citep{Ryu--Xu--Erol--Bu--Zheng--Wornell2024}, ` +
		`without needing to compute the objective going over a for loop over $i\in[k]$.`,
	Statement: "Joint nesting is Σ_i α_i L^(p)(V_{1:i}), α_i = 1/k throughout; for p = 1 a mask replaces the loop " +
		"over i.",
	Check: "value and gradients for f and Tf of the masked loss against the sum over prefixes, uniform and uneven α; " +
		"also for mixtures of orders, by padded blocks, and for LoRA; the mask entry by entry",
}, {
	ID: "theorem2", Where: "§2.2.4, Theorem 2; App. A.3", Kind: Theorem, Line: 486,
	Quotation: `For any positive weights $\weights\in\Real_{>0}^k$, if the top-$(k+1)$ eigenvalues are all distinct, ` +
		`$\Vm^\star=\Wm$.`,
	Statement: "For all positive weights and distinct leading k + 1 eigenvalues the minimiser of joint nesting is V* " +
		"= W, v_i = w_i.",
	Check: "L-BFGS from random starts, p = 1, 2, several weights; loss and gradient at all choices of signs, p = 1, " +
		"2, 3, k < d and k = d",
	Correction: "V* = W_{1:k} up to the sign of each column (v_iv_iᵀ = w_iw_iᵀ). For k = d there is no λ_{k+1}, and " +
		"λ_d > 0 is needed instead: with λ_d = 0 the last column may have any length.",
}, {
	ID: "theorem2-degenerate", Where: "§2.2.4, footnote to Theorem 2", Kind: Theorem, Line: 490,
	Quotation: `With degenerate eigenvalues, the columns corresponding to the degenerate part of an optimal ` +
		`$\Vm^\star$ will be an orthonormal eigenbasis of the degenerate eigensubspace.`,
	Statement: "With repeated eigenvalues the columns of the minimiser are an orthonormal basis of the repeated " +
		"eigenvalue's space.",
	Check: "L-BFGS for a double eigenvalue of which k takes all or one half",
	Correction: "If all of that space is among the leading k. A space that k cuts through gets an orthonormal set of " +
		"as many columns as fit. The eigenvalue must not be 0.",
}, {
	ID: "seq-gradient", Where: "§2.2.4, Eq. (7)", Kind: Identity, Line: 493,
	Quotation: `The idea of \emph{sequential nesting} is to iteratively update $\vv_i$, using its gradient of ` +
		`$\Lc_{\omm}^{(1)}(\Vm_{1:i})$`,
	Statement: "Sequential nesting moves v_i by −2((I − V_{1:i}V_{1:i}ᵀ)Av_i + A(I − V_{1:i}V_{1:i}ᵀ)v_i).",
	Check:     "column by column against the library's gradient, random A and V, k = 1 to d",
}, {
	ID: "seq-converges", Where: "§2.2.4", Kind: Behaviour, Line: 503,
	Quotation: `The intuition for convergence is based on an inductive argument.`,
	Statement: "Following that gradient the v_i converge to the eigenvectors in order; the reason given is by " +
		"induction.",
	Check: "descent from random starts, and its rate; the eigenvalues of the Jacobian at W_{1:k}, which are 2(λ_i − " +
		"λ_l) for l > i, 8λ_i, and 2(λ_i + λ_j) for j < i, all positive, and negative ones where the columns are in " +
		"another order",
}, {
	ID: "seq-is-triofm", Where: "§2.2.4; §2.3.2", Kind: Identity, Line: 506,
	Quotation: `We note that the OMM$_{\mathsf{seq}}$ for finite-dimensional matrices was proposed as the ` +
		`\emph{triangularized orthogonalization-free method (OFM)} in the numerical linear algebra literature`,
	Statement: "For matrices OMM_seq is the triangularised orthogonalisation-free method of Gao, Li and Lu (2022), " +
		"and there is one of LoRA too.",
	Check: "the gradients against those without nesting whose k×k products are cut to their upper triangles, −2(2AV " +
		"− V triu(VᵀAV) − AV triu(VᵀV)) and −4(AV − V triu(VᵀV)), random A and V",
	Note: "Of their papers we had the abstracts, which say that the multi-column gradient is triangularised so that " +
		"earlier columns are decoupled from later ones, and that it converges almost surely.",
}, {
	ID: "sanger-rule", Where: "§2.2.5", Kind: Identity, Line: 517,
	Quotation: `the OMM gradient in Eq.~\eqref{eq:omm_seq_grad} is derived from the well-defined objective and can ` +
		`be viewed as the \emph{symmetrized} version of the Sanger update term`,
	Statement: "Sanger's rule is v_i ← v_i + η(I − V_{1:i}V_{1:i}ᵀ)A_t v_i; the gradient of OMM_seq is the " +
		"symmetrised version of that update.",
	Check: "the library's step of Sanger's rule, term by term and for a matrix; the symmetrised update 2(RA + " +
		"AR)v_i, R = I − V_{1:i}V_{1:i}ᵀ, against minus the gradient of OMM_seq",
}, {
	ID: "streaming-pca", Where: "§2.2.5", Kind: Behaviour, Line: 510,
	Quotation: `The goal of the streaming PCA problem is to find the leading eigenvectors of the covariance matrix ` +
		`$\Am\gets \E_{p(\xv)}[\xv\xv^\intercal]$`,
	Statement: "With minibatch estimates A_t of a covariance matrix, Sanger's rule finds its leading eigenvectors.",
	Check: "Sanger's rule and OMM_seq on a stream of Gaussian samples with steps that fall as 1/t: from random " +
		"starts, and the error against that of Oja's rule in theory, mean of 200 runs; both rules are linear in A_t, " +
		"so that their steps are unbiased",
}, {
	ID: "sanger-no-potential", Where: "§2.2.5", Kind: Theorem, Line: 517,
	Quotation: `the update term itself cannot be viewed as a gradient of any function, as its Jacobian is not ` +
		`symmetric`,
	Statement: "Sanger's update is the gradient of no function, since its Jacobian is not symmetric; that of OMM_seq " +
		"comes from an objective.",
	Check: "asymmetry of the Jacobians, by central differences, for one and two functions, nested and not",
	Correction: "True for one function with those before it fixed. As a whole the nested rules are no gradients " +
		"either, from k = 2 on: v_2 feels v_1, and v_1 does not feel v_2.",
}, {
	ID: "sanger-with-adam", Where: "§2.2.5", Kind: Behaviour, Line: 519,
	Quotation: `as a pseudo-gradient and plug-in to an off-the shelf gradient-based optimization algorithm, such as ` +
		`Adam`,
	Statement: "Sanger's update can be given to Adam as if it were a gradient.",
	Check:     "Adam with a cosine schedule on a matrix, four random starts, Sanger's rule and OMM_seq",
}, {
	ID: "omm-instability-attribution", Where: "§2.2.5; §3.2.1", Kind: Behaviour, Line: 521,
	Quotation: `We attribute the instability of the OMM gradient to statistical noise, which may make the operator ` +
		`appear to have eigenfunctions with negative eigenvalues, thus triggering the divergent behavior`,
	Statement: "OMM is unstable where statistical noise makes the operator appear to have negative eigenvalues, as " +
		"with a fast-decaying spectrum.",
	Check: "two modes of eigenvalues 1 and l, random batches: whether some direction makes the library's batch loss " +
		"fall without bound, against the condition on the correlation ρ of the modes in the batch, and how often it " +
		"is met",
	Note: "For two modes it is exact. Here ρ is the correlation of the modes in the batch, not the law of the " +
		"samples, and l = λ_2/λ_1. The condition is ρ² > 4l/(1 + l)², where ρ² is about 1/B. So it happens to 1 " +
		"batch in 20 where λ_1/λ_2 = B and to most where it is far above; a shift κ near λ_1/B brings any pair to " +
		"that. But for hydrogen T = −H itself is not PSD, so noise is not the only cause there.",
}, {
	ID: "sanger-is-stable", Where: "§2.2.5; §3.2.1", Kind: Behaviour, Line: 701,
	Quotation: `Rather surprisingly, we find that the Sanger variant does not exhibit optimization instability`,
	Statement: "Rather surprisingly, Sanger's variant does not show the instability that negative eigenvalues explain.",
	Check: "the descent direction of one function along and across itself, random A; the flows of OMM, Sanger's rule " +
		"and LoRA from five starts, A = diag(1, −½), and along a negative eigenvector",
	Note: "Negative eigenvalues alone do not tell it apart from OMM: along such an eigenvector both grow without " +
		"bound, as on diag(1, −½). What does is the turning: OMM turns v at the rate 2(2 − ‖v‖²), so beyond ‖v‖² = 2 " +
		"towards the lowest eigenvector; Sanger's rule always turns to the highest.",
}}
