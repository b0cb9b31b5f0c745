// SPDX-License-Identifier: MIT
// Snapped triangles of a meshlet -> triangles that are not culled, with their depth planes, ZT_W at
// a time.
//
// Orientation: a front face is counter-clockwise for the camera with y up. On the screen, with y
// down, its
//     area2 = (x1 - x0)(y2 - y0) - (y1 - y0)(x2 - x0)
// is negative; that of a back face is positive. Corners 1 and 2 of front faces are swapped, so
// area2 > 0 for everything that is drawn.
//
// Depth plane, with za, zb, zc the depths after the swap and r the centre of the reference pixel:
//     s = 256 / area2, z1 = zb - za, z2 = zc - za, e0 = p1 - p0, e2 = p0 - p2
//     zx = -(z1 e2.y + z2 e0.y) s, zy = (z1 e2.x + z2 e0.x) s
//     z0 = za + (z1 E2(r) + z2 E0(r)) / area2, E(r) = e.x (r.y - p.y) - e.y (r.x - p.x)
// area2 and E are exact integers, rounded once to float. They fit 32 bits when no side is longer
// than SETUP_SHORT along x or y. Lanes with longer triangles use 64-bit arithmetic.

/// With sides up to S and r at most 128 outside the bounding box, |E| <= 2 S (S + 128) < 2^31.
enum { SETUP_SHORT = 32512 };

enum {
    SETUP_SIDES =
        OUTCODE_NEAR | OUTCODE_LEFT | OUTCODE_RIGHT | OUTCODE_TOP | OUTCODE_BOTTOM | OUTCODE_FAR,
};

typedef struct setup_lanes {
    vi x[3], y[3]; ///< fx8
    vf z[3];
} setup_lanes;

/// Where corners are fetched from. Up to 8 lanes: `packed`, the sx, sy, depth and outcode of each
/// vertex together, so that a corner is one load instead of four. 16 lanes: the arrays of
/// `vertices`, whose 64 elements fit four vectors.
typedef struct setup_corners {
    const screen_vertices *vertices;
    _Alignas(16) float packed[64][4];
} setup_corners;

static inline void setup_pack(const screen_vertices *v, setup_corners *out)
{
    out->vertices = v;
    for (int32_t first = 0; first < 64 && ZT_W != 16; first += ZT_W) {
        const vf columns[4] = {vf_bits(vi_load(&v->sx[first])), vf_bits(vi_load(&v->sy[first])),
                               vf_load(&v->depth[first]),
                               vf_bits(vi_load((const int32_t *)&v->outcode[first]))};
        qf q[ZT_W];
        vf_to_qf4(columns, q);
        for (int32_t i = 0; i < ZT_W; i++)
            qf_store(out->packed[first + i], q[i]);
    }
}

/// Fetches corner k of ZT_W triangles; returns outcodes. With 16 lanes depths come later.
static inline vi setup_corner(const setup_job *job, const setup_corners *corners, uint32_t first,
                              int k, setup_lanes *t)
{
    if (ZT_W == 16) {
        const vi index = vi_and(vi_load_u8(job->corner[k] + first), vi_set1(63));
        t->x[k] = vi_lookup64(corners->vertices->sx, index);
        t->y[k] = vi_lookup64(corners->vertices->sy, index);
        return vi_lookup64((const int32_t *)corners->vertices->outcode, index);
    }
    const float *from[ZT_W];
    for (uint32_t i = 0; i < ZT_W; i++)
        from[i] = corners->packed[job->corner[k][first + i] & 63u];
    vf v[4];
    vf_load4(from, v);
    t->x[k] = vi_bits(v[0]);
    t->y[k] = vi_bits(v[1]);
    t->z[k] = v[2];
    return vi_bits(v[3]);
}

/// 16 lanes: fetches the depths, once it is known that triangles are drawn.
static inline void setup_depths(const setup_job *job, const setup_corners *corners, uint32_t first,
                                setup_lanes *t)
{
    for (int k = 0; k < 3 && ZT_W == 16; k++) {
        const vi index = vi_and(vi_load_u8(job->corner[k] + first), vi_set1(63));
        const int32_t *depth = (const int32_t *)(const void *)corners->vertices->depth;
        t->z[k] = vf_bits(vi_lookup64(depth, index));
    }
}

