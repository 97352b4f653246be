// Package learn is the one call: an operator and k in, its k leading eigenvalues and eigenfunctions out.
//
//	learned, err := learn.Learn(ctx, learn.Matrix{A: a}, 3, learn.Settings{})
//	fmt.Println(learned.Values, learned.Bounds, learned.Advice())
//
// # Which operator do I have
//
//	a symmetric matrix, or its entries that are not 0       Matrix, Sparse    the largest eigenvalues
//	a graph: the random walk on it                          Graph             the largest
//	a symmetric kernel on samples                           Kernel            the largest
//	pairs (x, x') of a reversible process in equilibrium    Pairs             the slowest functions
//	trajectories of such a process                          Trajectories      makes Pairs of them
//	a joint law, two views, or a process not reversible     Joint             singular values, Left and Right
//	−∇² + V with states confined to a box, or bound in ℝ^D  Schrodinger       the lowest energies
//	another operator                                        Task, a function that draws samples of f and Tf
//
// Each has an example. No setting is needed: [Settings] has the number of steps and other choices. Your own functions,
// such as a net.MLP, are a field of the operator.
//
// # What do I get
//
// [Learned] has Values, the leading first; Residuals and Bounds, how far they can be off; At, the functions at any
// points, seen in training or not. Functions are orthonormal in the law of the samples. Several Seeds are trained in
// one program and give a Spread. For a transition operator there are [Run.Timescales] and [Learned.Propagate].
//
// # When should I not believe it
//
// When [Learned.Advice] is not nil: it names premises that the data break, functions that are not separated,
// overfitted, or not trained to the end, and what to do. Further:
//
//   - Values of Pairs and of sampled Joint laws are fitted to the training pairs. Believe the values in HeldOut; their
//     Scores show how many functions are worth having. Residuals and Bounds are unknown there.
//   - Bounds hold if no eigenvalue was missed, and are loose; the last function has none. Ask for one more than needed.
//   - A network that is too small, or without features for fast oscillations, gives large Residuals: see the Advice.
//   - Another seed is the simplest test of errors that no number shows.
//
// # How do I save it
//
// [Learned.Save] writes a safetensors file, which Python reads too. [Load] reads it with its operator and judges it
// again, or without an operator, to evaluate the functions. With a Dir in [Settings].Options the same call resumes
// after an interruption. [Settings].Start continues from what was learned before.
//
// # Where is it the wrong tool
//
// For a matrix or a graph that fits into memory, if only its eigenvectors are wanted, a solver is better at every size
// that was measured: [Graph.Exact] took a twenty-fifth of the processor time of a training to 1e-4 for 50 functions on
// a grid of 30×30 nodes (0.15 s and 3.8 s; BenchmarkBesideLanczos), and a fiftieth for 10 functions there (0.04 s and 2
// s, to 1e-8). A Ritz step at the end is included, and a training without nesting is no faster. For smooth data in few
// dimensions polynomials may do, [Pairs.EDMD]. Training is for functions of coordinates: too many states for a table,
// operators that are known by samples, differential operators without a lattice.
package learn
