// SPDX-License-Identifier: MIT
// The loops of ambient occlusion (occlusion_loops.h): distances, search, smoothing, quads.
//
// Search. Through a texel leads one line of the screen with six samples on both sides. It turns
// with the position in a pattern of 4x4 texels, and its samples shift along it; smoothing over one
// period sees all 16 directions. More samples on fewer lines are nearer to the limit of both: what
// a line steps over is lost, while its neighbours see other directions. In the plane of the eye and
// the line, N' is the projected normal, of length L and at the angle n from the direction to the
// eye. A sample at offset v rises by v . N over the tangent plane, so the sine of its elevation in
// the line's plane is v . N / (L |v|): this counts samples near the line (they are at centres of
// texels) by their elevation, so that a tilted plane does not occlude itself. Elevations fade from
// 0.7 of the radius on, and nearer in the direction of the eye: what hides a point has a back that
// the screen does not show, and light may pass behind it (the compensation for thin occluders of
// Jimenez et al. 2016, section 4.3, has the same aim). Between the horizons h1 and h0 the
// cosine-weighted light is (Jimenez et al. 2016, equation 7, with sines and cosines of the
// elevations)
//   2 A = cos n (s1^2 + s0^2) + sin n ((h1 - h0) - s1 c1 + s0 c0).
//
// Smoothing weights the 5x5 neighbours of a texel by 1/2 1 1 1 1/2 along each axis, so that every
// place of the pattern counts the same, and by how well they continue the plane through the texel.

enum {
    OCCLUSION_STEPS = 6,
    OCCLUSION_PATTERN = 4,
    OCCLUSION_POINTS = 8, ///< vectors of texels that go through the loops of the search together
};

/// Cosines and sines of (i + 1/2) pi / 16: the direction of the line of the texel with rank i.
static const float occlusion_direction[16][2] = {
    {0.995184727f, 0.0980171403f},  {0.956940336f, 0.290284677f},  {0.881921264f, 0.471396737f},
    {0.773010453f, 0.634393284f},   {0.634393284f, 0.773010453f},  {0.471396737f, 0.881921264f},
    {0.290284677f, 0.956940336f},   {0.0980171403f, 0.995184727f}, {-0.0980171403f, 0.995184727f},
    {-0.290284677f, 0.956940336f},  {-0.471396737f, 0.881921264f}, {-0.634393284f, 0.773010453f},
    {-0.773010453f, 0.634393284f},  {-0.881921264f, 0.471396737f}, {-0.956940336f, 0.290284677f},
    {-0.995184727f, 0.0980171403f},
};

/// Ranks of the texels of the pattern: an ordered dither (Bayer 1973), so that neighbours differ.
static const uint8_t occlusion_rank[OCCLUSION_PATTERN][OCCLUSION_PATTERN] = {
    {0, 8, 2, 10},
    {12, 4, 14, 6},
    {3, 11, 1, 9},
    {15, 7, 13, 5},
};

/// Rows of the pattern, repeated so that ZT_W texels from any column on can be loaded.
typedef struct occlusion_pattern {
    float cosine[16 + OCCLUSION_PATTERN], sine[16 + OCCLUSION_PATTERN];
    /// [i]: the share of the reach, 0..1, at which the line has its sample i.
    float share[OCCLUSION_STEPS][16 + OCCLUSION_PATTERN];
} occlusion_pattern;

static void occlusion_pattern_row(int32_t y, occlusion_pattern *out)
{
    for (int32_t x = 0; x < 16 + OCCLUSION_PATTERN; x++) {
        const int32_t rank = occlusion_rank[y & 3][x & 3];
        // 7 r mod 16 spreads the shifts over the directions.
        const float shift = ((float)(7 * rank & 15) + 0.5f) * (1.0f / 16.0f);
        for (int32_t k = 0; k < OCCLUSION_STEPS; k++) {
            const float t = ((float)k + shift) * (1.0f / OCCLUSION_STEPS);
            out->share[k][x] = t * t;
        }
        out->cosine[x] = occlusion_direction[rank][0];
        out->sine[x] = occlusion_direction[rank][1];
    }
}

