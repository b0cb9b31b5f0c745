// SPDX-License-Identifier: MIT
/// The line of a request (docs/serve.md) -> words of a command line, and the files behind the line.
#pragma once

#include "base/arena.h"
#include "cli/options.h"

enum {
    SERVE_PROTOCOL = 1,
    SERVE_LINE_MAX = 1 << 16, ///< bytes of a line with its end
    SERVE_ID_SIZE = 400       ///< an id as JSON: 64 bytes, each as \u0000
};

/// Among messages of a request: it is done again, and what it has said before does not count.
#define SERVE_AGAIN '\f'

/// A file whose bytes follow the line.
typedef struct serve_file {
    const char *name;
    uint64_t offset, size; ///< in the bytes of the request
} serve_file;

typedef struct serve_call {
    arena memory;
    char id[SERVE_ID_SIZE]; ///< as JSON; "null": none is known
    bool cancels;           ///< it ends the request with this id
    bool progress;
    bool bytes_known; ///< `bytes` is what follows the line, though the request may be wrong
    uint64_t bytes;
    serve_file *files; ///< [file_count]
    uint32_t file_count;
    int input_count;
    int argc; ///< words behind the program's name
    char **argv;
    uint32_t word_room; ///< of argv
} serve_call;

/// A request as a worker has it: a mapped file, whose first SERVE_LINE_MAX bytes are for the line.
typedef struct serve_upload {
    serve_call call;
    const uint8_t *bytes; ///< [size] of its files, behind the line; NULL: nothing is mapped
    size_t size;
    const char *input; ///< the name of the model among them
} serve_upload;

/// Also of NULL.
void serve_upload_destroy(serve_upload *u);
/// True when the files of both have the same names and bytes.
bool serve_upload_equals(const serve_upload *a, const serve_upload *b);

/// Reads a line without its end. ZT_ERR_ARGUMENT: it is no request; ZT_ERR_MEMORY, ZT_ERR_LIMIT.
/// Finish out->memory after a failure, too.
zt_result serve_call_parse(const char *line, size_t size, budget *b, serve_call *out,
                           zt_error *err);
/// Parses its words: the flags of the command that a request may have. ZT_ERR_ARGUMENT.
zt_result serve_call_options(const serve_call *c, options *out, zt_error *err);
/// The file of a name; NULL: it has none.
const serve_file *serve_call_file(const serve_call *c, const char *name);
