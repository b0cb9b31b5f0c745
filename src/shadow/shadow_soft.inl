// SPDX-License-Identifier: MIT
// Penumbras of lights with an extent: the mean depth of what blocks the light around a point gives
// the width of its penumbra, over which the map is then filtered (Fernando, "Percentage-Closer Soft
// Shadows", 2005).
//
// With depths d as shadow maps have them, a point at d_p whose light is blocked at d_b sees the
// light through a disc of spread (d_b - d_p) texels, in orthographic maps and in perspective alike.
// A coarse map of the nearest depths finds
// what blocks it. Samples lie on a spiral (Vogel, "A better way to construct the sunflower head",
// 1979), turned by the position of the pixel in its square of 4x4.

enum { SHADOW_SEARCH = 16, SHADOW_SAMPLES_MAX = 64 };

/// Cosines and sines of multiples of the golden angle, pi (3 - sqrt 5).
static const float shadow_spiral[SHADOW_SAMPLES_MAX][2] = {
    {1.00000000f, 0.00000000f},   {-0.73736888f, 0.67549029f},  {0.08742572f, -0.99617104f},
    {0.60843886f, 0.79360075f},   {-0.98471349f, -0.17418195f}, {0.84375529f, -0.53672805f},
    {-0.25960430f, 0.96571507f},  {-0.46090702f, -0.88744843f}, {0.93932130f, 0.34303863f},
    {-0.92434556f, 0.38155641f},  {0.42384600f, -0.90573427f},  {0.29928386f, 0.95416412f},
    {-0.86521121f, -0.50140758f}, {0.97667577f, -0.21471943f},  {-0.57512943f, 0.81806243f},
    {-0.12851069f, -0.99170812f}, {0.76464900f, 0.64444698f},   {-0.99914605f, 0.04131783f},
    {0.70882941f, -0.70537994f},  {-0.04619145f, 0.99893261f},  {-0.64070914f, -0.76778369f},
    {0.99106941f, 0.13334699f},   {-0.82085834f, 0.57113185f},  {0.21948137f, -0.97561669f},
    {0.49718087f, 0.86764692f},   {-0.95269278f, -0.30393498f}, {0.90779113f, -0.41942253f},
    {-0.38606108f, 0.92247322f},  {-0.33845228f, -0.94098356f}, {0.88518944f, 0.46523076f},
    {-0.96697001f, 0.25489019f},  {0.54083774f, -0.84112695f},  {0.16937617f, 0.98555148f},
    {-0.79062317f, -0.61230303f}, {0.99658567f, -0.08256509f},  {-0.67907935f, 0.73406488f},
    {0.00487828f, -0.99998810f},  {0.67188517f, 0.74065533f},   {-0.99573270f, -0.09228428f},
    {0.79655944f, -0.60456022f},  {-0.17898358f, 0.98385206f},  {-0.53260559f, -0.84636356f},
    {0.96443716f, 0.26431224f},   {-0.88968630f, 0.45657232f},  {0.34761682f, -0.93763668f},
    {0.37704265f, 0.92619590f},   {-0.90365586f, -0.42825937f}, {0.95561276f, -0.29462563f},
    {-0.50562236f, 0.86275491f},  {-0.20995238f, -0.97771161f}, {0.81524706f, 0.57911332f},
    {-0.99232323f, 0.12367133f},  {0.64816948f, -0.76149611f},  {0.03644322f, 0.99933573f},
    {-0.70191368f, -0.71226202f}, {0.99869538f, 0.05106397f},   {-0.77090011f, 0.63695606f},
    {0.13818011f, -0.99040712f},  {0.56712068f, 0.82363471f},   {-0.97453439f, -0.22423809f},
    {0.87006198f, -0.49294234f},  {-0.30857886f, 0.95119876f},  {-0.41498908f, -0.90982639f},
    {0.92057893f, 0.39055657f},
};

