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
    RASTER_WALK_BLOCKS = 8, ///< bounding boxes of up to this many blocks are walked plainly
};

/// The subset of `lanes` (bit y % 4 * 4 + x % 4 of the block at pixel (block_x, block_y)) whose
/// samples, at (sample_dx, sample_dy) / 256 from the pixel centres, survive the alpha test.
static unsigned raster_alpha_test(const shade_frame *frame, uint32_t id, int32_t block_x,
                                  int32_t block_y, int32_t sample_dx, int32_t sample_dy,
                                  unsigned lanes);

/// Blocks of the tile that a bounding box touches, inclusive.
typedef struct raster_box {
    int32_t min_x, min_y, max_x, max_y;
} raster_box;

/// One triangle at one sample position of the pixels right of and below an origin in the tile.
typedef struct raster_triangle {
    int32_t a[3], b[3], c[3];
    vi step[3];           ///< A x + B y of the lanes of a block's first part
    vi down[3];           ///< from one part of a block to the next (not for one lane)
    float from_x, from_y; ///< sample of the origin relative to the reference pixel
    vf z0, zx, zy, z_min, z_max;
    float *depth; ///< of the origin's block
    int32_t *ids; ///< bits of the ids
    uint32_t id;
} raster_triangle;

/// A x + B y + C of the lanes of a block's first part, for each edge.
typedef struct raster_edges {
    vi e0, e1, e2;
} raster_edges;

static inline vi raster_lane_x(int part)
{
    return vi_and(vi_iota() + vi_set1(part * ZT_W), vi_set1(3));
}

static inline vi raster_lane_y(int part)
{
    return vi_shr(vi_iota() + vi_set1(part * ZT_W), 2);
}

static inline int32_t raster_block_first(int32_t x, int32_t y)
{
    return ((y >> 2) * TILE_BLOCKS + (x >> 2)) * 16;
}

/// C of an edge for the sample at fx8 offset (x, y) from its start.
static inline int32_t raster_c(int32_t a, int32_t b, int32_t x, int32_t y)
{
    // Top or left: a > 0, or a = 0 and b > 0; |b| < 2^24 makes that one comparison.
    const int64_t owned = (int64_t)a * (1 << 24) + b > 0 ? 0 : 1;
    const int64_t c = ((int64_t)b * y + (int64_t)a * x - owned) >> SUBPIXEL_BITS;
    return c > RASTER_C_MAX ? RASTER_C_MAX : c < -RASTER_C_MAX ? -RASTER_C_MAX : (int32_t)c;
}

/// What all samples share; raster_begin_sample completes it.
static inline void raster_begin(const setup_triangle *s, raster_triangle *t)
{
    for (int i = 0; i < 3; i++) {
        const int j = i == 2 ? 0 : i + 1;
        t->a[i] = s->y[i] - s->y[j];
        t->b[i] = s->x[j] - s->x[i];
        const vi a = vi_set1(t->a[i]), b = vi_set1(t->b[i]);
        t->step[i] = vi_mul(a, raster_lane_x(0)) + vi_mul(b, raster_lane_y(0));
        t->down[i] = ZT_W == 4 ? b : ZT_W == 8 ? b + b : vi_set1(0);
    }
    t->z0 = vf_set1(s->z0);
    t->zx = vf_set1(s->zx);
    t->zy = vf_set1(s->zy);
    t->z_min = vf_set1(s->z_min);
    t->z_max = vf_set1(s->z_max);
    t->id = s->id;
}

