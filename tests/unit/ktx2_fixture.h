// SPDX-License-Identifier: MIT
/// KTX2 files that tests write.
#pragma once

#include "picture_fixture.h"

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

/// Finishes what the case had before, and begins anew.
void ktx2_begin(picture_case *c, uint64_t memory_limit);
/// Everything but the levels, which follow with ktx2_level_add(), from the first on.
void ktx2_start(picture_case *c, const ktx2_head *head);
void ktx2_level_add(picture_case *c, uint32_t level, const void *data, size_t size,
                    uint64_t full_size);
/// Decodes a copy that ends exactly where the file does.
zt_result ktx2_run(picture_case *c);
/// The result of decoding and that the message begins with x.ktx2: and the byte, and holds `text`.
void ktx2_expect_error(picture_case *c, zt_result result, size_t byte, const char *text);
