// SPDX-License-Identifier: MIT
/// The program closes itself in before it reads the first byte of a model: it then opens only files
/// that the command line and the scene name, and connects, executes and signals nothing.
#pragma once

#include "cli/options.h"

/// By o->sandbox, before threads begin. ZT_ERR_UNSUPPORTED: required and not whole; ZT_ERR_MEMORY.
/// `makes_workers`: other processes of its own may begin, which call sandbox_worker().
zt_result sandbox_enter(const options *o, bool makes_workers, zt_error *err);
/// In a worker: from here on nothing is allowed that sandbox_enter() allows for workers alone.
bool sandbox_worker(const options *o);
/// "Landlock 7, system calls", or what is missing: for --version and -v.
void sandbox_describe(char *out, size_t size);
#ifdef ZT_SANDBOX_HOLE
/// In a test program alone (tests/cli/sandbox_hole.c): tries to get out; the number of open ways.
int sandbox_hole_try(void);
#endif
