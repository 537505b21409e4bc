#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `irsieve report` writes, judged by those who read it: the schema of SARIF, an XML
parser, lit and FileCheck of the LLVM releases, and a browser that is clicked through.

formats_test.py IRSIEVE RELEASE...: the program, and the LLVM releases that it was built for.
"""

import base64
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
import xml.etree.ElementTree

import jsonschema

HERE = pathlib.Path(__file__).parent
IRSIEVE = sys.argv[1]
RELEASES = [int(release) for release in sys.argv[2:]]


def irsieve(*arguments):
    """Runs irsieve; 0 and 1 are the exit codes of an answer."""
    done = subprocess.run([IRSIEVE, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in (0, 1), (arguments, done.stderr)
    return done.stdout


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._temporary = tempfile.TemporaryDirectory(prefix="irsieve-formats-")
        cls.addClassCleanup(cls._temporary.cleanup)
        cls.folder = pathlib.Path(cls._temporary.name)


@unittest.skipUnless(14 in RELEASES, "built without the worker of LLVM 14")
class Report(Folder):
    """A campaign with wrong results, a crash, and columns that differ."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        database = cls.folder / "campaign.db"
        cls.out = cls.folder / "report"
        irsieve("run", "i1x1", "--llvm", 14, "--passes=correlated-propagation", "--passes=adce",
                "--semantics", "llvm,overflow-wrap", "--db", database, "-q")
        irsieve("report", "--db", database, "--out", cls.out)
        cls.bugs = json.loads((cls.out / "bugs.json").read_text())
        cls.matrix = json.loads((cls.out / "matrix.json").read_text())

    def test_campaign_has_what_the_tests_need(self):
        kinds = {bug["kind"] for bug in self.bugs}
        self.assertIn("crash", kinds)
        self.assertIn("more-poison", kinds)
        self.assertGreaterEqual(len(self.bugs), 2)

    def test_sarif_obeys_the_schema(self):
        schema = json.loads((HERE / "testdata/sarif-2.1.0-rtm.5.json").read_text())
        log = json.loads((self.out / "bugs.sarif").read_text())
        jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)
        run = log["runs"][0]
        rules = run["tool"]["driver"]["rules"]
        self.assertEqual([bug["id"] for bug in self.bugs],
                         [each["partialFingerprints"]["irsieveSignature/v1"] for each in run["results"]])
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
            uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            self.assertTrue((self.out / uri).is_file(), uri)

    def test_junit_has_a_case_for_each_cell(self):
        suites = xml.etree.ElementTree.parse(self.out / "junit.xml").getroot().findall("testsuite")
        self.assertEqual(len(suites), len(self.matrix["rows"]))
        for suite, row in zip(suites, self.matrix["rows"]):
            cases = suite.findall("testcase")
            self.assertEqual([case.get("name") for case in cases], self.matrix["semantics"])
            self.assertEqual(int(suite.get("tests")), len(cases))
            self.assertEqual(int(suite.get("failures")), len(suite.findall("testcase/failure")))
            for case, cell in zip(cases, row["cells"]):
                wrong = cell["wrong"] + cell["crash"] + cell["hang"] + cell["invalid"]
                self.assertEqual(case.find("failure") is not None, wrong != 0)

    def test_alive2_pairs_are_wrong_pairs(self):
        pairs = {path.stem: path for path in (self.out / "alive2").iterdir()}
        self.assertEqual(set(pairs), {bug["id"] for bug in self.bugs if bug["target"]})
        for bug in self.bugs:
            if bug["target"]:
                said = irsieve("check", pairs[bug["id"]], "--format", "json",
                               "--semantics", bug["semantics"][0])
                self.assertEqual(json.loads(said)["kind"], bug["kind"])

    def test_markdown_links_to_a_state_of_compiler_explorer(self):
        for bug in self.bugs:
            text = (self.out / f"{bug['id']}.md").read_text()
            link = text.rsplit("https://godbolt.org/clientstate/", 1)[1].split(")")[0]
            state = json.loads(base64.urlsafe_b64decode(link + "=" * (-len(link) % 4)))
            session, = state["sessions"]
            self.assertEqual(session["language"], "llvm")
            # What the command in the same report gives to opt.
            self.assertIn("define ", session["source"])
            self.assertIn(f"<<'EOF'\n{session['source']}EOF", text)
            self.assertEqual([each["id"] for each in session["compilers"]], ["opt1400", "opttrunk"])
            self.assertIn(bug["pass"], session["compilers"][0]["options"])

    def test_page_is_self_contained(self):
        page = (self.out / "index.html").read_text()
        for attribute in ("src=", "@import", "url(", "<link"):
            self.assertNotIn(attribute, page)
        self.assertNotIn("{{", page.split("<script>")[0].split("lit test")[0])

    def test_page_clicked_through(self):
        with Browser(self.folder) as browser:
            browser.open((self.out / "index.html").as_uri())
            rows = {bug["root"] for bug in self.bugs}
            first = {bug["root"] for bug in self.bugs
                     if bug["kind"] == "crash" or "llvm" in bug["semantics"]}
            others = len(rows) - len(first)
            more = f", {others} more under other semantics" if others else ""
            self.assertEqual(browser.texts("h1"), [f"{len(first)} bugs in LLVM 14.0.6{more}\n"
                                                   "i1x1:symmetry=full"])
            # The funnel ends in the bugs, and the first step is every function of every pipeline.
            steps = [int(text.replace(",", "")) for text in browser.texts(".funnel b")]
            self.assertEqual(steps[0], sum(row["functions"] for row in self.matrix["rows"]))
            self.assertEqual(steps[3], len(first))
            self.assertEqual(steps, sorted(steps, reverse=True))

            # Sort by functions, up and down, as numbers.
            def counts():
                return [int(text.split()[-1].replace(",", ""))
                        for text in browser.texts(".sortable tbody td:nth-child(6)")]
            unsorted = counts()
            browser.click(".sortable th:nth-child(6) button")
            self.assertEqual(counts(), sorted(unsorted))
            browser.click(".sortable th:nth-child(6) button")
            self.assertEqual(counts(), sorted(unsorted, reverse=True))

            # Open a bug: the overview goes, the bug comes, with source and target side by side.
            self.assertTrue(browser.is_shown("#overview"))
            heads = {}
            for bug in self.bugs:
                heads.setdefault(bug["root"], bug)
            bug = next(bug for bug in heads.values() if bug["kind"] == "more-poison")
            browser.click(f'.sortable a[href="#{bug["id"]}"]')
            section = f'section[id="{bug["id"]}"]'
            self.assertTrue(browser.is_shown(section))
            self.assertFalse(browser.is_shown("#overview"))
            source, target = (browser.rectangle(f"{section} .pair:nth-of-type(1) > div:nth-child({i})")
                              for i in (1, 2))
            self.assertEqual(source["y"], target["y"])
            self.assertLess(source["x"], target["x"])
            shown = browser.texts(f"{section} .pair pre")
            self.assertEqual([text.split() for text in shown[:2]],
                             [bug["source"].split(), bug["target"].split()])
            browser.click(f"{section} .copy")
            browser.wait_until(f'{section} .copy', lambda text: text in ("Copied", "Selected"))
            browser.click(f"{section} .back a")
            self.assertTrue(browser.is_shown("#overview"))

            # A cell of the matrix leads to a bug.
            browser.click(".matrix td a")
            self.assertFalse(browser.is_shown("#overview"))

            # Light and dark.
            before = browser.colour("body")
            browser.click("#theme")
            self.assertNotEqual(browser.colour("body"), before)
            browser.click("#theme")
            self.assertEqual(browser.colour("body"), before)

            # A phone: nothing is wider than the page but what scrolls by itself.
            browser.resize(390, 800)
            for place in ("#bugs", f"#{bug['id']}"):
                browser.open((self.out / "index.html").as_uri() + place)
                self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), 390)