/// Arc cosine for 0 <= x <= 1 within 7e-5 (Abramowitz & Stegun 1964, 4.4.45).
ZT_LANE_OP vf occlusion_acos(vf x)
{
    vf p = vf_set1(-0.0187293f);
    p = p * x + vf_set1(0.0742610f);
    p = p * x - vf_set1(0.2121144f);
    p = p * x + vf_set1(1.5707288f);
    return vf_sqrt(vf_set1(1.0f) - x) * p;
}

/// The depth of occlusion_planes.found at a distance; 0: nothing.
ZT_LANE_OP vf occlusion_depth(const occlusion_view *v, vf distance)
{
    const vf depth = v->orthographic ? vf_set1(2.0f) - distance * vf_set1(1.0f / v->depth_range)
                                     : vf_set1(1.0f) / distance;
    return vf_sel(vf_lt(distance, vf_set1(OCCLUSION_NOTHING)), depth, vf_set1(0.0f));
}

/// The depth's step to the neighbour nearer in depth; 0 if both neighbours see nothing.
ZT_LANE_OP vf occlusion_slope(vf before, vf at, vf after)
{
    const vf zero = vf_set1(0.0f), a = at - before, b = after - at;
    const vf nearer = vf_sel(vf_lt(vf_abs(a), vf_abs(b)), a, b);
    return vf_sel(vf_gt(vf_max(before, after), zero), nearer, zero);
}

// ---- Distances ----------------------------------------------------------------------------------

/// Distances of ZT_W depths of the raster.
ZT_LANE_OP vf occlusion_distances(const occlusion_view *v, vf depth)
{
    const vf one = vf_set1(1.0f);
    const vf distance = v->orthographic ? (one - depth) * vf_set1(v->depth_range)
                                        : one / vf_max(depth, vf_set1(1.0f / OCCLUSION_NOTHING));
    return vf_sel(vf_ge(depth, vf_set1(0.0f)), distance, vf_set1(OCCLUSION_NOTHING));
}

/// Writes the texels of one block of 4x4 pixels that are inside the picture.
static inline void occlusion_write_block(const occlusion_view *v, const float *depth,
                                         int32_t columns, int32_t rows, float *to)
{
    float block[16];
    for (int32_t at = 0; at < 16; at += ZT_W)
        vf_store(block + at, occlusion_distances(v, vf_load(depth + at)));
    lanes_to_memory(block);
    for (int32_t y = 0; y < 4 && y < rows; y += v->step)
        for (int32_t x = 0; x < 4 && x < columns; x += v->step)
            to[y / v->step * v->stride + x / v->step] = block[4 * y + x];
}

/// The same for four whole blocks side by side, of which every other pixel is a texel.
static inline void occlusion_write_four(const occlusion_view *v, const float *depth, float *to)
{
    static const int32_t pixel[16] = {0, 2, 16, 18, 32, 34, 48, 50, 8, 10, 24, 26, 40, 42, 56, 58};
    float texel[16];
    for (int32_t at = 0; at < 16; at += ZT_W)
        vf_store(texel + at, occlusion_distances(v, vf_gather(depth, vi_load(pixel + at))));
    lanes_to_memory(texel);
    memcpy(to, texel, 8 * sizeof *to);
    memcpy(to + v->stride, texel + 8, 8 * sizeof *to);
}

static void occlusion_empty_tile(const occlusion_view *v, const occlusion_distance_job *job,
                                 float *to)
{
    const int32_t columns = (job->width + v->step - 1) / v->step;
    const int32_t rows = (job->height + v->step - 1) / v->step;
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++)
            to[(ptrdiff_t)y * v->stride + x] = OCCLUSION_NOTHING;
}

static void occlusion_distance(const occlusion_distance_job *job)
{
    const occlusion_view *v = &job->planes->view;
    float *first =
        job->planes->distance + (ptrdiff_t)(job->y / v->step) * v->stride + job->x / v->step;
    if (!job->depth) {
        occlusion_empty_tile(v, job, first);
        return;
    }
    for (int32_t y = 0; y < job->height; y += 4) {
        const float *depth = job->depth + y / 4 * TILE_BLOCKS * 16;
        float *to = first + (ptrdiff_t)(y / v->step) * v->stride;
        const bool whole = v->step == 2 && job->height - y >= 4;
        int32_t x = 0;
        for (; whole && x + 16 <= job->width; x += 16)
            occlusion_write_four(v, depth + 4 * x, to + x / 2);
        for (; x < job->width; x += 4)
            occlusion_write_block(v, depth + 4 * x, job->width - x, job->height - y,
                                  to + x / v->step);
    }
}

