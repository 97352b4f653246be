// Package theory has what the paper's theory says of small matrices: a [Loss] of V for a matrix A, ways to follow it
// ([Descend], [Flow], [Minimise]), predictions ([Rates], [StreamingError]) and what they are compared with ([Jacobian],
// [Angles], [PowerLaw]); and the small algebra on gonum's matrices that such comparisons are written in. Notebooks 01,
// 02, 03, 09 and 10 show these comparisons, the tests of this package assert them.
//
// V is d×k, and its columns are what is learned. A = WΛWᵀ is d×d and symmetric, λ_1 ≥ … ≥ λ_d, with W_{1:k} the leading
// k columns of W. Wrong shapes panic, as they do in gonum.
//
// The tests are the statements of the paper that no experiment is needed for. A test says what it measured of a claim
// with [operator-omm/ommlx/claims.Of], and its file is named after the file of package claims that lists the claim:
// matrices, nesting, operators, laplacian, schrodinger, representation, order. Package ommlx tests its objectives
// itself; some of those tests measure claims too.
package theory
