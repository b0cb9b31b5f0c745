// SPDX-License-Identifier: MIT
// Small triangles, ZT_W at a time: edges and depth planes are computed in lanes. Triangles of a few
// pixels are drawn in lanes too, the others block by block.
//
// No side is longer than SMALL_SIDE, and edges are evaluated at most a block outside the bounding
// box, so every sum of products is below 2 * SMALL_SIDE * (SMALL_SIDE + 5 px) < 2^31.

_Static_assert(2LL * SMALL_SIDE * (SMALL_SIDE + 5 * SUBPIXEL_ONE) < (1LL << 31),
               "edge functions of small triangles must fit 32 bits");

enum {
    RASTER_TINY = 4, ///< maximum side of bounding boxes that are drawn in lanes, pixels
    RASTER_NEAR = 8, ///< that of boxes whose regions begin at their origin, blocks
};

/// Small triangles, one in each lane.
typedef struct raster_lanes {
    vi a[3], b[3];
    vi e[3];       ///< E at the centre of pixel (x, y)
    vi x, y, w, h; ///< bounding box in pixels of the tile, clipped to it
    vi rx, ry;     ///< reference pixel, in pixels of the tile
    vf z0, zx, zy, z_min, z_max;
    vi id;
    unsigned live;
} raster_lanes;

/// Corners, in fx8 from the tile's corner, and their depths.
typedef struct raster_corners {
    vi x[3], y[3];
    vf z[3];
} raster_corners;

/// Loads ZT_W consecutive triangles.
static inline raster_corners raster_fetch(const raster_job *job, const small_triangle *triangles,
                                          vi *out_id)
{
    const float *from[ZT_W];
    for (uint32_t i = 0; i < ZT_W; i++)
        from[i] = (const float *)(const void *)&triangles[i];
    vf words[8];
    vf_load8(from, words);
    raster_corners c;
    const vi d1 = vi_bits(words[2]), d2 = vi_bits(words[3]);
    c.x[0] = vi_bits(words[0]) - vi_set1(job->tile_x * SUBPIXEL_ONE);
    c.y[0] = vi_bits(words[1]) - vi_set1(job->tile_y * SUBPIXEL_ONE);
    c.x[1] = c.x[0] + vi_shr(vi_shl(d1, 16), 16);
    c.y[1] = c.y[0] + vi_shr(d1, 16);
    c.x[2] = c.x[0] + vi_shr(vi_shl(d2, 16), 16);
    c.y[2] = c.y[0] + vi_shr(d2, 16);
    for (int k = 0; k < 3; k++)
        c.z[k] = words[4 + k];
    *out_id = vi_bits(words[7]);
    return c;
}

_Static_assert(sizeof(small_triangle) == 32 && offsetof(small_triangle, dx1) == 8 &&
                   offsetof(small_triangle, z) == 16 && offsetof(small_triangle, id) == 28,
               "raster_fetch depends on this layout");

/// The bounding boxes, by the formulas of setup.inl, clipped to the tile.
static inline void raster_bound(const raster_job *job, const raster_corners *c, raster_lanes *t)
{
    const bool several = job->sample_count > 1;
    const vi low = vi_set1(several ? 0 : 127), high = vi_set1(several ? 0 : 128);
    const vi zero = vi_set1(0), last = vi_set1(TILE_SIZE - 1);
    const vi min_x = vi_min(vi_min(c->x[0], c->x[1]), c->x[2]);
    const vi min_y = vi_min(vi_min(c->y[0], c->y[1]), c->y[2]);
    const vi max_x = vi_max(vi_max(c->x[0], c->x[1]), c->x[2]);
    const vi max_y = vi_max(vi_max(c->y[0], c->y[1]), c->y[2]);
    t->rx = vi_max(vi_shr(min_x + low, SUBPIXEL_BITS), vi_set1(-job->tile_x));
    t->ry = vi_max(vi_shr(min_y + low, SUBPIXEL_BITS), vi_set1(-job->tile_y));
    t->x = vi_max(t->rx, zero);
    t->y = vi_max(t->ry, zero);
    t->w = vi_min(vi_shr(max_x - high, SUBPIXEL_BITS), last) - t->x + vi_set1(1);
    t->h = vi_min(vi_shr(max_y - high, SUBPIXEL_BITS), last) - t->y + vi_set1(1);
    t->live &= vm_bits(vm_and(vi_gt(t->w, zero), vi_gt(t->h, zero)));
}

