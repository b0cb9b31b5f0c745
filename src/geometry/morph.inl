// SPDX-License-Identifier: MIT
// Morph targets: adds weighted differences to a run of vertices, then makes tangent frames
// orthonormal and clamps colours, in the order of operations of geometry_loops.h.

enum { MORPH_BLOCK = 16 };
_Static_assert(MORPH_CHUNK / MORPH_BLOCK <= 64, "one bit for each block");

/// Adds groups [first, end) of one target to `out`, vertices of `width` floats. Returns one bit for
/// each block of 16 vertices: set if it changed any of them.
ZT_LANE_OP uint64_t morph_add(const morph_part *part, uint32_t first, uint32_t end, float weight,
                              size_t width, float *out)
{
    const vf w = vf_set1(weight);
    const size_t floats = MORPH_GROUP * width;
    uint64_t touched = 0;
    for (uint32_t g = morph_find_group(part, first); g < part->group_count && part->group[g] < end;
         g++) {
        const float *delta = part->delta + g * floats;
        float *to = out + part->group[g] * floats;
        for (size_t k = 0; k < floats; k += ZT_W)
            vf_store(to + k, vf_load(to + k) + vf_load(delta + k) * w);
        touched |= (uint64_t)1 << ((part->group[g] - first) / (MORPH_BLOCK / MORPH_GROUP));
    }
    return touched;
}

ZT_LANE_OP vf morph_dot(const vf a[3], const vf b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/// Normalizes v where its squared length is in [min_squared, 1e30]; elsewhere v = fallback.
ZT_LANE_OP void morph_unit(vf v[3], float min_squared, const vf fallback[3])
{
    const vf squared = morph_dot(v, v);
    const vm good = vm_and(vf_ge(squared, vf_set1(min_squared)), vf_le(squared, vf_set1(1e30f)));
    const vf scale = vf_set1(1.0f) / vf_sqrt(vf_sel(good, squared, vf_set1(1.0f)));
    for (int k = 0; k < 3; k++)
        v[k] = vf_sel(good, v[k] * scale, fallback[k]);
}

/// A unit vector perpendicular to the unit vector n.
ZT_LANE_OP void morph_perpendicular(const vf n[3], vf out[3])
{
    const vf one = vf_set1(1.0f);
    const vf sign = vf_sel(vf_lt(n[2], vf_set1(0.0f)), vf_set1(-1.0f), one);
    const vf a = vf_set1(-1.0f) / (sign + n[2]);
    out[0] = one + sign * (n[0] * n[0]) * a;
    out[1] = sign * (n[0] * n[1]) * a;
    out[2] = vf_neg(sign) * n[0];
}

/// Tangent frames of ZT_W vertices. Limits of squared lengths: 1e-30, the normal has cancelled out;
/// 1e-12, the tangent is within 1e-6 of the normal, and its rest is rounding error.
ZT_LANE_OP void morph_frames(const vertex_attributes *base, vertex_attributes *out)
{
    const float *from[ZT_W], *to[ZT_W];
    for (int i = 0; i < ZT_W; i++) {
        from[i] = &base[i].nx;
        to[i] = &out[i].nx;
    }
    vf b[8], m[8];
    vf_load8(from, b);
    vf_load8(to, m);
    vm same = vf_eq(b[0], m[0]);
    for (int k = 1; k < 7; k++)
        same = k == 3 ? same : vm_and(same, vf_eq(b[k], m[k]));
    if (vm_all(same))
        return;
    vf n[3] = {m[0], m[1], m[2]}, t[3] = {m[4], m[5], m[6]}, across[3];
    morph_unit(n, 1e-30f, b);
    morph_perpendicular(n, across);
    const vf along = morph_dot(n, t);
    for (int k = 0; k < 3; k++)
        t[k] = t[k] - n[k] * along;
    morph_unit(t, 1e-12f, across);
    for (int k = 0; k < 3; k++) {
        m[k] = vf_sel(same, m[k], n[k]);
        m[4 + k] = vf_sel(same, m[4 + k], t[k]);
    }
    qf low[ZT_W], high[ZT_W];
    vf_to_qf4(m, low);
    vf_to_qf4(m + 4, high);
    for (int i = 0; i < ZT_W; i++) {
        qf_store(&out[i].nx, low[i]);
        qf_store(&out[i].tx, high[i]);
    }
}

/// The colours of ZT_W vertices.
ZT_LANE_OP void morph_colors(const vertex_extra *base, vertex_extra *out)
{
    const float *from[ZT_W], *to[ZT_W];
    for (int i = 0; i < ZT_W; i++) {
        from[i] = &base[i].r;
        to[i] = &out[i].r;
    }
    vf b[4], m[4];
    vf_load4(from, b);
    vf_load4(to, m);
    for (int k = 0; k < 4; k++) {
        const vf clamped = vf_clamp(m[k], vf_set1(0.0f), vf_set1(1.0f));
        m[k] = vf_sel(vf_eq(b[k], m[k]), m[k], clamped);
    }
    qf q[ZT_W];
    vf_to_qf4(m, q);
    for (int i = 0; i < ZT_W; i++)
        qf_store(&out[i].r, q[i]);
}

static void morph(const morph_job *job)
{
    const size_t first = job->first;
    const size_t count = (job->count + MORPH_BLOCK - 1) / MORPH_BLOCK * MORPH_BLOCK;
    const uint32_t begin = (uint32_t)(first / MORPH_GROUP);
    const uint32_t end = (uint32_t)((first + count) / MORPH_GROUP);
    uint64_t frames = 0, colors = 0;
    memcpy(job->out_position + first, job->position + first, count * sizeof *job->position);
    if (job->out_attributes)
        memcpy(job->out_attributes + first, job->attributes + first,
               count * sizeof *job->attributes);
    if (job->out_extra)
        memcpy(job->out_extra + first, job->extra + first, count * sizeof *job->extra);
    for (uint32_t i = 0; i < job->use_count; i++) {
        const morph_target *target = job->uses[i].target;
        const float w = job->uses[i].weight;
        (void)morph_add(&target->position, begin, end, w, 4, &job->out_position->x);
        if (job->out_attributes)
            frames |= morph_add(&target->attributes, begin, end, w, 8, &job->out_attributes->nx);
        if (job->out_extra)
            colors |= morph_add(&target->extra, begin, end, w, 8, &job->out_extra->r);
    }
    for (size_t i = 0; i < count; i += ZT_W) {
        const size_t v = first + i;
        if (frames >> (i / MORPH_BLOCK) & 1)
            morph_frames(&job->attributes[v], &job->out_attributes[v]);
        if (colors >> (i / MORPH_BLOCK) & 1)
            morph_colors(&job->extra[v], &job->out_extra[v]);
    }
}
