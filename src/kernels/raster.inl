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

enum {
    RASTER_PARTS = 16 / ZT_W, ///< vectors to a block
    RASTER_C_MAX = 1 << 30,
    RASTER_DRAWN = 8,    ///< large triangles that are remembered
    RASTER_REGIONS = 16, ///< of 16x16 pixels, in a tile
    RASTER_PIXELS = TILE_SIZE * TILE_SIZE,
};

/// The subset of `lanes` (bit y % 4 * 4 + x % 4 of the block at pixel (block_x, block_y)) whose
/// samples, at (sample_dx, sample_dy) / 256 from the pixel centres, survive the alpha test.
static unsigned raster_alpha_test(const shade_frame *frame, uint32_t id, int32_t block_x,
                                  int32_t block_y, int32_t sample_dx, int32_t sample_dy,
                                  unsigned lanes);

/// Triangles ready to be drawn, one in each lane: seen from an origin, the first pixel of the first
/// block that each touches.
typedef struct raster_batch {
    _Alignas(64) int32_t a[3][ZT_W];
    int32_t b[3][ZT_W];
    int32_t c[SAMPLES_MAX][3][ZT_W];
    int32_t ab[3][ZT_W]; ///< A in the low half, B in the high one; not of large triangles
    int32_t most[3][ZT_W], least[3][ZT_W]; ///< A x + B y + C over all samples of the first block
    float z0[ZT_W], zx[ZT_W], zy[ZT_W], z_min[ZT_W], z_max[ZT_W];
    float from_x[ZT_W], from_y[ZT_W]; ///< pixel centre of the origin from the reference pixel
    int32_t id[ZT_W];
    int32_t block_x[ZT_W], block_y[ZT_W]; ///< of the origin
    int32_t columns[ZT_W], rows[ZT_W];    ///< blocks
} raster_batch;

/// What is known of the tile's regions: nothing in one is farther than its `far`.
typedef struct raster_state {
    const raster_job *job;
    float sample_x[SAMPLES_MAX], sample_y[SAMPLES_MAX]; ///< pixels from the centre
    float reach;               ///< no sample is farther than this from its pixel's centre
    float far[RASTER_REGIONS]; ///< least depth of a region, or less
    float farthest;            ///< least of `far`
    raster_batch batch;
    const setup_triangle *drawn[RASTER_DRAWN]; ///< some of the large, opaque ones, or NULL
    uint32_t drawn_count;                      ///< of all that were there
} raster_state;

/// The three edges at the pixels of a part of a block.
typedef struct raster_edges {
    vi e0, e1, e2;
} raster_edges;

/// What every block of one triangle needs, out of memory.
typedef struct raster_pen {
    vf z0, zx, zy, z_min, z_max;
    vf x, y;           ///< centres of the pixels of a block's first part at the origin
    raster_edges step; ///< A x + B y at the pixels of a block's first part
    vi id;
    float *depth; ///< of the origin's block
    int32_t *ids;
} raster_pen;

static inline vi raster_lane_x(int part)
{
    return vi_and(vi_iota() + vi_set1(part * ZT_W), vi_set1(3));
}

static inline vi raster_lane_y(int part)
{
    return vi_shr(vi_iota() + vi_set1(part * ZT_W), 2);
}

static inline int32_t raster_block_first(int32_t block_x, int32_t block_y)
{
    return (block_y * TILE_BLOCKS + block_x) * 16;
}

/// A x + B y of edge i at the pixels of part `part` of a block.
ZT_LANE_OP vi raster_step(const raster_batch *t, int lane, int i, int part, bool small)
{
    const vi x = raster_lane_x(part), y = raster_lane_y(part);
    if (small)
        return vi_madd16(vi_set1(t->ab[i][lane]), vi_or(x, vi_shl(y, 16)));
    return vi_mul(vi_set1(t->a[i][lane]), x) + vi_mul(vi_set1(t->b[i][lane]), y);
}

/// `small`: of a small_triangle.
ZT_LANE_OP raster_pen raster_pen_of(const raster_state *r, int lane, bool small)
{
    const raster_batch *t = &r->batch;
    const int32_t first = raster_block_first(t->block_x[lane], t->block_y[lane]);
    return (raster_pen){
        .z0 = vf_set1(t->z0[lane]),
        .zx = vf_set1(t->zx[lane]),
        .zy = vf_set1(t->zy[lane]),
        .z_min = vf_set1(t->z_min[lane]),
        .z_max = vf_set1(t->z_max[lane]),
        .x = vf_set1(t->from_x[lane]) + vf_from_vi(raster_lane_x(0)),
        .y = vf_set1(t->from_y[lane]) + vf_from_vi(raster_lane_y(0)),
        .step = {raster_step(t, lane, 0, 0, small), raster_step(t, lane, 1, 0, small),
                 raster_step(t, lane, 2, 0, small)},
        .id = vi_set1(t->id[lane]),
        .depth = r->job->tile.depth + first,
        .ids = (int32_t *)r->job->tile.id + first
    };
}

/// A x + B y of edge i at part `part` of a block, of which `step` is that of the first part.
ZT_LANE_OP vi raster_part(const raster_batch *t, int lane, int i, vi step, int part)
{
    if (ZT_W == 1)
        return raster_step(t, lane, i, part, false);
    return part == 0 ? step : step + vi_set1(t->b[i][lane] * (part * (ZT_W / 4)));
}

