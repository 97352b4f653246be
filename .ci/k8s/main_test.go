package main

import (
	"io"
	"strings"
	"testing"
)

const valid = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: results
spec:
  accessModes: [ReadWriteMany]
  resources: {requests: {storage: 1Gi}}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: job
spec:
  completions: 2
  template:
    spec:
      restartPolicy: Never
      securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
      containers:
        - name: one
          image: image
          securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
`

// TestWhatIsRefused: each change of a valid manifest is found, by the strict reading or by the server's own rules.
func TestWhatIsRefused(t *testing.T) {
	if err := checkAll(strings.NewReader(valid), io.Discard); err != nil {
		t.Fatal(err)
	}
	for change, want := range map[[2]string]string{
		{"completions:", "completion:"}:                          `unknown field "spec.completion"`,
		{"image: image", "image: image\n          image: other"}: `key "image" already set`,
		{"name: job", "name: a job"}:                             "RFC 1123",
		{"restartPolicy: Never", "restartPolicy: Sometimes"}:     "restartPolicy",
		{"storage: 1Gi", "storage: -1Gi"}:                        "must be greater than zero",
		{"ReadWriteMany", "ReadMostly"}:                          "supported values",
		{"kind: Job", "kind: CronJob"}:                           "spec",
		{"runAsNonRoot: true", "runAsNonRoot: false"}:            "runAsNonRoot != true",
		{"drop: [ALL]", "drop: []"}:                              "unrestricted capabilities",
		{"RuntimeDefault", "Unconfined"}:                         "seccompProfile",
		{"Escalation: false", "Escalation: true"}:                "allowPrivilegeEscalation != false",
	} {
		err := checkAll(strings.NewReader(strings.Replace(valid, change[0], change[1], 1)), io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q instead of %q: %v, which should say %q", change[1], change[0], err, want)
		}
	}
}