// ---- Search -------------------------------------------------------------------------------------

/// Texels on each side of a texel that are in the plane or next to it.
typedef struct occlusion_room {
    vf left, right, above, below;
} occlusion_room;

/// ZT_W texels of a row.
typedef struct occlusion_point {
    vi here;                     ///< the texels in a plane
    vf distance;                 ///< metres
    vf ray_x, ray_y;             ///< the ray is (ray_x, ray_y, 1); 0 in orthographic views
    vf direction_x, direction_y; ///< of the line
    vec3_lanes normal;
    vf n_dot_v, inv_ray;       ///< inv_ray: 1 / |ray|
    vf reach;                  ///< texels
    vf inv_radius2;            ///< 1 / m^2
    vf inv_thickness2;         ///< 1 / m^2
    vf share[OCCLUSION_STEPS]; ///< occlusion_pattern.share
    occlusion_room room;
    int32_t inside;   ///< first samples of a line that are in the plane, in all lanes
    int32_t *out;     ///< in `found`
    vf ahead, behind; ///< the highest rises along the line
} occlusion_point;

/// The offset (ox, oy) texels away; outside of the plane, of one in the border. Exact.
ZT_LANE_OP vi occlusion_offset(const occlusion_view *v, vf ox, vf oy)
{
    return vi_from_vf(oy * vf_set1((float)v->stride) + ox);
}

/// The two samples of the line at one place: how far they are, in texels, and what is there.
typedef struct occlusion_samples {
    vf x, y;          ///< ahead; behind they are negative
    vf ahead, behind; ///< distances
} occlusion_samples;

/// Fetches the samples `far` texels from the point. `inside`: all are in the plane.
ZT_LANE_OP void occlusion_fetch(const occlusion_planes *planes, const occlusion_point *p, vf far,
                                bool inside, occlusion_samples *out)
{
    const occlusion_view *v = &planes->view;
    const vf half = vf_set1(0.5f);
    const vf ox = vf_floor(p->direction_x * far + half);
    const vf oy = vf_floor(p->direction_y * far + half);
    vi ahead, behind;
    if (inside) {
        ahead = behind = occlusion_offset(v, ox, oy);
    } else {
        const occlusion_room *r = &p->room;
        ahead = occlusion_offset(v, vf_max(vf_min(ox, r->right), vf_neg(r->left)),
                                 vf_max(vf_min(oy, r->below), vf_neg(r->above)));
        behind = occlusion_offset(v, vf_max(vf_min(ox, r->left), vf_neg(r->right)),
                                  vf_max(vf_min(oy, r->above), vf_neg(r->below)));
    }
    out->x = ox;
    out->y = oy;
    out->ahead = vf_gather(planes->distance, p->here + ahead);
    out->behind = vf_gather(planes->distance, p->here - behind);
}

/// A weight of the fade that counts as 1, and how much more depth counts than distance.
#define OCCLUSION_FULL  0.5f
#define OCCLUSION_DEPTH 3.0f

/// A squared sine of elevation, times a squared weight, as a fraction: compared undivided.
typedef struct occlusion_horizon {
    vf up;  ///< m^2
    vf far; ///< square of the distance, in radii
} occlusion_horizon;

