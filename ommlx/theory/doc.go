// Package theory holds tests alone: the statements of the paper that no experiment is needed for.
//
// A test says what it measured of a claim with [operator-omm/ommlx/claims.Of], and its file is named after the file of
// package claims that lists the claim: matrices, nesting, operators, laplacian, schrodinger, representation, order.
// Package ommlx tests its objectives itself; some of those tests measure claims too.
package theory
