// SPDX-License-Identifier: MIT
// The loops of ambient occlusion (occlusion_loops.h): distances, search, smoothing, quads.
//
// Search. Through a texel leads one line of the screen with six samples on both sides. It turns
// with the position in a pattern of 4x4 texels, and its samples shift along it; smoothing over one
// period sees all 16 directions. More samples on fewer lines are nearer to the limit of both: what
// a line steps over is lost, while its neighbours see other directions. In the plane of the eye and
// the line, N' is the projected normal, of length L and at the angle n from the direction to the
// eye. A sample at offset v is at h = v . N / L over the tangent plane: this counts samples near
// the line (they are at centres of texels) by their elevation, so that a tilted plane does not
// occlude itself. With c, the way along the tangent, q = c |c| / (c^2 + h^2) falls from 1 at the
// tangent plane over 0 at the normal to the eye and further; a sample hides what lies between its
// own direction and those before it, in 1 - q.
//
// Hidden is what a surface covers that joins two samples, where their depths differ by no more than
// surfaces do. What stands alone before the surface, as a leg before the ground, hides what its
// thickness covers: light passes behind it. Steps that are farther apart are joined more easily, so
// a table hides the ground below it. All lengths are shares of the radius, none are texels, so
// pictures of all sizes have the same light. Samples fade from 0.7 of the radius on.
//
// The cosine-weighted light below a direction s = q / sqrt |q|, the sine of its angle from N', is
//   2 A = cos n (1 - s^2) + sin n (pi / 2 - asin s - s sqrt(1 - s^2))
// (Jimenez et al. 2016, equation 7, between the tangent plane and the horizon).
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

/// The share of the reach at the share t of the samples: near ones are closer to each other.
static inline float occlusion_share(float t) { return t * (0.15f + 0.85f * t); }

