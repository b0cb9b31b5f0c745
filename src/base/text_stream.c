// SPDX-License-Identifier: MIT
/// See text_stream.h. Only errno reports a refused allocation; no C function sets it to 0.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "base/text_stream.h"

#include <errno.h>
#include <stdlib.h>

FILE *text_stream_open(char **out_text, size_t *out_size)
{
    *out_text = NULL;
    FILE *stream = open_memstream(out_text, out_size);
    errno = 0;
    return stream;
}

bool text_stream_close(FILE *stream, char **out_text)
{
    const bool failed = ferror(stream) != 0;
    const bool closed = fclose(stream) == 0;
    if (closed && !failed && errno != ENOMEM && *out_text)
        return true;
    free(*out_text);
    *out_text = NULL;
    return false;
}