/// Fetches ZT_W triangles. Sets the bits of the lanes to draw and of those to clip.
static inline void setup_fetch(const setup_job *job, const setup_corners *corners, uint32_t first,
                               setup_lanes *t, unsigned *out_draw, unsigned *out_clip)
{
    vi code[3];
    for (int k = 0; k < 3; k++)
        code[k] = setup_corner(job, corners, first, k, t);
    const vi zero = vi_set1(0);
    const vi shared = vi_and(vi_and(code[0], code[1]), vi_and(code[2], vi_set1(SETUP_SIDES)));
    const vi any = vi_or(vi_or(code[0], code[1]), code[2]);
    const vi rejected = vi_or(shared, vi_and(any, vi_set1(OUTCODE_INVALID)));
    const unsigned left = job->count - first;
    const unsigned live = left < ZT_W ? (1u << left) - 1u : (1u << ZT_W) - 1u;
    const unsigned keep = vm_bits(vi_eq(rejected, zero)) & live;
    const unsigned whole = vm_bits(vi_eq(vi_and(any, vi_set1(OUTCODE_CLIP)), zero));
    *out_draw = keep & whole;
    *out_clip = keep & ~whole;
}

/// a.x b.y - a.y b.x, exact in 32 bits, or 64 for lanes of `wide`, rounded to float.
static inline vf setup_cross(vi ax, vi ay, vi bx, vi by, unsigned wide)
{
    const vi zero = vi_set1(0);
    const vm narrow = vm_not(vm_from_bits(wide));
    const vi sax = vi_sel(narrow, ax, zero), say = vi_sel(narrow, ay, zero);
    // Lanes that are not drawn may have any values: wrapping keeps their arithmetic defined.
    vf result = vf_from_vi(vi_add_wrap(vi_mul(sax, by), vi_mul(zero - say, bx)));
    if (wide) {
        int32_t x0[ZT_W], y0[ZT_W], x1[ZT_W], y1[ZT_W];
        float r[ZT_W];
        vi_store(x0, ax);
        vi_store(y0, ay);
        vi_store(x1, bx);
        vi_store(y1, by);
        vf_store(r, result);
        for (unsigned bits = wide; bits; bits &= bits - 1) {
            const int i = __builtin_ctz(bits);
            r[i] = (float)((int64_t)x0[i] * y1[i] - (int64_t)y0[i] * x1[i]);
        }
        result = vf_load(r);
    }
    return result;
}

/// Lanes with a side longer than SETUP_SHORT along an axis.
static inline vm setup_is_long(vi lo_x, vi hi_x, vi lo_y, vi hi_y)
{
    const vi max = vi_set1(SETUP_SHORT);
    return vm_or(vi_gt(hi_x - lo_x, max), vi_gt(hi_y - lo_y, max));
}

/// Writes lanes of `draw` as setup_triangles: five groups of four words, the last overlapping.
static inline void setup_write(setup_triangle *out, unsigned draw, const vf words[20],
                               uint32_t *count)
{
    qf q[5][ZT_W];
    for (int k = 0; k < 5; k++)
        vf_to_qf4(&words[4 * k], q[k]);
    for (unsigned bits = draw; bits; bits &= bits - 1) {
        const int i = __builtin_ctz(bits);
        char *to = (char *)&out[(*count)++];
        for (int k = 0; k < 4; k++)
            memcpy(to + 16 * k, &q[k][i], 16);
        memcpy(to + 60, &q[4][i], 16);
    }
}

_Static_assert(sizeof(setup_triangle) == 76 && offsetof(setup_triangle, z0) == 24 &&
                   offsetof(setup_triangle, z_min) == 36 && offsetof(setup_triangle, rx) == 44 &&
                   offsetof(setup_triangle, id) == 52 && offsetof(setup_triangle, min_x) == 60,
               "setup_write and setup_large depend on this layout");

