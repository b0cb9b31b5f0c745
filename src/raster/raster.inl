// SPDX-License-Identifier: MIT
// Triangles -> depth and id of one tile, in blocks of 4x4 pixels: what small and large triangles
// share.
//
// Coverage is exact. With p in fx8, an edge from (X, Y) by (dx, dy) has
//     E(p) = dx (p.y - Y) - dy (p.x - X) - (top or left ? 0 : 1)
// and a sample is inside when E >= 0 for all three edges. (The top-left rule for triangles that are
// clockwise on the screen, Direct3D 11 functional specification, "Triangle rasterization rules": a
// top edge has dy = 0 and dx > 0, a left edge dy < 0.) From pixel to pixel E changes by multiples
// of 256, so
//     E(p) >= 0  <=>  C + A x + B y >= 0, C = floor(E(sample of the origin) / 256), A = -dy, B = dx
// for the pixel (x, y) from an origin in the tile. |A|, |B| <= 2^23 (guard band), so
// |A x + B y| < 2^30 over a tile, and clamping C to +-2^30 changes no sign: everything fits 32
// bits. Each sample position has its own C.
//
// Depth is that of the triangle's plane at an exact offset from its reference pixel, clamped to the
// depths of the corners. It is never accumulated from block to block. The larger depth wins; at
// equal depth the lower id wins. So the order of the triangles does not matter.
//
// Rounding is monotone, hence (z0 + zx dx) + zy dy is monotone in dx and in dy. Its value at a
// corner of a rectangle is an exact bound of its values at all samples in it: skipping a triangle
// that is farther than everything in a region does not change the result.

_Static_assert(((int64_t)(GUARD_MAX_PX - GUARD_MIN_PX) << SUBPIXEL_BITS) * 2 * (TILE_SIZE - 1) <
                   (1 << 30),
               "A x + B y must stay below the clamp of C");

// The samples of a block are adjacent in memory, pixel after pixel. A vector holds ZT_W adjacent
// samples: part of a row of the block, or several rows. Tables hold what differs between lanes.

enum {
    RASTER_PARTS = 16 / ZT_W, ///< vectors of a block with one sample per pixel
    RASTER_C_MAX = 1 << 30,
    RASTER_DRAWN = 8,             ///< large triangles remembered to find copies
    RASTER_REGIONS = 16,          ///< regions of 16x16 pixels in a tile
    RASTER_ROW = 4 * SAMPLES_MAX, ///< maximum samples in a row of a block; at least ZT_W
};

/// Triangles to draw, one a lane; the origin: the first pixel of its bounding box's first block.
typedef struct raster_batch {
    _Alignas(64) int32_t a[3][ZT_W];
    int32_t b[3][ZT_W];
    int32_t c[3][ZT_W];                     ///< of sample 0
    int32_t c_sample[3][ZT_W][SAMPLES_MAX]; ///< of all samples, repeated; not set if there is one
    int32_t ab[3][ZT_W]; ///< A in the low half, B in the high half; small triangles only
    int32_t max[3][ZT_W], min[3][ZT_W]; ///< of A x + B y + C over all samples of the first block
    float z0[ZT_W], zx[ZT_W], zy[ZT_W], z_min[ZT_W], z_max[ZT_W];
    float from_x[ZT_W], from_y[ZT_W]; ///< of the origin, in pixels from the reference pixel
    int32_t id[ZT_W];
    int32_t block_x[ZT_W], block_y[ZT_W]; ///< of the origin
    int32_t columns[ZT_W], rows[ZT_W];    ///< blocks of the bounding box
} raster_batch;

/// Positions of the samples in the first vectors of a block, as many as make a row.
typedef struct raster_row {
    _Alignas(64) float x[RASTER_ROW], y[RASTER_ROW]; ///< from the centre of the block's first pixel
    int32_t pixel_x[RASTER_ROW], pixel_y[RASTER_ROW];
} raster_row;

/// The tile that is drawn, and bounds of its depths: depth grows towards the viewer, so a triangle
/// whose largest depth is below the minimum of a region is hidden there.
typedef struct raster_state {
    const raster_job *job;
    raster_row row;
    float reach; ///< bound of the distance of samples from the pixel centre along x and y, pixels
    float region_min[RASTER_REGIONS]; ///< a lower bound of the depths of each region
    float tile_min;                   ///< minimum of region_min
    raster_batch batch;
    const setup_triangle *drawn[RASTER_DRAWN];     ///< ring of large opaque triangles, or NULL
    uint32_t drawn_count;                          ///< number ever added to it
    const small_triangle *small[4 * RASTER_DRAWN]; ///< of several blocks; pairs of one hash
} raster_state;

