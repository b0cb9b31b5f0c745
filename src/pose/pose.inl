// SPDX-License-Identifier: MIT
// Poses: 16 nodes at a time by component. The order of operations is that of pose_loops.h.

/// a - (a - b) s is a in bits where b is a or s is 0, but not b at 1: callers select the ends.
ZT_LANE_OP vf pose_lerp(vf a, vf b, vf s) { return a - (a - b) * s; }

ZT_LANE_OP vf pose_dot4(const vf a[4], const vf b[4])
{
    return ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3];
}

/// sin(x) / x of x^2, |x| <= pi/2. In pairs, which do not depend on each other.
ZT_LANE_OP vf pose_sinc(vf x2)
{
    const vf x4 = x2 * x2;
    const vf low = vf_set1(1.0f) - vf_set1(0.1666666664f) * x2;
    const vf middle = vf_set1(0.0083333315f) - vf_set1(0.0001984090f) * x2;
    const vf high = vf_set1(0.0000027526f) - vf_set1(0.0000000239f) * x2;
    return low + (middle + high * x4) * x4;
}

/// acos(c)^2, 0 <= c <= 1.
ZT_LANE_OP vf pose_acos_squared(vf c)
{
    const vf c2 = c * c;
    const vf p01 = vf_set1(1.5707963050f) - vf_set1(0.2145988016f) * c;
    const vf p23 = vf_set1(0.0889789874f) - vf_set1(0.0501743046f) * c;
    const vf p45 = vf_set1(0.0308918810f) - vf_set1(0.0170881256f) * c;
    const vf p67 = vf_set1(0.0066700901f) - vf_set1(0.0012624911f) * c;
    const vf p = (p01 + p23 * c2) + (p45 + p67 * c2) * (c2 * c2);
    return (vf_set1(1.0f) - c) * (p * p);
}

ZT_LANE_OP vm pose_equal4(const vf a[4], const vf b[4])
{
    return vm_and(vm_and(vf_eq(a[0], b[0]), vf_eq(a[1], b[1])),
                  vm_and(vf_eq(a[2], b[2]), vf_eq(a[3], b[3])));
}

/// Along the arc of quatf_arc(). `equal`: lanes whose ends are equal.
ZT_LANE_OP void pose_slerp_along(const vf a[4], const vf b[4], vf angle2, vf whole, vm equal, vf s,
                                 vf out[4])
{
    const vf one = vf_set1(1.0f), r = one - s;
    const vf size_a = (r * pose_sinc(angle2 * (r * r))) * vf_abs(whole);
    const vf size_b = (s * pose_sinc(angle2 * (s * s))) * whole;
    const vf weight_a = vf_sel(equal, one, size_a);
    const vf weight_b = vf_sel(equal, vf_set1(0.0f), size_b);
    for (int k = 0; k < 4; k++)
        out[k] = a[k] * weight_a + b[k] * weight_b;
    const vf unit = vf_set1(1.5f) - vf_set1(0.5f) * pose_dot4(out, out);
    const vf factor = vf_sel(equal, one, unit);
    for (int k = 0; k < 4; k++)
        out[k] = out[k] * factor;
}

/// For 0 < s < 1; a in bits where b is a.
ZT_LANE_OP void pose_slerp(const vf a[4], const vf b[4], vf s, vf out[4])
{
    const vf one = vf_set1(1.0f), dot = pose_dot4(a, b);
    const vf angle2 = pose_acos_squared(vf_min(vf_abs(dot), one));
    const vf whole = one / pose_sinc(angle2);
    const vi sign = vi_and(vi_bits(dot + vf_set1(0.0f)), vi_bits(vf_set1(-0.0f))); // of -0 it is +
    pose_slerp_along(a, b, angle2, vf_bits(vi_xor(vi_bits(whole), sign)), pose_equal4(a, b), s,
                     out);
}

// ---- Sampling -----------------------------------------------------------------------------------

