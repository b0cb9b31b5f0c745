// SPDX-License-Identifier: MIT
// Regions of 16x16 pixels. First the nearest depth of the triangle in the region is tested against
// all of it, then the 4x4 blocks are tested against the edges together. (Abrash, "Rasterization on
// Larrabee", 2009.)

/// The 4x4 blocks of a region, in rows.
typedef struct raster_blocks {
    _Alignas(64) int32_t first[3][16]; ///< A x + B y + C of sample 0 at their first pixels
    unsigned touched;                  ///< bits of the blocks that are not wholly outside an edge
    unsigned inside;                   ///< bits of the blocks that are wholly inside all edges
} raster_blocks;

/// Tests the blocks of the region that begins (x, y) blocks from an origin of any alignment.
ZT_LANE_OP void raster_test_region(const raster_batch *t, int lane, const raster_triangle *tri,
                                   int32_t x, int32_t y, raster_blocks *out)
{
    out->touched = out->inside = 0;
    for (int part = 0; part < RASTER_PARTS; part++) {
        vi max = vi_set1(0), min = vi_set1(0);
        for (int i = 0; i < 3; i++) {
            const vi lanes = vi_shl(raster_part(t, lane, i, tri->step[i], part), 2);
            const int32_t at = 4 * (t->a[i][lane] * x + t->b[i][lane] * y);
            vi_store(&out->first[i][part * ZT_W], lanes + vi_set1(t->c[i][lane] + at));
            max = vi_or(max, lanes + vi_set1(t->max[i][lane] + at));
            min = vi_or(min, lanes + vi_set1(t->min[i][lane] + at));
        }
        out->touched |= vm_bits(vi_gt(max, vi_set1(-1))) << (part * ZT_W);
        out->inside |= vm_bits(vi_gt(min, vi_set1(-1))) << (part * ZT_W);
    }
}

/// Draws the blocks `touched` of the region that lies (x, y) blocks from the origin. `branch`: skip
/// the edges of blocks that are inside. `ids`: the tile has them.
ZT_LANE_OP void raster_draw_blocks(const raster_state *r, const raster_triangle *tri, int lane,
                                   int32_t x, int32_t y, const raster_blocks *blocks,
                                   unsigned touched, int32_t samples, bool branch, bool ids)
{
    for (; touched; touched &= touched - 1) {
        const int32_t bit = __builtin_ctz(touched);
        const int32_t px = (x + (bit & 3)) * 4, py = (y + (bit >> 2)) * 4;
        const int32_t at[3] = {blocks->first[0][bit], blocks->first[1][bit], blocks->first[2][bit]};
        if (branch && blocks->inside >> bit & 1u)
            raster_block(r, tri, lane, px, py, at, samples, true, ids);
        else
            raster_block(r, tri, lane, px, py, at, samples, false, ids);
    }
}

/// Upper bound of the depth of the triangle at the samples of `width` x `height` pixels, of which
/// the first lies (x, y) pixels from the origin; see raster.inl.
static inline float raster_nearest(const raster_state *r, int lane, int32_t x, int32_t y,
                                   int32_t width, int32_t height)
{
    const raster_batch *t = &r->batch;
    const float zx = t->zx[lane], zy = t->zy[lane];
    const float left = t->from_x[lane] + (float)x, top = t->from_y[lane] + (float)y;
    const float dx = zx > 0.0f ? left + (float)(width - 1) + r->reach : left - r->reach;
    const float dy = zy > 0.0f ? top + (float)(height - 1) + r->reach : top - r->reach;
    const float z = (t->z0[lane] + zx * dx) + zy * dy;
    if (z != z) // an infinite slope: no bound follows
        return t->z_max[lane];
    const float low = z > t->z_min[lane] ? z : t->z_min[lane];
    return low < t->z_max[lane] ? low : t->z_max[lane];
}

/// Bits of the blocks in the bounding box, of the region (x, y) blocks from the origin.
static inline unsigned raster_box_bits(const raster_batch *t, int lane, int32_t x, int32_t y)
{
    const int32_t left = x < 0 ? -x : 0, top = y < 0 ? -y : 0;
    const int32_t right = t->columns[lane] - x < 4 ? t->columns[lane] - x : 4;
    const int32_t below = t->rows[lane] - y < 4 ? t->rows[lane] - y : 4;
    const unsigned columns = (0xfu >> (4 - right)) & (0xfu << left);
    const unsigned rows = (0xffffu >> (16 - 4 * below)) & (0xffffu << (4 * top));
    return columns * 0x1111u & rows;
}

