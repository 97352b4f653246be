package ogb

import (
	"os"
	"syscall"
)

// mapFile maps a file into memory for reading.
func mapFile(path string) (content []byte, unmap func() error, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Size() == 0 { // of a graph without edges; nothing to map
		return nil, func() error { return nil }, nil
	}
	content, err = syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return content, func() error { return syscall.Munmap(content) }, nil
}