/// Writes lanes of `draw` as small_triangles. Stores every lane, but advances only for those drawn:
/// a branch on each lane would mispredict.
static inline void setup_write_small(const setup_job *job, unsigned draw, const setup_lanes *t,
                                     vi id, vi tiles)
{
    const vi low = vi_set1(0xffff);
    const vi d1 = vi_or(vi_and(t->x[1] - t->x[0], low), vi_shl(t->y[1] - t->y[0], 16));
    const vi d2 = vi_or(vi_and(t->x[2] - t->x[0], low), vi_shl(t->y[2] - t->y[0], 16));
    const vf words[8] = {vf_bits(t->x[0]), vf_bits(t->y[0]), vf_bits(d1), vf_bits(d2),
                         t->z[0],          t->z[1],          t->z[2],     vf_bits(id)};
    qf q[2][ZT_W];
    int32_t tile[ZT_W];
    vf_to_qf4(words, q[0]);
    vf_to_qf4(words + 4, q[1]);
    vi_store(tile, tiles);
    uint32_t count = *job->small_count;
    for (int i = 0; i < ZT_W; i++) {
        float *to = (float *)(void *)&job->small[count];
        qf_store(to, q[0][i]);
        qf_store(to + 4, q[1][i]);
        job->small_tiles[count] = (uint32_t)tile[i];
        count += draw >> i & 1u;
    }
    *job->small_count = count;
}

/// Pixels that may be covered. With one sample: those whose centres lie in the bounding box. With
/// more: those that the box touches (samples lie in [-128, 128) / 256 of the centre).
typedef struct setup_box {
    vi min_x, min_y, max_x, max_y;
} setup_box;

static inline setup_box setup_pixels(const setup_job *job, const setup_box *fx8)
{
    const vi low = vi_set1(job->sample_count > 1 ? 0 : 127);
    const vi high = vi_set1(job->sample_count > 1 ? 0 : 128);
    const vi zero = vi_set1(0);
    return (setup_box){
        vi_max(vi_shr(fx8->min_x + low, SUBPIXEL_BITS), zero),
        vi_max(vi_shr(fx8->min_y + low, SUBPIXEL_BITS), zero),
        vi_min(vi_shr(fx8->max_x - high, SUBPIXEL_BITS), vi_set1(job->width - 1)),
        vi_min(vi_shr(fx8->max_y - high, SUBPIXEL_BITS), vi_set1(job->height - 1)),
    };
}

/// Bits of the lanes that `cull` does not remove.
static inline unsigned setup_facing(setup_cull cull, vf area2)
{
    const vf zero = vf_set1(0.0f);
    const unsigned front = vm_bits(vf_lt(area2, zero)), back = vm_bits(vf_gt(area2, zero));
    if (cull == SETUP_CULL_BACK)
        return front;
    return cull == SETUP_CULL_FRONT ? back : front | back;
}

/// Swaps corners 1 and 2 of front faces.
static inline void setup_orient(vf area2, setup_lanes *t)
{
    const vm front = vf_lt(area2, vf_set1(0.0f));
    const vi x1 = t->x[1], y1 = t->y[1];
    const vf z1 = t->z[1];
    t->x[1] = vi_sel(front, t->x[2], x1);
    t->y[1] = vi_sel(front, t->y[2], y1);
    t->z[1] = vf_sel(front, t->z[2], z1);
    t->x[2] = vi_sel(front, x1, t->x[2]);
    t->y[2] = vi_sel(front, y1, t->y[2]);
    t->z[2] = vf_sel(front, z1, t->z[2]);
}