/// The interval of a track with the time, by bisection; `stride`: floats between key times.
static int32_t pose_bisect(const float *time_s, size_t stride, int32_t interval_count, float at_s)
{
    int32_t low = 0, high = interval_count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (time_s[(size_t)middle * stride] <= at_s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/// Where a time is on ZT_W tracks.
typedef struct pose_search {
    vf time, guess; ///< of the interval, with its fraction
    vi interval_count;
    vm before, after; ///< all keys
} pose_search;

ZT_LANE_OP pose_search pose_search_begin(const pose_tracks *tracks, float time_s, int at)
{
    const vf time = vf_set1(time_s), start = vf_load(&tracks->start_s[at]);
    const vi count = vi_load(&tracks->interval_count[at]);
    const vf guess = (time - start) * vf_load(&tracks->keys_per_s[at]);
    return (pose_search){.time = time,
                         .guess = vf_clamp(guess, vf_set1(0.0f), vf_from_vi(count)),
                         .interval_count = count,
                         .before = vm_not(vf_gt(time, start)),
                         .after = vf_ge(time, vf_load(&tracks->end_s[at]))};
}

/// The fraction of the interval from `low` to `high`.
ZT_LANE_OP vf pose_fraction(const pose_search *f, vf low, vf high)
{
    const vf one = vf_set1(1.0f), part = (f->time - low) / (high - low);
    const vf s = vf_sel(f->before, vf_set1(0.0f), vf_sel(f->after, one, part));
    return vf_sel(vf_lt(s, one), s, one);
}

/// The lanes whose time is between keys, but not between these two.
ZT_LANE_OP unsigned pose_lost(const pose_search *f, vf low, vf high)
{
    const vm found = vm_and(vf_ge(f->time, low), vf_lt(f->time, high));
    return vm_bits(vm_not(vm_or(found, vm_or(f->before, f->after))));
}

/// Three keys (x, y, z, time) from `offset` floats on.
ZT_LANE_OP void pose_load_vectors(const pose_tracks *tracks, int at, const int32_t offset[ZT_W],
                                  vf out[3][4])
{
    const float *first[ZT_W], *key[ZT_W];
    for (int i = 0; i < ZT_W; i++)
        first[i] = tracks->key[at + i] + offset[i];
    if (ZT_W == 16)
        lanes_to_memory(first); // they do not fit into registers
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < ZT_W; i++)
            key[i] = first[i] + 4 * k;
        vf_load4(key, out[k]);
    }
}

/// Most keys are evenly spaced: one of two intervals has the time. Else bisection finds it.
static void pose_sample_vectors(const pose_tracks *tracks, float time_s, float out[3][POSE_LANES])
{
    for (int at = 0; at < POSE_LANES; at += ZT_W) {
        const pose_search f = pose_search_begin(tracks, time_s, at);
        const vi nearest = vi_from_vf(f.guess + vf_set1(0.5f)) - vi_set1(1);
        const vi last = f.interval_count - vi_set1(2);
        int32_t offset[ZT_W];
        vf key[3][4], a[4], b[4];
        vi_store(offset, vi_shl(vi_max(vi_min(nearest, last), vi_set1(0)), 2));
        pose_load_vectors(tracks, at, offset, key);
        const unsigned lost = pose_lost(&f, key[0][3], key[2][3]);
        if (lost) {
            for (int i = 0; i < ZT_W; i++)
                if (lost >> i & 1u) {
                    const int32_t count = tracks->interval_count[at + i];
                    const int32_t first = pose_bisect(tracks->key[at + i] + 3, 4, count, time_s);
                    offset[i] = 4 * (first < count - 1 ? first : count - 2);
                }
            pose_load_vectors(tracks, at, offset, key);
        }
        const vm second = vf_ge(f.time, key[1][3]);
        for (int k = 0; k < 4; k++) {
            a[k] = vf_sel(second, key[1][k], key[0][k]);
            b[k] = vf_sel(second, key[2][k], key[1][k]);
        }
        const vf s = pose_fraction(&f, a[3], b[3]);
        const vm start = vf_le(s, vf_set1(0.0f)), end = vf_ge(s, vf_set1(1.0f));
        for (int k = 0; k < 3; k++) {
            const vf between = pose_lerp(a[k], b[k], s);
            vf_store(&out[k][at], vf_sel(start, a[k], vf_sel(end, b[k], between)));
        }
    }
}

