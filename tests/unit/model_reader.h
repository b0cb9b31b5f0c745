// SPDX-License-Identifier: MIT
/// Reads models of one format from bytes in memory: the set-up and the checks of tests of readers.
#pragma once

#include "model/model.h"
#include "model/model_format.h"
#include "testing.h"

typedef struct reader_case {
    const model_format *format;
    const char *path; ///< the name of every file of the suite
    budget memory;
    zt_limits limits; ///< of `memory`
    zt_model model;
    arena scratch;
    zt_error err;
    model_up up;          ///< as in model_source
    int32_t unit_um;      ///< the same
    m3d_choices m3d;      ///< the same
    bool package_picture; ///< as in model_source
    bool strict;          ///< warnings of what a picture lacks are errors
    int warnings;
    char last_warning[512];
    int opened; ///< names that were looked for
    /// A file that the model may name, and its text; NULL: none. "N.tga" is a picture N pixels
    /// wide.
    const char *other_name, *other;
} reader_case;

extern reader_case reader;

/// A suite whose files are of the format `suite`_format and called `file`.
#define READER_SUITE(suite, file)                                                                  \
    static void reader_begin_##suite(void) { reader_begin(&suite##_format, file); }                \
    TestSuite(suite, .init = reader_begin_##suite, .fini = reader_finish)

void reader_begin(const model_format *format, const char *path);
void reader_finish(void);
/// Reads exactly `size` bytes at a place of their own, so that a sanitizer sees a read past them.
zt_result reader_read(const void *data, size_t size);
zt_result read_text(const char *text);

void must_read_bytes(const void *data, size_t size);
void must_read(const char *text);
void must_read_as(const char *format, ...) ZT_PRINTF(1, 2);
/// The message must be a line that begins with the file's name and holds `part`. must_fail: the
/// code must be ZT_ERR_FORMAT.
void must_fail_bytes(const void *data, size_t size, zt_result code, const char *part);
void must_fail_as(const char *text, zt_result code, const char *part);
void must_fail(const char *text, const char *part);
/// Reads it with one warning, which must hold `part`, or without any (NULL).
void must_warn(const char *text, const char *part);
/// Every amount of memory, in steps, is enough or refused with a message; and it can be cancelled.
void must_bear_limits(const void *data, size_t size, uint64_t step);

/// The first mesh of the model, and its vertex at a place.
const model_mesh *mesh(void);
uint32_t vertex_at(float x, float y);
