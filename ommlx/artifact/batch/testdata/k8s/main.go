// Command k8s reads manifests from standard input as the API server of Kubernetes does: unknown and doubled fields are
// errors, defaults are filled in, and the server's own strategies for a Job and for a claim validate them. It is a module
// of its own, so that the library does not depend on Kubernetes.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
)

func main() {
	if err := checkAll(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func checkAll(in io.Reader) error {
	documents := yaml.NewYAMLReader(bufio.NewReader(in))
	for {
		text, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = check(text)
		}
		if err != nil {
			return err
		}
	}
}

// check validates one document as it is created.
func check(text []byte) error {
	scheme := legacyscheme.Scheme
	strict := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme,
		json.SerializerOptions{Yaml: true, Strict: true})
	versioned, kind, err := strict.Decode(text, nil, nil)
	if err != nil {
		return err
	}
	scheme.Default(versioned)
	object, err := scheme.ConvertToVersion(versioned, runtime.InternalGroupVersioner)
	if err != nil {
		return err
	}
	ctx := genericapirequest.WithNamespace(context.Background(), "default")
	var faults field.ErrorList
	var warnings []string
	switch o := object.(type) {
	case *batch.Job:
		o.Namespace = "default"
		job.Strategy.PrepareForCreate(ctx, o)
		faults, warnings = job.Strategy.Validate(ctx, o), job.Strategy.WarningsOnCreate(ctx, o)
	case *core.PersistentVolumeClaim:
		o.Namespace = "default"
		s := persistentvolumeclaim.Strategy
		s.PrepareForCreate(ctx, o)
		faults, warnings = s.Validate(ctx, o), s.WarningsOnCreate(ctx, o)
	default:
		return fmt.Errorf("%s is neither a Job nor a claim for a volume", kind)
	}
	for _, w := range warnings {
		return fmt.Errorf("%s: %s", kind.Kind, w)
	}
	if err := faults.ToAggregate(); err != nil {
		return fmt.Errorf("%s: %w", kind.Kind, err)
	}
	fmt.Printf("%s is valid\n", kind.Kind)
	return nil
}