/// `sample` of the job, origin (x, y) in pixels of the tile, a multiple of 4.
static inline void raster_begin_sample(const raster_job *job, const setup_triangle *s,
                                       int32_t sample, int32_t x, int32_t y, raster_triangle *t)
{
    const int32_t origin_x = job->tile_x + x, origin_y = job->tile_y + y;
    const int32_t dx = job->sample[sample][0], dy = job->sample[sample][1];
    const int32_t sample_x = origin_x * SUBPIXEL_ONE + SUBPIXEL_ONE / 2 + dx;
    const int32_t sample_y = origin_y * SUBPIXEL_ONE + SUBPIXEL_ONE / 2 + dy;
    for (int i = 0; i < 3; i++)
        t->c[i] = raster_c(t->a[i], t->b[i], sample_x - s->x[i], sample_y - s->y[i]);
    const float to_px = 1.0f / (float)SUBPIXEL_ONE;
    t->from_x = (float)(origin_x - s->rx) + (float)dx * to_px;
    t->from_y = (float)(origin_y - s->ry) + (float)dy * to_px;
    const size_t first = (size_t)sample * TILE_SIZE * TILE_SIZE + (size_t)raster_block_first(x, y);
    t->depth = job->tile.depth + first;
    t->ids = (int32_t *)(job->tile.id + first);
}

/// The edges at part `part` of the block whose first part has edges `e`: inside all three?
static inline vm raster_cover(const raster_triangle *t, raster_edges e, int part)
{
    if (ZT_W == 1) {
        const vi x = raster_lane_x(part), y = raster_lane_y(part);
        e.e0 = e.e0 + vi_mul(vi_set1(t->a[0]), x) + vi_mul(vi_set1(t->b[0]), y);
        e.e1 = e.e1 + vi_mul(vi_set1(t->a[1]), x) + vi_mul(vi_set1(t->b[1]), y);
        e.e2 = e.e2 + vi_mul(vi_set1(t->a[2]), x) + vi_mul(vi_set1(t->b[2]), y);
    } else {
        for (int k = 0; k < part; k++) {
            e.e0 = e.e0 + t->down[0];
            e.e1 = e.e1 + t->down[1];
            e.e2 = e.e2 + t->down[2];
        }
    }
    return vi_gt(vi_or(vi_or(e.e0, e.e1), e.e2), vi_set1(-1));
}

static inline vf raster_depth(const raster_triangle *t, int32_t x, int32_t y, int part)
{
    const vf dx = vf_set1(t->from_x + (float)x) + vf_from_vi(raster_lane_x(part));
    const vf dy = vf_set1(t->from_y + (float)y) + vf_from_vi(raster_lane_y(part));
    const vf z = (t->z0 + t->zx * dx) + t->zy * dy;
    return vf_min(vf_max(z, t->z_min), t->z_max);
}

/// Of the covered lanes, those that are nearer than what is there, or as near with a lower id.
static inline vm raster_nearer(vm cover, vf z, uint32_t id, const float *depth, const int32_t *ids)
{
    const vf there = vf_load(depth);
    const vi sign = vi_set1(INT32_MIN); // turns the signed compare into an unsigned one
    const vm lower = vi_lt(vi_xor(vi_set1((int32_t)id), sign), vi_xor(vi_load(ids), sign));
    return vm_and(cover, vm_or(vf_gt(z, there), vm_and(vf_eq(z, there), lower)));
}

static inline void raster_write(vm near, vf z, uint32_t id, float *depth, int32_t *ids)
{
    vf_store_mask(depth, near, z);
    vi_store_mask(ids, near, vi_set1((int32_t)id));
}

/// A part of a block in which a covered lane is exactly as far as what is there: rare, and kept
/// out of the way of the rest, in memory instead of registers.
static __attribute__((noinline)) void raster_write_tie(unsigned cover, const float *z, uint32_t id,
                                                       float *depth, int32_t *ids)
{
    const vf nearness = vf_load(z);
    raster_write(raster_nearer(vm_from_bits(cover), nearness, id, depth, ids), nearness, id, depth,
                 ids);
}

/// Depth test and write of one part of a block. Writes without asking whether any lane is nearer:
/// that branch would be a toss-up.
static inline void raster_part(const raster_triangle *t, vm cover, int32_t x, int32_t y, int part)
{
    const int32_t first = raster_block_first(x, y) + part * ZT_W;
    const vf z = raster_depth(t, x, y, part), there = vf_load(t->depth + first);
    if (vm_any(vm_and(cover, vf_eq(z, there)))) {
        float spill[ZT_W];
        vf_store(spill, z);
        raster_write_tie(vm_bits(cover), spill, t->id, t->depth + first, t->ids + first);
    } else {
        raster_write(vm_and(cover, vf_gt(z, there)), z, t->id, t->depth + first, t->ids + first);
    }
}

