// Command k8s reads manifests from standard input as the API server of Kubernetes does: unknown and doubled fields are
// errors, defaults are filled in, the server's own strategies for a Job and for a claim validate them, and Pod Security
// admission must allow the pods at level restricted. It is a module of its own, so that the library does not depend on Kubernetes.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

func main() {
	if err := checkAll(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "k8s:", err)
		os.Exit(1)
	}
}

// checkAll validates every document and writes a line for each.
func checkAll(in io.Reader, out io.Writer) error {
	documents := yaml.NewYAMLReader(bufio.NewReader(in))
	for {
		text, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = check(text, out)
		}
		if err != nil {
			return err
		}
	}
}

// check validates one document as it is created.
func check(text []byte, out io.Writer) error {
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
	var strategy interface {
		rest.RESTCreateStrategy
		WarningsOnCreate(context.Context, runtime.Object) []string
	}
	switch object.(type) {
	case *batch.Job:
		strategy = job.Strategy
	case *core.PersistentVolumeClaim:
		strategy = persistentvolumeclaim.Strategy
	default:
		return fmt.Errorf("%s is neither a Job nor a claim for a volume", kind)
	}
	meta, err := apimeta.Accessor(object)
	if err != nil {
		return err
	}
	rest.FillObjectMetaSystemFields(meta)
	ctx := request.WithNamespace(context.Background(), "default")
	if err := rest.BeforeCreate(strategy, ctx, object); err != nil {
		return err
	}
	if warnings := strategy.WarningsOnCreate(ctx, object); len(warnings) > 0 {
		return fmt.Errorf("%s: %s", kind.Kind, strings.Join(warnings, "; "))
	}
	if j, ok := versioned.(*batchv1.Job); ok {
		if err := restricted(j); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%s is valid\n", kind.Kind)
	return nil
}

// restricted asks Pod Security admission, at the level that forbids most.
func restricted(j *batchv1.Job) error {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks())
	if err != nil {
		return err
	}
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	pod := j.Spec.Template
	result := policy.AggregateCheckResults(evaluator.EvaluatePod(level, &pod.ObjectMeta, &pod.Spec))
	if !result.Allowed {
		return fmt.Errorf("Pod Security at level restricted: %s", result.ForbiddenDetail())
	}
	return nil
}
