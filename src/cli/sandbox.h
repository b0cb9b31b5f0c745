// SPDX-License-Identifier: MIT
/// The program closes itself in before it reads the first byte of a model: it then opens only files
/// that the command line and the scene name, and connects, executes and signals nothing.
#pragma once

#include "cli/options.h"

/// By o->sandbox, before threads begin. ZT_ERR_UNSUPPORTED: required and not whole; ZT_ERR_MEMORY.
zt_result sandbox_enter(const options *o, zt_error *err);
/// "Landlock 7, system calls", or what is missing: for --version and -v.
void sandbox_describe(char *out, size_t size);