/// Both halves of a block of eight-lane vectors, with one branch for the two.
static inline void raster_halves(const raster_triangle *t, vm top, vm bottom, int32_t x, int32_t y)
{
    float *depth = t->depth + raster_block_first(x, y);
    int32_t *ids = t->ids + raster_block_first(x, y);
    const vf z0 = raster_depth(t, x, y, 0), there0 = vf_load(depth);
    const vf z1 = raster_depth(t, x, y, 1), there1 = vf_load(depth + ZT_W);
    const vm tie = vm_or(vm_and(top, vf_eq(z0, there0)), vm_and(bottom, vf_eq(z1, there1)));
    if (vm_any(tie)) {
        float spill[2 * ZT_W];
        vf_store(spill, z0);
        vf_store(spill + ZT_W, z1);
        raster_write_tie(vm_bits(top), spill, t->id, depth, ids);
        raster_write_tie(vm_bits(bottom), spill + ZT_W, t->id, depth + ZT_W, ids + ZT_W);
    } else {
        raster_write(vm_and(top, vf_gt(z0, there0)), z0, t->id, depth, ids);
        raster_write(vm_and(bottom, vf_gt(z1, there1)), z1, t->id, depth + ZT_W, ids + ZT_W);
    }
}

/// Draws the block at pixel (x, y) from the origin, `e` the edges there. `inside`: it lies within
/// all edges.
ZT_LANE_OP void raster_block(const raster_triangle *t, int32_t x, int32_t y, raster_edges e,
                             bool inside)
{
    const vm all = vm_from_bits(0xffff);
    if (RASTER_PARTS == 2) {
        const vm top = inside ? all : raster_cover(t, e, 0);
        const vm bottom = inside ? all : raster_cover(t, e, 1);
        if (inside || vm_any(vm_or(top, bottom)))
            raster_halves(t, top, bottom, x, y);
        return;
    }
    for (int part = 0; part < RASTER_PARTS; part++) {
        const vm cover = inside ? all : raster_cover(t, e, part);
        if (inside || vm_any(cover))
            raster_part(t, cover, x, y, part);
    }
}

/// Small bounding boxes, from the origin on: every block of them.
ZT_LANE_OP void raster_walk(const raster_triangle *t, int32_t width, int32_t height)
{
    raster_edges row = {vi_set1(t->c[0]) + t->step[0], vi_set1(t->c[1]) + t->step[1],
                        vi_set1(t->c[2]) + t->step[2]};
    for (int32_t y = 0; y < height; y += 4) {
        raster_edges e = row;
        for (int32_t x = 0; x < width; x += 4) {
            raster_block(t, x, y, e, false);
            e.e0 = vi_add_wrap(e.e0, vi_set1(t->a[0] * 4)); // wraps past the last block only
            e.e1 = vi_add_wrap(e.e1, vi_set1(t->a[1] * 4));
            e.e2 = vi_add_wrap(e.e2, vi_set1(t->a[2] * 4));
        }
        row.e0 = vi_add_wrap(row.e0, vi_set1(t->b[0] * 4));
        row.e1 = vi_add_wrap(row.e1, vi_set1(t->b[1] * 4));
        row.e2 = vi_add_wrap(row.e2, vi_set1(t->b[2] * 4));
    }
}

/// The 4x4 blocks of a 16x16-pixel region, in the order of the lanes of a block.
typedef struct raster_region {
    _Alignas(64) int32_t first[3][16]; ///< A x + B y + C of their first pixels
    unsigned touched;                  ///< bits of those that no edge has wholly outside
    unsigned inside;                   ///< bits of those that all edges have wholly inside
} raster_region;

