// SPDX-License-Identifier: MIT
/// Reads models of one format from bytes in memory, for tests of readers.
#pragma once

#include "model/model.h"
#include "model/model_format.h"

typedef struct reader_case {
    budget memory;
    zt_limits limits; ///< of `memory`
    zt_model model;
    arena scratch;
    zt_error err;
    int32_t up, unit_um;  ///< as in model_source
    bool package_picture; ///< as in model_source
    int warnings;
    char last_warning[512];
    const char *other_name, *other; ///< a file that the model may name, and its text; NULL: none
} reader_case;

void reader_begin(reader_case *c);
void reader_finish(reader_case *c);
/// Reads exactly `size` bytes at a place of their own, so that a sanitizer sees a read past them.
zt_result reader_read(reader_case *c, const model_format *format, const char *path,
                      const void *data, size_t size);
