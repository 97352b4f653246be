package claims

// Section 2.3 and appendix B: operators, and the implementation.
var operators = []Claim{{
	ID: "operator-spectrum", Where: "§2.3", Kind: Theorem, Line: 538,
	Quotation: `By the spectral theorem, if $\Top$ is compact, then there exists a sequence of orthonormal ` +
		`eigenfunctions`,
	Statement: "A compact PSD operator on L²_ρ has orthonormal eigenfunctions with λ_1 ≥ λ_2 ≥ … ≥ 0.",
	Check:     "a T with ⟨f, Tf⟩ = ‖f‖² for real f and no real eigenvalue",
	Note:      "\"PSD operator\" is read as self-adjoint, which ⟨f, Tf⟩ ≥ 0 does not imply for real functions.",
}, {
	ID: "operator-minimiser", Where: "§2.3", Kind: Theorem, Line: 562,
	Quotation: `If the point spectrum of $\Top$ is isolated and separated by a spectral gap from its essential ` +
		`spectrum, we can also argue that the global minimizer of the OMM objective corresponds to the top-$k$ ` +
		`eigensubspace.`,
	Statement: "If the point spectrum is isolated and has a gap to the essential spectrum, OMM's minimiser is the " +
		"leading eigenspace.",
	Check: "L-BFGS for growing numbers of the eigenvalues 1/n², which accumulate at 0",
	Note: "The gap is sufficient: λ_k > λ_{k+1} and λ_k above the essential spectrum will do, as for hydrogen, whose " +
		"eigenvalues accumulate at 0.",
}, {
	ID: "counting-measure", Where: "§2.3", Kind: Identity, Line: 542,
	Quotation: `When $\Xc = \{1, \ldots, d\}$ and $\rho$ is the counting measure,`,
	Statement: "Counting measure on finitely many points gives matrices back.",
	Check:     "the operator form on d samples against the matrix form, value and gradient",
}, {
	ID: "operator-objective", Where: "§2.3, Eq. (8)", Kind: Identity, Line: 561,
	Quotation: `if $p=1$, it boils down to $\Lc_{\omm}^{(1)}(\fv)=-2 \tr(\secondmoment{\rho}{\fv,\Top\fv}) + ` +
		`\tr(\secondmoment{\rho}{\fv}\secondmoment{\rho}{\fv,\Top\fv})$.`,
	Statement: "With M[f] and M[f,Tf] for VᵀV and VᵀAV the objective is L^(p)(f) = tr({Σ_j (−1)^j C(2p,j) " +
		"M[f]^{j−1}}M[f,Tf]); for p = 1 it is −2 tr M[f,Tf] + tr(M[f]M[f,Tf]).",
	Check: "at f = √d·V against the matrix forms, value and gradient, p = 1, 2, 3; term by term in the scale of f " +
		"for f and Tf that have nothing to do with each other; the moments against means of outer products",
}, {
	ID: "unbiased-minibatch", Where: "§2.3.2", Kind: Theorem, Line: 621,
	Quotation: `While both objectives are unconstrained and admit unbiased gradient estimates with minibatch samples,`,
	Statement: "The OMM and LoRA objectives have unbiased gradient estimates from minibatches.",
	Check: "exact means over every batch that can be drawn from a few states, B = 1 to 4: value, gradient, all " +
		"nestings, one batch and two, and the least mean loss of one function",
	Correction: "They admit them, from independent batches for M[f] and M[f,Tf]. With one batch for both, as in the " +
		"listing of appendix B.2, the metric term has the bias (E|f|²fᵀTf − tr(M[f]M[f,Tf]))/B, and its gradient one " +
		"of order 1/B: learned functions are too short, ‖f‖² = 1/(1 + (m − 1)/B) for one with fourth moment m.",
	Use: "one batch, as printed; a second one can be given as Batch.Form",
}, {
	ID: "seq-surrogate-gradient", Where: "§2.3.1, Eq. (9)", Kind: Identity, Line: 591,
	Quotation: `the gradient for OMM with sequential nesting can be efficiently implemented by this \emph{single} ` +
		`surrogate objective function`,
	Statement: "L^seq(f) = −2 tr M^seq[f,Tf] + tr(M^seq[f]M^seq[f,Tf]), M^seq with its partial stop-gradients, has " +
		"the value of L^(1)(f_{1:k}) and for each f_i the gradient of L^(1)(f_{1:i}).",
	Check: "value, gradient for f and gradient for Tf against the losses of the prefixes, M[f,Tf] not symmetric, " +
		"also for LoRA; the gradient of M^seq term by term; differences of a loss in which what stands still is an " +
		"argument of its own",
}, {
	ID: "seq-no-overhead", Where: "§2.3.1", Kind: Behaviour, Line: 595,
	Quotation: `This can be implemented efficiently with almost no additional computational overhead compared to ` +
		`computing $\secondmoment{\rho}{\fv,\gv}$ without nesting.`,
	Statement: "Sequential nesting costs almost nothing over computing the moments without nesting, thanks to tr(AB) " +
		"= ⟨A, B⟩.",
	Check: "multiply-adds of all matrix products in the graphs of loss and gradient, with and without nesting, B = " +
		"64 and 4,096, k = 4 and 64, of this library and of the printed code",
	Correction: "None at all where equal products are computed once, as XLA does. PyTorch does not: as printed, " +
		"where each moment is formed by two full products, the moments take 8 products in place of 6, a third more " +
		"of a part that is small beside the network.",
}, {
	ID: "seq-higher-order-hard", Where: "§2.3.1", Kind: Behaviour, Line: 597,
	Quotation: `Thus, it is harder to utilize the advantages of high-order OMM in the nested case.`,
	Statement: "For p > 1 the partial stop-gradient does not apply to tr(M[f]^{j−1}M[f,Tf]), j ≥ 3, so that " +
		"sequential nesting is harder there.",
	Check: "the gradients of the prefixes of L^(2) against every combination of its parts, entry by entry, that " +
		"stop-gradients or weights on entries of the moments can give, by least squares; the sum of the losses of " +
		"all prefixes with all but the last function stopped, against the same",
	Note: "No mask on entries of the moments does it, but the loss of each prefix needs k×k moments only: with all " +
		"but f_i stopped in prefix i the sum over prefixes has exactly those gradients, for O(pk⁴) and no further " +
		"pass over the batch.",
}, {
	ID: "joint-mask-equation", Where: "§2.3.1", Kind: Identity, Line: 604,
	Quotation: `=\tr\Bigl(\Pm\odot \Bigl(-2\secondmoment{\rho}{\fv,\Top\fv} + ` +
		`\secondmoment{\rho}{\fv}\secondmoment{\rho}{\fv,\Top\fv}\Bigr)\Bigr).`,
	Statement: "With P_ij = m_{max(i,j)}, m_i = Σ_{j≥i} α_j, joint nesting is tr(P ⊙ (−2M[f,Tf] + M[f]M[f,Tf])).",
	Check: "the printed formula against Σ_i α_i L^(1)(f_{1:i}), value; both at the witness V of an unbounded loss, A " +
		"= diag(1, 1/q), α = (½, ½); the mask entry by entry",
	Instead: "−2 tr(diag(m) M[f,Tf]) + tr((P ⊙ M[f])M[f,Tf]). The printed trace sees the diagonal of P only, and is " +
		"unbounded below where two eigenvalues have a ratio q with (√q + 1/√q)/2 > ((1 + s)/(1 − s))², s² = m_j/m_i: " +
		"beyond q = 4,614 for m = (1, ½).",
	Use: "the corrected formula; the printed one is OMM.Printed = JointEquation",
}, {
	ID: "seq-vs-joint", Where: "§2.3.1", Kind: Behaviour, Line: 608,
	Quotation: `the convergence with sequential nesting is comparable to or sometimes better than joint nesting even ` +
		`with joint parameterization in general.`,
	Statement: "Sequential nesting converges as well as joint nesting or better, even where one network has all " +
		"functions as outputs.",
	Check: "average cosine similarity of OMM_seq and OMM_jnt in the twelve environments of figure 1; rates of both " +
		"at the solution for a small gap",
}, {
	ID: "lora-objective", Where: "§2.3.2", Kind: Identity, Line: 614,
	Quotation: `LoRA seeks a rank-$k$ approximation minimizing the error in the Hilbert--Schmidt norm $\|\Top - ` +
		`\sum_{i=1}^k f_i \otimes f_i\|_{\mathsf{HS}}^2 - \|\Top\|_{\mathsf{HS}}^2$`,
	Statement: "‖T − Σf_i⊗f_i‖²_HS − ‖T‖²_HS = −2 tr M[f,Tf] + tr(M[f]M[f]) for self-adjoint T.",
	Check: "the library's loss against the norms of random symmetric, also indefinite, matrices; the sum of squares " +
		"of the oscillator's 1/E",
	Note: "For Hilbert–Schmidt T, where the norms exist. The −H of the examples is none, nor is the inverse of H for " +
		"the oscillator, whose norm diverges as a logarithm; the right-hand side needs less and is what is minimised.",
}, {
	ID: "lora-optimum", Where: "§2.3.2; caption of Fig. 2", Kind: Theorem, Line: 625,
	Quotation: `whereas the LoRA optimizer satisfies $\sum_{i=1}^k f_{\lora,i}^\star \otimes f_{\lora,i}^\star = ` +
		`\Top_{k\wedge r_+}$`,
	Statement: "For any self-adjoint compact T LoRA's optimum is Σf_i⊗f_i = T_{min(k, r₊)}, the truncation to the " +
		"leading positive eigenvalues; nested, each f_i is √λ_i φ_i.",
	Check: "L-BFGS from random starts for definite and indefinite A, k below and above r₊; joint and sequential " +
		"nesting; the loss where no eigenvalue is positive",
	Note: "Nested, each f_i is √λ_i φ_i up to its sign, and where an eigenvalue is repeated up to a rotation.",
}, {
	ID: "lora-svd", Where: "§2.3.2", Kind: Identity, Line: 627,
	Quotation: `leading to the objective ` +
		`$\Lc_{\lora}^{\mathsf{svd}}(\fv,\gv)=-2\tr(\secondmoment{\rho_0}{\fv,\Top\gv}) + ` +
		`\tr(\secondmoment{\rho_0}{\fv}\secondmoment{\rho_1}{\gv})$`,
	Statement: "−2 tr M_{ρ0}[f,Tg] + tr(M_{ρ0}[f]M_{ρ1}[g]) is LoRA for a singular value decomposition.",
	Check: "random rectangular A: ‖A − UVᵀ‖² − ‖A‖² is that expression, its minimum −Σ_{i≤k} σ_i² is reached at the " +
		"singular vectors",
}, {
	ID: "omm-general-operators", Where: "§2.3.2", Kind: Behaviour, Line: 628,
	Quotation: `In contrast, extending the OMM to handle general operators is nontrivial.`,
	Statement: "To extend OMM to general operators, as LoRA extends to singular values, is nontrivial.",
	Check:     "none",
	Missing: "not a computation: it is an opinion. (OMM of T*T, or of the symmetric [0 T; T* 0] with a shift, is a " +
		"way, at the price of a squared or a shifted spectrum.)",
}, {
	ID: "omm-beats-lora-sparse", Where: "§2.3.2; App. C.3", Kind: Behaviour, Line: 630,
	Quotation: `OMM can outperform LoRA in certain settings, particularly when the target matrix is sparse, such as ` +
		`the graph Laplacians of real-world networks`,
	Statement: "OMM can outperform LoRA for sparse matrices such as the Laplacians of real-world graphs, where LoRA " +
		"diverged.",
	Check: "both with one network and one optimiser on a graph: whether they diverge, and linear probes on what they " +
		"learn. LARS takes plain steps on biases and norms, k times as long for a loss that is summed over the k " +
		"functions as for its mean",
}, {
	ID: "sanger-surrogate", Where: "App. B.1", Kind: Identity, Line: 916,
	Quotation: `With the appropriate stop-gradient operation, its gradient implements the Sanger variant.`,
	Statement: "Automatic differentiation of −2 tr M[f,Tf] + tr(M^seq[f] sg M[f,Tf]), with the appropriate " +
		"stop-gradient operation, gives Sanger's rule.",
	Check: "gradients for f and for Tf, the squared norm of the fixed point",
	Correction: "With the stop-gradient on Tf in the operator term as well: −2 tr M[f, sg Tf] + tr(M^seq[f] sg " +
		"M[f,Tf]). The text asks for \"the appropriate stop-gradient operation\", which may mean just this one. In " +
		"the formula as printed, without it, the gradient through Tf counts the operator term twice, and the flow " +
		"rests at ‖f_i‖² = 2, not 1.",
	Use: "the corrected formula; the printed one is Sanger.Printed = SangerBothGradients",
}, {
	ID: "pseudocode-none-seq", Where: "App. B.2", Kind: Identity, Line: 919,
	Quotation: `OMM-1 without any nesting (when \texttt{nesting} is \texttt{None})`,
	Statement: "The PyTorch code computes OMM-1 for nesting None, and its sequential nesting for seq.",
	Check: "the moments and losses of the listing, transcribed operation by operation, against OMM-1 and OMM_seq: " +
		"value and gradients for f and Tf",
}, {
	ID: "pseudocode-joint", Where: "App. B.2", Kind: Identity, Line: 942,
	Quotation: `operator_term = -2 * (torch.diag(self.vec_mask.to(f.device)) * M_f_Tf).mean(0).sum()`,
	Statement: "The PyTorch code computes the joint nesting of OMM-1 for nesting jnt.",
	Check: "its value and gradient against the joint loss, and against the joint loss of √k·f; L-BFGS for its " +
		"minimiser",
	Instead: "Without `.mean(0)`, which divides the operator term by k. What is printed is L_jnt(√k·f)/k²: the same " +
		"eigenfunctions, with norm 1/√k, and another step size.",
	Use: "the corrected formula; the printed one is OMM.Printed = JointPseudocode",
}, {
	ID: "pseudocode-sanger", Where: "App. B.2", Kind: Identity, Line: 948,
	Quotation: `M_f_Tf = M_f_Tf.detach()`,
	Statement: "The PyTorch code computes Sanger's rule for nesting sanger.",
	Check:     "gradients for f and for Tf against Sanger's rule; the direction of the flow",
	Instead: "M[f,Tf] is detached before the operator term is formed, which then has no gradient: the flow only " +
		"shrinks f. The operator term must be formed from f and detached Tf.",
	Use: "the corrected formula; the printed one is Sanger.Printed = SangerDetached",
}, {
	ID: "complexity", Where: "App. B.3", Kind: Number, Line: 1000,
	Quotation: `When $p > 1$, the complexity becomes $O(Bk^2 + pk^3)$, as we need to recursively compute the powers ` +
		`of the overlap matrix`,
	Statement: "OMM-1 costs O(Bk²), as LoRA and ALLO do; OMM-p costs O(Bk² + pk³).",
	Check: "multiply-adds of all matrix products in the graphs of loss and gradient, B = 64 to 4,096, k = 4 to 64, p " +
		"= 1 to 8, against aBk² + b(p − 1)k³",
}, {
	ID: "lora-omm-same-gradient-cost", Where: "App. B.3", Kind: Behaviour, Line: 1004,
	Quotation: `Given that the computational complexity of gradient evaluation in LoRA and OMM is equivalent, the ` +
		`same argument applies here.`,
	Statement: "The gradients of LoRA and OMM have equivalent complexity.",
	Check: "multiply-adds of all matrix products in the graphs of loss and gradients for f and Tf; for symmetric T " +
		"both losses without a gradient through Tf against those with one: neither needs it",
}, {
	ID: "advantage-carries-over", Where: "App. B.3", Kind: Behaviour, Line: 1004,
	Quotation: `the same argument applies here.`,
	Statement: "The advantage over numerical eigensolvers that was reported for LoRA carries over to OMM.",
	Check:     "none",
	Missing: "the comparison of Ryu et al., appendix A, with OMM. (`make bench` finds classical solvers faster on " +
		"the grid worlds and on graphs of up to 10⁶ nodes.)",
}, {
	ID: "eigensolver-scaling", Where: "App. B.3", Kind: Behaviour, Line: 1003,
	Quotation: `There, the authors report an undesirable scaling behavior exhibited by numerical eigensolvers and ` +
		`highlight the efficiency advantage of the LoRA-based parametric formulation.`,
	Statement: "Numerical eigensolvers scale undesirably, and the parametric form is more efficient (a finding of " +
		"Ryu et al., appendix A).",
	Check: "none",
	Missing: "the operators and sizes of that paper; on grid worlds `make bench` compares training with Lanczos, a " +
		"dense solver and SciPy",
}, {
	ID: "hardware", Where: "App. C", Kind: Number, Line: 1010,
	Quotation: `All experiments were conducted on a single GPU, either a \texttt{NVIDIA GeForce RTX 3090} (24GB) or ` +
		`a \texttt{NVIDIA RTX A6000} (48GB).`,
	Statement: "All experiments ran on one NVIDIA RTX 3090 or RTX A6000.",
	Check:     "none",
	Missing:   "not a computation; each result here records the device that it ran on",
}}