/// dx (y - from_y) - dy (x - from_x)
static inline vi raster_cross(vi dx, vi dy, vi x, vi y) { return vi_mul(dx, y) - vi_mul(dy, x); }

/// The depth planes: the formulas of setup.inl, in the same order.
static inline void raster_plane(const raster_corners *c, raster_lanes *t)
{
    const vi e0x = t->b[0], e0y = vi_set1(0) - t->a[0], e2x = t->b[2], e2y = vi_set1(0) - t->a[2];
    const vi center = vi_set1(SUBPIXEL_ONE / 2);
    const vi rx = vi_shl(t->rx, SUBPIXEL_BITS) + center, ry = vi_shl(t->ry, SUBPIXEL_BITS) + center;
    const vf area2 = vf_from_vi(vi_mul(e0y, e2x) - vi_mul(e0x, e2y));
    const vf at2 = vf_from_vi(raster_cross(e2x, e2y, rx - c->x[2], ry - c->y[2]));
    const vf at0 = vf_from_vi(raster_cross(e0x, e0y, rx - c->x[0], ry - c->y[0]));
    const vf z1 = c->z[1] - c->z[0], z2 = c->z[2] - c->z[0];
    const vf inverse = vf_set1(1.0f) / area2, step = inverse * vf_set1((float)SUBPIXEL_ONE);
    t->zx = vf_neg((z1 * vf_from_vi(e2y) + z2 * vf_from_vi(e0y)) * step);
    t->zy = (z1 * vf_from_vi(e2x) + z2 * vf_from_vi(e0x)) * step;
    t->z0 = c->z[0] + inverse * (z1 * at2 + z2 * at0);
    t->z_min = vf_min(vf_min(c->z[0], c->z[1]), c->z[2]);
    t->z_max = vf_max(vf_max(c->z[0], c->z[1]), c->z[2]);
}

/// The edges at the centre of pixel (x, y).
static inline void raster_edge_lanes(const raster_corners *c, raster_lanes *t)
{
    const vi center = vi_set1(SUBPIXEL_ONE / 2), zero = vi_set1(0);
    const vi px = vi_shl(t->x, SUBPIXEL_BITS) + center, py = vi_shl(t->y, SUBPIXEL_BITS) + center;
    for (int i = 0; i < 3; i++) {
        const int j = i == 2 ? 0 : i + 1;
        t->a[i] = c->y[i] - c->y[j];
        t->b[i] = c->x[j] - c->x[i];
        const vi e = vi_mul(t->a[i], px - c->x[i]) + vi_mul(t->b[i], py - c->y[i]);
        // Top or left: a > 0, or a = 0 and b > 0; |b| < 2^16 makes that one comparison.
        const vm owned = vi_gt(vi_shl(t->a[i], 16) + t->b[i], zero);
        t->e[i] = e - vi_sel(owned, zero, vi_set1(1));
    }
}

/// Lanes behind all that is drawn in their regions; larger boxes are tested against the tile.
static inline unsigned raster_hidden(const raster_state *r, const raster_corners *c,
                                     const raster_lanes *t)
{
    const int32_t *min = (const int32_t *)(const void *)r->region_min;
    const vi one = vi_set1(1), last = vi_set1(15);
    const vi left = vi_shr(t->x, 4), right = vi_shr(t->x + t->w - one, 4);
    const vi top = vi_shl(vi_shr(t->y, 4), 2), bottom = vi_shl(vi_shr(t->y + t->h - one, 4), 2);
    const vf upper = vf_min(vf_bits(vi_lookup16(min, vi_and(top + left, last))),
                            vf_bits(vi_lookup16(min, vi_and(top + right, last))));
    const vf lower = vf_min(vf_bits(vi_lookup16(min, vi_and(bottom + left, last))),
                            vf_bits(vi_lookup16(min, vi_and(bottom + right, last))));
    const vm near = vm_and(vi_lt(t->w, vi_set1(18)), vi_lt(t->h, vi_set1(18))); // 2x2 regions
    const vf behind = vf_sel(near, vf_min(upper, lower), vf_set1(r->tile_min));
    return vm_bits(vf_lt(vf_max(vf_max(c->z[0], c->z[1]), c->z[2]), behind));
}

