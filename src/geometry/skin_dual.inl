// SPDX-License-Identifier: MIT
// Dual quaternion skinning in the order of operations of geometry_loops.h: Kavan, Collins, Zara &
// O'Sullivan, "Geometric skinning with approximate dual quaternion blending", ACM TOG 27(4), 2008.
// Each vertex sums its own blend; then ZT_W vertices are transformed in lanes.

/// Blends of ZT_W vertices, by component: real and dual part, and columns of the stretches.
typedef struct skin_duals {
    vf real[4], dual[4];
    vf stretch[3][4], normal[3][4];
} skin_duals;

/// The influences of one vertex. `pivot` is that of largest weight: the others are blended on its
/// side of the sphere.
typedef struct skin_influences {
    uint16_t joint[8];
    float weight[8];
    int count, pivot;
} skin_influences;

static inline skin_influences skin_gather(const skin_job *job, size_t i)
{
    skin_influences in = {.count = job->joints_more ? 8 : 4};
    memcpy(in.joint, job->joints[i].joint, sizeof job->joints[i].joint);
    memcpy(in.weight, job->weights[i].weight, sizeof job->weights[i].weight);
    if (job->joints_more) {
        memcpy(in.joint + 4, job->joints_more[i].joint, sizeof job->joints[i].joint);
        memcpy(in.weight + 4, job->weights_more[i].weight, sizeof job->weights[i].weight);
    }
    for (int k = 1; k < in.count; k++)
        in.pivot = in.weight[k] > in.weight[in.pivot] ? k : in.pivot;
    return in;
}

/// -1 where the rotations lie on opposite sides of the sphere, else 1.
static inline float skin_side(const skin_dual *a, const skin_dual *b)
{
    const float *p = a->real, *q = b->real;
    const float dot = ((p[0] * q[0] + p[1] * q[1]) + p[2] * q[2]) + p[3] * q[3];
    return dot < 0.0f ? -1.0f : 1.0f;
}

/// The blended columns of the stretches of one vertex.
static inline void skin_blend_columns(const skin_matrix *palette, const skin_influences *in,
                                      qf out[3])
{
    for (int column = 0; column < 3; column++) {
        qf sum = qf_mul(qf_load(palette[in->joint[0]].column[column]), qf_set1(in->weight[0]));
        for (int k = 1; k < in->count; k++)
            sum = qf_add(
                sum, qf_mul(qf_load(palette[in->joint[k]].column[column]), qf_set1(in->weight[k])));
        out[column] = sum;
    }
}

/// The blends of the vertices first .. last, padded with copies of the last.
ZT_LANE_OP void skin_blend_duals(const skin_job *job, bool stretches, size_t first, size_t last,
                                 skin_duals *out)
{
    qf real[ZT_W], dual[ZT_W], stretch[3][ZT_W], normal[3][ZT_W];
    for (size_t i = 0; i < ZT_W; i++) {
        const skin_influences in = skin_gather(job, first + i < last ? first + i : last);
        const skin_dual *pivot = &job->duals[in.joint[in.pivot]];
        qf r = qf_set1(0.0f), d = qf_set1(0.0f);
        for (int k = 0; k < in.count; k++) {
            const skin_dual *q = &job->duals[in.joint[k]];
            const qf w = qf_set1(in.weight[k] * skin_side(pivot, q));
            r = qf_add(r, qf_mul(qf_load(q->real), w));
            d = qf_add(d, qf_mul(qf_load(q->dual), w));
        }
        real[i] = r;
        dual[i] = d;
        if (!stretches)
            continue;
        qf columns[3], normals[3];
        skin_blend_columns(job->stretch, &in, columns);
        skin_blend_columns(job->stretch_normals, &in, normals);
        for (int k = 0; k < 3; k++) {
            stretch[k][i] = columns[k];
            normal[k][i] = normals[k];
        }
    }
    vf_from_qf4(real, out->real);
    vf_from_qf4(dual, out->dual);
    for (int k = 0; k < 3 && stretches; k++) {
        vf_from_qf4(stretch[k], out->stretch[k]);
        vf_from_qf4(normal[k], out->normal[k]);
    }
}