/// The higher of `h` and the horizon of a point at `distance`, which is (dx, dy) metres away on the
/// screen at distance 1 (in orthographic views at any); `behind`: as far in the other direction.
ZT_LANE_OP occlusion_horizon occlusion_rise(bool orthographic, const occlusion_point *p,
                                            vf distance, vf dx, vf dy, bool behind,
                                            occlusion_horizon h)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f), nearer = distance - p->distance;
    const vf scale = orthographic ? one : distance;
    const vf ray_x = p->ray_x * nearer, ray_y = p->ray_y * nearer;
    const vf x = behind ? ray_x - dx * scale : ray_x + dx * scale;
    const vf y = behind ? ray_y - dy * scale : ray_y + dy * scale;
    const vf depth2 = nearer * nearer, far = ((x * x + y * y) + depth2) * p->inv_radius2;
    const vf weight = vf_min((one - far) - depth2 * p->inv_thickness2, vf_set1(OCCLUSION_FULL));
    const vf height = (x * p->normal.x + y * p->normal.y) + nearer * p->normal.z;
    const vf weighted = vf_max(height, zero) * vf_max(weight, zero);
    const vf up = weighted * weighted;
    const vm higher = vf_gt(up * h.far, h.up * far);
    return (occlusion_horizon){vf_sel(higher, up, h.up), vf_sel(higher, far, h.far)};
}

ZT_LANE_OP vf occlusion_horizon_value(const occlusion_point *p, occlusion_horizon h)
{
    return h.up * (p->inv_radius2 * vf_set1(1.0f / (OCCLUSION_FULL * OCCLUSION_FULL))) / h.far;
}

/// Sets the highest rises along the line through a point. All samples are fetched first: what
/// waits for one that is on its way would leave no room in the processor for others.
ZT_LANE_OP void occlusion_line(const occlusion_planes *planes, occlusion_point *p)
{
    const occlusion_view *v = &planes->view;
    const vf one = vf_set1(1.0f), beyond = p->reach - one;
    occlusion_samples samples[OCCLUSION_STEPS];
    int32_t k = 0;
    for (; k < p->inside; k++)
        occlusion_fetch(planes, p, one + beyond * p->share[k], true, &samples[k]);
    for (; k < OCCLUSION_STEPS; k++)
        occlusion_fetch(planes, p, one + beyond * p->share[k], false, &samples[k]);
    occlusion_horizon ahead = {vf_set1(0.0f), one}, behind = ahead;
    for (k = 0; k < OCCLUSION_STEPS; k++) {
        const occlusion_samples *at = &samples[k];
        const vf dx = at->x * vf_set1(v->dx), dy = at->y * vf_set1(v->dy);
        ahead = occlusion_rise(v->orthographic, p, at->ahead, dx, dy, false, ahead);
        behind = occlusion_rise(v->orthographic, p, at->behind, dx, dy, true, behind);
    }
    p->ahead = occlusion_horizon_value(p, ahead);
    p->behind = occlusion_horizon_value(p, behind);
}

/// The light blocked in the plane of the line; the mean over directions is a point's share.
ZT_LANE_OP vf occlusion_slice(const occlusion_point *p)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    // The projected normal: towards the eye, and along the line at a right angle to that.
    const vf d_dot_v = zero - (p->direction_x * p->ray_x + p->direction_y * p->ray_y) * p->inv_ray;
    const vf d_dot_n = p->direction_x * p->normal.x + p->direction_y * p->normal.y;
    const vf across = (d_dot_n - d_dot_v * p->n_dot_v) / vf_sqrt(one - d_dot_v * d_dot_v);
    const vf length2 = vf_max(across * across + p->n_dot_v * p->n_dot_v, vf_set1(1e-12f));
    const vf length = vf_sqrt(length2), inv_length = one / length;
    const vf sine = across * inv_length, cosine = p->n_dot_v * inv_length;
    // A horizon stays on its side of the direction to the eye.
    const vf max1 = vf_sel(vf_lt(sine, zero), cosine * cosine, one);
    const vf max0 = vf_sel(vf_gt(sine, zero), cosine * cosine, one);
    const vf up1 = vf_min(p->ahead / length2, max1);
    const vf up0 = vf_min(p->behind / length2, max0);
    const vf se1 = vf_sqrt(up1), ce1 = vf_sqrt(one - up1);
    const vf se0 = vf_sqrt(up0), ce0 = vf_sqrt(one - up0);
    const vf c1 = se1 * cosine - ce1 * sine, s1 = ce1 * cosine + se1 * sine;
    const vf c0 = se0 * cosine + ce0 * sine, s0 = ce0 * cosine - se0 * sine;
    // The angle n with the sign of its sine; h1 - h0 = 2 n - e1 + e0 for the elevations e.
    const vf size = occlusion_acos(vf_min(cosine, one));
    const vf angle = vf_sel(vf_lt(sine, zero), zero - size, size);
    const vf opening = (angle + angle) + (occlusion_acos(se1) - occlusion_acos(se0));
    const vf light = cosine * (s1 * s1 + s0 * s0) + sine * ((opening - s1 * c1) + s0 * c0);
    const vf all = (cosine + cosine) + sine * (angle + angle);
    return (all - light) * (length * vf_set1(0.5f));
}