/// Values that all blocks of one triangle need, as vectors.
typedef struct raster_triangle {
    vf z0, zx, zy, z_min, z_max;
    float from_x, from_y; ///< of the origin, in pixels from the reference pixel
    vi step[3]; ///< A x + B y at the pixels of a block's first part, with one sample per pixel
    vi row[3][RASTER_ROW / ZT_W]; ///< A x + B y + C at the samples of a row, minus C of sample 0
    vi down[3];                   ///< step to the row or rows of the next vector
    vi id;
    float *depth; ///< at the origin's block
    int32_t *ids;
} raster_triangle;

/// Vectors per row of a block; 1 if a vector spans several rows.
ZT_LANE_OP int32_t raster_vectors_per_row(int32_t samples)
{
    return 4 * samples > ZT_W ? 4 * samples / ZT_W : 1;
}

/// Rows per vector; 1 if a row spans several vectors.
ZT_LANE_OP int32_t raster_rows_per_vector(int32_t samples)
{
    return 4 * samples < ZT_W ? ZT_W / (4 * samples) : 1;
}

/// Pixel columns and rows in a block, of the lanes of part `part` with one sample per pixel.
static inline vi raster_lane_x(int part)
{
    return vi_and(vi_iota() + vi_set1(part * ZT_W), vi_set1(3));
}

static inline vi raster_lane_y(int part) { return vi_shr(vi_iota() + vi_set1(part * ZT_W), 2); }

/// Index of a block's first sample in the tile.
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

/// raster_triangle.row of edge i: its k-th vector.
ZT_LANE_OP vi raster_row_step(const raster_state *r, int lane, int i, int32_t k, int32_t samples,
                              bool small)
{
    const raster_batch *t = &r->batch;
    const int32_t period = samples > ZT_W ? samples : ZT_W;
    const vi x = vi_load(r->row.pixel_x + k * ZT_W), y = vi_load(r->row.pixel_y + k * ZT_W);
    const vi step = small ? vi_madd16(vi_set1(t->ab[i][lane]), vi_or(x, vi_shl(y, 16)))
                          : vi_mul(vi_set1(t->a[i][lane]), x) + vi_mul(vi_set1(t->b[i][lane]), y);
    return step + (vi_load(t->c_sample[i][lane] + k * ZT_W % period) - vi_set1(t->c[i][lane]));
}

/// `samples` is job->sample_count, as a constant where possible. `small`: a small_triangle.
ZT_LANE_OP void raster_triangle_load(const raster_state *r, int lane, int32_t samples, bool small,
                                     raster_triangle *out)
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
        out->down[i] = vi_set1(t->b[i][lane] * raster_rows_per_vector(samples));
    }
    for (int32_t k = 0; k < raster_vectors_per_row(samples); k++)
        for (int i = 0; i < 3; i++)
            out->row[i][k] = samples == 1 ? raster_step(t, lane, i, k, small)
                                          : raster_row_step(r, lane, i, k, samples, small);
    out->id = vi_set1(t->id[lane]);
    out->depth = r->job->tile.depth + first;
    out->ids = r->job->tile.id ? (int32_t *)r->job->tile.id + first : NULL;
}

/// A x + B y of edge i at part `part` of a block; `step` is its value at the first part.
ZT_LANE_OP vi raster_part(const raster_batch *t, int lane, int i, vi step, int part)
{
    if (ZT_W == 1)
        return raster_step(t, lane, i, part, false);
    return part == 0 ? step : step + vi_set1(t->b[i][lane] * (part * (ZT_W / 4)));
}

/// The edges and depth at a vector of samples.
typedef struct raster_vector {
    vi e[3]; ///< the edges
    vf z;
} raster_vector;

/// Evaluates the k-th vector of row `row` of the block (x, y) pixels from the origin. `at`: the
/// edges at sample 0 of the block's first pixel. All sums of positions are exact.
ZT_LANE_OP raster_vector raster_vector_evaluate(const raster_state *r, const raster_triangle *tri,
                                                int lane, int32_t x, int32_t y, const int32_t at[3],
                                                int32_t k, int32_t row)
{
    const raster_batch *t = &r->batch;
    raster_vector v;
    for (int i = 0; i < 3; i++)
        v.e[i] = tri->row[i][k] + vi_set1(at[i] + t->b[i][lane] * row);
    const vf dx = vf_set1(tri->from_x + (float)x) + vf_load(r->row.x + k * ZT_W);
    const vf dy = vf_set1(tri->from_y + (float)(y + row)) + vf_load(r->row.y + k * ZT_W);
    const vf z = (tri->z0 + tri->zx * dx) + tri->zy * dy;
    v.z = vf_min(vf_max(z, tri->z_min), tri->z_max);
    return v;
}