ZT_LANE_OP void skin_cross(const vf a[3], const vf b[3], vf out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/// ((c0 x + c1 y) + c2 z)
ZT_LANE_OP void skin_stretch(vf columns[3][4], vf v[3])
{
    vf out[3];
    for (int row = 0; row < 3; row++)
        out[row] = (columns[0][row] * v[0] + columns[1][row] * v[1]) + columns[2][row] * v[2];
    for (int row = 0; row < 3; row++)
        v[row] = out[row];
}

/// v + 2 (r x (r x v + w v)), for a unit quaternion (r, w).
ZT_LANE_OP void skin_rotate(const vf real[4], vf v[3])
{
    vf inner[3], outer[3];
    skin_cross(real, v, inner);
    for (int k = 0; k < 3; k++)
        inner[k] = inner[k] + real[3] * v[k];
    skin_cross(real, inner, outer);
    for (int k = 0; k < 3; k++)
        v[k] = v[k] + (outer[k] + outer[k]);
}

/// Normalizes the real part and converts the dual part to the translation, the vector part of
/// 2 d r*: 2 ((w dv - dw rv) + rv x dv).
ZT_LANE_OP void skin_unit_dual(skin_duals *b, vf translation[3])
{
    vf *r = b->real, *d = b->dual;
    const vf squared = ((r[0] * r[0] + r[1] * r[1]) + r[2] * r[2]) + r[3] * r[3];
    const vf scale = vf_set1(1.0f) / vf_sqrt(squared);
    for (int k = 0; k < 4; k++) {
        r[k] = r[k] * scale;
        d[k] = d[k] * scale;
    }
    skin_cross(r, d, translation);
    for (int k = 0; k < 3; k++) {
        const vf half = (r[3] * d[k] - d[3] * r[k]) + translation[k];
        translation[k] = half + half;
    }
}

/// Attributes of the vertices first .. first + count - 1.
ZT_LANE_OP void skin_dual_attributes(const skin_job *job, bool stretches, size_t first,
                                     size_t count, skin_duals *b)
{
    const float *from[ZT_W];
    vf v[8];
    for (size_t i = 0; i < ZT_W; i++)
        from[i] = &job->attributes[first + (i < count ? i : count - 1)].nx;
    vf_load8(from, v);
    if (stretches) {
        skin_stretch(b->normal, v);
        skin_stretch(b->stretch, v + 4);
    }
    skin_rotate(b->real, v);
    skin_rotate(b->real, v + 4);
    qf low[ZT_W], high[ZT_W];
    vf_to_qf4(v, low);
    vf_to_qf4(v + 4, high);
    for (size_t i = 0; i < count; i++) {
        qf_store(&job->out_attributes[first + i].nx, low[i]);
        qf_store(&job->out_attributes[first + i].tx, high[i]);
    }
}

/// Always inlined with a literal flag, like skin_range.
ZT_LANE_OP void skin_dual_range(const skin_job *job, bool stretches)
{
    for (size_t first = job->first, end = first + job->count; first < end; first += ZT_W) {
        const size_t count = end - first < ZT_W ? end - first : ZT_W;
        const float *from[ZT_W];
        skin_duals b;
        vf v[4], translation[3];
        skin_blend_duals(job, stretches, first, first + count - 1, &b);
        for (size_t i = 0; i < ZT_W; i++)
            from[i] = &job->position[first + (i < count ? i : count - 1)].x;
        vf_load4(from, v);
        skin_unit_dual(&b, translation);
        if (stretches)
            skin_stretch(b.stretch, v);
        skin_rotate(b.real, v);
        for (int k = 0; k < 3; k++)
            v[k] = v[k] + translation[k];
        qf q[ZT_W];
        vf_to_qf4(v, q);
        for (size_t i = 0; i < count; i++)
            qf_store(&job->out_position[first + i].x, q[i]);
        if (job->out_attributes)
            skin_dual_attributes(job, stretches, first, count, &b);
    }
}

static void skin_with_duals(const skin_job *job)
{
    if (job->stretch)
        skin_dual_range(job, true);
    else
        skin_dual_range(job, false);
}
