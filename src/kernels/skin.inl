// SPDX-License-Identifier: MIT
// Linear-blend skinning, bind space -> world space, one vertex at a time in 128-bit registers: a
// vertex needs 48 numbers of its own, and gathering those across lanes costs more than it saves.
// The order of the operations is that of skin_types.h. (Magnenat-Thalmann et al., "Joint-dependent
// local deformations for hand animation and object grasping", 1988.)

typedef struct skin_columns {
    qf c0, c1, c2, c3;
} skin_columns;

static inline skin_columns skin_load(const skin_matrix *m)
{
    return (skin_columns){qf_load(m->column[0]), qf_load(m->column[1]), qf_load(m->column[2]),
                          qf_load(m->column[3])};
}

static inline qf skin_blend_column(const float *a, const float *b, const float *c, const float *d,
                                   const qf w[4])
{
    const qf ab = qf_add(qf_mul(qf_load(a), w[0]), qf_mul(qf_load(b), w[1]));
    return qf_add(qf_add(ab, qf_mul(qf_load(c), w[2])), qf_mul(qf_load(d), w[3]));
}

static inline skin_columns skin_blend(const skin_matrix *palette, const uint16_t joint[4],
                                      const qf w[4])
{
    const skin_matrix *a = &palette[joint[0]], *b = &palette[joint[1]];
    const skin_matrix *c = &palette[joint[2]], *d = &palette[joint[3]];
    return (skin_columns){
        skin_blend_column(a->column[0], b->column[0], c->column[0], d->column[0], w),
        skin_blend_column(a->column[1], b->column[1], c->column[1], d->column[1], w),
        skin_blend_column(a->column[2], b->column[2], c->column[2], d->column[2], w),
        skin_blend_column(a->column[3], b->column[3], c->column[3], d->column[3], w)};
}

static inline qf skin_direction(const skin_columns *m, float x, float y, float z)
{
    const qf xy = qf_add(qf_mul(m->c0, qf_set1(x)), qf_mul(m->c1, qf_set1(y)));
    return qf_add(xy, qf_mul(m->c2, qf_set1(z)));
}

/// The fourth component of the input (1, u, v) is copied: the matrices hold 0 or 1 there.
static inline void skin_write_position(const skin_job *job, size_t i, const skin_columns *m)
{
    const vertex_position *p = &job->position[i];
    const qf moved = qf_add(skin_direction(m, p->x, p->y, p->z), m->c3);
    qf_store(&job->out_position[i].x, qf_with_w(moved, qf_load(&p->x)));
}

static inline void skin_write_attributes(const skin_job *job, size_t i, const skin_columns *m,
                                         const skin_columns *normals)
{
    const vertex_attributes *a = &job->attributes[i];
    vertex_attributes *out = &job->out_attributes[i];
    const qf normal = skin_direction(normals, a->nx, a->ny, a->nz);
    const qf tangent = skin_direction(m, a->tx, a->ty, a->tz);
    qf_store(&out->nx, qf_with_w(normal, qf_load(&a->nx)));
    qf_store(&out->tx, qf_with_w(tangent, qf_load(&a->tx)));
}

/// Always inlined with literal flags, so that each combination becomes a loop without branches.
ZT_LANE_OP void skin_range(const skin_job *job, bool blended, bool attributes, bool own_normals)
{
    skin_columns m = skin_load(&job->palette[0]), normals = m;
    if (own_normals)
        normals = skin_load(&job->normals[0]);
    for (size_t i = job->first; i < job->first + job->count; i++) {
        if (blended) {
            const float *weight = job->weights[i].weight;
            const qf w[4] = {qf_set1(weight[0]), qf_set1(weight[1]), qf_set1(weight[2]),
                             qf_set1(weight[3])};
            m = skin_blend(job->palette, job->joints[i].joint, w);
            if (attributes)
                normals = own_normals ? skin_blend(job->normals, job->joints[i].joint, w) : m;
        }
        skin_write_position(job, i, &m);
        if (attributes)
            skin_write_attributes(job, i, &m, &normals);
    }
}

static void skin(const skin_job *job)
{
    const bool attributes = job->out_attributes != NULL;
    const bool own_normals = attributes && job->normals != job->palette;
    if (!job->joints) {
        skin_range(job, false, attributes, own_normals);
    } else if (!attributes) {
        skin_range(job, true, false, false);
    } else if (own_normals) {
        skin_range(job, true, true, true);
    } else {
        skin_range(job, true, true, false);
    }
}
