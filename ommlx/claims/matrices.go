package claims

// Sections 1 to 2.2.3 and appendix A: matrices. S = VᵀV, and r is the rank of A.
var matrices = []Claim{{
	ID: "hermitian", Where: "§2.1, first footnote", Kind: Identity, Line: 334,
	Quotation: `the technique can be naturally adapted for Hermitian matrices.`,
	Statement: "OMM carries over to Hermitian matrices.",
	Check: "H = X + iY and V = P + iQ against the real symmetric [X −Y; Y X] and [P −Q; Q P]: OMM-1 of the latter is " +
		"twice −2 tr V*HV + tr V*V V*HV",
}, {
	ID: "rayleigh-constrained", Where: "§2.1, Eq. (1)", Kind: Theorem, Line: 340,
	Quotation: `For a symmetric matrix $\Am\in\Real^{d\times d}$, the most standard variational characterization of ` +
		`the top-$k$ eigensubspace is the \emph{multicolumn Rayleigh quotient maximization} formulation`,
	Statement: "For any symmetric A the largest tr(VᵀAV) over VᵀV = I is Σ_{i≤k} λ_i, and it is reached at W_{1:k} " +
		"up to rotation.",
	Check: "random A, d and k ≤ d: what orthonormal V misses of the sum is at least (λ_k − λ_{k+1}) times the " +
		"squared part of V outside W_{1:k}; W_{1:k}Q misses nothing",
}, {
	ID: "rayleigh-unconstrained", Where: "§2.1, Eq. (2)", Kind: Theorem, Line: 346,
	Quotation: `While we can derive its unconstrained version as \[ \max_{\Vm\in\Real^{d\times k}} ` +
		`\tr((\Vm^\intercal\Vm)^{-1}\Vm^\intercal \Am\Vm),`,
	Statement: "The maximum of tr((VᵀV)⁻¹VᵀAV) over all V is that of the constrained form.",
	Check: "random A and V: the same value for V and VG with G invertible, never above Σ_{i≤k} λ_i, which W_{1:k}G " +
		"reaches",
	Note: "Over V of full column rank, of which the next sentence of the paper speaks. Towards V = 0 along w_i its " +
		"limit is λ_i, another one for each i.",
}, {
	ID: "rayleigh-inverse-unstable", Where: "§2.1", Kind: Behaviour, Line: 352,
	Quotation: `if $\Vm$ is not full rank (or nearly degenerate), computing $ \left(\Vm^\intercal\Vm \right)^{-1}$ ` +
		`may be infeasible or numerically unstable.`,
	Statement: "Where V is nearly of lower rank, (VᵀV)⁻¹ makes the unconstrained Rayleigh quotient numerically " +
		"unstable.",
	Check: "its gradient in float32 against float64 while two columns are turned together, the condition number of " +
		"VᵀV up to about 4·10⁴; the same for OMM, which has no inverse",
}, {
	ID: "omm-objective", Where: "§2.2, Eq. (3); §2.2.2", Kind: Identity, Line: 357,
	Quotation: `aims to solve the following maximization problem: \[ \min_{\Vm\in\Real^{d\times k}} \Lc_{\omm}(\Vm)`,
	Statement: "OMM minimises L(V), where L(V) = −tr((2I − VᵀV)VᵀAV) = tr((I − VVᵀ)²A) − tr A.",
	Check: "the library's two forms and its gradient against a computation with gonum, random PSD A, also singular " +
		"ones",
}, {
	ID: "omm-minimiser", Where: "§1; §2.2; §2.2.3; §2.3.2", Kind: Theorem, Line: 366,
	Quotation: `its minimizer $\Vm^\star$ satisfies $\Vm^\star(\Vm^\star)^\intercal=\Wm_{1:k}\Wm_{1:k}^\intercal$, ` +
		`i.e., $\Vm$ corresponds to the top-$k$ eigenvectors up to rotation.`,
	Statement: "Without any constraint or regularisation every minimiser of OMM has V*V*ᵀ = W_{1:k}W_{1:k}ᵀ: " +
		"orthonormal columns that span the leading space (for operators: Σf_i⊗f_i = Σφ_i⊗φ_i).",
	Check: "L-BFGS from random starts: the excess of the loss bounds angle and norm, and both are within that bound; " +
		"the loss and gradient at other minimisers for λ_k = λ_{k+1}",
	Correction: "It needs λ_k > 0 and λ_k > λ_{k+1}. With λ_k = λ_{k+1} the projection on any leading space is a " +
		"minimiser.",
}, {
	ID: "no-spurious-minima", Where: "§2.2 (Lu and Thicke, Theorem 2)", Kind: Theorem, Line: 367,
	Quotation: `the OMM objective does not have any spurious local minima, that is, any local minima is a global ` +
		`optima; see \citep[Theorem~2]{Lu--Thicke2017}.`,
	Statement: "For positive semidefinite A every local minimum of OMM is global.",
	Check: "A = diag(1, 0): the loss near the points (0, c) with c² > 2; for positive definite A, OMM-1 to 3: the " +
		"identity that leaves squared norms 0 and 1 only, the way down from wrong eigenvectors, and L-BFGS from " +
		"random starts",
	Correction: "For positive definite A, and then for OMM-p of every order. For singular A there are others: with A " +
		"= diag(1, 0) all (0, c) with c² > 2 are local minima of loss 0, where the minimum is −1. None of them has " +
		"all eigenvalues of VᵀV below 2, and the gradient flow from such a V stays there, so that it ends at the " +
		"minimum but for starts that lead to saddles. This is of the sentence in the paper: the hypotheses of Lu and " +
		"Thicke's theorem, which it cites, were not available to us.",
}, {
	ID: "linear-scaling-origin", Where: "§1; §2.2", Kind: Behaviour, Line: 368,
	Quotation: `This approach was originally proposed to develop linear-scaling algorithms for electronic-structure ` +
		`calculations`,
	Statement: "OMM was proposed in the 1990s for electronic-structure methods whose cost grows linearly with the " +
		"number of electrons.",
	Check:   "none",
	Missing: "not a computation: it is history, for which the paper cites its sources",
}, {
	ID: "derivation-lagrange", Where: "§2.2.1", Kind: Identity, Line: 376,
	Quotation: `the optimal Lagrange multiplier is $\Xi^*=\Vm^\intercal\Am\Vm$, and the Lagrangian $\Lc(\Vm, \Xi^*)$ ` +
		`yields the OMM objective.`,
	Statement: "With the multiplier Ξ* = VᵀAV, which the KKT conditions give, the Lagrangian tr(VᵀAV) − tr(Ξ(VᵀV − " +
		"I)) yields the OMM objective.",
	Check: "random symmetric A and V: the Lagrangian against the library's loss; AV = VΞ* at W_{1:k}Q",
	Note: "Up to its sign. KKT determine the symmetric part of Ξ only, and give VᵀAV where VᵀV = I; to use it " +
		"elsewhere is a heuristic.",
}, {
	ID: "derivation-neumann", Where: "§2.2.1", Kind: Identity, Line: 379,
	Quotation: `Assuming that the spectrum of $\Vm^\intercal\Vm$ is bounded by 1, we have the Neumann series ` +
		`expansion of the inverse matrix`,
	Statement: "If the spectrum of S = VᵀV is bounded by 1, then S⁻¹ = Σ_n (I − S)ⁿ, and its first two terms yield " +
		"−L_omm.",
	Check: "random S with eigenvalues in [0.1, 1.9]: the remainder after q terms is S⁻¹(I − S)^q, the limit is S⁻¹, " +
		"two terms are −L_omm; the sum for eigenvalues 0 and 2.1",
	Note: "It converges just where the eigenvalues of S are in (0, 2). An eigenvalue 0, where the sum grows without " +
		"bound, has no inverse.",
}, {
	ID: "neumann-order", Where: "§2.2.1", Kind: Identity, Line: 392,
	Quotation: `which can be understood as the order $(2p-1)$-th order approximation of $(\Vm^\intercal\Vm)^{-1}$.`,
	Statement: "Q_p = Σ_{i<2p} (I − S)^i approximates S⁻¹ to order 2p − 1.",
	Check: "slope of the error over a decade of ‖I − S‖, p = 1, 2, 3. The error is PSD, so that −L^(p)(V) ≤ " +
		"tr(S⁻¹VᵀAV) ≤ Σ_{i≤k} λ_i, a proof of Theorem 1's bound in one line, which is checked too",
}, {
	ID: "omm-p-forms", Where: "§2.2.1, Eq. (4); §2.2.2, Eq. (5); App. A.1", Kind: Identity, Line: 426,
	Quotation: `we can show that they are exactly same, i.e., $\Lc_{\omm}^{(p)}(\Vm)=\tilde{\Lc}_{\omm}^{(p)}(\Vm)$; ` +
		`we include its proof in Appendix`,
	Statement: "The original OMM-p −tr(Q_pVᵀAV), the trace form tr((I − VVᵀ)^{2p}A) − tr A and the binomial form " +
		"tr({Σ_j (−1)^j C(2p,j) S^{j−1}}VᵀAV) are one function; the proof is by S⁻¹.",
	Check: "all three, and the gradient, against a computation with gonum for p = 1, 2, 3; the first two also for V " +
		"with zero or repeated columns and for k > d",
	Note: "They are equal for every V, but the printed proof holds for full column rank only. SQ_p = I − (I − " +
		"S)^{2p} in the place of S⁻¹ proves it for all. Appendix A.1 also exchanges the names of the two forms.",
}, {
	ID: "theorem1-value", Where: "§2.2.2, Theorem 1; App. A.2", Kind: Theorem, Line: 433,
	Quotation: `\[ \min_{\Vm\in\Real^{d\times k}} \Lc_{\omm}^{(p)}(\Vm) = -\sum_{i=1}^{k\wedge r} \lambda_{i}. \]`,
	Statement: "The minimum of OMM-p for PSD A is −Σ_{i≤min(k,r)} λ_i; the proof splits tr((I − VVᵀ)^{2p}A) into a " +
		"part that is at least 0 and one that is at least Σ_{i>k} λ_i.",
	Check: "L-BFGS from random starts, p = 1, 2, 3, also for repeated eigenvalues and k > r; random V stay above; " +
		"the two parts and their bounds at random V",
}, {
	ID: "theorem1-minimiser", Where: "§2.2.2, Theorem 1", Kind: Theorem, Line: 437,
	Quotation: `In particular, its minimizer $\Vm^\star$ satisfies $\Vm_{1:k\wedge r}^\star(\Vm_{1:k\wedge ` +
		`r}^\star)^\intercal=\Wm_{1:k \wedge r}\Wm_{1:k\wedge r}^\intercal$.`,
	Statement: "With m = min(k, r) a minimiser of OMM-p has V_{1:m}V_{1:m}ᵀ = W_{1:m}W_{1:m}ᵀ, where V_{1:m} are the " +
		"first m columns.",
	Check: "loss, gradient and the printed equation at minimisers for k > r, p = 1, 2, 3",
	Instead: "For k ≤ r it holds where λ_k > λ_{k+1}. For k > r the minimisers are those with VVᵀ = W_{1:r}W_{1:r}ᵀ " +
		"+ N, N any PSD matrix of rank at most k − r on the kernel of A: VVᵀw_i = w_i for i ≤ r. A = diag(1, 0) has " +
		"the minimiser V = [0, w_1].",
}, {
	ID: "theorem1-proof", Where: "§2.2.2, proof sketch; App. A.2", Kind: Identity, Line: 883,
	Quotation: `This implies that $(a)$ holds with equality if and only if $\mu_\ell=1$ for all $\ell\in[k\wedge r]$.`,
	Statement: "The loss depends on VVᵀ = PΣPᵀ only. The bound is reached if and only if P spans the leading space " +
		"and μ_ℓ = 1 for ℓ ≤ min(k, r).",
	Check: "L(VQ) = L(V) and ∇L(VQ) = ∇L(V)Q at random V; the first part at P = W_{1:k}Qᵀ; μ at a minimiser of A = " +
		"diag(1, 0)",
	Instead: "For k > r the \"only if\" fails: VVᵀ = diag(1, 5) is a minimiser of A = diag(1, 0), with μ_1 = 5. The " +
		"first part is the number Σ_{ℓm} (1 − μ_ℓ)^{2p} Q_ℓm² λ_m. For k ≤ r the proof stands.",
}, {
	ID: "negative-eigenvalue-ray", Where: "§2.2.3", Kind: Identity, Line: 453,
	Quotation: `Since $\lambda_{j}<0$, the objective will diverge to negative infinity when $c^2\to\infty$.`,
	Statement: "Along an eigenvector L^(1)(c w_j) = (1 − c²)²λ_j − λ_j, which goes to −∞ if λ_j < 0.",
	Check: "value and slope along each eigenvector of an indefinite A, also λ((1 − c²)^{2p} − 1) for p = 2, 3; the " +
		"value at c = 1,000",
}, {
	ID: "no-omm-without-psd", Where: "§2.2.3", Kind: Behaviour, Line: 454,
	Quotation: `This explains why the OMM cannot be applied to non-PSD symmetric matrices.`,
	Statement: "Hence OMM cannot be applied to symmetric matrices that are not PSD.",
	Check: "gradient flow of OMM-1 to 3 on indefinite A: the equation of I − VᵀV from the library's gradient, its " +
		"eigenvalues along the flow, where flows from inside the unit ball end, and starts along a negative " +
		"eigenvector inside and outside the ball",
	Correction: "The loss is unbounded below, and flows that start outside the unit ball can diverge, as the paper " +
		"says. Inside the ball they cannot: E = I − VᵀV obeys Ė = −4(NE + ENᵀ), with N = VᵀAV for OMM-1, which keeps " +
		"the signs of E's eigenvalues for every symmetric A. From VᵀV ⪯ I the flow of un-nested OMM-p never " +
		"diverges, and from random such starts it ended at the leading space. What can leave that set is a large " +
		"step, another optimiser, nesting, or noise.",
	Use: "OMM on indefinite T as it is, and a shift κ where that runs away (ommlx.Shifted)",
}, {
	ID: "shift-makes-psd", Where: "§2.2.3", Kind: Theorem, Line: 455,
	Quotation: `we can \emph{shift} the spectrum by considering the positive semidefinite matrix $\Am + \kappa ` +
		`\Imat_d$, to which the OMM can then be applied.`,
	Statement: "If λ_d ≥ −κ, OMM can be applied to A + κI and finds the leading eigenvectors of A.",
	Check: "L-BFGS for indefinite A with some of the leading k eigenvalues negative, κ above −λ_d, p = 1, 2; the " +
		"loss far away; the gradient for f and Tf",
	Note: "At κ = −λ_d the shifted matrix is singular, and may have local minima that are not global (claim " +
		"no-spurious-minima); κ above −λ_d avoids them.",
}, {
	ID: "shift-is-penalty", Where: "§2.2.3", Kind: Identity, Line: 458,
	Quotation: `it is straightforward to verify that this is equivalent to applying the OMM-1 to the ` +
		`spectrum-shifted matrix $\Am + \kappa \Imat_d$.`,
	Statement: "A penalty κ‖VᵀV − I‖² added to OMM-1 is equivalent to OMM-1 for A + κI.",
	Check:     "value and gradient of both, indefinite A; the value for p = 1, 2, 3",
	Note: "Equal but for the constant κk, which moves no minimiser. For every p the shift adds κ‖(I − VᵀV)^p‖² − " +
		"κk.",
}, {
	ID: "penalty-keeps-optima", Where: "§2.2.3", Kind: Theorem, Line: 458,
	Quotation: `unlike standard regularization techniques that modify the optimal solution to enhance stability, the ` +
		`OMM-1 with this form of regularization preserves the global optima.`,
	Statement: "OMM-1 with this penalty keeps its global optima.",
	Check:     "minimum and minimiser with κ > 0; the loss of other minimisers for k > r with and without the penalty",
	Correction: "For k ≤ r. For k > r fewer remain: of the minimisers VVᵀ = W_{1:r}W_{1:r}ᵀ + N those whose N is a " +
		"projection of rank k − r. (That optima stay is no statement about speed: the relative gap falls to (λ_k − " +
		"λ_{k+1})/(λ_1 + κ).)",
}, {
	ID: "pca-identity", Where: "§2.2.3, Eq. (6)", Kind: Identity, Line: 471,
	Quotation: `even without explicitly enforcing the orthogonality constraint on $\Vm \in \Real^{d \times k}$, the ` +
		`global optima of the OMM remain unchanged`,
	Statement: "For x with second moment A, tr((I − VVᵀ)²A) = E‖x − VVᵀx‖², and its optima span the space that PCA " +
		"finds: the whitening (VᵀV)⁻¹ of Eq. (6) is not required.",
	Check: "on random samples, whose mean is not zero: the library's loss against the mean error; the least value " +
		"against the SVD of the data, with and without (VᵀV)⁻¹",
}}