/// The first key of the interval of each lane, in floats from the first of all. Returns the
/// fractions of the intervals. As for vectors, with the three intervals around the guess.
ZT_LANE_OP vf pose_find_rotations(const pose_tracks *tracks, float time_s, int at,
                                  int32_t offset[ZT_W])
{
    const pose_search f = pose_search_begin(tracks, time_s, at);
    const vi zero = vi_set1(0), last = f.interval_count - vi_set1(3);
    const vi window = vi_max(vi_min(vi_from_vf(f.guess) - vi_set1(1), last), zero);
    const float *from[ZT_W];
    vf w[4];
    vi_store(offset, window);
    for (int i = 0; i < ZT_W; i++)
        from[i] = tracks->time_s[at + i] + offset[i];
    vf_load4(from, w);
    const vm second = vf_ge(f.time, w[1]), third = vf_ge(f.time, w[2]);
    vf low = vf_sel(third, w[2], vf_sel(second, w[1], w[0]));
    vf high = vf_sel(third, w[3], vf_sel(second, w[2], w[1]));
    const vi inside = vi_increment(vi_increment(window, second), third);
    const vi end = f.interval_count - vi_set1(1);
    vi_store(offset, vi_shl(vi_sel(f.before, zero, vi_sel(f.after, end, inside)), 2));
    const unsigned lost = pose_lost(&f, w[0], w[3]);
    if (lost) {
        float times[2][ZT_W];
        vf_store(times[0], low);
        vf_store(times[1], high);
        for (int i = 0; i < ZT_W; i++)
            if (lost >> i & 1u) {
                const float *time = tracks->time_s[at + i];
                const int32_t first = pose_bisect(time, 1, tracks->interval_count[at + i], time_s);
                offset[i] = 4 * first;
                times[0][i] = time[first];
                times[1][i] = time[first + 1];
            }
        low = vf_load(times[0]);
        high = vf_load(times[1]);
    }
    return pose_fraction(&f, low, high);
}

/// Where the rotations of 16 nodes are: the first key in floats, and the fraction of its interval.
typedef struct pose_rotation_places {
    int32_t offset[POSE_LANES];
    float s[POSE_LANES];
} pose_rotation_places;

static void pose_sample_rotations(const pose_tracks *tracks, const pose_rotation_places *places,
                                  float out[4][POSE_LANES])
{
    for (int at = 0; at < POSE_LANES; at += ZT_W) {
        const float *key[ZT_W];
        vf keys[8], q[4];
        const vf s = vf_load(&places->s[at]);
        for (int i = 0; i < ZT_W; i++)
            key[i] = tracks->key[at + i] + places->offset[at + i];
        vf_load8(key, keys);
        pose_slerp(keys, keys + 4, s, q);
        const vm start = vf_le(s, vf_set1(0.0f)), end = vf_ge(s, vf_set1(1.0f));
        for (int k = 0; k < 4; k++)
            vf_store(&out[k][at], vf_sel(start, keys[k], vf_sel(end, keys[4 + k], q[k])));
    }
}

ZT_LANE_OP void pose_copy(const float *from, int count, float *to)
{
    for (int i = 0; i < count; i += ZT_W)
        vf_store(to + i, vf_load(from + i));
}

ZT_LANE_OP void pose_lerp_packed(const float *a, const float *b, float s, float *out)
{
    if (s <= 0.0f || s >= 1.0f) {
        pose_copy(s <= 0.0f ? a : b, 3 * POSE_LANES, out);
        return;
    }
    for (int i = 0; i < 3 * POSE_LANES; i += ZT_W)
        vf_store(out + i, pose_lerp(vf_load(a + i), vf_load(b + i), vf_set1(s)));
}

/// `arcs`: NULL, or of these ends.
ZT_LANE_OP void pose_slerp_packed(const float *a, const float *b, const float *arcs, float s,
                                  float *out)
{
    if (s <= 0.0f || s >= 1.0f) {
        pose_copy(s <= 0.0f ? a : b, 4 * POSE_LANES, out);
        return;
    }
    for (int at = 0; at < POSE_LANES; at += ZT_W) {
        vf from[4], to[4], q[4];
        for (int k = 0; k < 4; k++) {
            from[k] = vf_load(a + k * POSE_LANES + at);
            to[k] = vf_load(b + k * POSE_LANES + at);
        }
        if (arcs) {
            const vf angle2 = vf_load(arcs + at), whole = vf_load(arcs + POSE_LANES + at);
            const vm equal = vf_lt(angle2, vf_set1(0.0f));
            pose_slerp_along(from, to, angle2, whole, equal, vf_set1(s), q);
        } else {
            pose_slerp(from, to, vf_set1(s), q);
        }
        for (int k = 0; k < 4; k++)
            vf_store(out + k * POSE_LANES + at, q[k]);
    }
}