/// The number of first samples that are in the plane, on the lines from ZT_W texels at (x, y).
/// Sample k is at most at the share ((k + 1) / OCCLUSION_STEPS)^2 between one texel and the reach.
ZT_LANE_OP int32_t occlusion_inside(const occlusion_view *v, int32_t x, int32_t y, vf reach)
{
    const int32_t from_x = x < v->width - x - ZT_W ? x : v->width - x - ZT_W;
    const int32_t from_y = y < v->height - 1 - y ? y : v->height - 1 - y;
    const float beyond = (float)((from_x < from_y ? from_x : from_y) - 2);
    int32_t k = 0;
    while (k < OCCLUSION_STEPS) {
        const float share = (float)((k + 1) * (k + 1)) / (OCCLUSION_STEPS * OCCLUSION_STEPS);
        if (vm_any(vf_gt(reach, vf_set1(1.0f + beyond / share))))
            break;
        k++;
    }
    return k;
}

/// The lines through ZT_W texels from column x on. `pattern`: of their row.
ZT_LANE_OP void occlusion_lines_build(const occlusion_pattern *pattern, int32_t x,
                                      occlusion_point *p)
{
    const int32_t column = x & (OCCLUSION_PATTERN - 1);
    p->direction_x = vf_load(pattern->cosine + column);
    p->direction_y = vf_load(pattern->sine + column);
    for (int32_t k = 0; k < OCCLUSION_STEPS; k++)
        p->share[k] = vf_load(pattern->share[k] + column);
}

/// Sets the normals from the depths of the neighbours, and what follows from distance and view.
ZT_LANE_OP void occlusion_point_build(const occlusion_planes *planes, int32_t x, int32_t y,
                                      occlusion_point *p)
{
    const occlusion_view *v = &planes->view;
    const ptrdiff_t at = (ptrdiff_t)y * v->stride + x;
    const float *distance = planes->distance + at;
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    p->distance = vf_load(distance);
    p->out = (int32_t *)(planes->found + at);
    const vf depth = occlusion_depth(v, p->distance);
    const vf slope_x = occlusion_slope(occlusion_depth(v, vf_load(distance - 1)), depth,
                                       occlusion_depth(v, vf_load(distance + 1)));
    const vf slope_y = occlusion_slope(occlusion_depth(v, vf_load(distance - v->stride)), depth,
                                       occlusion_depth(v, vf_load(distance + v->stride)));
    const vf column = vf_from_vi(vi_set1(x) + vi_iota()), row = vf_set1((float)y);
    p->here = vi_set1(y * v->stride + x) + vi_iota();
    p->room = (occlusion_room){column + one, vf_set1((float)v->width) - column, row + one,
                               vf_set1((float)v->height) - row};
    p->ray_x = p->ray_y = zero;
    vec3_lanes g;
    vf texel = vf_set1(v->dx); // metres
    if (v->orthographic) {
        g = (vec3_lanes){slope_x * vf_set1(v->depth_range / v->dx),
                         slope_y * vf_set1(v->depth_range / v->dy), one};
    } else {
        p->ray_x = vf_set1(v->x) + column * vf_set1(v->dx);
        p->ray_y = vf_set1(v->y) + row * vf_set1(v->dy);
        g = (vec3_lanes){slope_x * vf_set1(1.0f / v->dx), slope_y * vf_set1(1.0f / v->dy), zero};
        g.z = (depth - g.x * p->ray_x) - g.y * p->ray_y;
        texel = texel * p->distance;
    }
    const vf length2 = vec3_dot(g, g);
    p->normal = vec3_scale(g, vf_set1(-1.0f) / vf_sqrt(vf_max(length2, vf_set1(1e-36f))));
    p->inv_ray = one / vf_sqrt((p->ray_x * p->ray_x + p->ray_y * p->ray_y) + one);
    p->n_dot_v = vf_max(((zero - p->normal.x * p->ray_x) - p->normal.y * p->ray_y - p->normal.z) *
                            p->inv_ray,
                        vf_set1(1e-4f));
    p->reach = vf_min(vf_set1(v->radius) / texel, vf_set1((float)OCCLUSION_REACH));
    p->inside = occlusion_inside(v, x, y, p->reach);
    const vf radius = p->reach * texel;
    p->inv_radius2 = one / (radius * radius);
    p->inv_thickness2 = p->inv_radius2 * vf_set1(OCCLUSION_DEPTH);
}

