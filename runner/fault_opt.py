#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An opt of the tests: the real one ($IRSIEVE_REAL_OPT), except that it fails
on chosen functions. IRSIEVE_FAULT=MODE:CHOICE as for fault_worker.cpp."""
import os
import re
import resource
import signal
import subprocess
import sys
import time
import zlib


def crash():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


def leak():
    memory = []
    while True:
        memory.append(b"x" * (256 << 20))


def garbage():
    print("all is well")
    sys.exit(0)


MODES = {
    "crash": crash,
    "quit": lambda: sys.exit(3),
    "garbage": garbage,
    "hang": lambda: time.sleep(3600),
    "leak": leak,
}
QUICK = ["crash", "quit", "garbage"]


def main():
    arguments = [os.environ["IRSIEVE_REAL_OPT"]] + sys.argv[1:]
    if any(word.startswith("-load-pass-plugin") for word in arguments):
        sys.exit("the faults are in what this program makes of a module")
    mode, _, choice = os.environ.get("IRSIEVE_FAULT", ":").partition(":")
    if not mode or "-" not in arguments or "-disable-output" in arguments:
        os.execv(arguments[0], arguments)
    module = sys.stdin.buffer.read()
    # Text without names, which not every function comes with.
    text = subprocess.run([arguments[0], "-S", "-discard-value-names", "-passes=no-op-module", "-"],
                          input=module, stdout=subprocess.PIPE, check=True).stdout.decode()
    for function in re.findall(r"^define .*?^}", text, re.M | re.S):
        # Without its name, which says where in the batch it stands.
        number = zlib.crc32(re.sub(r"@\w+", "@f", function).encode())
        if choice == "mul" and " = mul " in function or choice == "tenth" and number % 10 == 0:
            MODES[QUICK[number // 10 % len(QUICK)] if mode == "any" else mode]()
    sys.exit(subprocess.run(arguments, input=module).returncode)


main()