ZT_LANE_OP void pose_sample_t_or_s(const pose_sample_job *job, const pose_tracks *tracks,
                                   const float *constant, float out[3][POSE_LANES])
{
    if (tracks->packed) {
        const pose_key_interval m = job->intervals[tracks->timeline];
        const float *from = tracks->packed + (size_t)m.first * POSE_VECTOR_KEY;
        pose_lerp_packed(from, from + POSE_VECTOR_KEY, m.s, out[0]);
    } else if (tracks->animated) {
        pose_sample_vectors(tracks, job->time_s, out);
    } else {
        pose_copy(constant, 3 * POSE_LANES, out[0]);
    }
}

ZT_LANE_OP void pose_sample_r(const pose_sample_job *job, const pose_tracks *tracks,
                              const pose_rotation_places *places, const float *constant,
                              float out[4][POSE_LANES])
{
    if (tracks->packed) {
        const pose_key_interval m = job->intervals[tracks->timeline];
        const float *from = tracks->packed + (size_t)m.first * POSE_ROTATION_KEY;
        pose_slerp_packed(from, from + POSE_ROTATION_KEY, from + 4 * POSE_LANES, m.s, out[0]);
    } else if (tracks->animated) {
        pose_sample_rotations(tracks, places, out);
    } else {
        pose_copy(constant, 4 * POSE_LANES, out[0]);
    }
}

static void pose_sample(const pose_sample_job *job)
{
    const pose_clip_block *clip = job->clip;
    pose_rotation_places places; // found early: nothing between waits for them
    for (int at = 0; clip->r.animated && !clip->r.packed && at < POSE_LANES; at += ZT_W)
        vf_store(&places.s[at], pose_find_rotations(&clip->r, job->time_s, at, &places.offset[at]));
    pose_sample_t_or_s(job, &clip->t, clip->constant.t[0], job->out->t);
    pose_sample_t_or_s(job, &clip->s, clip->constant.s[0], job->out->s);
    pose_sample_r(job, &clip->r, &places, clip->constant.r[0], job->out->r);
}

// ---- Blending -----------------------------------------------------------------------------------

/// Selects the ends where s is outside 0..1.
ZT_LANE_OP void pose_mix(const vf *a, const vf *b, const vf *between, vf s, int count, vf *out)
{
    const vm start = vf_le(s, vf_set1(0.0f)), end = vf_ge(s, vf_set1(1.0f));
    for (int k = 0; k < count; k++)
        out[k] = vf_sel(start, a[k], vf_sel(end, b[k], between[k]));
}

ZT_LANE_OP void pose_load(const float (*from)[POSE_LANES], int at, int count, vf *out)
{
    for (int k = 0; k < count; k++)
        out[k] = vf_load(&from[k][at]);
}

ZT_LANE_OP void pose_store(float (*to)[POSE_LANES], int at, int count, const vf *in)
{
    for (int k = 0; k < count; k++)
        vf_store(&to[k][at], in[k]);
}

ZT_LANE_OP void pose_blend3(const float (*a)[POSE_LANES], const float (*b)[POSE_LANES], vf s,
                            int at, float (*to)[POSE_LANES])
{
    vf from[3], target[3], between[3], out[3];
    pose_load(a, at, 3, from);
    pose_load(b, at, 3, target);
    for (int k = 0; k < 3; k++)
        between[k] = pose_lerp(from[k], target[k], s);
    pose_mix(from, target, between, s, 3, out);
    pose_store(to, at, 3, out);
}

ZT_LANE_OP void pose_blend4(const float (*a)[POSE_LANES], const float (*b)[POSE_LANES], vf s,
                            int at, float (*to)[POSE_LANES])
{
    vf from[4], target[4], between[4], out[4];
    pose_load(a, at, 4, from);
    pose_load(b, at, 4, target);
    pose_slerp(from, target, s, between);
    pose_mix(from, target, between, s, 4, out);
    pose_store(to, at, 4, out);
}