class Lit(Folder):
    """The known bugs: fails where the bug is, passes where it is not."""

    @staticmethod
    def lit_of(release):
        root = pathlib.Path(f"/usr/lib/llvm-{release}")
        return next(path for path in (root / "bin/lit", root / "build/utils/lit/lit.py")
                    if path.exists())

    def passes(self, test, release):
        """Whether `release` passes the test, by its own lit and FileCheck."""
        done = subprocess.run(
            [sys.executable, self.lit_of(release), "-v", "--param", f"bin=/usr/lib/llvm-{release}/bin",
             "--param", f"out={self.folder / 'lit'}", test], capture_output=True, text=True)
        verdict = "PASS" if done.returncode == 0 else "FAIL"
        self.assertIn(f"{verdict}: irsieve :: {test.name}", done.stdout)
        return done.returncode == 0, done.stdout

    def test_known_bugs(self):
        tested = 0
        for path in sorted((HERE.parent / "corpus/known").glob("*.ll")):
            head = dict(line[2:].strip().split(": ", 1) for line in path.read_text().splitlines()
                        if line.startswith("; ") and ": " in line)
            wrong, right = ([int(word) for word in head.get(key, "").split() if int(word) in RELEASES]
                            for key in ("wrong-in", "right-in"))
            if not wrong:
                continue
            seen = max(wrong)
            with self.subTest(path.name, seen=seen):
                database, out = self.folder / f"{path.stem}.db", self.folder / path.stem
                arguments = [f"--passes={head.get(f'passes-{seen}', head['passes'])}"]
                if f"llvm-arg-{seen}" in head:
                    arguments.append(f"--llvm-arg={head[f'llvm-arg-{seen}']}")
                if "data-layout" in head:
                    arguments.append(f"--data-layout={head['data-layout']}")
                irsieve("run", "--corpus", path, "--llvm", seen, *arguments, "--semantics",
                        head["semantics"], "--db", database, "-q")
                irsieve("report", "--db", database, "--out", out, "--format", "lit")
                test, = (out / "lit").glob("*.ll")
                passed, said = self.passes(test, seen)
                self.assertFalse(passed, said)
                # It fails for the wrong output, not for a test that cannot run.
                if head["kind"] != "crash":
                    self.assertIn("Broken module found" if head["kind"] == "invalid" else
                                  "CHECK-NOT: excluded string found in input", said)
                for release in right:
                    passed, said = self.passes(test, release)
                    # The test speaks the language of the release that it was made with.
                    isOther = release < seen and ("unknown pass name" in said or
                                                  "error: expected type" in said or  # no `ptr` yet
                                                  "but expected 'ptr'" in said)
                    self.assertTrue(passed or isOther, said)
                tested += 1
        self.assertGreater(tested, 0)