/// Depth test and write of one sample. `id`: NULL if the tile has none.
static inline void raster_pixel(float *depth, uint32_t *id, float z, uint32_t own)
{
    if (!id) {
        *depth = z > *depth ? z : *depth;
        return;
    }
    if (z > *depth || (z == *depth && own < *id)) {
        *depth = z;
        *id = own;
    }
}

/// Pixels that each lane covers in row `j` of its bounding box: bit i * ZT_W + lane for pixel i.
/// Its index in the tile and its depth go to the same element of at[] and z[].
ZT_LANE_OP uint64_t raster_tiny_row(const raster_lanes *t, vm lanes, const vi edges[3], int j,
                                    int columns, int32_t *at, float *z)
{
    const vi y = t->y + vi_set1(j);
    const vi row_at = vi_or(vi_shl(vi_shr(y, 2), 8), vi_shl(vi_and(y, vi_set1(3)), 2));
    const vf dy = vf_from_vi(y - t->ry), along_y = t->zy * dy;
    const vm in_row = vm_and(lanes, vi_gt(t->h, vi_set1(j)));
    vi e[3] = {edges[0], edges[1], edges[2]};
    uint64_t covered = 0;
    for (int i = 0; i < columns; i++) {
        const vi x = t->x + vi_set1(i);
        const vm in = vm_and(in_row, vi_gt(t->w, vi_set1(i)));
        const vm inside = vi_gt(vi_or(vi_or(e[0], e[1]), e[2]), vi_set1(-1));
        const vf plane = (t->z0 + t->zx * vf_from_vi(x - t->rx)) + along_y;
        const vi column_at = vi_or(vi_shl(vi_shr(x, 2), 4), vi_and(x, vi_set1(3)));
        vf_store(z + i * ZT_W, vf_min(vf_max(plane, t->z_min), t->z_max));
        vi_store(at + i * ZT_W, vi_or(column_at, row_at));
        covered |= (uint64_t)vm_bits(vm_and(in, inside)) << (i * ZT_W);
        for (int k = 0; k < 3; k++)
            e[k] = e[k] + vi_shl(t->a[k], SUBPIXEL_BITS);
    }
    return covered;
}

/// Draws triangles of at most RASTER_TINY x RASTER_TINY pixel centres, all lanes at once: branches
/// on their shapes would mispredict and cost more than their pixels.
static inline void raster_tiny(const raster_job *job, const raster_lanes *t, unsigned tiny)
{
    int32_t at[RASTER_TINY * ZT_W], id[ZT_W];
    float z[RASTER_TINY * ZT_W];
    const vm lanes = vm_from_bits(tiny);
    vi e[3] = {t->e[0], t->e[1], t->e[2]};
    vi_store(id, t->id);
    int columns = 2;
    while (columns < RASTER_TINY && vm_any(vm_and(lanes, vi_gt(t->w, vi_set1(columns)))))
        columns++;
    for (int j = 0; j < RASTER_TINY && vm_any(vm_and(lanes, vi_gt(t->h, vi_set1(j)))); j++) {
        uint64_t covered = columns == 2 ? raster_tiny_row(t, lanes, e, j, 2, at, z)
                                        : raster_tiny_row(t, lanes, e, j, columns, at, z);
        for (; covered; covered &= covered - 1) {
            const int n = __builtin_ctzll(covered);
            raster_pixel(&job->tile.depth[at[n]], job->tile.id ? &job->tile.id[at[n]] : NULL, z[n],
                         (uint32_t)id[n % ZT_W]);
        }
        for (int k = 0; k < 3; k++)
            e[k] = e[k] + vi_shl(t->b[k], SUBPIXEL_BITS);
    }
}

_Static_assert(RASTER_TINY *ZT_W <= 64, "raster_tiny_row returns one bit for each pixel and lane");

