// SPDX-License-Identifier: MIT
/// Streams of text in memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// open_memstream() that notices when a piece is lost, which glibc does not report, and asks for no
/// memory any more once it was refused: a text of a million pieces ends at once.
FILE *text_stream_open(char **out_text, size_t *out_size);
/// True when *out_text is whole; otherwise it is freed, and NULL.
bool text_stream_close(FILE *stream, char **out_text);