/// Updates the minimum depth of a region.
static inline void raster_measure_region(raster_state *r, int32_t block_x, int32_t block_y)
{
    vf min = vf_set1(2.0f * 1e30f);
    const int32_t samples = r->job->sample_count;
    for (int32_t y = 0; y < 4; y++) {
        const float *depth = r->job->tile.depth + raster_block_first(block_x, block_y + y, samples);
        for (int32_t i = 0; i < 64 * samples; i += ZT_W)
            min = vf_min(min, vf_load(depth + i));
    }
    float lanes[ZT_W];
    vf_store(lanes, min);
    float lowest = lanes[0];
    for (int i = 1; i < ZT_W; i++)
        lowest = lanes[i] < lowest ? lanes[i] : lowest;
    r->region_min[block_y / 4 * 4 + block_x / 4] = lowest;
}

/// Draws the part of the triangle in the region whose first block is (x, y) from the origin.
ZT_LANE_OP void raster_region(raster_state *r, const raster_triangle *tri, int lane, int32_t x,
                              int32_t y, int32_t samples, bool masked, bool ids)
{
    const raster_batch *t = &r->batch;
    const int32_t block_x = t->block_x[lane] + x, block_y = t->block_y[lane] + y;
    if (raster_nearest(r, lane, x * 4, y * 4, 16, 16) <
        r->region_min[block_y / 4 * 4 + block_x / 4])
        return;
    raster_blocks blocks;
    raster_test_region(t, lane, tri, x, y, &blocks);
    const unsigned touched = blocks.touched & raster_box_bits(t, lane, x, y);
    if (masked)
        for (unsigned left = touched; left; left &= left - 1) {
            const int32_t bit = __builtin_ctz(left);
            const int32_t at[3] = {blocks.first[0][bit], blocks.first[1][bit],
                                   blocks.first[2][bit]};
            raster_block_masked(r, tri, lane, (x + (bit & 3)) * 4, (y + (bit >> 2)) * 4, at);
        }
    else
        raster_draw_blocks(r, tri, lane, x, y, &blocks, touched, samples, true, ids);
    if (touched == 0xffff && !masked)
        raster_measure_region(r, block_x, block_y);
}

/// Draws all regions that the bounding box touches.
ZT_LANE_OP void raster_regions(raster_state *r, int lane, int32_t samples, bool masked, bool ids)
{
    const raster_batch *t = &r->batch;
    raster_triangle tri;
    raster_triangle_load(r, lane, samples, false, &tri);
    const int32_t left = -(t->block_x[lane] & 3), top = -(t->block_y[lane] & 3);
    for (int32_t y = top; y < t->rows[lane]; y += 4)
        for (int32_t x = left; x < t->columns[lane]; x += 4)
            raster_region(r, &tri, lane, x, y, samples, masked, ids);
}

// A function for each combination: in a shared one, all pay for what only some need.
static __attribute__((noinline)) void raster_regions_1x(raster_state *r, int lane)
{
    raster_regions(r, lane, 1, false, true);
}

static __attribute__((noinline)) void raster_regions_depth(raster_state *r, int lane)
{
    raster_regions(r, lane, 1, false, false);
}

static __attribute__((noinline)) void raster_regions_4x(raster_state *r, int lane)
{
    raster_regions(r, lane, 4, false, true);
}

static __attribute__((noinline)) void raster_regions_any(raster_state *r, int lane)
{
    raster_regions(r, lane, r->job->sample_count, false, true);
}

static __attribute__((noinline)) void raster_regions_masked(raster_state *r, int lane)
{
    raster_regions(r, lane, r->job->sample_count, true, true);
}

typedef void raster_draw(raster_state *r, int lane);

static inline raster_draw *raster_regions_for(const raster_job *job)
{
    if (!job->tile.id)
        return raster_regions_depth;
    return job->sample_count == 1   ? raster_regions_1x
           : job->sample_count == 4 ? raster_regions_4x
                                    : raster_regions_any;
}

/// Updates the minimum depths of all regions, and that of the tile.
static inline void raster_measure_tile(raster_state *r)
{
    for (int32_t y = 0; y < 4; y++)
        for (int32_t x = 0; x < 4; x++)
            raster_measure_region(r, 4 * x, 4 * y);
    r->tile_min = r->region_min[0];
    for (int i = 1; i < RASTER_REGIONS; i++)
        r->tile_min = r->region_min[i] < r->tile_min ? r->region_min[i] : r->tile_min;
}