/// The result for a point -> `found`.
ZT_LANE_OP void occlusion_point_finish(const occlusion_view *v, const occlusion_point *p)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    // A radius below two texels fades: there is no sample between.
    const vf fade = vf_clamp(p->reach - one, zero, one) * vf_set1(v->intensity);
    const vf open = vf_clamp(one - fade * occlusion_slice(p), zero, one);
    const vi code = vi_from_vf(open * vf_set1(255.0f) + vf_set1(0.5f));
    const vi word = vi_or(vi_andnot(vi_bits(occlusion_depth(v, p->distance)), vi_set1(255)), code);
    const vm seen = vf_lt(p->distance, vf_set1(OCCLUSION_NOTHING));
    vi_store(p->out, vi_sel(seen, word, vi_set1(0)));
}

/// Points that are built -> `found`. Returns 0.
static int32_t occlusion_points_search(const occlusion_planes *planes, occlusion_point points[],
                                       int32_t count)
{
    const occlusion_planes own = *planes; // to the compiler, stores could change those
    for (int32_t i = 0; i < count; i++)
        occlusion_line(&own, &points[i]);
    for (int32_t i = 0; i < count; i++)
        occlusion_point_finish(&own.view, &points[i]);
    return 0;
}

/// Points go through three loops: the iterations of each are independent, so that a processor
/// overlaps several. One point alone is a long chain of dependent operations.
static void occlusion_search(const occlusion_rows_job *job)
{
    const occlusion_view *v = &job->planes->view;
    const vf nothing = vf_set1(OCCLUSION_NOTHING);
    occlusion_pattern patterns[OCCLUSION_PATTERN];
    occlusion_point points[OCCLUSION_POINTS];
    int32_t count = 0;
    for (int32_t y = 0; y < OCCLUSION_PATTERN; y++)
        occlusion_pattern_row(y, &patterns[y]);
    for (int32_t y = job->first; y < job->end; y++)
        for (int32_t x = 0; x < v->width; x += ZT_W) {
            const ptrdiff_t at = (ptrdiff_t)y * v->stride + x;
            int32_t *out = (int32_t *)(job->planes->found + at);
            if (!vm_any(vf_lt(vf_load(job->planes->distance + at), nothing))) {
                vi_store(out, vi_set1(0));
                continue;
            }
            occlusion_lines_build(&patterns[y % OCCLUSION_PATTERN], x, &points[count]);
            occlusion_point_build(job->planes, x, y, &points[count++]);
            if (count == OCCLUSION_POINTS)
                count = occlusion_points_search(job->planes, points, count);
        }
    (void)occlusion_points_search(job->planes, points, count);
}

/// Rows of one plane from those of another, where there is a surface.
ZT_LANE_OP void occlusion_rows(const occlusion_rows_job *job, const uint32_t *from, uint32_t *to,
                               vi (*texels)(const occlusion_view *v, const int32_t *from))
{
    const occlusion_view *v = &job->planes->view;
    for (int32_t y = job->first; y < job->end; y++) {
        const int32_t *row = (const int32_t *)from + (ptrdiff_t)y * v->stride;
        int32_t *out = (int32_t *)to + (ptrdiff_t)y * v->stride;
        for (int32_t x = 0; x < v->width; x += ZT_W) {
            if (vm_all(vi_eq(vi_load(row + x), vi_set1(0))))
                vi_store(out + x, vi_set1(0));
            else
                vi_store(out + x, texels(v, row + x));
        }
    }
}

