// SPDX-License-Identifier: MIT
// Triangles -> depth and id of one tile, in blocks of 4x4 pixels: what all ways of drawing share.
//
// Coverage is exact. With p in fx8, an edge from (X, Y) by (dx, dy) has
//     E(p) = dx (p.y - Y) - dy (p.x - X) - (top or left ? 0 : 1)
// and a sample is inside when E >= 0 for all three (top-left rule for triangles that run clockwise
// on the screen, Direct3D 11 functional specification, "Triangle rasterization rules": a top edge
// has dy = 0 and dx > 0, a left edge dy < 0). From pixel to pixel E changes by multiples of 256, so
//     E(p) >= 0  <=>  C + A x + B y >= 0, C = floor(E(sample of the origin) / 256), A = -dy, B = dx
// for the pixel (x, y) from an origin in the tile. |A|, |B| <= 2^23 (guard band), so
// |A x + B y| < 2^30 over a tile, and clamping C to +-2^30 changes no sign: everything fits 32
// bits. Every sample position has its own C.
//
// Depth comes from the triangle's plane at exact offsets from its reference pixel, never summed
// from block to block, limited to the depths of the corners. The larger depth wins, equal ones go
// to the lower id, so the order of the triangles does not matter.
//
// Rounding is monotone, hence so is (z0 + zx dx) + zy dy in dx and in dy: its value at a corner of
// a rectangle bounds its values at all samples within, exactly, and what is farther than everything
// in a region can be left out without a trace.

_Static_assert(((int64_t)(GUARD_MAX_PX - GUARD_MIN_PX) << SUBPIXEL_BITS) * 2 * (TILE_SIZE - 1) <
                   (1 << 30),
               "A x + B y must stay below the clamp of C");

// The samples of a block lie side by side, pixel after pixel, and are drawn as they lie: a vector
// takes some of a row's, or several rows. What differs between its lanes is in tables.

enum {
    RASTER_PARTS = 16 / ZT_W, ///< vectors to a block of one sample a pixel
    RASTER_C_MAX = 1 << 30,
    RASTER_DRAWN = 8,             ///< large triangles that are remembered
    RASTER_REGIONS = 16,          ///< of 16x16 pixels, in a tile
    RASTER_ROW = 4 * SAMPLES_MAX, ///< most samples to a row of a block; at least ZT_W
};

/// Triangles ready to be drawn, one in each lane: seen from an origin, the first pixel of the first
/// block that each touches.
typedef struct raster_batch {
    _Alignas(64) int32_t a[3][ZT_W];
    int32_t b[3][ZT_W];
    int32_t c[3][ZT_W];                 ///< of sample 0
    int32_t c_of[3][ZT_W][SAMPLES_MAX]; ///< of all samples, again and again; not of single ones
    int32_t ab[3][ZT_W]; ///< A in the low half, B in the high one; not of large triangles
    int32_t max[3][ZT_W], min[3][ZT_W]; ///< A x + B y + C over all samples of the first block
    float z0[ZT_W], zx[ZT_W], zy[ZT_W], z_min[ZT_W], z_max[ZT_W];
    float from_x[ZT_W], from_y[ZT_W]; ///< pixel centre of the origin from the reference pixel
    int32_t id[ZT_W];
    int32_t block_x[ZT_W], block_y[ZT_W]; ///< of the origin
    int32_t columns[ZT_W], rows[ZT_W];    ///< blocks
} raster_batch;

/// Samples of the first vectors of a block, as many as make a row; see raster_across.
typedef struct raster_row {
    _Alignas(64) float x[RASTER_ROW], y[RASTER_ROW]; ///< from the centre of the block's first pixel
    int32_t pixel_x[RASTER_ROW], pixel_y[RASTER_ROW];
} raster_row;

/// What is known of the tile's regions: nothing in one is farther than its `far`.
typedef struct raster_state {
    const raster_job *job;
    raster_row row;
    float reach;               ///< no sample is farther than this from its pixel's centre
    float far[RASTER_REGIONS]; ///< least depth of a region, or less
    float farthest;            ///< least of `far`
    raster_batch batch;
    const setup_triangle *drawn[RASTER_DRAWN]; ///< some of the large, opaque ones, or NULL
    uint32_t drawn_count;                      ///< of all that were there
} raster_state;