/// The roots of i + 1/2 and of 1/32 of that.
static const float shadow_root[SHADOW_SAMPLES_MAX][2] = {
    {0.707106769f, 0.125f},      {1.22474492f, 0.216506347f}, {1.58113885f, 0.279508501f},
    {1.87082875f, 0.330718905f}, {2.12132025f, 0.375f},       {2.34520793f, 0.41457811f},
    {2.54950976f, 0.450693905f}, {2.73861289f, 0.484122932f}, {2.91547585f, 0.515388191f},
    {3.08220696f, 0.54486239f},  {3.24037027f, 0.572821975f}, {3.39116502f, 0.59947896f},
    {3.53553391f, 0.625f},       {3.67423463f, 0.649519026f}, {3.8078866f, 0.673145592f},
    {3.93700385f, 0.695970535f}, {4.06201935f, 0.718070328f}, {4.18330002f, 0.73951f},
    {4.30116272f, 0.76034534f},  {4.4158802f, 0.780624747f},  {4.52769279f, 0.800390542f},
    {4.63680935f, 0.819679797f}, {4.74341631f, 0.838525474f}, {4.84768009f, 0.85695684f},
    {4.94974756f, 0.875f},       {5.04975224f, 0.892678559f}, {5.14781523f, 0.910013735f},
    {5.2440443f, 0.927024782f},  {5.33853912f, 0.943729281f}, {5.43139029f, 0.960143209f},
    {5.52268028f, 0.976281226f}, {5.61248589f, 0.992156744f}, {5.70087719f, 1.00778222f},
    {5.78791857f, 1.02316904f},  {5.8736701f, 1.03832793f},   {5.95818758f, 1.05326867f},
    {6.04152298f, 1.06800044f},  {6.12372446f, 1.08253181f},  {6.20483685f, 1.09687054f},
    {6.28490257f, 1.11102426f},  {6.36396122f, 1.125f},       {6.4420495f, 1.1388042f},
    {6.51920223f, 1.15244305f},  {6.59545279f, 1.1659224f},   {6.67083216f, 1.17924762f},
    {6.74536896f, 1.19242406f},  {6.81909084f, 1.20545638f},  {6.89202452f, 1.21834934f},
    {6.9641943f, 1.23110723f},   {7.03562355f, 1.24373424f},  {7.10633516f, 1.25623441f},
    {7.17635012f, 1.26861143f},  {7.24568844f, 1.28086889f},  {7.3143692f, 1.29301f},
    {7.38241148f, 1.30503833f},  {7.44983244f, 1.31695676f},  {7.51664829f, 1.32876825f},
    {7.58287525f, 1.34047568f},  {7.64852905f, 1.35208178f},  {7.71362448f, 1.36358905f},
    {7.7781744f, 1.375f},        {7.8421936f, 1.38631701f},   {7.90569401f, 1.39754248f},
    {7.96868849f, 1.40867841f},
};

/// The roots of i / SHADOW_SEARCH.
static const float shadow_search_share[SHADOW_SEARCH] = {
    0.0f,         0.25f,        0.353553385f, 0.433012694f, 0.5f,         0.559017003f,
    0.612372458f, 0.661437809f, 0.707106769f, 0.75f,        0.790569425f, 0.82915622f,
    0.866025388f, 0.901387811f, 0.935414374f, 0.968245864f};

/// Cosines and sines of 16 turns, by pixel: an ordered dither.
static const float shadow_turn_cos[16] = {1.00000000f,  -1.00000000f, 0.70710678f, -0.70710678f,
                                          -0.00000000f, 0.00000000f,  0.70710678f, -0.70710678f,
                                          0.38268343f,  -0.38268343f, 0.92387953f, -0.92387953f,
                                          0.92387953f,  -0.92387953f, 0.38268343f, -0.38268343f};
static const float shadow_turn_sin[16] = {0.00000000f,  0.00000000f,  0.70710678f,  -0.70710678f,
                                          -1.00000000f, 1.00000000f,  -0.70710678f, 0.70710678f,
                                          0.92387953f,  -0.92387953f, 0.38268343f,  -0.38268343f,
                                          -0.38268343f, 0.38268343f,  -0.92387953f, 0.92387953f};

/// A disc of texels around a point.
typedef struct shadow_disc {
    vf cosine, sine; ///< of its turn
    vf radius;       ///< texels
} shadow_disc;

/// Sample i of the disc at the part `share` of its radius, in texels from its centre.
ZT_LANE_OP void shadow_disc_sample(const shadow_disc *d, int32_t i, vf share, vf *x, vf *y)
{
    const vf length = d->radius * share;
    const vf c = vf_set1(shadow_spiral[i][0]), s = vf_set1(shadow_spiral[i][1]);
    *x = length * (c * d->cosine - s * d->sine);
    *y = length * (s * d->cosine + c * d->sine);
}

/// Limits positions to the map and its border.
ZT_LANE_OP vf shadow_limit(vf x, int32_t size)
{
    return vf_clamp(x, vf_set1(-2.0f), vf_set1((float)size + 2.0f));
}

