// SPDX-License-Identifier: MIT
// Triangles -> depth and id of one tile, in blocks of 4x4 pixels.
//
// Coverage is exact. With p in fx8, an edge from (X, Y) by (dx, dy) has
//     E(p) = dx (p.y - Y) - dy (p.x - X) - (top or left ? 0 : 1)
// and a sample is inside when E >= 0 for all three (top-left rule for triangles that run clockwise
// on the screen, Direct3D 11 functional specification, "Triangle rasterization rules": a top edge
// has dy = 0 and dx > 0, a left edge dy < 0). From pixel to pixel E changes by multiples of 256, so
//     E(p) >= 0  <=>  C + A x + B y >= 0, C = floor(E(first sample of the tile) / 256), A = -dy,
// B = dx, for pixel (x, y) of the tile. |A|, |B| <= 2^23 (guard band), so |A x + B y| < 2^30 over a
// tile, and clamping C to +-2^30 changes no sign: everything fits 32 bits. Every sample position
// has its own C.
//
// Depth comes from the triangle's plane at exact offsets from its reference pixel, never summed
// from block to block, limited to the depths of the corners. The larger depth wins, equal ones go
// to the lower id, so the order of the triangles does not matter.

_Static_assert(((int64_t)(GUARD_MAX_PX - GUARD_MIN_PX) << SUBPIXEL_BITS) * 2 * (TILE_SIZE - 1) <
                   (1 << 30),
               "A x + B y must stay below the clamp of C");

enum {
    RASTER_PARTS = 16 / ZT_W, ///< vectors to a block
    RASTER_C_MAX = 1 << 30,
    RASTER_REGION = 16,     ///< pixels a side of the 4x4 blocks that are tested at once
    RASTER_WALK_BLOCKS = 8, ///< bounding boxes of up to this many blocks are walked plainly
};

/// The subset of `lanes` (bit y % 4 * 4 + x % 4 of the block at pixel (block_x, block_y)) whose
/// samples, at (sample_dx, sample_dy) / 256 from the pixel centres, survive the alpha test.
static unsigned raster_alpha_test(const shade_frame *frame, uint32_t id, int32_t block_x,
                                  int32_t block_y, int32_t sample_dx, int32_t sample_dy,
                                  unsigned lanes);

/// One triangle at one sample position of the tile's pixels.
typedef struct raster_triangle {
    vi edge_step[3][RASTER_PARTS]; ///< A x + B y of the pixels of a block
    vf z0, zx, zy, z_min, z_max;
    int32_t a[3], b[3], c[3];
    float from_x, from_y; ///< sample of the tile's first pixel relative to the reference pixel
    uint32_t id;
    float *depth;
    int32_t *ids;                                               ///< bits of the ids
    int32_t block_min_x, block_min_y, block_max_x, block_max_y; ///< of the tile, inclusive
    // For the alpha test:
    const shade_frame *frame;
    int32_t tile_x, tile_y, sample_dx, sample_dy;
} raster_triangle;

static inline vi raster_lane_x(int part)
{
    return vi_and(vi_iota() + vi_set1(part * ZT_W), vi_set1(3));
}

static inline vi raster_lane_y(int part)
{
    return vi_shr(vi_iota() + vi_set1(part * ZT_W), 2);
}

static inline int32_t raster_clamp_c(int64_t e)
{
    const int64_t c = e >> SUBPIXEL_BITS;
    return c > RASTER_C_MAX ? RASTER_C_MAX : c < -RASTER_C_MAX ? -RASTER_C_MAX : (int32_t)c;
}