/// What every block of one triangle needs.
typedef struct raster_pen {
    vf z0, zx, zy, z_min, z_max;
    float from_x, from_y; ///< pixel centre of the origin from the reference pixel
    vi step[3];           ///< A x + B y at the pixels of a block's first part, one sample a pixel
    vi row[3][RASTER_ROW / ZT_W]; ///< A x + B y + C - C of sample 0 at the samples of a row
    vi down[3];                   ///< from there to the rows of the next vector
    vi id;
    float *depth; ///< of the origin's block
    int32_t *ids;
} raster_pen;

/// Vectors to a row of a block; 1 when one vector takes several rows.
ZT_LANE_OP int32_t raster_across(int32_t samples)
{
    return 4 * samples > ZT_W ? 4 * samples / ZT_W : 1;
}

/// Rows to a vector; 1 when a row takes several vectors.
ZT_LANE_OP int32_t raster_down(int32_t samples)
{
    return 4 * samples < ZT_W ? ZT_W / (4 * samples) : 1;
}

static inline vi raster_lane_x(int part)
{
    return vi_and(vi_iota() + vi_set1(part * ZT_W), vi_set1(3));
}

static inline vi raster_lane_y(int part)
{
    return vi_shr(vi_iota() + vi_set1(part * ZT_W), 2);
}

/// Place of a block's first sample in the tile.
static inline int32_t raster_block_first(int32_t block_x, int32_t block_y, int32_t samples)
{
    return (block_y * TILE_BLOCKS + block_x) * 16 * samples;
}

/// A x + B y of edge i at the pixels of part `part` of a block.
ZT_LANE_OP vi raster_step(const raster_batch *t, int lane, int i, int part, bool small)
{
    const vi x = raster_lane_x(part), y = raster_lane_y(part);
    if (small)
        return vi_madd16(vi_set1(t->ab[i][lane]), vi_or(x, vi_shl(y, 16)));
    return vi_mul(vi_set1(t->a[i][lane]), x) + vi_mul(vi_set1(t->b[i][lane]), y);
}

/// raster_pen.row of edge i: its k-th vector.
ZT_LANE_OP vi raster_row_step(const raster_state *r, int lane, int i, int32_t k, int32_t samples,
                              bool small)
{
    const raster_batch *t = &r->batch;
    const int32_t period = samples > ZT_W ? samples : ZT_W;
    const vi x = vi_load(r->row.pixel_x + k * ZT_W), y = vi_load(r->row.pixel_y + k * ZT_W);
    const vi step = small ? vi_madd16(vi_set1(t->ab[i][lane]), vi_or(x, vi_shl(y, 16)))
                          : vi_mul(vi_set1(t->a[i][lane]), x) + vi_mul(vi_set1(t->b[i][lane]), y);
    return step + (vi_load(t->c_of[i][lane] + k * ZT_W % period) - vi_set1(t->c[i][lane]));
}

/// `samples` is the job's, as a constant where it can be; `small`: of a small_triangle.
ZT_LANE_OP void raster_pen_of(const raster_state *r, int lane, int32_t samples, bool small,
                              raster_pen *out)
{
    const raster_batch *t = &r->batch;
    const int32_t first = raster_block_first(t->block_x[lane], t->block_y[lane], samples);
    out->z0 = vf_set1(t->z0[lane]);
    out->zx = vf_set1(t->zx[lane]);
    out->zy = vf_set1(t->zy[lane]);
    out->z_min = vf_set1(t->z_min[lane]);
    out->z_max = vf_set1(t->z_max[lane]);
    out->from_x = t->from_x[lane];
    out->from_y = t->from_y[lane];
    for (int i = 0; i < 3; i++) {
        out->step[i] = raster_step(t, lane, i, 0, small);
        out->down[i] = vi_set1(t->b[i][lane] * raster_down(samples));
    }
    for (int32_t k = 0; k < raster_across(samples); k++)
        for (int i = 0; i < 3; i++)
            out->row[i][k] = samples == 1 ? raster_step(t, lane, i, k, small)
                                          : raster_row_step(r, lane, i, k, samples, small);
    out->id = vi_set1(t->id[lane]);
    out->depth = r->job->tile.depth + first;
    out->ids = (int32_t *)r->job->tile.id + first;
}

/// A x + B y of edge i at part `part` of a block, of which `step` is that of the first part.
ZT_LANE_OP vi raster_part(const raster_batch *t, int lane, int i, vi step, int part)
{
    if (ZT_W == 1)
        return raster_step(t, lane, i, part, false);
    return part == 0 ? step : step + vi_set1(t->b[i][lane] * (part * (ZT_W / 4)));
}