/// The mean depth of the cells of the disc that block the light; 0 in *out_found: none does. Thin
/// things are in their cells, however few samples there are. A cell blocks when something in it is
/// nearer to the light than all of the point's plane in it is.
ZT_LANE_OP vf shadow_blockers(const shadow_map *m, const shadow_texel *at, const shadow_disc *disc,
                              vf *out_found)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const float side = (float)(1 << m->cell_shift);
    const vi last_x = vi_set1(m->cells_wide - 1), last_y = vi_set1(m->cells_high - 1);
    const vi first = vi_set1(0);
    const vf slack = (vf_abs(at->depth_x) + vf_abs(at->depth_y)) * vf_set1(0.5f * side);
    vf sum = zero, found = zero;
    for (int32_t i = 0; i < SHADOW_SEARCH; i++) {
        vf x, y;
        shadow_disc_sample(disc, i, vf_set1(shadow_search_share[i]), &x, &y);
        const vi left = vi_from_vf(vf_floor(shadow_limit(at->x + x, m->width)));
        const vi top = vi_from_vf(vf_floor(shadow_limit(at->y + y, m->height)));
        const vi column = vi_min(vi_max(vi_shr(left, m->cell_shift), first), last_x);
        const vi row = vi_min(vi_max(vi_shr(top, m->cell_shift), first), last_y);
        const vf depth = vf_gather(m->cells, vi_mul(row, vi_set1(m->cells_wide)) + column);
        const vf dx = (vf_from_vi(column) + vf_set1(0.5f)) * vf_set1(side) - at->x;
        const vf dy = (vf_from_vi(row) + vf_set1(0.5f)) * vf_set1(side) - at->y;
        const vf plane = (at->depth + slack) + (at->depth_x * dx + at->depth_y * dy);
        // The light is seen in a cone: what is next to the point and hardly above it is not in it.
        const vf aside = vf_max(vf_sqrt(dx * dx + dy * dy) - vf_set1(0.7f * side), zero);
        const vf cone = at->depth + aside * vf_set1(SHADOW_CONE / m->spread);
        const vm blocks = vf_gt(depth, vf_max(vf_max(plane, cone), vf_set1(-0.5f)));
        sum = sum + vf_sel(blocks, depth, zero);
        found = found + vf_sel(blocks, one, zero);
    }
    *out_found = found;
    return sum / vf_max(found, one);
}

/// The blocked part of 4 x 2 texels around the point (x, y) of the map: bilinear comparisons over
/// a box of 3 x 1 texels. Depths up to `least` do not block. `filled`: see shadow_first.
ZT_LANE_OP vf shadow_box(const shadow_map *m, const shadow_texel *at, vf x, vf y, vf least,
                         bool filled)
{
    const vf one = vf_set1(1.0f), half = vf_set1(0.5f);
    x = shadow_limit(x, m->width) - half;
    y = shadow_limit(y, m->height) - half;
    const vf left = vf_floor(x), top = vf_floor(y), fx = x - left, fy = y - top;
    const vf wx[4] = {one - fx, one, one, fx}, wy[2] = {one - fy, fy};
    int32_t first[ZT_W];
    vi_store(first, shadow_first(m, vi_from_vf(left) - vi_set1(1), vi_from_vf(top), filled));
    const vf z =
        at->depth + (at->depth_x * ((left - half) - at->x) + at->depth_y * ((top + half) - at->y));
    vf blocked = vf_set1(0.0f);
    for (int32_t j = 0; j < 2; j++) {
        const vf start = z + at->depth_y * vf_set1((float)j);
        const vf sum = shadow_row_blocked(m, first, j, 4, start, at->depth_x, least, wx);
        blocked = blocked + sum * wy[j];
    }
    return blocked * vf_set1(1.0f / 3.0f);
}

/// Samples of a disc of this radius: about one for each box that it has room for.
ZT_LANE_OP vf shadow_sample_count(vf radius)
{
    const vf few = vf_set1(16.0f), some = vf_set1(32.0f), many = vf_set1(64.0f);
    const vf count = vf_sel(vf_gt(radius, vf_set1(8.0f)), some, few);
    return vf_sel(vf_gt(radius, vf_set1(24.0f)), many, count);
}

/// sqrt((i + 1/2) / count): sample i of 16, 32 or 64. `inv_root`: 1/8 of 64, else 1/4.
ZT_LANE_OP vf shadow_disc_share(int32_t i, vm is_32, vf inv_root)
{
    return vf_sel(is_32, vf_set1(shadow_root[i][1]), vf_set1(shadow_root[i][0]) * inv_root);
}

/// True when no tile of the disc's boxes is empty. Small discs reach their corners' four.
ZT_LANE_OP bool shadow_disc_is_filled(const shadow_map *m, const shadow_texel *at,
                                      const shadow_disc *disc)
{
    if (!m->filled)
        return true;
    const vf reach = disc->radius + vf_set1(3.0f);
    const vi left = vi_from_vf(shadow_limit(vf_floor(at->x - reach), m->width));
    const vi right = vi_from_vf(shadow_limit(vf_floor(at->x + reach), m->width));
    const vi top = vi_from_vf(shadow_limit(vf_floor(at->y - reach), m->height));
    const vi bottom = vi_from_vf(shadow_limit(vf_floor(at->y + reach), m->height));
    vm filled = vf_le(reach, vf_set1(0.5f * TILE_SIZE));
    filled = vm_and(filled, shadow_is_filled(m, left, top));
    filled = vm_and(filled, shadow_is_filled(m, right, top));
    filled = vm_and(filled, shadow_is_filled(m, left, bottom));
    return vm_all(vm_and(filled, shadow_is_filled(m, right, bottom)));
}

