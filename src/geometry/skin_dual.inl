// SPDX-License-Identifier: MIT
// Dual quaternion skinning in the order of operations of geometry_loops.h: Kavan, Collins, Zara &
// O'Sullivan, "Geometric skinning with approximate dual quaternion blending", ACM TOG 27(4), 2008.
// ZT_W vertices are blended and transformed in lanes. Stretches are skinned before (skin.inl).

/// Arrays of lanes stay in registers only where the loops over them are unrolled.
#define SKIN_UNROLL _Pragma("GCC unroll 16")

/// Blends of ZT_W vertices, by component: real and dual part.
typedef struct skin_duals {
    vf real[4], dual[4];
} skin_duals;

/// The influences of ZT_W vertices: their joints, and weight k of each.
typedef struct skin_influences {
    const vertex_joints *joints[2]; ///< 0 to 3, 4 to 7
    vf weight[8];
} skin_influences;

ZT_LANE_OP skin_influences skin_influences_read(const skin_job *job, bool more, size_t first)
{
    skin_influences in = {.joints = {&job->joints[first]}};
    const float *weight[ZT_W];
    SKIN_UNROLL
    for (int lane = 0; lane < ZT_W; lane++)
        weight[lane] = job->weights[first + (size_t)lane].weight;
    vf_load4(weight, in.weight);
    if (more) {
        in.joints[1] = &job->joints_more[first];
        SKIN_UNROLL
        for (int lane = 0; lane < ZT_W; lane++)
            weight[lane] = job->weights_more[first + (size_t)lane].weight;
        vf_load4(weight, in.weight + 4);
    }
    return in;
}

/// The joints' quaternions, and that of largest weight: others are blended on its side.
ZT_LANE_OP void skin_duals_read(const skin_job *job, const skin_influences *in, int count,
                                vf quaternion[8][8], vf pivot[4])
{
    vf largest = in->weight[0];
    SKIN_UNROLL
    for (int k = 0; k < count; k++) {
        const float *from[ZT_W];
        SKIN_UNROLL
        for (int lane = 0; lane < ZT_W; lane++)
            from[lane] = job->duals[in->joints[k / 4][lane].joint[k % 4]].real;
        vf_load8(from, quaternion[k]);
        const vm larger = vf_gt(in->weight[k], largest);
        SKIN_UNROLL
        for (int c = 0; c < 4; c++)
            pivot[c] = k == 0 ? quaternion[0][c] : vf_sel(larger, quaternion[k][c], pivot[c]);
        largest = vf_sel(larger, in->weight[k], largest);
    }
}

/// The blends of the vertices first .. first + ZT_W - 1.
ZT_LANE_OP void skin_blend_duals(const skin_job *job, bool more, size_t first, skin_duals *out)
{
    const int count = more ? 8 : 4;
    const skin_influences in = skin_influences_read(job, more, first);
    vf quaternion[8][8], p[4], sum[8];
    skin_duals_read(job, &in, count, quaternion, p);
    SKIN_UNROLL
    for (int c = 0; c < 8; c++)
        sum[c] = vf_set1(0.0f);
    SKIN_UNROLL
    for (int k = 0; k < count; k++) {
        const vf *q = quaternion[k];
        const vf dot = ((p[0] * q[0] + p[1] * q[1]) + p[2] * q[2]) + p[3] * q[3];
        const vf side = vf_sel(vf_lt(dot, vf_set1(0.0f)), vf_set1(-1.0f), vf_set1(1.0f));
        const vf weight = in.weight[k] * side;
        SKIN_UNROLL
        for (int c = 0; c < 8; c++)
            sum[c] = sum[c] + q[c] * weight;
    }
    SKIN_UNROLL
    for (int c = 0; c < 4; c++) {
        out->real[c] = sum[c];
        out->dual[c] = sum[4 + c];
    }
}

ZT_LANE_OP void skin_cross(const vf a[3], const vf b[3], vf out[3])
{
    SKIN_UNROLL
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/// v + 2 (r x (r x v + w v)), for a unit quaternion (r, w).
ZT_LANE_OP void skin_rotate(const vf real[4], vf v[3])
{
    vf inner[3], outer[3];
    skin_cross(real, v, inner);
    SKIN_UNROLL
    for (int k = 0; k < 3; k++)
        inner[k] = inner[k] + real[3] * v[k];
    skin_cross(real, inner, outer);
    SKIN_UNROLL
    for (int k = 0; k < 3; k++)
        v[k] = v[k] + (outer[k] + outer[k]);
}

/// Normalizes the real part; the translation is the vector of 2 d r*: 2 ((w dv - dw rv) + rv x dv).
ZT_LANE_OP void skin_unit_dual(skin_duals *b, vf translation[3])
{
    vf *r = b->real, *d = b->dual;
    const vf squared = ((r[0] * r[0] + r[1] * r[1]) + r[2] * r[2]) + r[3] * r[3];
    const vf scale = vf_set1(1.0f) / vf_sqrt(squared);
    SKIN_UNROLL
    for (int k = 0; k < 4; k++) {
        r[k] = r[k] * scale;
        d[k] = d[k] * scale;
    }
    skin_cross(r, d, translation);
    SKIN_UNROLL
    for (int k = 0; k < 3; k++) {
        const vf half = (r[3] * d[k] - d[3] * r[k]) + translation[k];
        translation[k] = half + half;
    }
}

/// Attributes of the vertices first .. first + ZT_W - 1.
ZT_LANE_OP void skin_dual_attributes(const skin_job *job, size_t first, const skin_duals *b)
{
    const vertex_attributes *in = &job->attributes[first];
    vertex_attributes *out = &job->out_attributes[first];
    const float *from[ZT_W];
    vf v[8];
    SKIN_UNROLL
    for (int lane = 0; lane < ZT_W; lane++)
        from[lane] = &in[lane].nx;
    vf_load8(from, v);
    skin_rotate(b->real, v);
    skin_rotate(b->real, v + 4);
    qf low[ZT_W], high[ZT_W];
    vf_to_qf4(v, low);
    vf_to_qf4(v + 4, high);
    SKIN_UNROLL
    for (int lane = 0; lane < ZT_W; lane++) {
        qf_store(&out[lane].nx, low[lane]);
        qf_store(&out[lane].tx, high[lane]);
    }
}

/// Whole groups of ZT_W vertices. Always inlined with a literal flag, like skin_range.
ZT_LANE_OP void skin_dual_range(const skin_job *shared, bool more)
{
    const skin_job own = *shared, *job = &own; // a local copy: no store can change it
    for (size_t first = job->first, end = first + job->count; first < end; first += ZT_W) {
        const vertex_position *in = &job->position[first];
        vertex_position *out = &job->out_position[first];
        const float *from[ZT_W];
        skin_duals b;
        vf v[4], translation[3];
        skin_blend_duals(job, more, first, &b);
        SKIN_UNROLL
        for (int lane = 0; lane < ZT_W; lane++)
            from[lane] = &in[lane].x;
        vf_load4(from, v);
        skin_unit_dual(&b, translation);
        skin_rotate(b.real, v);
        SKIN_UNROLL
        for (int k = 0; k < 3; k++)
            v[k] = v[k] + translation[k];
        qf q[ZT_W];
        vf_to_qf4(v, q);
        SKIN_UNROLL
        for (int lane = 0; lane < ZT_W; lane++)
            qf_store(&out[lane].x, q[lane]);
        if (job->out_attributes)
            skin_dual_attributes(job, first, &b);
    }
}

static void skin_with_duals(const skin_job *job)
{
    job->joints_more ? skin_dual_range(job, true) : skin_dual_range(job, false);
}