/// Some samples of a block, a vector of them.
typedef struct raster_spot {
    vi e[3]; ///< the edges
    vf z;
} raster_spot;

/// The k-th vector of row `row` of the block (x, y) pixels from the origin, of which `at` are the
/// edges at sample 0 of its first pixel. All sums of positions are exact.
ZT_LANE_OP raster_spot raster_spot_of(const raster_state *r, const raster_pen *pen, int lane,
                                      int32_t x, int32_t y, const int32_t at[3], int32_t k,
                                      int32_t row)
{
    const raster_batch *t = &r->batch;
    raster_spot spot;
    for (int i = 0; i < 3; i++)
        spot.e[i] = pen->row[i][k] + vi_set1(at[i] + t->b[i][lane] * row);
    const vf dx = vf_set1(pen->from_x + (float)x) + vf_load(r->row.x + k * ZT_W);
    const vf dy = vf_set1(pen->from_y + (float)(y + row)) + vf_load(r->row.y + k * ZT_W);
    const vf z = (pen->z0 + pen->zx * dx) + pen->zy * dy;
    spot.z = vf_min(vf_max(z, pen->z_min), pen->z_max);
    return spot;
}

/// Lanes where no edge is negative.
ZT_LANE_OP vm raster_inside(const vi e[3])
{
    return vi_gt(vi_or(vi_or(e[0], e[1]), e[2]), vi_set1(-1));
}

/// Of the covered lanes, those that are nearer than what is there, or as near with a lower id.
ZT_LANE_OP vm raster_nearer(vm cover, vf z, vi id, const float *depth, const int32_t *ids)
{
    const vf there = vf_load(depth);
    const vm tie = vm_and(cover, vf_eq(z, there));
    const vi sign = vi_set1(INT32_MIN); // turns the signed compare into an unsigned one
    const vm lower = vi_lt(vi_xor(id, sign), vi_xor(vi_load(ids), sign));
    return vm_or(vm_and(cover, vf_gt(z, there)), vm_and(tie, lower));
}

/// Where covered samples are as near as what is there, the lower id wins. What the block's depth
/// was before this triangle does not matter any more: where that was nearer, `id` stands there.
static __attribute__((noinline)) void raster_block_ties(const raster_state *r,
                                                        const raster_pen *pen, int lane, int32_t x,
                                                        int32_t y, const int32_t at[3], bool inside)
{
    const int32_t samples = r->job->sample_count;
    const int32_t across = raster_across(samples), down = raster_down(samples);
    int32_t first = raster_block_first(x >> 2, y >> 2, samples);
    for (int32_t row = 0; row < 4; row += down)
        for (int32_t k = 0; k < across; k++, first += ZT_W) {
            const raster_spot spot = raster_spot_of(r, pen, lane, x, y, at, k, row);
            vm tie = vf_eq(spot.z, vf_load(pen->depth + first));
            if (!inside)
                tie = vm_and(tie, raster_inside(spot.e));
            vi_store_mask(pen->ids + first, tie,
                          vi_min_unsigned(pen->id, vi_load(pen->ids + first)));
        }
}

/// Depth test and write of a vector of samples, those inside of all edges. Writes without asking
/// whether any is nearer: that branch would be a toss-up. Returns where both are as near.
ZT_LANE_OP vm raster_write(const raster_pen *pen, vf z, vi outside, float *depth, int32_t *ids)
{
    const vm out = vi_lt(outside, vi_set1(0));
    const vf there = vf_load(depth);
    const vm near = vm_andnot(vf_gt(z, there), out), tie = vm_andnot(vf_eq(z, there), out);
    vf_store_mask(depth, near, z);
    vi_store_mask(ids, near, pen->id);
    return tie;
}

