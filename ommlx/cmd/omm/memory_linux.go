package main

// On Linux omm makes C's malloc keep what is freed, in one place for all threads (memory_linux.c), unless the
// environment sets malloc by MALLOC_… or GLIBC_TUNABLES. The XLA CPU plugin gets scratch memory for each convolution
// and product from malloc; by default a block above 32 MiB goes back to the operating system at once, and the next one
// comes page by page. Kept, a step of ResNet-18 takes 20 % less time and less memory, one of hydrogen 9 % less time;
// steps of less than half a millisecond take up to 0.1 ms more.
//
// A program that imports package learn keeps its own malloc, and may be started with MALLOC_MMAP_MAX_=0,
// MALLOC_TRIM_THRESHOLD_=-1 and MALLOC_ARENA_MAX=1 to the same effect.

import "C"