/// C of each edge for the sample at fx8 position (x, y) of the tile's first pixel.
static inline void raster_edges(const setup_triangle *s, int32_t x, int32_t y, raster_triangle *t)
{
    for (int i = 0; i < 3; i++) {
        const int j = i == 2 ? 0 : i + 1;
        const int32_t dx = s->x[j] - s->x[i], dy = s->y[j] - s->y[i];
        const int64_t owned = dy < 0 || (dy == 0 && dx > 0) ? 0 : 1;
        t->a[i] = -dy;
        t->b[i] = dx;
        t->c[i] = raster_clamp_c((int64_t)dx * (y - s->y[i]) - (int64_t)dy * (x - s->x[i]) - owned);
    }
}

/// What is the same for all sample positions.
static inline void raster_begin(const raster_job *job, const setup_triangle *s, raster_triangle *t)
{
    for (int i = 0; i < 3; i++) {
        const int j = i == 2 ? 0 : i + 1;
        const vi a = vi_set1(s->y[i] - s->y[j]), b = vi_set1(s->x[j] - s->x[i]);
        for (int part = 0; part < RASTER_PARTS; part++)
            t->edge_step[i][part] = vi_mul(a, raster_lane_x(part)) + vi_mul(b, raster_lane_y(part));
    }
    t->z0 = vf_set1(s->z0);
    t->zx = vf_set1(s->zx);
    t->zy = vf_set1(s->zy);
    t->z_min = vf_set1(s->z_min);
    t->z_max = vf_set1(s->z_max);
    t->id = s->id;
    const int32_t last = TILE_BLOCKS - 1;
    const int32_t min_x = (s->min_x - job->tile_x) >> 2, min_y = (s->min_y - job->tile_y) >> 2;
    const int32_t max_x = (s->max_x - job->tile_x) >> 2, max_y = (s->max_y - job->tile_y) >> 2;
    t->block_min_x = min_x > 0 ? min_x : 0;
    t->block_min_y = min_y > 0 ? min_y : 0;
    t->block_max_x = max_x < last ? max_x : last;
    t->block_max_y = max_y < last ? max_y : last;
    t->frame = job->frame;
    t->tile_x = job->tile_x;
    t->tile_y = job->tile_y;
}

static inline void raster_begin_sample(const raster_job *job, const setup_triangle *s,
                                       int32_t sample, raster_triangle *t)
{
    t->sample_dx = job->sample[sample][0];
    t->sample_dy = job->sample[sample][1];
    const float to_px = 1.0f / (float)SUBPIXEL_ONE;
    t->from_x = (float)(job->tile_x - s->rx) + (float)t->sample_dx * to_px;
    t->from_y = (float)(job->tile_y - s->ry) + (float)t->sample_dy * to_px;
    raster_edges(s, job->tile_x * SUBPIXEL_ONE + SUBPIXEL_ONE / 2 + t->sample_dx,
                 job->tile_y * SUBPIXEL_ONE + SUBPIXEL_ONE / 2 + t->sample_dy, t);
    const size_t plane = (size_t)sample * TILE_SIZE * TILE_SIZE;
    t->depth = job->tile.depth + plane;
    t->ids = (int32_t *)(job->tile.id + plane);
}

/// Lanes inside all three edges; `at` is A x + B y + C of the block's first pixel.
static inline vm raster_cover(const raster_triangle *t, const int32_t at[3], int part)
{
    const vi e0 = vi_set1(at[0]) + t->edge_step[0][part];
    const vi e1 = vi_set1(at[1]) + t->edge_step[1][part];
    const vi e2 = vi_set1(at[2]) + t->edge_step[2][part];
    return vi_gt(vi_or(vi_or(e0, e1), e2), vi_set1(-1));
}

static inline vf raster_depth(const raster_triangle *t, int32_t x, int32_t y, int part)
{
    const vf dx = vf_set1(t->from_x + (float)x) + vf_from_vi(raster_lane_x(part));
    const vf dy = vf_set1(t->from_y + (float)y) + vf_from_vi(raster_lane_y(part));
    const vf z = (t->z0 + t->zx * dx) + t->zy * dy;
    return vf_min(vf_max(z, t->z_min), t->z_max);
}

