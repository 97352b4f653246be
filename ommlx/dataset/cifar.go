package dataset

import (
	"fmt"
	"os"
)

// CIFAR100 returns the official binary version of CIFAR-100, 60,000 colour images of 32×32 pixels in 100 classes, from
//
//	Krizhevsky: Learning Multiple Layers of Features from Tiny Images, technical report, University of Toronto, 2009,
//
// as one archive, which is read where it lies (see [LoadCIFAR100]). Its page, www.cs.toronto.edu/~kriz/cifar.html,
// prints the MD5 03b5dce01913d631647c71ecec9e9cb8. Size and SHA-256 are those that TensorFlow Datasets pins for the
// same address (tensorflow_datasets/url_checksums/cifar100.txt); MLDatasets.jl and the examples of GoMLX pin the same
// SHA-256.
func CIFAR100() Collection {
	return Collection{
		Kind:    "cifar100",
		BaseURL: "https://www.cs.toronto.edu/~kriz",
		Files: []File{{
			Name:   "cifar-100-binary.tar.gz",
			SHA256: "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec",
			Size:   168_513_733,
		}},
	}
}

// counts are numbers of classes, training images and test images.
type counts struct{ classes, train, test int }

// officialCIFAR100 are the counts that the page of CIFAR-100 states.
var officialCIFAR100 = counts{classes: 100, train: 50_000, test: 10_000}

// LoadCIFAR100 reads CIFAR-100 from its official archive, looked for along [SearchPath] and verified by SHA-256. Labels
// are the 100 fine ones. Images stay in the order of the files; they take 184 MB of memory, and a few seconds.
//
// Where no folder has the archive, the error wraps [io/fs.ErrNotExist] and names `omm data get cifar100`. Other errors
// say that the archive is altered, cannot be read, or does not hold what it should.
func LoadCIFAR100() (*Images, error) { return CIFAR100().load(officialCIFAR100) }

// load reads the one archive of the collection, which must have these counts.
func (c Collection) load(want counts) (*Images, error) {
	path, err := c.Path(c.Files[0].Name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	d, err := readArchive(file)
	if err == nil {
		got := counts{len(d.Classes), d.Train.Len(), d.Test.Len()}
		if got != want {
			err = fmt.Errorf("it has %d classes, %d training images and %d test images, expected %d, %d and %d",
				got.classes, got.train, got.test, want.classes, want.train, want.test)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used: %w; replace it with `omm data get %s`", path, err, c.Kind)
	}
	return d, nil
}
