// Command malloc imports package learn and prints whether C's malloc still gets a large block from the operating system
// alone, as it does unless it is told otherwise.
package main

/*
#include <malloc.h>
#include <stdlib.h>

static int mapped(void) {
	void *volatile block = malloc(64 << 20);
	int blocks = mallinfo2().hblks;
	free(block);
	return blocks;
}
*/
import "C"

import (
	"fmt"

	_ "omm-go/ommlx/learn"
)

func main() { fmt.Println(C.mapped() > 0) }
