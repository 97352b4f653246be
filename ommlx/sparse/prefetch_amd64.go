package sparse

import "unsafe"

// prefetch requests rows of a table, each of row bytes, before they are needed: a processor looks only a few rows ahead
// by itself. It reads nothing and cannot fail.
//
//go:noescape
func prefetch(table unsafe.Pointer, row int, rows []uint32)
