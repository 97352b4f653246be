# What the scripts of the benchmarks share; it stands before each of them. A script answers one JSON line for each line
# {"steps", "of"} on its standard input, and one line with what is missing where it cannot import something.
import json
import resource
import sys
import time


def excuse(kind, error, trace):
    if issubclass(kind, ImportError):
        print(json.dumps({"error": str(error)}), flush=True)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = excuse


def timed(call, calls, version):
    """The answer that tells how long so many calls took, in seconds, by the wall clock and by the processor."""
    used, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    for _ in range(calls):
        call()
    wall, now = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF)
    cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    return {"wall": wall, "cpu": cpu, "version": version}


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


