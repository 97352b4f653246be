#include <malloc.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

// It runs before Go does, since an arena that a thread has already is not given up.
__attribute__((constructor)) static void keep_memory(void) {
#ifdef M_ARENA_MAX // glibc
	const char *tunables = getenv("GLIBC_TUNABLES");
	if (tunables != NULL && strstr(tunables, "glibc.malloc.") != NULL) return;
	for (char **set = environ; *set != NULL; set++)
		if (strncmp(*set, "MALLOC_", 7) == 0) return;
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, -1);
	mallopt(M_ARENA_MAX, 1);
#endif
}