class Portfolio(unittest.TestCase):
    def test_json_says_what_the_text_says(self):
        text = irsieve("hunt", "--list")
        listed = json.loads(irsieve("hunt", "--list", "--format", "json"))
        spaces, pipelines = text.split("\npipelines:\n")
        self.assertEqual([line.split()[0] for line in spaces.splitlines()[1:]],
                         [row["spec"] for row in listed["spaces"]])
        self.assertEqual([line.split()[0] for line in pipelines.splitlines()],
                         [row["passes"] for row in listed["pipelines"]])
        for row in listed["spaces"] + listed["pipelines"]:
            self.assertIn(row["purpose"], text)


@unittest.skipUnless(22 in RELEASES, "built without the worker of LLVM 22")
class Documented(Folder):
    """The reports in docs/llvm-22: what they tell the reader to paste shows the bug."""

    def test_commands_reproduce(self):
        paths = sorted((HERE.parent / "docs/llvm-22").glob("*.md"))
        reports = [path for path in paths if path.name != "README.md"]
        self.assertEqual(len(reports), 57)
        for path in reports:
            with self.subTest(path.name):
                text = path.read_text()
                block = lambda head: text.split(head, 1)[1].split("```\n", 1)[0]
                source, output = self.folder / "source.ll", self.folder / "output.ll"
                source.write_text(block("## Source\n\n```llvm\n"))
                done = subprocess.run(["sh", "-c", block("```sh\n")], capture_output=True, text=True)
                if "- kind: `invalid`: " in text:
                    self.assertNotEqual(done.returncode, 0)
                    self.assertIn(text.split("The optimizer says: `", 1)[1].split("`", 1)[0], done.stderr)
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                output.write_text(done.stdout)
                said = json.loads(irsieve("check", source, output, "--format", "json"))
                self.assertEqual(said["verdict"], "wrong")
                self.assertIn(f"- kind: `{said['kind']}`: ", text)


class Browser:
    """Chromium without a screen, driven over chromedriver's HTTP interface."""

    FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync"]

    def __init__(self, folder):
        self._profile = tempfile.mkdtemp(dir=folder)

    def __enter__(self):
        self._driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        for line in self._driver.stdout:
            if "started successfully on port" in line:
                self._url = f"http://127.0.0.1:{line.split()[-1].rstrip('.')}/session"
                break
        options = {"args": self.FLAGS + [f"--user-data-dir={self._profile}", "--window-size=1200,900"]}
        session = self._ask("POST", "", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}})
        self._url += "/" + session["sessionId"]
        return self

    def __exit__(self, *_):
        try:
            self._ask("DELETE", "")
        finally:
            self._driver.terminate()
            self._driver.stdout.close()
            self._driver.wait()

    def _ask(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self._url + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def _element(self, selector):
        found = self._ask("POST", "/element", {"using": "css selector", "value": selector})
        return "/element/" + next(iter(found.values()))

    def open(self, url):
        self._ask("POST", "/url", {"url": url})

    def click(self, selector):
        self._ask("POST", self._element(selector) + "/click", {})

    def is_shown(self, selector):
        return self._ask("GET", self._element(selector) + "/displayed")

    def rectangle(self, selector):
        return self._ask("GET", self._element(selector) + "/rect")

    def colour(self, selector):
        return self._ask("GET", self._element(selector) + "/css/background-color")

    def resize(self, width, height):
        # A window has a smallest width; a device does not.
        self._ask("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}})

    def run(self, script):
        return self._ask("POST", "/execute/sync", {"script": script, "args": []})

    def texts(self, selector):
        return self._ask("POST", "/execute/sync", {
            "script": "return [...document.querySelectorAll(arguments[0])].map(e => e.innerText.trim())",
            "args": [selector]})

    def wait_until(self, selector, is_good):
        for _ in range(100):
            if is_good(self.texts(selector)[0]):
                return
            time.sleep(0.05)
        raise AssertionError(f"{selector} says {self.texts(selector)[0]}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