/// C of edge i at every sample, in the layout of raster_row_step, and their range.
static inline void raster_fill_samples(const raster_job *job, vi a, vi b, vi origin, int i,
                                       raster_batch *out, vi *max, vi *min)
{
    const int32_t samples = job->sample_count, period = samples > ZT_W ? samples : ZT_W;
    *max = vi_set1(INT32_MIN);
    *min = vi_set1(INT32_MAX);
    for (int32_t s = 0; s < samples; s += 4) {
        vf four[4];
        for (int32_t k = 0; k < 4; k++) {
            const int8_t *from = job->sample[(s + k) % samples];
            const vi e = origin + vi_mul(a, vi_set1(from[0])) + vi_mul(b, vi_set1(from[1]));
            const vi c = vi_shr(e, SUBPIXEL_BITS);
            four[k] = vf_bits(c);
            *max = vi_max(*max, c);
            *min = vi_min(*min, c);
        }
        qf by_lane[ZT_W];
        vf_to_qf4(four, by_lane);
        for (int lane = 0; lane < ZT_W; lane++)
            for (int32_t at = s; at<period; at += samples> 4 ? samples : 4)
                qf_store((float *)(void *)(out->c_sample[i][lane] + at), by_lane[lane]);
    }
}

/// Converts lanes to a raster_batch, relative to the origin of each triangle.
static inline void raster_batch_fill(const raster_state *r, const raster_lanes *t,
                                     raster_batch *out)
{
    const vi low = vi_set1(3);
    const vi in_x = vi_and(t->x, low), in_y = vi_and(t->y, low);
    for (int i = 0; i < 3; i++) {
        const vi back = vi_shl(vi_mul(t->a[i], in_x) + vi_mul(t->b[i], in_y), SUBPIXEL_BITS);
        const vi origin = t->e[i] - back;
        const int8_t *from = r->job->sample[0];
        const vi e = origin + vi_mul(t->a[i], vi_set1(from[0])) + vi_mul(t->b[i], vi_set1(from[1]));
        const vi c = vi_shr(e, SUBPIXEL_BITS);
        vi max = c, min = c;
        vi_store(out->c[i], c);
        if (r->job->sample_count > 1)
            raster_fill_samples(r->job, t->a[i], t->b[i], origin, i, out, &max, &min);
        const vi a3 = t->a[i] + vi_shl(t->a[i], 1), b3 = t->b[i] + vi_shl(t->b[i], 1);
        vi_store(out->max[i], max + vi_max(a3, vi_set1(0)) + vi_max(b3, vi_set1(0)));
        vi_store(out->min[i], min + vi_min(a3, vi_set1(0)) + vi_min(b3, vi_set1(0)));
        vi_store(out->ab[i], vi_or(vi_and(t->a[i], vi_set1(0xffff)), vi_shl(t->b[i], 16)));
        vi_store(out->a[i], t->a[i]);
        vi_store(out->b[i], t->b[i]);
    }
    const vi block_x = vi_shr(t->x, 2), block_y = vi_shr(t->y, 2);
    vf_store(out->z0, t->z0);
    vf_store(out->zx, t->zx);
    vf_store(out->zy, t->zy);
    vf_store(out->z_min, t->z_min);
    vf_store(out->z_max, t->z_max);
    vf_store(out->from_x, vf_from_vi(vi_shl(block_x, 2) - t->rx));
    vf_store(out->from_y, vf_from_vi(vi_shl(block_y, 2) - t->ry));
    vi_store(out->id, t->id);
    vi_store(out->block_x, block_x);
    vi_store(out->block_y, block_y);
    vi_store(out->columns, vi_shr(t->x + t->w - vi_set1(1), 2) - block_x + vi_set1(1));
    vi_store(out->rows, vi_shr(t->y + t->h - vi_set1(1), 2) - block_y + vi_set1(1));
}

