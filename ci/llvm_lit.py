# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's own tests without LLVM's build tree: as much of lit as their RUN lines
over `opt` and `FileCheck` need. What ci/coverage and ci/faults have in common.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import tempfile

LIMIT = 60  # seconds of one test


def tests_of(folder):
    """The .ll files of a directory of tests that have RUN lines and need nothing
    that only lit knows, in order."""
    tests = []
    for path in sorted(folder.rglob("*.ll")):
        if "Inputs" in path.parts:
            continue
        text = path.read_text(errors="replace")
        if "RUN:" in text and not re.search(r"^;\s*(REQUIRES|UNSUPPORTED|XFAIL):", text, re.M):
            tests.append(path)
    return tests


def script_of(path):
    """The commands of its RUN lines, as one line of shell each."""
    lines, continued = [], False
    for line in path.read_text(errors="replace").splitlines():
        found = re.search(r"RUN:(.*)", line)
        if not found:
            continue
        text = found[1].strip()
        if continued:
            lines[-1] = lines[-1][:-1] + " " + text
        else:
            lines.append(text)
        continued = text.endswith("\\")
    return lines


def expanded(line, path, scratch):
    """What lit puts in the place of %s, %t and so on."""
    for word, value in [("%s", str(path)), ("%S", str(path.parent)), ("%p", str(path.parent)),
                        ("%t", str(scratch / path.name)), ("%T", str(scratch))]:
        line = re.sub(re.escape(word) + r"(?![a-z_])", lambda _: value, line)
    return line


def passes(path, programs, environment=None):
    """Whether a test passes; `programs` are folders that come first on PATH."""
    with tempfile.TemporaryDirectory() as scratch:
        for line in script_of(path):
            command = expanded(line, path, pathlib.Path(scratch))
            folders = ":".join(map(str, programs))
            try:
                done = subprocess.run(
                    ["bash", "-c", f"set -o pipefail; export PATH={folders}:$PATH; {command}"],
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, timeout=LIMIT, env=environment, cwd=scratch)
            except subprocess.TimeoutExpired:
                return False
            if done.returncode:
                return False
    return True


def run(tests, programs, jobs, environment=None, until_failure=False):
    """Those of the tests that pass; with `until_failure`, a few may not be tried
    after the first that does not."""
    good, failed = [], False
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        def one(path):
            if failed and until_failure:
                return path, None
            return path, passes(path, programs, environment)
        for path, result in pool.map(one, tests):
            if result:
                good.append(path)
            elif result is False:
                failed = True
    return good, failed