/// Of the covered lanes, those that are nearer than what is there, or as near with a lower id.
static inline vm raster_nearer(const raster_triangle *t, vm cover, vf z, const float *depth,
                               const int32_t *ids)
{
    const vf there = vf_load(depth);
    const vm near = vm_and(cover, vf_ge(z, there));
    const vm tie = vm_and(near, vf_eq(z, there));
    if (!vm_any(tie))
        return near;
    const vi sign = vi_set1(INT32_MIN); // turns the signed compare into an unsigned one
    const vm lower = vi_lt(vi_xor(vi_set1((int32_t)t->id), sign), vi_xor(vi_load(ids), sign));
    return vm_andnot(near, vm_andnot(tie, lower));
}

/// Draws the block at pixel (x, y) of the tile. `inside`: it lies within all edges.
ZT_LANE_OP void raster_block(const raster_triangle *t, int32_t x, int32_t y, const int32_t at[3],
                             bool inside)
{
    const int32_t block = ((y >> 2) * TILE_BLOCKS + (x >> 2)) * 16;
    for (int part = 0; part < RASTER_PARTS; part++) {
        const vm cover = inside ? vm_from_bits(0xffff) : raster_cover(t, at, part);
        if (!vm_any(cover))
            continue;
        float *depth = t->depth + block + part * ZT_W;
        int32_t *ids = t->ids + block + part * ZT_W;
        const vf z = raster_depth(t, x, y, part);
        const vm near = raster_nearer(t, cover, z, depth, ids);
        if (!vm_any(near))
            continue;
        vf_store_mask(depth, near, z);
        vi_store_mask(ids, near, vi_set1((int32_t)t->id));
    }
}

/// The same for a masked material: the alpha test takes the whole block at once.
static void raster_block_masked(const raster_triangle *t, int32_t x, int32_t y, const int32_t at[3])
{
    const int32_t block = ((y >> 2) * TILE_BLOCKS + (x >> 2)) * 16;
    vf z[RASTER_PARTS];
    unsigned lanes = 0;
    for (int part = 0; part < RASTER_PARTS; part++) {
        const int32_t first = block + part * ZT_W;
        z[part] = raster_depth(t, x, y, part);
        const vm near =
            raster_nearer(t, raster_cover(t, at, part), z[part], t->depth + first, t->ids + first);
        lanes |= vm_bits(near) << (part * ZT_W);
    }
    if (lanes)
        lanes = raster_alpha_test(t->frame, t->id, t->tile_x + x, t->tile_y + y, t->sample_dx,
                                  t->sample_dy, lanes);
    if (!lanes)
        return;
    for (int part = 0; part < RASTER_PARTS; part++) {
        const int32_t first = block + part * ZT_W;
        const vm keep = vm_from_bits(lanes >> (part * ZT_W));
        vf_store_mask(t->depth + first, keep, z[part]);
        vi_store_mask(t->ids + first, keep, vi_set1((int32_t)t->id));
    }
}

static inline void raster_at(const raster_triangle *t, int32_t x, int32_t y, int32_t at[3])
{
    for (int i = 0; i < 3; i++)
        at[i] = (t->c[i] + t->a[i] * x) + t->b[i] * y;
}

/// Small bounding boxes: every block of them.
ZT_LANE_OP void raster_walk(const raster_triangle *t, bool masked)
{
    for (int32_t by = t->block_min_y; by <= t->block_max_y; by++) {
        for (int32_t bx = t->block_min_x; bx <= t->block_max_x; bx++) {
            int32_t at[3];
            raster_at(t, bx * 4, by * 4, at);
            if (masked)
                raster_block_masked(t, bx * 4, by * 4, at);
            else
                raster_block(t, bx * 4, by * 4, at, false);
        }
    }
}

