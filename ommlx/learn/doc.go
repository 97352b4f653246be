// Package learn computes the k leading eigenvalues and eigenfunctions of an operator in one call.
//
//	learned, err := learn.Learn(ctx, learn.Matrix{A: a}, 3, learn.Settings{})
//	fmt.Println(learned.Values, learned.Bounds, learned.Advice())
//
// Choose the operator by what you have. Each has an example.
//
//	symmetric matrix, dense or sparse                     Matrix, Sparse    largest eigenvalues
//	random walk on a graph, or on points' neighbours      Graph             largest eigenvalues
//	symmetric kernel on samples, or samples only          Kernel            largest eigenvalues
//	pairs (x, x') of a reversible, stationary process     Pairs             largest eigenvalues, slow functions
//	trajectories of such a process                        Trajectories      makes Pairs
//	joint law, two views, or irreversible process         Joint             singular values, Left and Right
//	−∇² + V in a box, a periodic cell or on ℝ^D           Schrodinger       lowest energies
//	any other operator                                    Task              a function that samples f and Tf
//
// The zero [Settings] has defaults for everything. To train your own network, such as a net.MLP, set Functions or
// Network of the operator. [Learned] has Values, the leading first; Residuals and Bounds, their errors; and At, which
// evaluates the functions at new points. For Pairs and sampled Joint laws trust HeldOut instead, the values on pairs
// that did not train. Only the Bounds of a Matrix, Sparse or Graph are proved (see [Run]). [Learned.Advice] lists
// problems of the training and of the data, with a remedy for each. Several Seeds show errors that no diagnostic shows:
// Spread. [Learned.Save] writes a file that Python reads too; [Load] reads it. With a Dir in [Settings].Options the
// same call resumes an interrupted training.
//
// Elsewhere better: a solver is exact and faster if a matrix, graph or Gram matrix fits into memory, and [Pairs.EDMD]
// for smooth data in few dimensions. Training is for functions of coordinates: more states than a table can hold,
// operators known only by samples, differential operators without a lattice.
package learn
