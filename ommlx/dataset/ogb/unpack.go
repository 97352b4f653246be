package ogb

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/internal/fsx"
)

// errDamaged is wrapped by the errors of an archive that is not what it should be.
var errDamaged = errors.New("is damaged or another file")

// unpack takes files out of a folder of a zip archive and puts them below dir, under the same names. Each is verified
// by the CRC-32 that the archive has of it, also one that is there already, which then stays. progress is told from 0
// to 1 how far each is.
func unpack(ctx context.Context, archive, folder string, files []string, dir string,
	progress func(file string, fraction float64)) error {
	r, err := zip.OpenReader(archive)
	if err != nil {
		return damaged(archive, err)
	}
	defer r.Close()
	members, missing, bytes := map[string]*zip.File{}, []string{}, int64(0)
	for _, m := range r.File {
		members[m.Name] = m
	}
	for _, file := range files {
		m, there := members[folder+"/"+file]
		if !there {
			return fmt.Errorf("%s %w: it has no file %s/%s", archive, errDamaged, folder, file)
		}
		if !unpacked(m, filepath.Join(dir, file)) {
			missing = append(missing, file)
			bytes += int64(min(m.UncompressedSize64, 1<<58))
		}
	}
	if err := dataset.CheckSpace(filepath.Dir(archive), "what is in "+filepath.Base(archive), bytes); err != nil {
		return err
	}
	for _, file := range missing {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
			return err
		}
		m := members[folder+"/"+file]
		err := fsx.Fill(filepath.Join(dir, file), func(out io.Writer) error {
			return take(ctx, m, out, func(fraction float64) { progress(file, fraction) })
		})
		if err != nil {
			return damaged(archive, err)
		}
	}
	return nil
}

// damaged blames the archive for an error that is neither of the disk nor of ctx.
func damaged(archive string, err error) error {
	_, disk := errors.AsType[*fs.PathError](err)
	if _, stopped := errors.AsType[*stopped](err); disk || stopped {
		return err
	}
	return fmt.Errorf("%s %w: %w", archive, errDamaged, err)
}

// stopped is the end of a context.
type stopped struct{ error }

func (s *stopped) Unwrap() error { return s.error }

// take copies the content of a file; the end of it is an error where the CRC-32 or the size is not that of the archive.
func take(ctx context.Context, m *zip.File, out io.Writer, progress func(fraction float64)) error {
	in, err := m.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	const piece = 1 << 20
	for done := int64(0); ; {
		n, err := io.CopyN(out, in, piece)
		done += n
		progress(float64(done) / float64(max(1, m.UncompressedSize64)))
		if ctx.Err() != nil {
			return &stopped{context.Cause(ctx)}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// unpacked reports whether a file has the size and the CRC-32 of one in an archive.
func unpacked(m *zip.File, path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	sum := crc32.NewIEEE()
	n, err := io.Copy(sum, file)
	return err == nil && uint64(n) == m.UncompressedSize64 && sum.Sum32() == m.CRC32
}