/// Lanes inside all edges.
ZT_LANE_OP vm raster_inside(const vi e[3])
{
    return vi_gt(vi_or(vi_or(e[0], e[1]), e[2]), vi_set1(-1));
}

/// Lanes of `cover` that are nearer than the sample in the tile, or as near with a lower id. Where
/// only depths are drawn, `ids` is NULL and ties do not matter.
ZT_LANE_OP vm raster_nearer(vm cover, vf z, vi id, const float *depth, const int32_t *ids)
{
    const vf nearest = vf_load(depth);
    if (!ids)
        return vm_and(cover, vf_gt(z, nearest));
    const vm tie = vm_and(cover, vf_eq(z, nearest));
    const vi sign = vi_set1(INT32_MIN); // makes the signed compare an unsigned one
    const vm lower = vi_lt(vi_xor(id, sign), vi_xor(vi_load(ids), sign));
    return vm_or(vm_and(cover, vf_gt(z, nearest)), vm_and(tie, lower));
}

/// Resolves ties of a block just drawn: where a covered sample has the depth of the tile, the lower
/// id wins. Where the triangle was nearer, the tile has its id, which the minimum keeps.
static __attribute__((noinline)) void raster_block_ties(const raster_state *r,
                                                        const raster_triangle *tri, int lane,
                                                        int32_t x, int32_t y, const int32_t at[3],
                                                        bool inside)
{
    const int32_t samples = r->job->sample_count;
    const int32_t across = raster_vectors_per_row(samples), down = raster_rows_per_vector(samples);
    int32_t first = raster_block_first(x >> 2, y >> 2, samples);
    for (int32_t row = 0; row < 4; row += down)
        for (int32_t k = 0; k < across; k++, first += ZT_W) {
            const raster_vector v = raster_vector_evaluate(r, tri, lane, x, y, at, k, row);
            vm tie = vf_eq(v.z, vf_load(tri->depth + first));
            if (!inside)
                tie = vm_and(tie, raster_inside(v.e));
            vi_store_mask(tri->ids + first, tie,
                          vi_min_unsigned(tri->id, vi_load(tri->ids + first)));
        }
}

/// Depth test and write of a vector of samples. `outside`: negative where an edge is. Always
/// stores, as a branch on any nearer sample would mispredict. Returns lanes of equal depth.
ZT_LANE_OP vm raster_write(const raster_triangle *tri, vf z, vi outside, float *depth, int32_t *ids)
{
    const vm out = vi_lt(outside, vi_set1(0));
    const vf nearest = vf_load(depth);
    const vm near = vm_andnot(vf_gt(z, nearest), out), tie = vm_andnot(vf_eq(z, nearest), out);
    vf_store_mask(depth, near, z);
    vi_store_mask(ids, near, tri->id);
    return tie;
}

/// raster_write without ids.
ZT_LANE_OP void raster_write_depth(vf z, vi outside, float *depth)
{
    const vf nearest = vf_load(depth);
    vf_store(depth, vf_sel(vi_lt(outside, vi_set1(0)), nearest, vf_max(z, nearest)));
}

/// Draws the block (x, y) pixels from the origin, with the values of raster_vector_evaluate. `at`:
/// A x + B y + C of sample 0 at its first pixel; `inside`: all its samples are inside all edges.
/// Ties are rare, and tested once per block. `ids`: the tile has them.
ZT_LANE_OP void raster_block(const raster_state *r, const raster_triangle *tri, int lane, int32_t x,
                             int32_t y, const int32_t at[3], int32_t samples, bool inside, bool ids)
{
    const int32_t across = raster_vectors_per_row(samples), down = raster_rows_per_vector(samples);
    const int32_t patterns =
        samples > ZT_W ? samples / ZT_W : 1; // vectors of a row that differ in y
    float *depth = tri->depth + raster_block_first(x >> 2, y >> 2, samples);
    int32_t *id = ids ? tri->ids + raster_block_first(x >> 2, y >> 2, samples) : NULL;
    vf along[RASTER_ROW / ZT_W], below[SAMPLES_MAX / ZT_W];
    for (int32_t k = 0; k < across; k++)
        along[k] =
            tri->z0 + tri->zx * (vf_set1(tri->from_x + (float)x) + vf_load(r->row.x + k * ZT_W));
    vi e[3] = {vi_set1(at[0]), vi_set1(at[1]), vi_set1(at[2])};
    vf from_y = vf_set1(tri->from_y + (float)y);
    vm ties = vm_from_bits(0);
    for (int32_t row = 0; row < 4; row += down) {
        for (int32_t k = 0; k < patterns; k++)
            below[k] = tri->zy * (from_y + vf_load(r->row.y + k * ZT_W));
        for (int32_t k = 0; k < across; k++, depth += ZT_W) {
            const vf z = vf_min(vf_max(along[k] + below[k % patterns], tri->z_min), tri->z_max);
            vi outside = vi_set1(0);
            for (int i = 0; i < 3 && !inside; i++)
                outside = vi_or(outside, e[i] + tri->row[i][k]);
            if (!ids) {
                raster_write_depth(z, outside, depth);
                continue;
            }
            ties = vm_or(ties, raster_write(tri, z, outside, depth, id));
            id += ZT_W;
        }
        from_y = from_y + vf_set1((float)down);
        for (int i = 0; i < 3; i++)
            e[i] = vi_add_wrap(e[i], tri->down[i]); // may overflow below the last row
    }
    if (ids && __builtin_expect(vm_any(ties), 0))
        raster_block_ties(r, tri, lane, x, y, at, inside);
}

