package claims

// Section 3.3, appendix C.3 and section 4: images, graphs, outlook.
var representation = []Claim{
	{
		ID: "cdk-symmetric-psd", Where: "§3.3", Kind: Theorem,
		Line: 749, Quotation: `the CDK is symmetric and PSD by construction.`,
		Statement: "The canonical dependence kernel p(t_1,t_2)/(p(t_1)p(t_2)) is symmetric and positive " +
			"semidefinite, and OMM needs E f(t_1)f(t_2)ᵀ only.",
		Check: "random finite models of images and views: spectrum, and the loss from the two moments against that " +
			"of the matrix. Its first eigenfunction is the constant with eigenvalue 1, which takes one of the k modes",
	},
	{
		ID: "contrastive-factorises-log-cdk", Where: "§3.3", Kind: Theorem,
		Line: 746, Quotation: `Most contrastive learning approaches aim to learn $\fv_\theta(\cdot)$ such that it ` +
			`factorizes the log CDK (or pointwise mutual information)`,
		Statement: "Most contrastive methods factorise log k: f(t_1)ᵀf(t_2) ≈ log k(t_1,t_2).",
		Check:     "the population loss of InfoNCE on random finite models: gradient and value",
		Note:      "Up to a function c(t_1) of the first view, which the loss does not see.",
	},
	{
		ID: "feature-normalisation", Where: "§3.3, App. C.3", Kind: Behaviour,
		Line: 753, Quotation: `In all cases, we normalized features along the feature dimension before computing any ` +
			`loss following the standard convention.`,
		Statement: "Features are scaled to norm 1 before the OMM loss, following the standard convention.",
		Check: "the loss of features of norm 1 on random finite models against the minimum of Theorem 1; minimisers " +
			"of fixed trace for p = 1, 2, 3 and the mixture against their conditions of optimality",
		Note: "Features of norm 1 have tr M[f] = 1, and the minimiser of Theorem 1 has M[f] = I, tr M[f] = k: it is " +
			"out of reach for k > 1. With the trace fixed, the order decides over how many modes it is spread: more " +
			"for higher p.",
	},
	{
		ID: "tab1", Where: "§3.3, Table 1, App. C.3", Kind: Number,
		Line: 756, Quotation: `The results are summarized in Table~\ref{tab:merged-solo-learn-results}.`,
		Statement: "Top-1 and top-5 accuracy on CIFAR-100 of OMM with p = 1, joint and sequential " +
			"nesting, p = 2, the mixture, and SimCLR, with a projector and without (with it OMM 60.02 and 87.13, " +
			"the mixture 64.77 and 89.18, SimCLR 66.50 and 89.28).",
		Check: "our trainings beside the printed numbers, each by the rule of the table's note. The paper prints no " +
			"number of runs and no spread",
	},
	{
		ID: "ssl-nesting-no-improvement", Where: "§3.3, Table 1", Kind: Behaviour,
		Line: 758, Quotation: `We then examined the effect of nesting on representation quality and observed no ` +
			`improvement, with a slight degradation in some cases.`,
		Statement: "On the printed numbers: nesting brings no improvement, with a slight degradation in some cases.",
		Check:     "arithmetic on Table 1; no experiment, and no spread is printed",
		Correction: "Joint nesting gains 1.28 points of top-1 with the projector, and loses 1.91 of top-5. " +
			"Sequential nesting loses 6.87 points of top-1 without the projector. No spread is printed.",
	},
	{
		ID: "ssl-higher-order-helps", Where: "§3.3, Table 1", Kind: Behaviour,
		Line: 760, Quotation: `both variants substantially improved performance, reaching approximately $64\%$ top-1 ` +
			`accuracy.`,
		Statement: "On the printed numbers: p = 2 and the mixture of p = 1 and 2 improve substantially, to about 64 %.",
		Check:     "arithmetic on Table 1; no experiment, and no spread is printed",
	},
	{
		ID: "ssl-mixture-best", Where: "App. D, Table 1", Kind: Behaviour,
		Line: 1328, Quotation: `and even better by using the mixed objective`,
		Statement: "On the printed numbers: the mixture of p = 1 and 2 is better than p = 2.",
		Check:     "arithmetic on Table 1; no experiment, and no spread is printed",
	},
	{
		ID: "ssl-below-simclr", Where: "§3.3, Table 1", Kind: Behaviour,
		Line: 763, Quotation: "While these methods do not surpass the SimCLR baseline",
		Statement: "On the printed numbers: no variant of OMM surpasses SimCLR.",
		Check:     "arithmetic on Table 1; no experiment, and no spread is printed",
	},
	{
		ID: "ssl-projector-not-needed", Where: "§3.3, Table 1", Kind: Behaviour,
		Line: 762, Quotation: `notably, the performance remains comparable even without a projector.`,
		Statement: "On the printed numbers: performance remains comparable even without a projector.",
		Check:     "arithmetic on Table 1; no experiment, and no spread is printed",
		Correction: "For p = 1, joint nesting and the mixture (at most 1.4 points lost); p = 2 loses 2.7 and " +
			"sequential nesting 7.0.",
	},
	{
		ID: "graph-laplacian-spectrum", Where: "App. C.3", Kind: Theorem,
		Line: 1268, Quotation: `it is also well known that the spectrum is bounded within $[0, 2]$.`,
		Statement: "The normalised Laplacian L_sym = I − D^{-1/2}AD^{-1/2} has its spectrum in [0, 2].",
		Check:     "random connected graphs, bipartite and not",
		Note: "Which operator OMM is given is not said: I − L_sym has trace 0 and so negative eigenvalues, for which " +
			"§2.2.3 has a shift.",
	},
	{
		ID: "ogbn-numbers", Where: "App. C.3, Data", Kind: Number,
		Line: 1281, Quotation: `The density of this graph is $2.06\times 10^{-5}$, suggesting that the underlying ` +
			`graph is extremely sparse.`,
		Statement: "2,449,029 nodes and 61,859,140 edges make a density of 2.06·10⁻⁵ (100 features, 47 classes).",
		Check:     "arithmetic on the printed numbers, edges undirected; the data are not read",
	},
	{
		ID: "tab3", Where: "App. C.3, Table 3", Kind: Number,
		Line: 1297, Quotation: `We summarize our result in Table~\ref{tab:ogbn_products}.`,
		Statement: "Accuracy on ogbn-products of OMM (73.66 representation, 74.17 " +
			"embedding; 82.06 and 84.11 after Correct & Smooth) and Neural Eigenmaps (74.05, 50.76; 82.40, 80.90). " +
			"LoRA diverges, Neural Eigenmaps does without normalised features, OMM does not.",
		Check: "our trainings beside the printed numbers, each by the rule of the table's note. The paper prints " +
			"the spread over probes of one training. The projector is described twice, differently, and is read as " +
			"in the code that the paper builds on; Correct & Smooth corrects predictions after training, as there, " +
			"where the text has it correct the labels for training",
	},
	{
		ID: "tab3-embedding-better", Where: "App. C.3, Table 3", Kind: Behaviour,
		Line: 1301, Quotation: `remarkably, the linear probe performance from the embedding is better than the ` +
			`intermediate feature, which is the output of the MLP.`,
		Statement: "On the printed numbers: the probe on OMM's embedding is better than on its " +
			"representation, and clearly the best after Correct & Smooth.",
		Check: "arithmetic on Table 3; no experiment",
		Note:  "The printed ± is the spread over probes of a single training.",
	},
	{
		ID: "tab3-smoothed-close", Where: "App. C.3, Table 3", Kind: Behaviour,
		Line: 1306, Quotation: `the C\&S postprocessing boosts the classification accuracy for all cases to be ` +
			`relatively close.`,
		Statement: "On the printed numbers: Correct & Smooth improves every accuracy, and brings them closer together.",
		Check:     "arithmetic on Table 3; no experiment",
	},
	{
		ID: "omm-captures-eigenfunctions", Where: "App. C.3", Kind: Behaviour,
		Line: 1304, Quotation: `suggests that the OMM objective may behave better than competitors in the context of ` +
			`capturing true eigenfunctions.`,
		Statement: "OMM may capture the true eigenfunctions better than Neural Eigenmaps and LoRA do.",
		Check:     "the sum of the leading eigenvalues of S in the span of the learned functions, by exact products",
	},
	{
		ID: "eigenmaps-not-sharp", Where: "App. C.3", Kind: Theorem,
		Line: 1275, Quotation: `it is a regularization-based approach and thus does not have the sharp global ` +
			`optimality that OMM enjoys.`,
		Statement: "Neural Eigenmaps is based on regularisation without sharp global optimality, " +
			"and its α must be tuned.",
		Check: "its ordered objective on random matrices, for columns of norm 1 learned one after the other, " +
			"with α just above and below the bound",
		Correction: "Its ordered form is sharp where α > max_{i<j≤k} (λ_i − λ_j)/λ_i²; " +
			"below, a mode is learned twice. So α matters, by a bound that depends on the spectrum.",
	},
	{
		ID: "outlook", Where: "§4", Kind: Behaviour,
		Line: 794, Quotation: `existing parametric approaches to spectral decomposition exhibit notable limitations, ` +
			`particularly a lack of theoretical understanding regarding their convergence properties`,
		Statement: "Parametric spectral methods lack a theory of convergence comparable to that of classical " +
			"solvers; further experiments could yield deeper insight.",
		Check:   "none",
		Missing: "not a computation: a judgement of the field",
	},
}