static inline void raster_test_region(const raster_triangle *t, int32_t x, int32_t y,
                                      raster_region *r)
{
    r->touched = 0;
    r->inside = 0;
    for (int part = 0; part < RASTER_PARTS; part++) {
        vi most = vi_set1(0), least = vi_set1(0);
        for (int i = 0; i < 3; i++) {
            const int32_t a3 = 3 * t->a[i], b3 = 3 * t->b[i];
            const vi lanes = ZT_W == 1 ? vi_mul(vi_set1(t->a[i]), raster_lane_x(part)) +
                                             vi_mul(vi_set1(t->b[i]), raster_lane_y(part))
                                       : t->step[i] + vi_set1(part * (ZT_W / 4) * t->b[i]);
            const vi first = vi_set1((t->c[i] + t->a[i] * x) + t->b[i] * y) + vi_shl(lanes, 2);
            vi_store(&r->first[i][part * ZT_W], first);
            most = vi_or(most, first + vi_set1((a3 > 0 ? a3 : 0) + (b3 > 0 ? b3 : 0)));
            least = vi_or(least, first + vi_set1((a3 < 0 ? a3 : 0) + (b3 < 0 ? b3 : 0)));
        }
        r->touched |= vm_bits(vi_gt(most, vi_set1(-1))) << (part * ZT_W);
        r->inside |= vm_bits(vi_gt(least, vi_set1(-1))) << (part * ZT_W);
    }
}

/// Bits of the blocks of the region at block (rx, ry) of the tile that the bounding box touches.
static inline unsigned raster_region_box(const raster_box *box, int32_t rx, int32_t ry)
{
    unsigned columns = 0, bits = 0;
    for (int32_t i = 0; i < 4; i++)
        columns |= (rx + i >= box->min_x && rx + i <= box->max_x ? 1u : 0u) << i;
    for (int32_t i = 0; i < 4; i++)
        bits |= (ry + i >= box->min_y && ry + i <= box->max_y ? columns : 0u) << (4 * i);
    return bits;
}

static inline raster_edges raster_region_edges(const raster_triangle *t, const raster_region *r,
                                               int32_t block)
{
    return (raster_edges){vi_set1(r->first[0][block]) + t->step[0],
                          vi_set1(r->first[1][block]) + t->step[1],
                          vi_set1(r->first[2][block]) + t->step[2]};
}

// Each way of drawing is a function of its own: merged, compilers compute what only the large
// triangles need for every small one.
#define RASTER_ALONE static __attribute__((noinline)) void

// All samples in one call: what they share is a third of the cost of a triangle of a few pixels.
RASTER_ALONE raster_small(const raster_job *job, const setup_triangle *s, const raster_box *box)
{
    const int32_t width = (box->max_x - box->min_x + 1) * 4;
    const int32_t height = (box->max_y - box->min_y + 1) * 4;
    raster_triangle t;
    raster_begin(s, &t);
    for (int32_t sample = 0; sample < job->sample_count; sample++) {
        raster_begin_sample(job, s, sample, box->min_x * 4, box->min_y * 4, &t);
        raster_walk(&t, width, height);
    }
}

/// Large bounding boxes: 16x16-pixel regions first, whose blocks are tested all at once.
/// (Abrash, "Rasterization on Larrabee", 2009.)
RASTER_ALONE raster_large(const raster_job *job, const setup_triangle *s, const raster_box *box,
                          int32_t sample)
{
    raster_triangle t;
    raster_begin(s, &t);
    raster_begin_sample(job, s, sample, 0, 0, &t);
    for (int32_t ry = box->min_y & ~3; ry <= box->max_y; ry += 4) {
        for (int32_t rx = box->min_x & ~3; rx <= box->max_x; rx += 4) {
            raster_region r;
            raster_test_region(&t, rx * 4, ry * 4, &r);
            r.touched &= raster_region_box(box, rx, ry);
            for (unsigned left = r.touched; left; left &= left - 1) {
                const int32_t bit = __builtin_ctz(left);
                const int32_t x = (rx + (bit & 3)) * 4, y = (ry + (bit >> 2)) * 4;
                if (r.inside >> bit & 1u)
                    raster_block(&t, x, y, (raster_edges){t.step[0], t.step[1], t.step[2]}, true);
                else
                    raster_block(&t, x, y, raster_region_edges(&t, &r, bit), false);
            }
        }
    }
}