static void pose_blend(const pose_blend_job *job)
{
    for (size_t n = 0; n < job->block_count; n++) {
        const pose_block *a = &job->a[n], *b = &job->b[n];
        pose_block *out = &job->out[n];
        for (int at = 0; job->mask && at < POSE_LANES; at += ZT_W) {
            const vf s = vf_load(job->mask + n * POSE_LANES + (size_t)at) * vf_set1(job->weight);
            pose_blend3(a->t, b->t, s, at, out->t);
            pose_blend4(a->r, b->r, s, at, out->r);
            pose_blend3(a->s, b->s, s, at, out->s);
        }
        if (job->mask)
            continue;
        pose_lerp_packed(a->t[0], b->t[0], job->weight, out->t[0]);
        pose_slerp_packed(a->r[0], b->r[0], NULL, job->weight, out->r[0]);
        pose_lerp_packed(a->s[0], b->s[0], job->weight, out->s[0]);
    }
}

// ---- Adding -------------------------------------------------------------------------------------

/// The product of two quaternions: b first, then a.
ZT_LANE_OP void pose_multiply4(const vf a[4], const vf b[4], vf out[4])
{
    out[0] = ((a[3] * b[0] + a[0] * b[3]) + a[1] * b[2]) - a[2] * b[1];
    out[1] = ((a[3] * b[1] + a[1] * b[3]) + a[2] * b[0]) - a[0] * b[2];
    out[2] = ((a[3] * b[2] + a[2] * b[3]) + a[0] * b[1]) - a[1] * b[0];
    out[3] = ((a[3] * b[3] - a[0] * b[0]) - a[1] * b[1]) - a[2] * b[2];
}

ZT_LANE_OP void pose_add_vectors(const pose_add_job *job, size_t n, vf s, int at)
{
    const vm start = vf_le(s, vf_set1(0.0f));
    const vf one = vf_set1(1.0f), min_scale = vf_set1(1.0e-12f);
    for (int k = 0; k < 3; k++) {
        const vf base = vf_load(&job->base[n].t[k][at]);
        const vf from = vf_load(&job->from[n].t[k][at]), to = vf_load(&job->to[n].t[k][at]);
        vf_store(&job->out[n].t[k][at], vf_sel(start, base, base - (from - to) * s));
    }
    for (int k = 0; k < 3; k++) {
        const vf base = vf_load(&job->base[n].s[k][at]);
        const vf from = vf_load(&job->from[n].s[k][at]), to = vf_load(&job->to[n].s[k][at]);
        const vm has_scale = vf_ge(vf_abs(from), min_scale);
        const vf ratio = vf_sel(has_scale, to / vf_sel(has_scale, from, one), one);
        vf_store(&job->out[n].s[k][at], vf_sel(start, base, base * (one + (ratio - one) * s)));
    }
}

ZT_LANE_OP void pose_add_rotations(const pose_add_job *job, size_t n, vf s, int at)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const vf identity[4] = {zero, zero, zero, one};
    vf base[4], from[4], to[4], whole[4], part[4], out[4];
    pose_load(job->base[n].r, at, 4, base);
    pose_load(job->from[n].r, at, 4, from);
    pose_load(job->to[n].r, at, 4, to);
    const vf back[4] = {zero - from[0], zero - from[1], zero - from[2], from[3]};
    pose_multiply4(to, back, whole);
    pose_slerp(identity, whole, s, part);
    pose_mix(identity, whole, part, s, 4, part);
    pose_multiply4(part, base, out);
    const vf unit = vf_set1(1.5f) - vf_set1(0.5f) * pose_dot4(out, out);
    const vm equal = vm_and(vm_and(vf_eq(from[0], to[0]), vf_eq(from[1], to[1])),
                            vm_and(vf_eq(from[2], to[2]), vf_eq(from[3], to[3])));
    const vm start = vf_le(s, zero);
    for (int k = 0; k < 4; k++)
        vf_store(&job->out[n].r[k][at],
                 vf_sel(equal, base[k], vf_sel(start, base[k], out[k] * unit)));
}

static void pose_add(const pose_add_job *job)
{
    for (size_t n = 0; n < job->block_count; n++)
        for (int at = 0; at < POSE_LANES; at += ZT_W) {
            const vf whole = vf_set1(job->weight);
            const vf s =
                job->mask ? vf_load(job->mask + n * POSE_LANES + (size_t)at) * whole : whole;
            pose_add_vectors(job, n, s, at);
            pose_add_rotations(job, n, s, at);
        }
}