/// The samples of a block that are covered and pass the depth test: for each sample, bits of the
/// pixels. Depths go to z[], in the order of samples in the tile.
static inline void raster_block_near(const raster_state *r, const raster_triangle *tri, int lane,
                                     int32_t x, int32_t y, const int32_t at[3],
                                     unsigned pixels[SAMPLES_MAX], float z[16 * SAMPLES_MAX])
{
    const int32_t samples = r->job->sample_count;
    const int32_t across = raster_vectors_per_row(samples), down = raster_rows_per_vector(samples);
    const float *depth = tri->depth + raster_block_first(x >> 2, y >> 2, samples);
    const int32_t *ids = tri->ids ? tri->ids + raster_block_first(x >> 2, y >> 2, samples) : NULL;
    const int32_t shift = __builtin_ctz((unsigned)samples);
    for (int32_t s = 0; s < samples; s++)
        pixels[s] = 0;
    for (int32_t row = 0, from = 0; row < 4; row += down)
        for (int32_t k = 0; k < across; k++, from += ZT_W) {
            const raster_vector v = raster_vector_evaluate(r, tri, lane, x, y, at, k, row);
            unsigned near = vm_bits(raster_nearer(raster_inside(v.e), v.z, tri->id, depth + from,
                                                  ids ? ids + from : NULL));
            vf_store(z + from, v.z);
            if (samples == 1) {
                pixels[0] |= near << from;
                continue;
            }
            if (near == (1u << ZT_W) - 1u && samples <= ZT_W) { // most that are not 0
                for (int32_t s = 0; s < samples; s++)
                    pixels[s] |= ((1u << (ZT_W >> shift)) - 1u) << (from >> shift);
                continue;
            }
            for (; near; near &= near - 1) {
                const int32_t index = from + __builtin_ctz(near);
                pixels[index & (samples - 1)] |= 1u << (index >> shift);
            }
        }
}

/// Draws a block of a masked material: one alpha test per sample, for all pixels at once.
static inline void raster_block_masked(const raster_state *r, const raster_triangle *tri, int lane,
                                       int32_t x, int32_t y, const int32_t at[3])
{
    const raster_batch *t = &r->batch;
    const raster_job *job = r->job;
    const raster_alpha_test *test = &job->alpha_test;
    const int32_t samples = job->sample_count;
    float *depth = tri->depth + raster_block_first(x >> 2, y >> 2, samples), z[16 * SAMPLES_MAX];
    int32_t *ids = tri->ids ? tri->ids + raster_block_first(x >> 2, y >> 2, samples) : NULL;
    unsigned lanes[SAMPLES_MAX]; // for each sample, pixels that pass the depth test
    raster_block_near(r, tri, lane, x, y, at, lanes, z);
    const int32_t block_x = job->tile_x + t->block_x[lane] * 4 + x;
    const int32_t block_y = job->tile_y + t->block_y[lane] * 4 + y;
    for (int32_t s = 0; s < samples; s++) {
        if (lanes[s])
            lanes[s] = test->survivors(test->user, (uint32_t)t->id[lane], block_x, block_y,
                                       job->sample[s][0], job->sample[s][1], lanes[s]);
        for (unsigned left = lanes[s]; left; left &= left - 1) {
            const int32_t index = __builtin_ctz(left) * samples + s;
            depth[index] = z[index];
            if (ids)
                ids[index] = t->id[lane];
        }
    }
}