/// Draws a triangle of a few blocks, in regions that begin at its origin. They are fewer than those
/// of the tile that it touches, and hardly ever hidden or covered as a whole.
ZT_LANE_OP void raster_near_regions(const raster_state *r, int lane, int32_t samples, bool ids)
{
    const raster_batch *t = &r->batch;
    raster_triangle tri;
    raster_triangle_load(r, lane, samples, true, &tri);
    for (int32_t y = 0; y < t->rows[lane]; y += 4)
        for (int32_t x = 0; x < t->columns[lane]; x += 4) {
            raster_blocks blocks;
            raster_test_region(t, lane, &tri, x, y, &blocks);
            const unsigned touched = blocks.touched & raster_box_bits(t, lane, x, y);
            raster_draw_blocks(r, &tri, lane, x, y, &blocks, touched, samples, samples != 1, ids);
        }
}

static __attribute__((noinline)) void raster_near_regions_1x(raster_state *r, int lane)
{
    raster_near_regions(r, lane, 1, true);
}

static __attribute__((noinline)) void raster_near_regions_depth(raster_state *r, int lane)
{
    raster_near_regions(r, lane, 1, false);
}

static __attribute__((noinline)) void raster_near_regions_4x(raster_state *r, int lane)
{
    raster_near_regions(r, lane, 4, true);
}

static __attribute__((noinline)) void raster_near_regions_any(raster_state *r, int lane)
{
    raster_near_regions(r, lane, r->job->sample_count, true);
}

static inline raster_draw *raster_near_regions_for(const raster_job *job)
{
    if (!job->tile.id)
        return raster_near_regions_depth;
    return job->sample_count == 1   ? raster_near_regions_1x
           : job->sample_count == 4 ? raster_near_regions_4x
                                    : raster_near_regions_any;
}

/// The same as raster_is_copy() of a small triangle, which is remembered if it is none.
static inline bool raster_small_is_copy(raster_state *r, const small_triangle *s)
{
    const uint64_t mix = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t word[3]; // all but a depth
    memcpy(word, s, sizeof word);
    const uint64_t key = ((word[0] * mix ^ word[1]) * mix ^ word[2]) * mix >> 32;
    const small_triangle **pair = &r->small[2 * (key % (2 * RASTER_DRAWN))];
    for (int i = 0; i < 2; i++)
        if (pair[i] && pair[i]->id < s->id && memcmp(pair[i], s, offsetof(small_triangle, id)) == 0)
            return true;
    pair[1] = pair[0];
    pair[0] = s;
    return false;
}

/// Draws triangles first .. first + ZT_W - 1 of a run. `behind`: most of them are hidden.
static void raster_small(raster_state *r, const small_triangle_run *run, uint32_t first,
                         bool behind)
{
    const uint32_t left = run->count - first;
    raster_lanes t;
    t.live = left < ZT_W ? (1u << left) - 1u : (1u << ZT_W) - 1u;
    const small_triangle *triangles = run->first + first;
    _Alignas(32) small_triangle tail[ZT_W];
    if (left < ZT_W) { // pad with copies of the last triangle
        for (uint32_t i = 0; i < ZT_W; i++)
            tail[i] = triangles[i < left ? i : left - 1];
        triangles = tail;
    }
    const raster_corners c = raster_fetch(r->job, triangles, &t.id);
    raster_bound(r->job, &c, &t);
    if (behind) {
        t.live &= ~raster_hidden(r, &c, &t);
        if (!t.live)
            return;
    }
    raster_edge_lanes(&c, &t);
    raster_plane(&c, &t);
    unsigned tiny = 0;
    if (r->reach == 0.0f) {
        const vi max = vi_set1(RASTER_TINY + 1);
        tiny = t.live & vm_bits(vm_and(vi_lt(t.w, max), vi_lt(t.h, max)));
        if (tiny)
            raster_tiny(r->job, &t, tiny);
    }
    unsigned rest = t.live & ~tiny;
    if (!rest)
        return;
    raster_batch_fill(r, &t, &r->batch);
    raster_draw *const near_regions = raster_near_regions_for(r->job);
    raster_draw *const regions = raster_regions_for(r->job);
    for (; rest; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const bool near =
            r->batch.columns[lane] <= RASTER_NEAR && r->batch.rows[lane] <= RASTER_NEAR;
        if (!near && raster_small_is_copy(r, &run->first[first + (uint32_t)lane]))
            continue;
        (near ? near_regions : regions)(r, lane);
    }
}