// ---- Matrices -----------------------------------------------------------------------------------

/// One column of ZT_W matrices.
ZT_LANE_OP void pose_store_column(vf x, vf y, vf z, vf w, int column, skin_matrix *out)
{
    const vf in[4] = {x, y, z, w};
    qf q[ZT_W];
    vf_to_qf4(in, q);
    for (int i = 0; i < ZT_W; i++)
        qf_store(out[i].column[column], q[i]);
}

/// T R S of ZT_W nodes; the products are those of trs_to_mat4.
ZT_LANE_OP void pose_local_matrices(const pose_block *b, int at, skin_matrix *out)
{
    const vf x = vf_load(&b->r[0][at]), y = vf_load(&b->r[1][at]);
    const vf z = vf_load(&b->r[2][at]), w = vf_load(&b->r[3][at]);
    const vf sx = vf_load(&b->s[0][at]), sy = vf_load(&b->s[1][at]), sz = vf_load(&b->s[2][at]);
    const vf one = vf_set1(1.0f), two = vf_set1(2.0f), zero = vf_set1(0.0f);
    pose_store_column((one - two * (y * y + z * z)) * sx, (two * (x * y + z * w)) * sx,
                      (two * (x * z - y * w)) * sx, zero, 0, out);
    pose_store_column((two * (x * y - z * w)) * sy, (one - two * (x * x + z * z)) * sy,
                      (two * (y * z + x * w)) * sy, zero, 1, out);
    pose_store_column((two * (x * z + y * w)) * sz, (two * (y * z - x * w)) * sz,
                      (one - two * (x * x + y * y)) * sz, zero, 2, out);
    pose_store_column(vf_load(&b->t[0][at]), vf_load(&b->t[1][at]), vf_load(&b->t[2][at]), one, 3,
                      out);
}

/// out = parent * m. The last row of m, 0 0 0 1, is multiplied: it decides the signs of zeros.
ZT_LANE_OP void pose_multiply(const skin_matrix *parent, const float *m, bool affine,
                              skin_matrix *out)
{
    static const float last_row[16] = {[12] = 1.0f, 1.0f, 1.0f, 1.0f};
    const wf c0 = wf_repeat(parent->column[0]), c1 = wf_repeat(parent->column[1]);
    const wf c2 = wf_repeat(parent->column[2]), c3 = wf_repeat(parent->column[3]);
    for (int column = 0; column < 4; column += ZT_Q) {
        const wf v = wf_load(m + 4 * column);
        const wf w = affine ? wf_load(last_row + 4 * column) : wf_spread_w(v);
        const wf xy = wf_add(wf_mul(c0, wf_spread_x(v)), wf_mul(c1, wf_spread_y(v)));
        const wf xyz = wf_add(xy, wf_mul(c2, wf_spread_z(v)));
        wf_store(out->column[column], wf_add(xyz, wf_mul(c3, w)));
    }
}

ZT_LANE_OP const skin_matrix *pose_parent(const pose_matrices_job *job, uint32_t i)
{
    const int32_t parent = job->parent[i];
    return parent < 0 ? job->world_from_model : &job->world[parent];
}

/// Two passes over the output, because a product would wait for columns that were just stored; the
/// second by depth, because down a chain of joints each product would wait for the one before.
static void pose_matrices(const pose_matrices_job *in)
{
    const pose_matrices_job job = *in; // in registers: no store may change it
    for (size_t n = 0; n < job.node_count; n += POSE_LANES)
        for (int at = 0; at < POSE_LANES; at += ZT_W)
            pose_local_matrices(&job.local[n / POSE_LANES], at, &job.world[n + (size_t)at]);
    if (!job.fixed) {
        for (size_t n = 0; n < job.node_count; n++) {
            skin_matrix *m = &job.world[job.order[n]];
            pose_multiply(pose_parent(&job, job.order[n]), m->column[0], true, m);
        }
        return;
    }
    for (size_t n = 0; n < job.node_count; n++) {
        const uint32_t i = job.order[n];
        const float *m = job.fixed[i] ? job.fixed[i] : job.world[i].column[0];
        pose_multiply(pose_parent(&job, i), m, false, &job.world[i]);
    }
}
