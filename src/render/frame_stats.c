// SPDX-License-Identifier: MIT
// Hashes of stages: vertices in scene order, samples in reading order of the picture.
#include "render/frame_stats.h"

#include "base/hash.h"

uint64_t product_hash_bytes(const void *bytes, size_t size)
{
    return hash_words(HASH_START, bytes, size);
}

static uint64_t hash_draw_palettes(uint64_t hash, const geometry_draw *draws, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const size_t size = draws[i].matrix_count * sizeof(skin_matrix);
        hash = hash_words(hash, draws[i].palette, size);
        hash = hash_words(hash, draws[i].normals, size);
    }
    return hash;
}

static uint64_t hash_palettes(const geometry_frame *frame)
{
    const uint64_t hash = hash_draw_palettes(HASH_START, frame->draws, frame->draw_count);
    return hash_draw_palettes(hash, frame->posed_meshes, frame->posed_mesh_count);
}

static uint64_t hash_draw_vertices(uint64_t hash, const geometry_draw *draws, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const geometry_draw *d = &draws[i];
        if (d->posed_mesh)
            continue;
        hash = hash_words(hash, d->position, d->mesh->vertex_count * sizeof *d->position);
        hash = hash_words(hash, d->attributes, d->mesh->vertex_count * sizeof *d->attributes);
    }
    return hash;
}

static uint64_t hash_vertices(const geometry_frame *frame)
{
    const uint64_t hash = hash_draw_vertices(HASH_START, frame->draws, frame->draw_count);
    return hash_draw_vertices(hash, frame->posed_meshes, frame->posed_mesh_count);
}

/// The order of a tile's triangles is chance: their hashes are added.
static uint64_t hash_set_up(const setup_triangle *const *triangles, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const setup_triangle *t = triangles[i];
        const int32_t whole[] = {t->x[0], t->x[1], t->x[2], t->y[0],        t->y[1],
                                 t->y[2], t->rx,   t->ry,   (int32_t)t->id, (int32_t)t->masked};
        const float plane[] = {t->z0, t->zx, t->zy};
        sum += hash_words(product_hash_bytes(whole, sizeof whole), plane, sizeof plane);
    }
    return sum;
}

static uint64_t hash_triangles(const tile_input *input)
{
    uint64_t sum = hash_set_up(input->triangles, input->count);
    sum += hash_set_up(input->blended, input->blended_count);
    for (uint32_t i = 0; i < input->small_runs; i++)
        for (uint32_t k = 0; k < input->small[i].count; k++)
            sum += product_hash_bytes(&input->small[i].first[k], sizeof(small_triangle));
    return sum;
}

/// Index of a pixel in block order.
static size_t pixel_index(int32_t x, int32_t y)
{
    return ((size_t)(y / 4) * TILE_BLOCKS + (size_t)(x / 4)) * 16 + (size_t)(y % 4 * 4 + x % 4);
}

/// Hash of a tile's depth or ids: pixels in reading order, samples of a pixel in their order.
static uint64_t hash_samples(const tile_buffers *tile, tile_rect rect, const void *samples)
{
    const uint32_t *word = samples;
    uint64_t hash = HASH_START;
    if (!tile->touched)
        return 0;
    for (int32_t y = 0; y < rect.height; y++)
        for (int32_t x = 0; x < rect.width; x++)
            for (int32_t s = 0; s < tile->sample_count; s++)
                hash = hash_word(hash,
                                 word[pixel_index(x, y) * (size_t)tile->sample_count + (size_t)s]);
    return hash;
}

/// Hash of visible samples' linear colours, in reading order, with the blended colours.
static uint64_t hash_colors(const tile_buffers *tile, tile_rect rect, const shade_colors *color,
                            const tile_blend *blend)
{
    uint64_t hash = HASH_START;
    if (!tile->touched && !blend->pixels)
        return 0;
    for (int32_t y = 0; y < rect.height; y++) {
        for (int32_t x = 0; x < rect.width; x++) {
            const size_t p = pixel_index(x, y);
            const uint32_t *first = &tile->blocks[p / 16].first[p % 16];
            const uint32_t begin = tile->touched ? first[0] : 0, end = tile->touched ? first[1] : 0;
            for (uint32_t i = begin; i < end; i++) {
                const float rgb[3] = {color->r[i], color->g[i], color->b[i]};
                hash = hash_words(hash, rgb, sizeof rgb);
            }
            if (blend->color && (unsigned)blend->pixels[p / 16] >> p % 16 & 1u)
                hash = hash_words(hash, blend->color[p], sizeof blend->color[p]);
        }
    }
    return hash;
}

const char *frame_stage_name(frame_stage stage)
{
    static const char *const names[] = {
        [STAGE_FRAMING] = "framing", [STAGE_LIGHT] = "light",       [STAGE_POSE] = "pose",
        [STAGE_SKIN] = "skin",       [STAGE_GEOMETRY] = "geometry", [STAGE_RASTER] = "raster",
        [STAGE_SHADE] = "shade",     [STAGE_FILM] = "film",         [STAGE_ENCODE] = "encode",
        [STAGE_WRITE] = "write",
    };
    _Static_assert(sizeof names / sizeof *names == STAGE_COUNT, "name every frame_stage");
    return (unsigned)stage < STAGE_COUNT ? names[stage] : NULL;
}

const char *frame_product_name(frame_product product)
{
    static const char *const names[] = {
        [PRODUCT_PALETTE] = "palette", [PRODUCT_VERTICES] = "vertices",
        [PRODUCT_SETUP] = "setup",     [PRODUCT_DEPTH] = "depth",
        [PRODUCT_ID] = "ids",          [PRODUCT_COLOR] = "color",
        [PRODUCT_PIXELS] = "pixels",   [PRODUCT_FILE] = "file",
    };
    _Static_assert(sizeof names / sizeof *names == PRODUCT_COUNT, "name every frame_product");
    return (unsigned)product < PRODUCT_COUNT ? names[product] : NULL;
}

zt_result tile_hashes_init(tile_hashes *h, arena *a, size_t tile_count, zt_error *err)
{
    h->tile_count = tile_count;
    for (int p = PRODUCT_SETUP; p <= PRODUCT_COLOR; p++) {
        ZT_TRY(ARENA_TAKE(a, &h->hash[p], tile_count, "hashes of tiles", err));
    }
    return ZT_OK;
}

void tile_hashes_set(tile_hashes *h, int64_t index, tile_rect rect, const tile_input *input,
                     const tile_buffers *tile, const shade_buffers *shade, const tile_blend *blend)
{
    h->hash[PRODUCT_SETUP][index] = hash_triangles(input);
    h->hash[PRODUCT_DEPTH][index] = hash_samples(tile, rect, tile->visibility.depth);
    h->hash[PRODUCT_ID][index] = hash_samples(tile, rect, tile->visibility.id);
    h->hash[PRODUCT_COLOR][index] = hash_colors(tile, rect, &shade->color, blend);
}

void frame_hashes(const tile_hashes *h, const geometry_frame *geometry,
                  const picture_planes *target, uint64_t out[PRODUCT_COUNT])
{
    out[PRODUCT_PALETTE] = hash_palettes(geometry);
    out[PRODUCT_VERTICES] = hash_vertices(geometry);
    for (int p = PRODUCT_SETUP; p <= PRODUCT_COLOR; p++)
        out[p] = product_hash_bytes(h->hash[p], h->tile_count * sizeof *h->hash[p]);
    out[PRODUCT_PIXELS] = picture_planes_hash(target);
}
