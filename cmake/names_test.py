#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fact: a function in an unnamed namespace has a name that no other source of its library uses there.

Such sources are compiled together (parse_headers_once), where a call could silently take the
overload of another source.

Example: cmake/names_test.py enumerate runner runner/llvm reports
"""
import collections
import pathlib
import re
import sys

UNNAMED = re.compile(r"^namespace \{\n(.*?)^\} // namespace$", re.S | re.M)
FUNCTION = re.compile(r"^(?![\s/#}]|struct|class|enum|using|namespace|template|constexpr)[^\n;=]*?\b(\w+)\(",
                      re.M)


def sources(library, others):
    """Of a library's folder, but not of those of `others` below it."""
    for path in sorted(library.rglob("*.cpp")):
        if not path.stem.endswith(("_test", "_bench", "main")) and \
                not any(other in path.parents for other in others if library in other.parents):
            yield path


def main():
    libraries = [pathlib.Path(each) for each in sys.argv[1:]]
    wrong = 0
    seen = 0
    for library in libraries:
        users = collections.defaultdict(set)
        for path in sources(library, libraries):
            for body in UNNAMED.findall(path.read_text()):
                for name in FUNCTION.findall(body):
                    users[name].add(str(path))
        seen += len(users)
        for name, paths in sorted(users.items()):
            if len(paths) > 1:
                wrong += 1
                print(f"{name}: in {', '.join(sorted(paths))}; give them names of their own")
    if seen < 50 * len(libraries):  # else a pattern that finds nothing would pass
        wrong += 1
        print(f"only {seen} functions in unnamed namespaces: the patterns do not fit the sources")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
