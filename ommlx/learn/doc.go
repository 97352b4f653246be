// Package learn computes the k leading eigenvalues and eigenfunctions of an operator in one call.
//
//	learned, err := learn.Learn(ctx, learn.Matrix{A: a}, 3, learn.Settings{})
//	fmt.Println(learned.Values, learned.Bounds, learned.Advice())
//
// Choose the operator by what you have. Each has an example.
//
//	symmetric matrix, dense or sparse                     Matrix, Sparse    largest eigenvalues
//	random walk on a graph                                Graph             largest eigenvalues
//	symmetric kernel on samples                           Kernel            largest eigenvalues
//	pairs (x, x') of a reversible, stationary process     Pairs             largest eigenvalues, slow functions
//	trajectories of such a process                        Trajectories      makes Pairs
//	joint law, two views, or irreversible process         Joint             singular values, Left and Right
//	−∇² + V in a box or on ℝ^D                            Schrodinger       lowest energies
//	any other operator                                    Task              a function that samples f and Tf
//
// The zero [Settings] has defaults for everything. To train your own network, such as a net.MLP, set Functions or
// Network of the operator.
//
// [Learned] has Values, the leading first; Residuals and Bounds, their errors; and At, which evaluates the functions at
// new points. For Pairs and sampled Joint laws trust HeldOut instead, the values on pairs that did not train, and
// [Run.Timescales], which have their errors; [Pairs.Lags] learns at several lags. Bounds hold if no eigenvalue was
// missed; the last function has none, so increase k by one.
//
// [Learned.Advice] lists violated assumptions and functions that are overfitted, not separated or not converged, with a
// remedy for each. Several Seeds, trained in one program, show errors that no diagnostic shows: see Spread.
//
// [Learned.Save] writes a file that Python reads too; [Load] reads it. With a Dir in [Settings].Options the same call
// resumes an interrupted training; [Settings].Start continues from an earlier result.
//
// For the eigenvectors of a matrix or a graph that fits into memory, a solver is faster: [Graph.Exact] took 0.15 s for
// 50 functions on a grid of 30×30 nodes and training took 3.8 s, to 1e-4 (BenchmarkLanczos). For smooth data in few
// dimensions, try polynomials: [Pairs.EDMD]. Training is for functions of coordinates: more states than a table can
// hold, operators known only by samples, and differential operators without a lattice.
package learn