/// A block of a masked material: the alpha test takes all of it at once.
static inline void raster_block_masked(const raster_job *job, const raster_triangle *t, int32_t x,
                                       int32_t y, int32_t sample, raster_edges e)
{
    float *depth = t->depth + raster_block_first(x, y);
    int32_t *ids = t->ids + raster_block_first(x, y);
    vf z[RASTER_PARTS];
    unsigned lanes = 0;
    for (int part = 0; part < RASTER_PARTS; part++) {
        z[part] = raster_depth(t, x, y, part);
        const vm near = raster_nearer(raster_cover(t, e, part), z[part], t->id, depth + part * ZT_W,
                                      ids + part * ZT_W);
        lanes |= vm_bits(near) << (part * ZT_W);
    }
    if (lanes)
        lanes = raster_alpha_test(job->frame, t->id, job->tile_x + x, job->tile_y + y,
                                  job->sample[sample][0], job->sample[sample][1], lanes);
    if (!lanes)
        return;
    for (int part = 0; part < RASTER_PARTS; part++)
        raster_write(vm_from_bits(lanes >> (part * ZT_W)), z[part], t->id, depth + part * ZT_W,
                     ids + part * ZT_W);
}

RASTER_ALONE raster_masked(const raster_job *job, const setup_triangle *s, const raster_box *box,
                           int32_t sample)
{
    raster_triangle t;
    raster_begin(s, &t);
    raster_begin_sample(job, s, sample, 0, 0, &t);
    for (int32_t ry = box->min_y & ~3; ry <= box->max_y; ry += 4) {
        for (int32_t rx = box->min_x & ~3; rx <= box->max_x; rx += 4) {
            raster_region r;
            raster_test_region(&t, rx * 4, ry * 4, &r);
            r.touched &= raster_region_box(box, rx, ry);
            for (unsigned left = r.touched; left; left &= left - 1) {
                const int32_t bit = __builtin_ctz(left);
                raster_block_masked(job, &t, (rx + (bit & 3)) * 4, (ry + (bit >> 2)) * 4, sample,
                                    raster_region_edges(&t, &r, bit));
            }
        }
    }
}

static inline raster_box raster_blocks(const raster_job *job, const setup_triangle *s)
{
    const int32_t last = TILE_BLOCKS - 1;
    const raster_box b = {(s->min_x - job->tile_x) >> 2, (s->min_y - job->tile_y) >> 2,
                          (s->max_x - job->tile_x) >> 2, (s->max_y - job->tile_y) >> 2};
    return (raster_box){b.min_x > 0 ? b.min_x : 0, b.min_y > 0 ? b.min_y : 0,
                        b.max_x < last ? b.max_x : last, b.max_y < last ? b.max_y : last};
}

static void raster(const raster_job *job)
{
    for (uint32_t i = 0; i < job->count; i++) {
        const setup_triangle *s = job->triangles[i];
        const raster_box box = raster_blocks(job, s);
        if (box.min_x > box.max_x || box.min_y > box.max_y)
            continue;
        const int32_t blocks = (box.max_x - box.min_x + 1) * (box.max_y - box.min_y + 1);
        const bool masked = job->frame && job->frame->materials[s->material].masked;
        if (!masked && blocks <= RASTER_WALK_BLOCKS) {
            raster_small(job, s, &box);
            continue;
        }
        for (int32_t sample = 0; sample < job->sample_count; sample++) {
            if (masked)
                raster_masked(job, s, &box, sample);
            else
                raster_large(job, s, &box, sample);
        }
    }
}