/// Draws the block (x, y) pixels from the origin, as raster_spot_of has it. `at`: A x + B y + C of
/// sample 0 at its first pixel; `inside`: all of it is within all edges. Ties are rare, and looked
/// for once.
ZT_LANE_OP void raster_block(const raster_state *r, const raster_pen *pen, int lane, int32_t x,
                             int32_t y, const int32_t at[3], int32_t samples, bool inside)
{
    const int32_t across = raster_across(samples), down = raster_down(samples);
    const int32_t patterns = samples > ZT_W ? samples / ZT_W : 1; // of offsets along y in a row
    float *depth = pen->depth + raster_block_first(x >> 2, y >> 2, samples);
    int32_t *ids = pen->ids + raster_block_first(x >> 2, y >> 2, samples);
    vf along[RASTER_ROW / ZT_W], below[SAMPLES_MAX / ZT_W];
    for (int32_t k = 0; k < across; k++)
        along[k] =
            pen->z0 + pen->zx * (vf_set1(pen->from_x + (float)x) + vf_load(r->row.x + k * ZT_W));
    vi e[3] = {vi_set1(at[0]), vi_set1(at[1]), vi_set1(at[2])};
    vf from_y = vf_set1(pen->from_y + (float)y);
    vm ties = vm_from_bits(0);
    for (int32_t row = 0; row < 4; row += down) {
        for (int32_t k = 0; k < patterns; k++)
            below[k] = pen->zy * (from_y + vf_load(r->row.y + k * ZT_W));
        for (int32_t k = 0; k < across; k++, depth += ZT_W, ids += ZT_W) {
            const vf z = vf_min(vf_max(along[k] + below[k % patterns], pen->z_min), pen->z_max);
            vi outside = vi_set1(0);
            for (int i = 0; i < 3 && !inside; i++)
                outside = vi_or(outside, e[i] + pen->row[i][k]);
            ties = vm_or(ties, raster_write(pen, z, outside, depth, ids));
        }
        from_y = from_y + vf_set1((float)down);
        for (int i = 0; i < 3; i++)
            e[i] = vi_add_wrap(e[i], pen->down[i]); // may leave the range below the block
    }
    if (__builtin_expect(vm_any(ties), 0))
        raster_block_ties(r, pen, lane, x, y, at, inside);
}

/// Where the samples of a block are covered and nearer than what is there: for each sample, bits of
/// the pixels. Depths go to z[], as the samples lie in the tile.
static inline void raster_block_near(const raster_state *r, const raster_pen *pen, int lane,
                                     int32_t x, int32_t y, const int32_t at[3],
                                     unsigned pixels[SAMPLES_MAX], float z[16 * SAMPLES_MAX])
{
    const int32_t samples = r->job->sample_count;
    const int32_t across = raster_across(samples), down = raster_down(samples);
    const float *depth = pen->depth + raster_block_first(x >> 2, y >> 2, samples);
    const int32_t *ids = pen->ids + raster_block_first(x >> 2, y >> 2, samples);
    for (int32_t s = 0; s < samples; s++)
        pixels[s] = 0;
    for (int32_t row = 0, from = 0; row < 4; row += down)
        for (int32_t k = 0; k < across; k++, from += ZT_W) {
            const raster_spot spot = raster_spot_of(r, pen, lane, x, y, at, k, row);
            unsigned near = vm_bits(
                raster_nearer(raster_inside(spot.e), spot.z, pen->id, depth + from, ids + from));
            vf_store(z + from, spot.z);
            if (samples == 1) {
                pixels[0] |= near << from;
                continue;
            }
            for (; near; near &= near - 1) {
                const int32_t place = from + __builtin_ctz(near);
                pixels[place % samples] |= 1u << (place / samples);
            }
        }
}

/// A block of a masked material: the alpha test takes all pixels of a sample at once.
static inline void raster_block_masked(const raster_state *r, const raster_pen *pen, int lane,
                                       int32_t x, int32_t y, const int32_t at[3])
{
    const raster_batch *t = &r->batch;
    const raster_job *job = r->job;
    const raster_alpha_test *test = &job->alpha_test;
    const int32_t samples = job->sample_count;
    float *depth = pen->depth + raster_block_first(x >> 2, y >> 2, samples), z[16 * SAMPLES_MAX];
    int32_t *ids = pen->ids + raster_block_first(x >> 2, y >> 2, samples);
    unsigned lanes[SAMPLES_MAX]; // pixels at which a sample is nearer than what is there
    raster_block_near(r, pen, lane, x, y, at, lanes, z);
    const int32_t block_x = job->tile_x + t->block_x[lane] * 4 + x;
    const int32_t block_y = job->tile_y + t->block_y[lane] * 4 + y;
    for (int32_t s = 0; s < samples; s++) {
        if (lanes[s])
            lanes[s] = test->survivors(test->materials, (uint32_t)t->id[lane], block_x, block_y,
                                       job->sample[s][0], job->sample[s][1], lanes[s]);
        for (unsigned left = lanes[s]; left; left &= left - 1) {
            const int32_t place = __builtin_ctz(left) * samples + s;
            depth[place] = z[place];
            ids[place] = t->id[lane];
        }
    }
}
