# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's own tests as data: where they are, what their functions are about, and
how to tell that by their text. What ci/llvm-tests and ci/alive-bench have in common.
"""
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Directory of llvm/test/Transforms, and the pipeline that its tests are about.
DIRECTORIES = {
    "ADCE": "adce",
    "AggressiveInstCombine": "aggressive-instcombine",
    "BDCE": "bdce",
    "ConstraintElimination": "constraint-elimination",
    "CorrelatedValuePropagation": "correlated-propagation",
    "DCE": "dce",
    "DFAJumpThreading": "dfa-jump-threading",
    "DeadStoreElimination": "dse",
    "DivRemPairs": "div-rem-pairs",
    "EarlyCSE": "early-cse",
    "FixIrreducible": "fix-irreducible",
    "Float2Int": "float2int",
    "GVN": "gvn",
    "GVNHoist": "gvn-hoist",
    "GVNSink": "gvn-sink",
    "IndVarSimplify": "indvars",
    "InstCombine": "instcombine",
    "InstSimplify": "instsimplify",
    "JumpThreading": "jump-threading",
    "LCSSA": "lcssa",
    "LICM": "loop-mssa(licm)",
    "LoopDeletion": "loop-deletion",
    "LoopFlatten": "loop-mssa(loop-flatten)",
    "LoopIdiom": "loop-idiom",
    "LoopInstSimplify": "loop-mssa(loop-instsimplify)",
    "LoopRotate": "loop-rotate",
    "LoopSimplify": "loop-simplify",
    "LoopSimplifyCFG": "loop-mssa(loop-simplifycfg)",
    "LoopUnroll": "loop-unroll",
    "LowerSwitch": "lower-switch",
    "Mem2Reg": "mem2reg",
    "MemCpyOpt": "memcpyopt",
    "MergedLoadStoreMotion": "mldst-motion",
    "NaryReassociate": "nary-reassociate",
    "NewGVN": "newgvn",
    "Reassociate": "reassociate",
    "SCCP": "sccp",
    "SROA": "sroa<modify-cfg>",
    "Scalarizer": "scalarizer",
    "SimpleLoopUnswitch": "loop-mssa(simple-loop-unswitch<nontrivial>)",
    "SimplifyCFG": "simplifycfg",
    "Sink": "sink",
    "SpeculativeExecution": "speculative-execution",
    "StraightLineStrengthReduce": "slsr",
    "StructurizeCFG": "structurizecfg",
    "TailCallElim": "tailcallelim",
    "UnifyFunctionExitNodes": "mergereturn",
    "VectorCombine": "vector-combine",
}

# What a function may have, by its text without comments.
FLOATING = r"\b(?:half|bfloat|float|double|fp128|x86_fp80|ppc_fp128|x86_mmx|x86_amx)\b"
CONCURRENT = r"\b(?:atomic|atomicrmw|cmpxchg|fence|volatile|invoke)\b|unordered\.atomic"
WIDE = r"\bi(?:6[5-9]|[7-9]\d|\d{3,})\b"
VECTOR = r"<\d+ x [^>]*>"
SCALABLE = r"\bvscale\b"
POINTER = r"\b(?:ptr|alloca|load|store|getelementptr)\b"
DEFINITION = re.compile(r"^define\b[^@\n]*@(\"[^\"]+\"|[-\w.$]+)[^\n]*\{(.*?)^\}",
                        re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r";[^\n]*")


def tests_of(release):
    """The folder llvm/test/Transforms of a release's source package, fetched once."""
    source = subprocess.run(
        [ROOT / "ci/llvm-source", "--release", str(release), "llvm/test/Transforms"],
        check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    return pathlib.Path(source) / "llvm/test/Transforms"


def functions_of(folder):
    """Of the files below a folder: (file, name, text without comments) of each function."""
    for path in sorted(folder.rglob("*.ll")):
        text = COMMENT.sub("", path.read_text(errors="replace"))
        for found in DEFINITION.finditer(text):
            yield path, found[1].strip('"'), found[0]
