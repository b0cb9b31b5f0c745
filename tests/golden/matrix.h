// SPDX-License-Identifier: MIT
/// The goldens as the matrix renders them: loaded once, drawn in every cell.
#pragma once

#include "render/renderer.h"

enum { GOLDEN_LIMIT = 512, GOLDEN_TEXT = 1024 };

/// One line of golden/manifest.txt.
typedef struct golden {
    char name[64];
    zt_scene *scene;
    int64_t frame;
    uint64_t want; ///< pixel hash
    zt_image image;
    scene_framing framing;
    budget memory;
    kept_environment environment; ///< as the first cell made it; in `memory`
    uint64_t hash[PRODUCT_COUNT]; ///< of the reference cell
} golden;

typedef struct goldens {
    int count;
    golden *all; ///< [GOLDEN_LIMIT]
} goldens;

/// Loads every golden whose name is in `names` (ends with NULL; NULL: all). False after a message.
bool goldens_load(goldens *g, const char *source_dir, const char *const *names);
void goldens_free(goldens *g);

/// The way in which the goldens are drawn.
typedef struct cell {
    zt_isa isa;
    int32_t threads;
    bool spread; ///< one golden per worker; else one over all of them
    job_order order;
    bool frame_anew; ///< find automatic framing and make environments again, which takes longer
                     ///< than drawing
    bool encode;     ///< also as PNG, and compare the bytes
} cell;

/// Text of a cell, for messages.
const char *cell_name(const cell *c, char out[128]);

/// Draws all goldens to hashes[i]. `kernels` NULL: by the cell's set. False after a message.
typedef uint64_t golden_hashes[PRODUCT_COUNT];
bool cell_draw(const cell *c, const goldens *g, const kernel_table *kernels, golden_hashes *hashes);

/// The first product that differs, or PRODUCT_COUNT.
int32_t first_difference(const uint64_t *a, const uint64_t *b);

/// Breaks each stage's result in turn; the first difference must be named after it.
bool matrix_self_test(const goldens *g);
