# The common part of the scripts, which precedes each of them. A script answers each line {"steps", "of"} on its standard
# input with a line of JSON. If an import fails, its answer is {"error"}.
import json
import sys
import time


def excuse(kind, error, trace):
    if issubclass(kind, ImportError):
        print(json.dumps({"error": str(error)}), flush=True)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = excuse


def timed(call, calls, version):
    """Returns the answer with the seconds that a number of calls took."""
    began = time.perf_counter()
    for _ in range(calls):
        call()
    return {"seconds": time.perf_counter() - began, "version": version}


made = {}


def remembered(make, of):
    """make(of), made once for each of."""
    name = json.dumps(of)
    if name not in made:
        made[name] = make(of)
    return made[name]


def serve(answer):
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps(answer(question["of"], question["steps"])), flush=True)


def serve_steps(make, version, check=None):
    """make(of) returns a function that takes a step; check(of) answers where of has a part "check"."""
    serve(lambda of, n: check(of) if "check" in of else timed(remembered(make, of), n, version))