/// Depth planes of the lanes of `draw`, whose area2 is positive, written as setup_triangles.
static inline void setup_large(const setup_job *job, unsigned draw, unsigned wide,
                               const setup_lanes *t, const setup_box *box, vf area2, vi id)
{
    area2 = vf_sel(vm_from_bits(draw), area2, vf_set1(1.0f));
    const vi e0x = t->x[1] - t->x[0], e0y = t->y[1] - t->y[0];
    const vi e2x = t->x[0] - t->x[2], e2y = t->y[0] - t->y[2];
    const vi center_x = vi_shl(box->min_x, SUBPIXEL_BITS) + vi_set1(SUBPIXEL_ONE / 2);
    const vi center_y = vi_shl(box->min_y, SUBPIXEL_BITS) + vi_set1(SUBPIXEL_ONE / 2);
    const vf at2 = setup_cross(e2x, e2y, center_x - t->x[2], center_y - t->y[2], wide);
    const vf at0 = setup_cross(e0x, e0y, center_x - t->x[0], center_y - t->y[0], wide);

    const vf z1 = t->z[1] - t->z[0], z2 = t->z[2] - t->z[0];
    const vf inverse = vf_set1(1.0f) / area2, step = inverse * vf_set1((float)SUBPIXEL_ONE);
    const vf slope_x = (z1 * vf_from_vi(e2y) + z2 * vf_from_vi(e0y)) * step;
    const vf slope_y = (z1 * vf_from_vi(e2x) + z2 * vf_from_vi(e0x)) * step;
    const vf words[20] = {vf_bits(t->x[0]),
                          vf_bits(t->x[1]),
                          vf_bits(t->x[2]),
                          vf_bits(t->y[0]),
                          vf_bits(t->y[1]),
                          vf_bits(t->y[2]),
                          t->z[0] + inverse * (z1 * at2 + z2 * at0),
                          vf_neg(slope_x),
                          slope_y,
                          vf_min(vf_min(t->z[0], t->z[1]), t->z[2]),
                          vf_max(vf_max(t->z[0], t->z[1]), t->z[2]),
                          vf_bits(box->min_x),
                          vf_bits(box->min_y),
                          vf_bits(id),
                          vf_bits(vi_set1((int32_t)job->masked)),
                          vf_bits(box->min_x),
                          vf_bits(box->min_x),
                          vf_bits(box->min_y),
                          vf_bits(box->max_x),
                          vf_bits(box->max_y)};
    setup_write(job->out, draw, words, job->out_count);
}

/// The tiles that bounding boxes touch, packed as setup_job.small_tiles.
static inline vi setup_tiles(const setup_box *box)
{
    const vi first =
        vi_or(vi_shr(box->min_x, 6), vi_shl(vi_shr(box->min_y, 6), SMALL_TILES_FIRST_ROW));
    return vi_or(vi_or(first, vi_shl(vi_shr(box->max_x, 6), SMALL_TILES_LAST_COLUMN)),
                 vi_shl(vi_shr(box->max_y, 6), SMALL_TILES_LAST_ROW));
}

_Static_assert(TILE_SIZE == 1 << 6, "setup_tiles shifts by 6");

static inline void setup_batch(const setup_job *job, const setup_corners *corners, uint32_t first)
{
    unsigned draw, clip;
    setup_lanes t;
    setup_fetch(job, corners, first, &t, &draw, &clip);
    for (; clip; clip &= clip - 1)
        job->clip_list[(*job->clip_count)++] = (uint8_t)(first + (unsigned)__builtin_ctz(clip));

    const setup_box fx8 = {
        vi_min(vi_min(t.x[0], t.x[1]), t.x[2]), vi_min(vi_min(t.y[0], t.y[1]), t.y[2]),
        vi_max(vi_max(t.x[0], t.x[1]), t.x[2]), vi_max(vi_max(t.y[0], t.y[1]), t.y[2])};
    const setup_box box = setup_pixels(job, &fx8);
    draw &= ~vm_bits(vm_or(vi_gt(box.min_x, box.max_x), vi_gt(box.min_y, box.max_y)));
    if (!draw)
        return;
    const unsigned wide = vm_bits(setup_is_long(fx8.min_x, fx8.max_x, fx8.min_y, fx8.max_y)) & draw;
    vf area2 =
        setup_cross(t.x[1] - t.x[0], t.y[1] - t.y[0], t.x[2] - t.x[0], t.y[2] - t.y[0], wide);
    draw &= setup_facing(job->cull, area2);
    if (!draw)
        return;
    setup_depths(job, corners, first, &t);
    setup_orient(area2, &t);
    area2 = vf_abs(area2);
    const vi id = vi_set1((int32_t)(job->first_id + first)) + vi_iota();
    unsigned large = draw;
    if (job->small) {
        const vi max = vi_set1(SMALL_SIDE);
        large &=
            vm_bits(vm_or(vi_gt(fx8.max_x - fx8.min_x, max), vi_gt(fx8.max_y - fx8.min_y, max)));
        if (draw & ~large)
            setup_write_small(job, draw & ~large, &t, id, setup_tiles(&box));
    }
    if (large)
        setup_large(job, large, wide & large, &t, &box, area2, id);
}

static void setup(const setup_job *job)
{
    setup_corners corners;
    setup_pack(job->vertices, &corners);
    *job->out_count = 0;
    *job->clip_count = 0;
    if (job->small)
        *job->small_count = 0;
    for (uint32_t first = 0; first < job->count; first += ZT_W)
        setup_batch(job, &corners, first);
}
