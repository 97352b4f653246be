package claims

// tab1Check and tab3Check are how the numbers of Tables 1 and 3 are checked, and the text about Table 1; twoReadings is
// what the text on Table 3 leaves open.
const (
	tab1Check = "our trainings beside the printed numbers, top-1 and top-5, each by the rule of the table's " +
		"note. The paper prints no number of runs and no spread"
	tab1Text  = "our trainings, with the projector and without; the printed differences beside them"
	tab3Check = "our trainings beside the printed numbers, each by the rule of the table's note. The paper prints " +
		"the spread over probes of one training"
	twoReadings = "The 20 epochs \"on the full set of nodes\" with batches of 16,384 can be read as of edges, " +
		"151,020 steps, or of nodes, 2,990 steps. Both are rows of the paper profile."
)

// Section 3.3, appendix C.3 and section 4: images, graphs, outlook.
var representation = []Claim{{
	ID: "cdk-symmetric-psd", Where: "§3.3", Kind: Theorem, Line: 749,
	Quotation: `the CDK is symmetric and PSD by construction.`,
	Statement: "The canonical dependence kernel p(t_1,t_2)/(p(t_1)p(t_2)) is symmetric and positive semidefinite, " +
		"and OMM needs E f(t_1)f(t_2)ᵀ only.",
	Check: "random finite models of images and views: spectrum, and the loss from the two moments against that of " +
		"the matrix. Its first eigenfunction is the constant with eigenvalue 1, which takes one of the k modes",
}, {
	ID: "contrastive-factorises-log-cdk", Where: "§3.3", Kind: Theorem, Line: 746,
	Quotation: `Most contrastive learning approaches aim to learn $\fv_\theta(\cdot)$ such that it factorizes the ` +
		`log CDK (or pointwise mutual information)`,
	Statement: "Most contrastive methods factorise log k: f(t_1)ᵀf(t_2) ≈ log k(t_1,t_2).",
	Check:     "the population loss of InfoNCE on random finite models: gradient and value",
	Note:      "Up to a function c(t_1) of the first view, which the loss does not see.",
}, {
	ID: "feature-normalisation", Where: "§3.3, App. C.3", Kind: Behaviour, Line: 753,
	Quotation: `In all cases, we normalized features along the feature dimension before computing any loss following ` +
		`the standard convention.`,
	Statement: "Features are scaled to norm 1 before the OMM loss, following the standard convention.",
	Check: "the loss of features of norm 1 on random finite models against the minimum of Theorem 1; minimisers of " +
		"fixed trace for p = 1, 2, 3 and the mixture against their conditions of optimality",
	Note: "Features of norm 1 have tr M[f] = 1, and the minimiser of Theorem 1 has M[f] = I, tr M[f] = k: it is out " +
		"of reach for k > 1. With the trace fixed, the order decides over how many modes it is spread: more for " +
		"higher p.",
}, {
	ID: "tab1-omm", Where: "§3.3, Table 1, App. C.3", Kind: Number, Line: 757,
	Quotation: `We first observe that the OMM-1 yields a reasonably effective representation for classification, ` +
		`achieving a top-1 accuracy of approximately $60\%$.`,
	Statement: "OMM with p = 1 has 60.02 % top-1 and 87.13 % top-5 on CIFAR-100 with the projector, 59.83 % and " +
		"86.65 % without.",
	Check: tab1Check,
}, {
	ID: "tab1-nesting", Where: "§3.3, Table 1, App. C.3", Kind: Number, Line: 756,
	Quotation: `The results are summarized in Table~\ref{tab:merged-solo-learn-results}.`,
	Statement: "Joint nesting has 61.30 % and 85.22 % with the projector, 59.92 % and 85.13 % without; sequential " +
		"nesting 59.91 % and 87.02 %, 52.96 % and 81.22 %.",
	Check: tab1Check,
}, {
	ID: "ssl-nesting-no-improvement", Where: "§3.3, Table 1", Kind: Behaviour, Line: 758,
	Quotation: `We then examined the effect of nesting on representation quality and observed no improvement, with a ` +
		`slight degradation in some cases.`,
	Statement: "Nesting brings no improvement, with a slight degradation in some cases.",
	Check:     tab1Text,
	Note: "On the printed numbers joint nesting gains 1.28 points of top-1 with the projector, and loses 1.91 of " +
		"top-5. Sequential nesting loses 6.87 points of top-1 without the projector.",
}, {
	ID: "tab1-order-2", Where: "§3.3, Table 1, App. C.3", Kind: Number, Line: 759,
	Quotation: `Subsequently, we evaluated the effect of the higher-order OMM with $p=2$`,
	Statement: "OMM with p = 2 has 63.92 % and 89.08 % with the projector, 61.27 % and 87.07 % without.",
	Check:     tab1Check,
}, {
	ID: "tab1-mixture", Where: "§3.3, Table 1, App. C.3", Kind: Number, Line: 759,
	Quotation: `as well as the mixed-order OMM combining $p \in \{1,2\}$.`,
	Statement: "The mixture of p = 1 and 2 has 64.77 % and 89.18 % with the projector, 63.99 % and 88.88 % without.",
	Check:     tab1Check,
}, {
	ID: "ssl-higher-order-helps", Where: "§3.3, Table 1", Kind: Behaviour, Line: 760,
	Quotation: `both variants substantially improved performance, reaching approximately $64\%$ top-1 accuracy.`,
	Statement: "p = 2 and the mixture of p = 1 and 2 improve substantially over p = 1.",
	Check:     tab1Text,
}, {
	ID: "ssl-mixture-best", Where: "App. D, Table 1", Kind: Behaviour, Line: 1328,
	Quotation: `and even better by using the mixed objective`,
	Statement: "The mixture of p = 1 and 2 is better than p = 2.",
	Check:     tab1Text,
}, {
	ID: "tab1-simclr", Where: "§3.3, Table 1, App. C.3", Kind: Number, Line: 763,
	Quotation: `the SimCLR baseline ($\sim 66.5\%$)`,
	Statement: "SimCLR has 66.50 % and 89.28 % with the projector.",
	Check:     tab1Check,
	Note: "Appendix C.3 prints a projector of three layers with two batch normalisations. SimCLR in solo-learn, the " +
		"code that the paper builds on, has one of two layers without normalisation. Ours is the printed one; the " +
		"other one is a row of its own in the paper profile.",
}, {
	ID: "ssl-below-simclr", Where: "§3.3, Table 1", Kind: Behaviour, Line: 763,
	Quotation: "While these methods do not surpass the SimCLR baseline",
	Statement: "No variant of OMM surpasses SimCLR.",
	Check:     tab1Text,
}, {
	ID: "ssl-projector-not-needed", Where: "§3.3, Table 1", Kind: Behaviour, Line: 762,
	Quotation: `notably, the performance remains comparable even without a projector.`,
	Statement: "Performance remains comparable even without a projector.",
	Check:     tab1Text + "; comparable is read as less than 2 points lost",
	Note: "On the printed numbers p = 1, joint nesting and the mixture lose 1.38 points or less, p = 2 loses 2.65 " +
		"and sequential nesting 6.95.",
}, {
	ID: "graph-laplacian-spectrum", Where: "App. C.3", Kind: Theorem, Line: 1268,
	Quotation: `it is also well known that the spectrum is bounded within $[0, 2]$.`,
	Statement: "The normalised Laplacian L_sym = I − D^{-1/2}AD^{-1/2} has its spectrum in [0, 2].",
	Check:     "random connected graphs, bipartite and not",
	Note: "Which operator OMM is given is not said: I − L_sym has trace 0 and so negative eigenvalues, for which " +
		"§2.2.3 has a shift.",
}, {
	ID: "ogbn-numbers", Where: "App. C.3, Data", Kind: Number, Line: 1281,
	Quotation: `The density of this graph is $2.06\times 10^{-5}$, suggesting that the underlying graph is extremely ` +
		`sparse.`,
	Statement: "2,449,029 nodes and 61,859,140 edges make a density of 2.06·10⁻⁵ (100 features, 47 classes).",
	Check:     "arithmetic on the printed numbers, edges undirected; the data are not read",
}, {
	ID: "tab3-omm", Where: "App. C.3, Table 3", Kind: Number, Line: 1297,
	Quotation: `We summarize our result in Table~\ref{tab:ogbn_products}.`,
	Statement: "OMM has 73.66 % by its representation and 74.17 % by its embedding on ogbn-products, 82.06 % and " +
		"84.11 % after Correct & Smooth.",
	Check: tab3Check + ". The projector is described twice, differently, and is read as in the code that the " +
		"paper builds on; Correct & Smooth corrects predictions after training, as there, where the text has it " +
		"correct the labels for training",
	Note: twoReadings,
}, {
	ID: "tab3-eigenmaps", Where: "App. C.3, Table 3", Kind: Number, Line: 1302,
	Quotation: `the drastic performance drop in Neural Eigenmaps from $\sim 74\%$ (representation) to $\sim 50\%$ ` +
		`(embedding)`,
	Statement: "Neural Eigenmaps has 74.05 % by its representation and 50.76 % by its embedding, 82.40 % and 80.90 % " +
		"after Correct & Smooth.",
	Check: tab3Check,
	Note:  twoReadings,
}, {
	ID: "eigenmaps-embedding-drops", Where: "App. C.3", Kind: Behaviour, Line: 1302,
	Quotation: `is a typical behavior.`,
	Statement: "It is typical of Neural Eigenmaps that the embedding is much worse than the representation.",
	Check:     "the two probes on one graph; \"typical\" would take several",
}, {
	ID: "tab3-lora-diverges", Where: "App. C.3", Kind: Behaviour, Line: 1286,
	Quotation: `the training dynamics were unstable and diverged regardless of $\ell_2$-normalization.`,
	Statement: "LoRA without nesting diverges on the graph, with normalised features and without.",
	Check:     "two trainings of LoRA, with normalised features and without",
}, {
	ID: "tab3-normalisation", Where: "App. C.3", Kind: Behaviour, Line: 1285,
	Quotation: `In contrast, Neural Eigenmaps quickly diverged without the $\ell_2$-norm normalization`,
	Statement: "Neural Eigenmaps diverges without normalised features, and OMM does not need them.",
	Check:     "none",
	Missing: "a training of Neural Eigenmaps without normalised features. (OMM is trained without them in Table 3, " +
		"and stays finite with the loss averaged over functions.)",
}, {
	ID: "tab3-embedding-better", Where: "App. C.3, Table 3", Kind: Behaviour, Line: 1301,
	Quotation: `remarkably, the linear probe performance from the embedding is better than the intermediate feature, ` +
		`which is the output of the MLP.`,
	Statement: "The probe on OMM's embedding is better than on its representation, and clearly the best after " +
		"Correct & Smooth.",
	Check: "our trainings; the printed differences beside them",
	Note:  "The printed ± is the spread over probes of a single training.",
}, {
	ID: "tab3-smoothed-close", Where: "App. C.3, Table 3", Kind: Behaviour, Line: 1306,
	Quotation: `the C\&S postprocessing boosts the classification accuracy for all cases to be relatively close.`,
	Statement: "Correct & Smooth improves every accuracy, and brings them closer together.",
	Check:     "our trainings; the printed differences beside them",
}, {
	ID: "omm-captures-eigenfunctions", Where: "App. C.3", Kind: Behaviour, Line: 1304,
	Quotation: `suggests that the OMM objective may behave better than competitors in the context of capturing true ` +
		`eigenfunctions.`,
	Statement: "OMM may capture the true eigenfunctions better than Neural Eigenmaps and LoRA do.",
	Check:     "the sum of the leading eigenvalues of S in the span of the learned functions, by exact products",
}, {
	ID: "eigenmaps-not-sharp", Where: "App. C.3", Kind: Theorem, Line: 1275,
	Quotation: `it is a regularization-based approach and thus does not have the sharp global optimality that OMM ` +
		`enjoys.`,
	Statement: "Neural Eigenmaps is based on regularisation without sharp global optimality, and its α must be tuned.",
	Check: "its ordered objective on random matrices, for columns of norm 1 learned one after the other, with α just " +
		"above and below the bound",
	Correction: "Its ordered form is sharp where α > max_{i<j≤k} (λ_i − λ_j)/λ_i²; below, a mode is learned twice. " +
		"So α matters, by a bound that depends on the spectrum.",
}, {
	ID: "outlook", Where: "§4", Kind: Behaviour, Line: 794,
	Quotation: `existing parametric approaches to spectral decomposition exhibit notable limitations, particularly a ` +
		`lack of theoretical understanding regarding their convergence properties`,
	Statement: "Parametric spectral methods lack a theory of convergence comparable to that of classical solvers; " +
		"further experiments could yield deeper insight.",
	Check:   "none",
	Missing: "not a computation: a judgement of the field",
}}