/// The edges, without C or as `at` holds it, at part `part` of a block whose first pixel has `at`.
ZT_LANE_OP raster_edges raster_edges_at(const raster_batch *t, int lane, const raster_pen *pen,
                                        int32_t at0, int32_t at1, int32_t at2, int part)
{
    return (raster_edges){raster_part(t, lane, 0, pen->step.e0, part) + vi_set1(at0),
                          raster_part(t, lane, 1, pen->step.e1, part) + vi_set1(at1),
                          raster_part(t, lane, 2, pen->step.e2, part) + vi_set1(at2)};
}

/// Lanes where no edge is negative.
ZT_LANE_OP vm raster_inside(raster_edges e)
{
    return vi_gt(vi_or(vi_or(e.e0, e.e1), e.e2), vi_set1(-1));
}

/// Depth of samples of part `part` of the block (x, y) pixels from the origin; all sums of
/// positions are exact.
ZT_LANE_OP vf raster_depth(const raster_pen *pen, float x, float y, int part)
{
    const float down = y + (float)(ZT_W == 1 ? part / 4 : part * (ZT_W / 4));
    const vf dx = pen->x + vf_set1(ZT_W == 1 ? x + (float)(part % 4) : x);
    const vf dy = pen->y + vf_set1(down);
    const vf z = (pen->z0 + pen->zx * dx) + pen->zy * dy;
    return vf_min(vf_max(z, pen->z_min), pen->z_max);
}

/// Of the covered lanes, those that are nearer than what is there, or as near with a lower id. Ties
/// are rare enough for a branch, which the processor predicts.
ZT_LANE_OP vm raster_nearer(vm cover, vf z, vi id, const float *depth, const int32_t *ids)
{
    const vf there = vf_load(depth);
    vm near = vm_and(cover, vf_gt(z, there));
    const vm tie = vm_and(cover, vf_eq(z, there));
    if (__builtin_expect(vm_any(tie), 0)) {
        const vi sign = vi_set1(INT32_MIN); // turns the signed compare into an unsigned one
        near = vm_or(near, vm_and(tie, vi_lt(vi_xor(id, sign), vi_xor(vi_load(ids), sign))));
    }
    return near;
}

/// Depth test and write of one part of a block. Writes without asking whether any lane is nearer:
/// that branch would be a toss-up.
ZT_LANE_OP void raster_write(vm cover, vf z, vi id, float *depth, int32_t *ids)
{
    const vm near = raster_nearer(cover, z, id, depth, ids);
    vf_store_mask(depth, near, z);
    vi_store_mask(ids, near, id);
}

/// Draws one sample of the block (x, y) pixels from the origin. `at`: A x + B y + C at its first
/// pixel; `inside`: all of it is within all edges.
ZT_LANE_OP void raster_block(const raster_state *r, const raster_pen *pen, int lane, int32_t x,
                             int32_t y, int32_t s, const int32_t at[3], bool inside)
{
    const int32_t first = s * RASTER_PIXELS + raster_block_first(x >> 2, y >> 2);
    float *depth = pen->depth + first;
    int32_t *ids = pen->ids + first;
    const float sx = (float)x + r->sample_x[s], sy = (float)y + r->sample_y[s];
    for (int part = 0; part < RASTER_PARTS; part++) {
        const vm cover =
            inside
                ? vm_from_bits(0xffff)
                : raster_inside(raster_edges_at(&r->batch, lane, pen, at[0], at[1], at[2], part));
        if (RASTER_PARTS > 2 && !inside && !vm_any(cover))
            continue;
        const vf z = raster_depth(pen, sx, sy, part);
        raster_write(cover, z, pen->id, depth + part * ZT_W, ids + part * ZT_W);
    }
}

/// A block of a masked material: the alpha test takes all of it at once.
static inline void raster_block_masked(const raster_state *r, const raster_pen *pen, int lane,
                                       int32_t x, int32_t y)
{
    const raster_batch *t = &r->batch;
    const raster_job *job = r->job;
    int32_t at[3];
    for (int i = 0; i < 3; i++)
        at[i] = t->a[i][lane] * x + t->b[i][lane] * y;
    const int32_t tile_x = t->block_x[lane] * 4 + x, tile_y = t->block_y[lane] * 4 + y;
    for (int32_t s = 0; s < job->sample_count; s++) {
        const int32_t first = s * RASTER_PIXELS + raster_block_first(x >> 2, y >> 2);
        float *depth = pen->depth + first;
        int32_t *ids = pen->ids + first;
        vf z[RASTER_PARTS];
        unsigned lanes = 0;
        for (int part = 0; part < RASTER_PARTS; part++) {
            z[part] = raster_depth(pen, (float)x + r->sample_x[s], (float)y + r->sample_y[s], part);
            const vm cover = raster_inside(raster_edges_at(t, lane, pen, at[0] + t->c[s][0][lane],
                                                           at[1] + t->c[s][1][lane],
                                                           at[2] + t->c[s][2][lane], part));
            const vm near =
                raster_nearer(cover, z[part], pen->id, depth + part * ZT_W, ids + part * ZT_W);
            lanes |= vm_bits(near) << (part * ZT_W);
        }
        if (lanes)
            lanes = raster_alpha_test(job->frame, (uint32_t)t->id[lane], job->tile_x + tile_x,
                                      job->tile_y + tile_y, job->sample[s][0], job->sample[s][1],
                                      lanes);
        for (int part = 0; lanes && part < RASTER_PARTS; part++) {
            const vm near = vm_from_bits(lanes >> (part * ZT_W));
            vf_store_mask(depth + part * ZT_W, near, z[part]);
            vi_store_mask(ids + part * ZT_W, near, pen->id);
        }
    }
}