/// The blocked part of a disc.
ZT_LANE_OP vf shadow_disc_blocked(const shadow_map *m, const shadow_texel *at,
                                  const shadow_disc *disc)
{
    const vf zero = vf_set1(0.0f), count = shadow_sample_count(disc->radius);
    const vf inv_root = vf_sel(vf_gt(count, vf_set1(32.0f)), vf_set1(0.125f), vf_set1(0.25f));
    const vm is_32 = vf_eq(count, vf_set1(32.0f));
    // What a box adds to the disc, which is 3 texels wide and 2 high.
    const vf wide = vf_max(disc->radius - vf_set1(1.5f), zero) / disc->radius;
    const vf high = vf_max(disc->radius - vf_set1(1.0f), zero) / disc->radius;
    const bool filled = shadow_disc_is_filled(m, at, disc);
    vf blocked = zero;
    for (int32_t i = 0; i < SHADOW_SAMPLES_MAX; i++) {
        const vm counts = vf_gt(count, vf_set1((float)i));
        if (!vm_any(counts))
            break;
        vf x, y;
        shadow_disc_sample(disc, i, shadow_disc_share(i, is_32, inv_root), &x, &y);
        const vf length = vf_sqrt(x * x + y * y);
        const vf least = vf_max(at->depth + length * vf_set1(0.1f / m->spread), vf_set1(-0.5f));
        const vf own = shadow_box(m, at, at->x + x * wide, at->y + y * high, least, filled);
        blocked = blocked + vf_sel(counts, own, zero);
    }
    return blocked / count;
}

/// Points that something may shade in part. The rest need no search: for most of a picture nothing
/// reaches into the cone between the point and the light. What hardly rises above the plane of the
/// point, over the cells around it, is left to the sharp comparison.
ZT_LANE_OP vm shadow_is_covered(const shadow_map *m, const shadow_texel *at)
{
    const vf zero = vf_set1(0.0f), around = vf_set1(2.0f * SHADOW_COVER_CELL);
    const vf x = vf_clamp(at->x, zero, vf_set1((float)m->width - 1.0f));
    const vf y = vf_clamp(at->y, zero, vf_set1((float)m->height - 1.0f));
    const vi column = vi_shr(vi_from_vf(x), SHADOW_COVER_SHIFT);
    const vi row = vi_shr(vi_from_vf(y), SHADOW_COVER_SHIFT);
    const vf cover = vf_gather(m->cover, vi_madd16(row, vi_set1(m->cover_wide)) + column);
    return vf_gt(cover, at->depth + (vf_abs(at->depth_x) + vf_abs(at->depth_y)) * around);
}

/// The share of the light that arrives at the lanes of `wanted`, for a light with an extent.
/// `turn`: of the pixel, 0 to 15. `sharp`: the share for a light without an extent. It holds where
/// there are no blockers around, or they are close.
ZT_LANE_OP vf shadow_filter_soft(const shadow_map *m, const shadow_texel *at, vi turn, vm wanted,
                                 vf sharp)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f), least = vf_set1(1.5f);
    const vm covered = vm_and(shadow_is_covered(m, at), wanted);
    if (!vm_any(covered))
        return sharp;
    vf found;
    shadow_disc disc = {.cosine = vf_gather(shadow_turn_cos, turn),
                        .sine = vf_gather(shadow_turn_sin, turn),
                        .radius = vf_set1(m->search)};
    const vf blocker = shadow_blockers(m, at, &disc, &found);
    // Where everything around blocks the light, and the point itself is in shadow, none arrives.
    const vm dark = vm_and(vf_ge(found, vf_set1((float)SHADOW_SEARCH)), vf_le(sharp, zero));
    const vm soft = vm_andnot(vm_and(covered, vf_gt(found, zero)), dark);
    if (!vm_any(soft))
        return sharp;
    const vf penumbra = vf_set1(m->spread) * (blocker - at->depth);
    disc.radius = vf_clamp(penumbra, least, vf_max(disc.radius, least));
    const vf blocked = shadow_disc_blocked(m, at, &disc);
    return vf_sel(soft, vf_clamp(one - blocked, zero, one), sharp);
}
