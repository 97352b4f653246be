package sparse

import "unsafe"

// prefetch asks for some rows of a table, each of row bytes, before they are needed: memory answers many requests at
// the same time, and a processor by itself looks only some rows ahead. It reads nothing and cannot fail.
//
//go:noescape
func prefetch(table unsafe.Pointer, row int, rows []uint32)
