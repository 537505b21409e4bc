# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tree that looks like a developer's build of LLVM: Debian's static libraries,
in which some objects were compiled again from the source package. What
ci/own-llvm, ci/coverage and ci/faults have in common.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLS = {"opt": ["opt.cpp", "NewPMDriver.cpp", "optdriver.cpp"]}

CONFIG = """#!/bin/sh
# The release's llvm-config, and what ci/own-llvm made otherwise. Polly is in a
# package of its own.
{answers}said=$("$(dirname "$0")/llvm-config.release" "$@") || exit
echo "$said" | sed 's|[^ ]*libPolly[^ ]*||g'
case " $* " in *" --system-libs "*) echo '{more}' ;; esac
"""


def fail(message):
    sys.exit(f"{sys.argv[0]}: {message}")


def newest_clang():
    """Twice as fast as g++ on LLVM, and the one that measures coverage."""
    for name in ["clang++-22", "clang++-19"]:
        if shutil.which(name):
            return name
    return None


class Tree:
    """One tree; `release` is the major version of the LLVM under it."""

    def __init__(self, root, release, compiler=None, flags=()):
        self.root = pathlib.Path(root).resolve()
        self.release = release
        self.base = pathlib.Path(f"/usr/lib/llvm-{release}")
        if not (self.base / "lib/libLLVMCore.a").exists():
            fail(f"llvm-{release}-dev is not installed (ci/install-deps all)")
        self.compiler = compiler or newest_clang() or "g++"
        self.flags = list(flags)

    def make(self, assertions=False, coverage=False):
        """Headers, libraries and llvm-config, as the release has them."""
        for folder in ["bin", "lib", "objects"]:
            (self.root / folder).mkdir(parents=True, exist_ok=True)
        link(self.base / "include", self.root / "include")
        for archive in self.base.glob("lib/*.a"):
            link(archive, self.root / "lib" / archive.name)
        shutil.copy(self.base / "bin/llvm-config", self.root / "bin/llvm-config.release")
        answers = '[ "$*" = --assertion-mode ] && echo ON && exit\n' if assertions else ""
        more = f"-Wl,-u,__llvm_profile_runtime {profile_runtime(self.compiler)}" if coverage else ""
        config = self.root / "bin/llvm-config"
        config.write_text(CONFIG.format(answers=answers, more=more))
        config.chmod(0o755)

    def source(self, paths):
        """Unpacks paths of the source package; their common folder."""
        done = subprocess.run([ROOT / "ci/llvm-source", "--release", str(self.release), *paths],
                              stdout=subprocess.PIPE, text=True)
        if done.returncode:
            fail("no source package; see above")
        return pathlib.Path(done.stdout.strip())

    def command(self, source, file, output):
        """What compiles `file`, a path below `source`, to the object `output`."""
        path = source / file
        launcher = ["ccache"] if shutil.which("ccache") else []
        return [*launcher, self.compiler, "-c", "-std=c++17", "-O1", "-DNDEBUG", "-fPIC", "-w",
                "-fno-exceptions", "-funwind-tables", "-D_GNU_SOURCE", "-D__STDC_CONSTANT_MACROS",
                "-D__STDC_FORMAT_MACROS", "-D__STDC_LIMIT_MACROS", *self.flags,
                f"-I{path.parent}", f"-I{source}/llvm/include", f"-I{self.base}/include",
                str(path), "-o", str(output)]

    def archive_of(self, source, file):
        """The library that `file` goes into, as the CMakeLists.txt beside it says."""
        text = (source / file).parent.joinpath("CMakeLists.txt").read_text()
        return f"lib{re.search(r'add_llvm_component_library[(](LLVM[A-Za-z0-9]+)', text)[1]}.a"

    def object_of(self, file):
        return self.root / "objects" / (file.replace("/", "_") + ".o")

    def compile(self, source, files, jobs):
        """Compiles files and puts them into their archives."""
        outputs = {file: self.object_of(file) for file in files}

        def one(file):
            return file, subprocess.run(self.command(source, file, outputs[file]),
                                        stderr=subprocess.PIPE, text=True)

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for file, done in pool.map(one, files):
                if done.returncode:
                    fail(f"{file} does not compile:\n{done.stderr[-2000:]}")
                print(f"compiled {file}", file=sys.stderr, flush=True)
        archives = {}
        for file in files:
            archives.setdefault(self.archive_of(source, file), []).append(file)
        for archive, members in archives.items():
            self.replace(archive, {f"{pathlib.Path(m).name}.o": outputs[m] for m in members})

    def replace(self, archive, members):
        """Puts objects into an archive of the tree, by member name."""
        path = self.root / "lib" / archive
        if path.is_symlink():
            path.unlink()
            shutil.copy(self.base / "lib" / archive, path)
        known = subprocess.run(["ar", "t", path], check=True, stdout=subprocess.PIPE, text=True)
        scratch = self.root / "objects/members"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        for name, output in members.items():
            if name not in known.stdout.split():
                fail(f"{archive} has no member {name}")
            shutil.copy(output, scratch / name)
        subprocess.run(["ar", "r", path, *members], check=True, cwd=scratch,
                       stderr=subprocess.DEVNULL)
        shutil.rmtree(scratch)

    def tool(self, name):
        """Links a program of LLVM's against the tree as it is now."""
        folder = f"llvm/tools/{name}"
        source = self.source([folder])
        # Polly is in a package of its own.
        extensions = self.root / "objects/include/llvm/Support/Extension.def"
        extensions.parent.mkdir(parents=True, exist_ok=True)
        extensions.write_text("#undef HANDLE_EXTENSION\n")
        for file in TOOLS[name]:
            output = self.object_of(f"{folder}/{file}")
            if not output.exists():
                subprocess.run([*self.command(source, f"{folder}/{file}", output),
                                "-iquote", self.root / "objects/include"], check=True)
        objects = [self.object_of(f"{folder}/{file}") for file in TOOLS[name]]
        config = self.root / "bin/llvm-config"
        words = subprocess.run([config, "--link-static", "--libfiles", "--system-libs", "all"],
                               check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        # -no-pie: nothing is relocated, and a program starts with half the page faults.
        subprocess.run([self.compiler, *linker(self.compiler), "-no-pie", "-rdynamic",
                        *map(str, objects),
                        "-Wl,--start-group", *[w for w in words if w.endswith(".a")],
                        "-Wl,--end-group", *[w for w in words if not w.endswith(".a")],
                        "-lpthread", "-o", str(self.root / "bin" / name)], check=True)


def linker(compiler):
    """Seconds instead of a minute, where lld is installed."""
    for release in [22, 19]:
        if pathlib.Path(f"/usr/lib/llvm-{release}/bin/ld.lld").exists():
            return [f"-B/usr/lib/llvm-{release}/bin", "-fuse-ld=lld"]
    return []


def profile_runtime(compiler):
    return subprocess.run([compiler, "-print-file-name=libclang_rt.profile-x86_64.a"],
                          check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def portfolio(program):
    """The `spaces` and `pipelines` of a hunt."""
    done = subprocess.run([program, "hunt", "--list", "--format=json"], check=True,
                          stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def cache_folder():
    """Where ci/llvm-source keeps what it fetched."""
    home = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return pathlib.Path(os.environ.get("IRSIEVE_CACHE") or home / "irsieve")


def link(target, name):
    if not name.is_symlink() and not name.exists():
        name.symlink_to(target)