/// Bits (y * 4 + x) of the 4x4 blocks of a region, `at` its first pixel: out_touched where no edge
/// has all of the block outside, out_inside where all edges have all of it inside.
static inline void raster_region_masks(const raster_triangle *t, const int32_t at[3],
                                       unsigned *out_touched, unsigned *out_inside)
{
    *out_touched = 0;
    *out_inside = 0;
    for (int part = 0; part < RASTER_PARTS; part++) {
        vi most = vi_set1(0), least = vi_set1(0);
        for (int i = 0; i < 3; i++) {
            const int32_t a3 = 3 * t->a[i], b3 = 3 * t->b[i];
            const vi first = vi_set1(at[i]) + vi_shl(t->edge_step[i][part], 2);
            const int32_t up = (a3 > 0 ? a3 : 0) + (b3 > 0 ? b3 : 0);
            const int32_t down = (a3 < 0 ? a3 : 0) + (b3 < 0 ? b3 : 0);
            most = vi_or(most, first + vi_set1(up));
            least = vi_or(least, first + vi_set1(down));
        }
        *out_touched |= vm_bits(vi_gt(most, vi_set1(-1))) << (part * ZT_W);
        *out_inside |= vm_bits(vi_gt(least, vi_set1(-1))) << (part * ZT_W);
    }
}

/// Bits of the blocks of region (rx, ry), in blocks of the tile, that the bounding box touches.
static inline unsigned raster_region_box(const raster_triangle *t, int32_t rx, int32_t ry)
{
    unsigned columns = 0, bits = 0;
    for (int32_t i = 0; i < 4; i++)
        columns |= (rx + i >= t->block_min_x && rx + i <= t->block_max_x ? 1u : 0u) << i;
    for (int32_t i = 0; i < 4; i++)
        bits |= (ry + i >= t->block_min_y && ry + i <= t->block_max_y ? columns : 0u) << (4 * i);
    return bits;
}

/// Large bounding boxes: 16x16-pixel regions first, whose blocks are tested all at once.
/// (Abrash, "Rasterization on Larrabee", 2009.)
ZT_LANE_OP void raster_descend(const raster_triangle *t, bool masked)
{
    for (int32_t ry = t->block_min_y & ~3; ry <= t->block_max_y; ry += 4) {
        for (int32_t rx = t->block_min_x & ~3; rx <= t->block_max_x; rx += 4) {
            int32_t at[3];
            unsigned touched, inside;
            raster_at(t, rx * 4, ry * 4, at);
            raster_region_masks(t, at, &touched, &inside);
            touched &= raster_region_box(t, rx, ry);
            for (; touched; touched &= touched - 1) {
                const int32_t bit = __builtin_ctz(touched);
                const int32_t x = (rx + (bit & 3)) * 4, y = (ry + (bit >> 2)) * 4;
                raster_at(t, x, y, at);
                if (masked)
                    raster_block_masked(t, x, y, at);
                else if (inside >> bit & 1u)
                    raster_block(t, x, y, at, true);
                else
                    raster_block(t, x, y, at, false);
            }
        }
    }
}

static void raster_draw(const raster_triangle *t, bool masked)
{
    const int32_t blocks =
        (t->block_max_x - t->block_min_x + 1) * (t->block_max_y - t->block_min_y + 1);
    if (blocks <= RASTER_WALK_BLOCKS) {
        if (masked)
            raster_walk(t, true);
        else
            raster_walk(t, false);
    } else {
        if (masked)
            raster_descend(t, true);
        else
            raster_descend(t, false);
    }
}

static void raster(const raster_job *job)
{
    for (uint32_t i = 0; i < job->count; i++) {
        const setup_triangle *s = job->triangles[i];
        const bool masked = job->frame && job->frame->materials[s->material].masked;
        raster_triangle t;
        raster_begin(job, s, &t);
        for (int32_t sample = 0; sample < job->sample_count; sample++) {
            raster_begin_sample(job, s, sample, &t);
            raster_draw(&t, masked);
        }
    }
}
