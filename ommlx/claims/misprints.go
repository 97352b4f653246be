package claims

// Misprint is a slip of the printed text from which nothing follows.
type Misprint struct {
	Where string `json:"where"` // section or appendix, as numbered in the PDF
	// Quotation are words of the paper's LaTeX source, and Line is where they begin in it.
	Quotation string `json:"quotation"`
	Line      int    `json:"line"`
	Meant     string `json:"meant"` // what is meant, in our words
}

// Misprints lists them in the order of the paper.
func Misprints() []Misprint { return misprints }

var misprints = []Misprint{
	{"§1", `eigenspaces of positive-definite operators`, 313,
		"positive-semidefinite, as in the rest of the paper"},
	{"§2.2", `aims to solve the following maximization problem:`, 357,
		"minimisation"},
	{"§2.2.1", `the Lagrangian $\Lc(\Vm, \Xi^*)$ yields the OMM objective.`, 376,
		"up to its sign"},
	{"§2.2.1", `the multicolumn Rayliegh quotient`, 378,
		"Rayleigh"},
	{"§2.2.1", `= \sum_{k=0}^\infty (\Imat_k - \Vm^\intercal\Vm)^k.$`, 382,
		"another letter for the index: k is the number of columns"},
	{"§2.2.1", `the order $(2p-1)$-th order approximation`, 392,
		"the approximation of order 2p − 1"},
	{"§2.2.2, proof sketch", `$\Pm\in\Real^{d\times k}$ such that $\Pm^\intercal \Pm$ and a diagonal matrix`, 441,
		"PᵀP = I_k"},
	{"§2.2.2, proof sketch", `if and only if $\Vm\Vm^\intercal=\Wm\Wm^\intercal$.`, 442,
		"W_{1:k}W_{1:k}ᵀ"},
	{"§3.1, caption of Figure 1", `GridRoom\{32,64\}`, 665,
		"GridRoom-{32,64}"},
	{"§3.2.1, caption of Figure 2", `OMM$_{\mathsf{seq}}$ performs as well as LoRA$_{\mathsf{seq}}$`, 677,
		"what is shown is Sanger's variant, as the text says"},
	{"App. A.2", `$\Pm$ can be written as $\Pm=\Vm\Qm^\intercal$ by an orthogonal matrix`, 875,
		"W_{1:k}Qᵀ, here and in the first line of the display below"},
	{"App. A.2", `&=\sum_{\ell=1}^k (1-\mu_\ell)^{2p} \lambda_\ell\qv_\ell\qv_\ell^\intercal.`, 881,
		"the number Σ_{ℓm} (1 − μ_ℓ)^{2p} Q_{ℓm}² λ_m"},
	{"App. A.3", `By telescoping, this leads to $\vv_i=\wv_i$ for each $i$.`, 897,
		"v_i = ±w_i"},
	{"App. C.2", `When $V(\xv)=\|\xv\|^2$ in the Schr\"odinger, it is called`, 1158,
		"in the Schrödinger equation"},
	{"App. C.2, caption of Figure 6",
		`Summary of the 2D harmonic oscillator experiment in Figure~\ref{fig:oscillator_numerical}.`, 1224,
		"it refers to itself; Figure 5 is meant"},
	{"App. C.2, caption of Figure 7",
		`eigenfunctions with OMM$_{\mathsf{seq}}$ on the 2D harmonic oscillator.`, 1231,
		"on the 2D infinite well"},
	{"App. C.2, caption of Figure 8",
		`Summary of the 2D harmonic oscillator experiment in Figure~\ref{fig:inf_well_eigfuncs}.`, 1237,
		"the 2D infinite well"},
	{"App. C.3", `followed by a projector of the same architecture as in the image experiment.`, 1283,
		"the next sentence gives it other widths; which was used is not clear"},
	{"App. C.3", `first correcting the training labels using a graph-based error estimation`, 1292,
		"Correct & Smooth corrects predictions after training"},
	{"App. D", `where $\Rm=\Vm\Vm^\intercal$ is idempotent`, 1345,
		"R = I − VVᵀ, as defined at the start of the appendix"},
}