static void occlusion_pattern_row(int32_t y, occlusion_pattern *out)
{
    for (int32_t x = 0; x < 16 + OCCLUSION_PATTERN; x++) {
        const int32_t rank = occlusion_rank[y & 3][x & 3];
        // 7 r mod 16 spreads the shifts over the directions.
        const float shift = ((float)(7 * rank & 15) + 0.5f) * (1.0f / 16.0f);
        for (int32_t k = 0; k < OCCLUSION_STEPS; k++) {
            const float t = ((float)k + shift) * (1.0f / OCCLUSION_STEPS);
            out->share[k][x] = occlusion_share(t);
        }
        out->cosine[x] = occlusion_direction[rank][0];
        out->sine[x] = occlusion_direction[rank][1];
    }
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

/// The plane of the eye and the line. A texel (x, y) away and z farther than the point, in views
/// with perspective seen as at distance 1, is at c = x tangent_x + y tangent_y + z away and h = x
/// up_x + y up_y - z up.
typedef struct occlusion_slice {
    vf sine, cosine, length; ///< of n; L
    vf tangent_x, tangent_y, up_x, up_y;
    vf away, up;
    vf back_c, back_h; ///< from the front of what stands alone to its back
} occlusion_slice;

/// ZT_W texels of a row.
typedef struct occlusion_point {
    vi here;                     ///< the texels in a plane
    vf distance;                 ///< metres
    vf ray_x, ray_y;             ///< the ray is (ray_x, ray_y, 1); 0 in orthographic views
    vf direction_x, direction_y; ///< of the line
    vec3_lanes normal;
    vf n_dot_v, inv_ray; ///< inv_ray: 1 / |ray|
    vf reach;            ///< texels
    vf fade;             ///< 2 / radius^2
    vf gap, slope;       ///< metres, and metres a texel: steps of depth in one surface
    occlusion_slice slice;
    vf share[OCCLUSION_STEPS]; ///< occlusion_pattern.share
    occlusion_room room;
    int32_t inside;   ///< first samples of a line that are in the plane, in all lanes
    int32_t *out;     ///< in `found`
    vf ahead, behind; ///< q of the horizons that hide as much as all samples do
} occlusion_point;

/// The offset (ox, oy) texels away; outside of the plane, of one in the border. Exact.
ZT_LANE_OP vi occlusion_offset(const occlusion_view *v, vf ox, vf oy)
{
    return vi_from_vf(oy * vf_set1((float)v->stride) + ox);
}

/// The two samples of the line at one place: how far they are, in texels, and what is there.
typedef struct occlusion_samples {
    vf far, x, y;     ///< ahead; behind they are negative
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
    out->far = far;
    out->x = ox;
    out->y = oy;
    out->ahead = vf_gather(planes->distance, p->here + ahead);
    out->behind = vf_gather(planes->distance, p->here - behind);
}

/// In radii: the thickness of what stands alone, and the step of depth up to which two samples are
/// of one surface, with a share of the way between them; from twice as much on they are of two.
#define OCCLUSION_THICKNESS 0.15f
#define OCCLUSION_GAP       0.07f
#define OCCLUSION_SLOPE     4.0f

/// One side of a line up to a sample: 1 - q of all that is hidden, of the highest sample and of the
/// last one, and the distance of that.
typedef struct occlusion_side {
    vf hidden, highest, last, distance;
} occlusion_side;

ZT_LANE_OP vf occlusion_direction_of(vf c, vf h) { return (c * vf_abs(c)) / (c * c + h * h); }

/// Adds a sample at `distance` to a side. c and h: as far along the screen at distance 1 (in
/// orthographic views at any); `behind`: as far in the other direction. `inv_joined`: 1 / the step
/// of depth that continues a surface.
ZT_LANE_OP void occlusion_add(bool orthographic, const occlusion_point *p, vf distance, vf screen_c,
                              vf screen_h, vf inv_joined, bool behind, occlusion_side *side)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f), farther = distance - p->distance;
    const vf scale = orthographic ? one : distance;
    const vf to_h = screen_h * scale, ray_h = p->slice.up * farther;
    const vf to_c = screen_c * scale, ray_c = p->slice.away * farther;
    const vf h = (behind ? vf_neg(to_h) : to_h) - ray_h, c = behind ? to_c - ray_c : to_c + ray_c;
    const vf back_h = h - p->slice.back_h;
    const vf back_c = behind ? c - p->slice.back_c : c + p->slice.back_c;
    const vf front = occlusion_direction_of(c, h);
    const vf back = vf_sel(vf_gt(back_h, zero), occlusion_direction_of(back_c, back_h), one);
    const vf fade = vf_clamp(vf_set1(2.0f) - (c * c + h * h) * p->fade, zero, one);
    const vm above = vf_gt(h, zero);
    const vf place = vf_sel(above, fade * (one - front), zero), step = vf_abs(place - side->last);
    const vf alone = vf_sel(above, fade * (back - front), zero);
    const vf joined =
        vf_clamp(vf_set1(2.0f) - vf_abs(distance - side->distance) * inv_joined, zero, one);
    side->highest = vf_max(place, side->highest);
    side->hidden = vf_min(side->hidden + (alone + joined * (step - alone)), side->highest);
    side->last = place;
    side->distance = distance;
}

/// Sets what the line through a point hides. All samples are fetched first: what
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
    const vf zero = vf_set1(0.0f);
    const occlusion_slice *slice = &p->slice;
    occlusion_side ahead = {zero, zero, zero, p->distance}, behind = ahead;
    vf before = zero;
    for (k = 0; k < OCCLUSION_STEPS; k++) {
        const occlusion_samples *at = &samples[k];
        const vf c = at->x * slice->tangent_x + at->y * slice->tangent_y;
        const vf h = at->x * slice->up_x + at->y * slice->up_y;
        const vf inv_joined = one / (p->gap + (at->far - before) * p->slope);
        occlusion_add(v->orthographic, p, at->ahead, c, h, inv_joined, false, &ahead);
        occlusion_add(v->orthographic, p, at->behind, c, h, inv_joined, true, &behind);
        before = at->far;
    }
    p->ahead = one - ahead.hidden;
    p->behind = one - behind.hidden;
}