// ---- Smoothing ----------------------------------------------------------------------------------

ZT_LANE_OP vi occlusion_smooth_texels(const occlusion_view *v, const int32_t *from)
{
    static const float weights[5] = {0.5f, 1.0f, 1.0f, 1.0f, 0.5f};
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    const vi word = vi_load(from);
    const vf depth = occlusion_word_depth(word);
    const vf slope_x = occlusion_slope(occlusion_word_depth(vi_load(from - 1)), depth,
                                       occlusion_word_depth(vi_load(from + 1)));
    const vf slope_y = occlusion_slope(occlusion_word_depth(vi_load(from - v->stride)), depth,
                                       occlusion_word_depth(vi_load(from + v->stride)));
    const vf inv_tolerance = occlusion_inv_tolerance(v, vf_max(depth, vf_set1(1e-20f)));
    vf sum = zero, weight_sum = zero;
    for (int32_t j = -2; j <= 2; j++) {
        for (int32_t i = -2; i <= 2; i++) {
            const vi other = vi_load(from + j * v->stride + i);
            const vf expected = (depth + slope_x * vf_set1((float)i)) + slope_y * vf_set1((float)j);
            const vf off = vf_abs(occlusion_word_depth(other) - expected) * inv_tolerance;
            const vf weight = vf_max(one - off, zero) * vf_set1(weights[i + 2] * weights[j + 2]);
            sum = sum + vf_from_vi(vi_and(other, vi_set1(255))) * weight;
            weight_sum = weight_sum + weight;
        }
    }
    // The texel itself has weight 1.
    const vf mean = vf_clamp(sum / vf_max(weight_sum, one), zero, vf_set1(255.0f));
    const vi code = vi_from_vf(mean + vf_set1(0.5f));
    return vi_sel(vi_eq(word, vi_set1(0)), vi_set1(0), vi_or(vi_andnot(word, vi_set1(255)), code));
}

static void occlusion_smooth(const occlusion_rows_job *job)
{
    occlusion_rows(job, job->planes->found, job->planes->smoothed, occlusion_smooth_texels);
}

// ---- Quads --------------------------------------------------------------------------------------

/// Visibilities at `from` and right, below, both; 0 where the surface does not continue.
ZT_LANE_OP vi occlusion_join_texels(const occlusion_view *v, const int32_t *from)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f), max_off = vf_set1(0.25f);
    const vi word = vi_load(from), low = vi_set1(255);
    const vf depth = occlusion_word_depth(word);
    const vf slope_x = occlusion_slope(occlusion_word_depth(vi_load(from - 1)), depth,
                                       occlusion_word_depth(vi_load(from + 1)));
    const vf slope_y = occlusion_slope(occlusion_word_depth(vi_load(from - v->stride)), depth,
                                       occlusion_word_depth(vi_load(from + v->stride)));
    const vf inv_tolerance = occlusion_inv_tolerance(v, vf_max(depth, vf_set1(1e-20f)));
    vi quad = vi_and(word, low);
    vm same = vf_gt(depth, zero);
    for (int32_t k = 1; k < 4; k++) {
        const int32_t i = k & 1, j = k >> 1;
        const vi other = vi_load(from + j * v->stride + i);
        const vf at = occlusion_word_depth(other);
        const vf expected = (depth + slope_x * vf_set1((float)i)) + slope_y * vf_set1((float)j);
        const vf off = vf_abs(at - expected) * inv_tolerance;
        const vf step = vf_abs(at - depth) * inv_tolerance;
        same = vm_and(same, vm_and(vf_gt(at, zero), vm_and(vf_le(off, max_off), vf_le(step, one))));
        quad = vi_or(quad, vi_shl(vi_and(other, low), 8 * k));
    }
    return vi_sel(same, quad, vi_set1(0));
}

static void occlusion_join(const occlusion_rows_job *job)
{
    occlusion_rows(job, job->planes->smoothed, job->planes->quads, occlusion_join_texels);
}
