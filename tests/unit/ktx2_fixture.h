// SPDX-License-Identifier: MIT
/// KTX2 files that tests write.
#pragma once

#include "model/model.h"

typedef struct ktx2_case {
    budget memory;
    arena a;
    zt_error err;
    picture_need need;
    picture out;
    uint8_t file[8192];
    size_t size;
    size_t descriptor, keys, levels; ///< where these parts are
} ktx2_case;

/// Header of a file; zeros stand for the usual values.
typedef struct ktx2_head {
    uint32_t vk_format, width, height, depth, layers, faces, level_count, scheme;
    uint8_t model, transfer, flags;
    uint8_t channels[4];
    uint32_t channel_count;
    const char *key, *value; ///< one pair
    const void *global;      ///< global data
    size_t global_size;
} ktx2_head;

/// Finishes what the case, zero at first, had before.
void ktx2_begin(ktx2_case *c, uint64_t memory_limit);
/// Checks that all memory went back. The end of the block of a KTX2_CASE does.
void ktx2_finish(ktx2_case *c);
#define KTX2_CASE __attribute__((cleanup(ktx2_finish))) ktx2_case
/// Everything but the levels, which follow with ktx2_level_add(), from the first on.
void ktx2_start(ktx2_case *c, const ktx2_head *head);
void ktx2_level_add(ktx2_case *c, uint32_t level, const void *data, size_t size,
                    uint64_t full_size);
void ktx2_put_u32(ktx2_case *c, size_t at, uint32_t value);
/// Decodes a copy that ends exactly where the file does.
zt_result ktx2_run(ktx2_case *c);
/// The result of decoding and that the message begins with x.ktx2: and the byte, and holds `text`.
void ktx2_expect_error(ktx2_case *c, zt_result result, size_t byte, const char *text);
