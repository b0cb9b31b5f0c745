// SPDX-License-Identifier: MIT
// Blended triangles -> fragments, where no opaque triangle is nearer. Blended triangles hide
// nothing, so the order of triangles does not matter. raster/fragments.c sorts the fragments.

/// The depth plane at the centre of pixel `pixel` of the block (x, y) pixels from the origin, as
/// raster_vector_evaluate computes it, clamped to the range of the corners extended by `beyond`.
static inline float fragment_center_depth(const raster_batch *t, int lane, int32_t x, int32_t y,
                                          int32_t pixel, float beyond)
{
    const float dx = t->from_x[lane] + (float)(x + pixel % 4);
    const float dy = t->from_y[lane] + (float)(y + pixel / 4);
    const float z = (t->z0[lane] + t->zx[lane] * dx) + t->zy[lane] * dy;
    const float min = t->z_min[lane] - beyond, max = t->z_max[lane] + beyond;
    const float low = z > min ? z : min;
    return low < max ? low : max;
}

/// Bits of the pixels inside the picture, of the block at pixel (x, y) of the tile.
static inline unsigned fragment_visible(const fragment_job *job, int32_t x, int32_t y)
{
    const int32_t columns = job->width - x, rows = job->height - y;
    if (columns >= 4 && rows >= 4)
        return 0xffffu;
    if (columns <= 0 || rows <= 0)
        return 0;
    const unsigned row = columns < 4 ? (1u << columns) - 1u : 0xfu;
    return row * 0x1111u & (rows < 4 ? (1u << 4 * rows) - 1u : 0xffffu);
}

/// Bits of the samples of a pixel that show the triangle, from bits of pixels for each sample.
static inline uint16_t fragment_samples(const unsigned pixels[SAMPLES_MAX], int32_t samples,
                                        int32_t pixel)
{
    unsigned bits = 0;
    for (int32_t s = 0; s < samples; s++)
        bits |= (pixels[s] >> pixel & 1u) << s;
    return (uint16_t)bits;
}

/// Writes the fragments of a block; see raster_block for `at`. Returns their number.
static inline uint32_t fragment_block(const fragment_job *job, const raster_state *r,
                                      const raster_triangle *tri, int lane, int32_t x, int32_t y,
                                      const int32_t at[3], raster_fragment *out)
{
    const raster_batch *t = &r->batch;
    const int32_t samples = r->job->sample_count;
    const int32_t tile_x = t->block_x[lane] * 4 + x, tile_y = t->block_y[lane] * 4 + y;
    const int32_t first = (tile_y / 4 * TILE_BLOCKS + tile_x / 4) * 16;
    const uint32_t id = (uint32_t)t->id[lane], all = (1u << samples) - 1u;
    const float beyond = FRAGMENT_BEYOND * (t->z_max[lane] - t->z_min[lane]);
    unsigned pixels[SAMPLES_MAX], any = 0;
    float z[16 * SAMPLES_MAX];
    raster_block_near(r, tri, lane, x, y, at, pixels, z);
    for (int32_t s = 0; s < samples; s++)
        any |= pixels[s];
    uint32_t count = 0;
    for (any &= fragment_visible(job, tile_x, tile_y); any; any &= any - 1, count++) {
        const int32_t pixel = __builtin_ctz(any);
        const uint16_t in_tile = (uint16_t)(first + pixel);
        if (samples == 1) {
            out[count] = (raster_fragment){z[pixel], id, in_tile, 1};
            continue;
        }
        const uint16_t shows = fragment_samples(pixels, samples, pixel);
        const float depth =
            fragment_center_depth(t, lane, x, y, pixel, shows == all ? 0.0f : beyond);
        out[count] = (raster_fragment){depth, id, in_tile, shows};
    }
    return count;
}

/// Writes the fragments of lane 0's triangle in the region from block (x, y) on. Their number.
static uint32_t fragment_region(const fragment_job *job, const raster_state *r,
                                const raster_triangle *tri, int32_t x, int32_t y,
                                raster_fragment *out)
{
    const raster_batch *t = &r->batch;
    const int32_t block_x = t->block_x[0] + x, block_y = t->block_y[0] + y;
    if ((block_y + 4) * TILE_BLOCKS <= job->first_block || block_y * TILE_BLOCKS >= job->end_block)
        return 0;
    if (raster_nearest(r, 0, x * 4, y * 4, 16, 16) < r->region_min[block_y / 4 * 4 + block_x / 4])
        return 0;
    raster_blocks blocks;
    raster_test_region(t, 0, tri, x, y, &blocks);
    uint32_t count = 0;
    for (unsigned left = blocks.touched & raster_box_bits(t, 0, x, y); left; left &= left - 1) {
        const int32_t bit = __builtin_ctz(left);
        const int32_t block = (block_y + (bit >> 2)) * TILE_BLOCKS + block_x + (bit & 3);
        if (block < job->first_block || block >= job->end_block ||
            (job->is_covered && job->is_covered[block]))
            continue;
        const int32_t at[3] = {blocks.first[0][bit], blocks.first[1][bit], blocks.first[2][bit]};
        count += fragment_block(job, r, tri, 0, (x + (bit & 3)) * 4, (y + (bit >> 2)) * 4, at,
                                out + count);
    }
    return count;
}

/// Writes all fragments of the triangle in lane 0. Returns their number.
static uint32_t fragment_triangle(const fragment_job *job, const raster_state *r,
                                  raster_fragment *out)
{
    const raster_batch *t = &r->batch;
    raster_triangle tri;
    raster_triangle_load(r, 0, r->job->sample_count, false, &tri);
    tri.id = vi_set1(ID_NONE); // wins ties: decals are in front of what they lie on
    const int32_t left = -(t->block_x[0] & 3), top = -(t->block_y[0] & 3);
    uint32_t count = 0;
    for (int32_t y = top; y < t->rows[0]; y += 4)
        for (int32_t x = left; x < t->columns[0]; x += 4)
            count += fragment_region(job, r, &tri, x, y, out + count);
    return count;
}

/// Measures the tile after its opaque triangles have been drawn.
static void fragment_begin(const fragment_job *job, raster_state *r)
{
    r->job = &job->raster;
    raster_row_init(r->job, r);
    for (int32_t i = 0; i < RASTER_REGIONS; i++)
        raster_measure_region(r, i % 4 * 4, i / 4 * 4);
}

static uint32_t fragments(fragment_job *job)
{
    raster_state r;
    fragment_begin(job, &r);
    uint32_t count = 0;
    for (; job->next < job->raster.count; job->next++) {
        const setup_triangle *s = job->raster.triangles[job->next];
        if (!raster_large_begin(r.job, s, &r.batch))
            continue;
        const uint32_t max = (uint32_t)(r.batch.columns[0] * r.batch.rows[0]) * 16u;
        if (job->capacity - count < max)
            break;
        for (int i = 0; i < 3; i++)
            raster_large_edge(&r, s, i, &r.batch);
        count += fragment_triangle(job, &r, job->out + count);
    }
    return count;
}
