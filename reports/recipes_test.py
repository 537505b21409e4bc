#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recipes of README.md find, from their space alone, the bug that they name: one of
the same identity as the file in corpus/known has. Those of docs/memory.md find a bug that
is known by the issue that they name.

recipes_test.py IRSIEVE RELEASE...: the program, and the LLVM releases that it was built for.
"""

import pathlib
import re
import shlex
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).parent.parent
IRSIEVE = sys.argv[1]
RELEASES = sys.argv[2:]
ROW = re.compile(r"^\| (\w+) \| `irsieve (run .* --llvm (\d+).*)` \| ([\d,]+) \|$", re.MULTILINE)
# The same with a link to an issue, or to a page of docs/, for a name.
OF_MEMORY = re.compile(r"^\| \[([^]]+)\]\([^)]*\): [^|]* \| `irsieve (run .* --llvm (\d+))` "
                       r"\| ([\d,]+) \|$", re.MULTILINE)


def run(arguments):
    done = subprocess.run([IRSIEVE, *arguments], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode in (0, 1), (arguments, done.stderr)
    return done.stdout


def bugs(text):
    """The identities that begin the lines of bugs."""
    return set(re.findall(r"^([0-9a-f]{12}) ", text, re.MULTILINE))


class Recipes(unittest.TestCase):
    def test_each_finds_its_bug(self):
        rows = ROW.findall((ROOT / "README.md").read_text())
        self.assertEqual(len(rows), 40)
        for name, command, release, functions in rows:
            if release not in RELEASES:
                continue
            with self.subTest(name):
                known, = (ROOT / "corpus/known").glob(f"{name}_*.ll")
                arguments = shlex.split(command)
                passes, = [word for word in arguments if word.startswith("--passes=")]
                asFile = run(["run", "--corpus", str(known), passes, "--llvm", release])
                found = run(arguments)
                self.assertIn(f" {functions.replace(',', '')} functions,", found)
                self.assertEqual(len(bugs(asFile)), 1, asFile)
                # A row is named by one of the forms of its root; the file lists them.
                forms = set(re.search(r"^; signature: (.*)$", known.read_text(),
                                      re.MULTILINE)[1].split())
                self.assertLessEqual(bugs(asFile), forms)
                self.assertTrue(bugs(found) & forms, found)

    def test_each_finds_its_bug_of_memory(self):
        rows = OF_MEMORY.findall((ROOT / "docs/memory.md").read_text())
        self.assertEqual(len(rows), 21)
        for name, command, release, functions in rows:
            if release not in RELEASES:
                continue
            with self.subTest(name):
                found = run(shlex.split(command))
                self.assertIn(f" {functions.replace(',', '')} functions,", found)
                isKnown = name.isdigit() or name.startswith("x")
                self.assertRegex(found, rf"known: m?{name}\D" if isKnown else r"\n[1-9]\d* bugs?( in \d+ forms)?\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
