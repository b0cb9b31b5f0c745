// SPDX-License-Identifier: MIT
/// Shared by tests of picture readers.
#pragma once

#include "base/file.h"
#include "image/hdr_picture.h"
#include "image/picture_codecs.h"

typedef struct picture_case {
    budget memory;
    arena a;
    zt_error err;
    picture_need need;
    picture out;
    hdr_picture radiance;            ///< of a reader of radiance, in place of `out`
    uint8_t file[8192];              ///< bytes that a test puts there
    size_t size;                     ///< of `file`
    size_t descriptor, keys, levels; ///< where these parts of a KTX2 file are
} picture_case;

/// `limit` bytes of memory; 0: as much as a program gets.
void picture_begin(picture_case *c, uint64_t limit);
/// Checks that all memory went back.
void picture_finish(picture_case *c);
/// Declares the case `c`, which begins here and finishes with its block.
#define PICTURE_CASE(c, limit)                                                                     \
    __attribute__((cleanup(picture_finish))) picture_case c;                                       \
    picture_begin(&c, (limit))

/// Appends to the file.
void picture_put(picture_case *c, const void *bytes, size_t size);
void picture_put_text(picture_case *c, const char *text);
/// Little-endian, at a place of the file.
void picture_put_u32(picture_case *c, size_t at, uint32_t value);
/// A copy with one 0 behind it and nothing else, so that ASan sees any byte read beyond; free() it.
uint8_t *picture_exact_copy(const void *data, size_t size);
/// Reads a seed of the fuzz targets: "webp/lossy.webp".
file_bytes picture_read_corpus(picture_case *c, const char *name);
/// Checks a seed of 19 x 13 pixels of 8 bits: a decoder's SIMD and C paths, and every version that
/// we meet, must give these. Each truncation is an error.
void picture_expect_pinned(const char *name, bool has_alpha, uint64_t hash);
/// libpng must read a PNG without a warning, as this picture; `what` is for the message.
void picture_expect_libpng(file_bytes file, const zt_image *image, const char *what);

/// Decodes the files of a folder of the asset collection whose names hold `ending`: so many are
/// `good`, or all if it is -1; messages about the others hold `fault`. No folder: says so.
void picture_expect_assets(const char *folder, const char *ending, int good, const char *fault);
