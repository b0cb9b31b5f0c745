// SPDX-License-Identifier: MIT
/// Streams of text in memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// open_memstream(), whose loss of a piece text_stream_close() notices: glibc sets no error flag
/// when it has no memory for more, and goes on with what comes next.
FILE *text_stream_open(char **out_text, size_t *out_size);
/// True when *out_text is whole; otherwise it is freed, and NULL. Between both calls nothing may
/// run that fails for a lack of memory and is no failure of the text.
bool text_stream_close(FILE *stream, char **out_text);