/// The plane of a point whose normal is set.
ZT_LANE_OP void occlusion_slice_build(const occlusion_view *v, const occlusion_point *p, vf radius,
                                      occlusion_slice *out)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f), ray = one / p->inv_ray;
    const vf x = p->direction_x, y = p->direction_y, dx = vf_set1(v->dx), dy = vf_set1(v->dy);
    const vf view_x = zero - p->ray_x * p->inv_ray, view_y = zero - p->ray_y * p->inv_ray;
    const vf d_dot_v = x * view_x + y * view_y;
    const vf inv = one / vf_sqrt(one - d_dot_v * d_dot_v);
    // The projected normal: towards the eye, and along the line at a right angle to that.
    const vf across = ((x * p->normal.x + y * p->normal.y) - d_dot_v * p->n_dot_v) * inv;
    out->length = vf_sqrt(vf_max(across * across + p->n_dot_v * p->n_dot_v, vf_set1(1e-12f)));
    const vf inv_length = one / out->length;
    out->sine = across * inv_length;
    out->cosine = p->n_dot_v * inv_length;
    const vf along = out->cosine * inv, towards = along * d_dot_v + out->sine;
    out->tangent_x = (x * along - view_x * towards) * dx;
    out->tangent_y = (y * along - view_y * towards) * dy;
    out->up_x = (p->normal.x * inv_length) * dx;
    out->up_y = (p->normal.y * inv_length) * dy;
    out->away = out->sine * ray;
    out->up = out->cosine * ray;
    const vf thickness = radius * vf_set1(OCCLUSION_THICKNESS);
    out->back_c = out->sine * thickness;
    out->back_h = out->cosine * thickness;
}

/// 2 A between the tangent plane and a horizon, in a plane whose normal leans away from it by
/// `sine`. The horizon stays on its side of the eye. A polynomial, within 0.006.
ZT_LANE_OP vf occlusion_below(vf q, vf sine, vf cosine)
{
    const vf root = vf_sqrt(vf_abs(q));
    const vf s = vf_max(vf_sel(vf_lt(q, vf_set1(0.0f)), vf_neg(root), root), vf_neg(sine));
    const vf s2 = s * s;
    const vf turn = s * (vf_set1(2.0f) - s2 * (vf_set1(0.2825f) + s2 * vf_set1(0.14670367f)));
    return cosine * (vf_set1(1.0f) - s2) + sine * (vf_set1(1.57079633f) - turn);
}

/// The light blocked in the plane of the line; the mean over directions is a point's share.
ZT_LANE_OP vf occlusion_blocked(const occlusion_point *p)
{
    const occlusion_slice *slice = &p->slice;
    const vf both = occlusion_below(p->ahead, slice->sine, slice->cosine) +
                    occlusion_below(p->behind, vf_neg(slice->sine), slice->cosine);
    return (slice->length * vf_set1(0.5f)) * both;
}

/// The number of first samples that are in the plane, on the lines from ZT_W texels at (x, y).
/// Sample k is at most at the share of (k + 1) / OCCLUSION_STEPS between one texel and the reach.
ZT_LANE_OP int32_t occlusion_inside(const occlusion_view *v, int32_t x, int32_t y, vf reach)
{
    const int32_t from_x = x < v->width - x - ZT_W ? x : v->width - x - ZT_W;
    const int32_t from_y = y < v->height - 1 - y ? y : v->height - 1 - y;
    const float beyond = (float)((from_x < from_y ? from_x : from_y) - 2);
    int32_t k = 0;
    while (k < OCCLUSION_STEPS) {
        const float share = occlusion_share((float)(k + 1) / OCCLUSION_STEPS);
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
    p->reach = vf_min(vf_set1(v->radius) / texel, vf_set1(v->reach));
    p->inside = occlusion_inside(v, x, y, p->reach);
    const vf radius = p->reach * texel;
    p->fade = vf_set1(2.0f) / (radius * radius);
    p->gap = radius * vf_set1(OCCLUSION_GAP);
    p->slope = texel * vf_set1(OCCLUSION_SLOPE);
    occlusion_slice_build(v, p, radius, &p->slice);
}

/// The result for a point -> `found`.
ZT_LANE_OP void occlusion_point_finish(const occlusion_view *v, const occlusion_point *p)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    // A radius below two texels fades: there is no sample between.
    const vf fade = vf_clamp(p->reach - one, zero, one) * vf_set1(v->intensity);
    const vf open = vf_clamp(one - fade * occlusion_blocked(p), zero, one);
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
