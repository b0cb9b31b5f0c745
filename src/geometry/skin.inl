// SPDX-License-Identifier: MIT
// Linear-blend skinning, bind space -> world space, in the order of operations of geometry_loops.h.
// Each vertex blends its own matrix (a wm: gathering its 48 numbers across lanes would cost more
// than it saves). Then one multiplication with the columns of ZT_Q matrices transforms ZT_Q
// positions, normals or tangents. (Magnenat-Thalmann et al., "Joint-dependent local
// deformations for hand animation and object grasping", 1988.)

static inline wm skin_blend(const skin_matrix *palette, const uint16_t joint[4],
                            const float weight[4])
{
    const wm a = wm_scale(wm_load(palette[joint[0]].column[0]), weight[0]);
    const wm b = wm_scale(wm_load(palette[joint[1]].column[0]), weight[1]);
    const wm c = wm_scale(wm_load(palette[joint[2]].column[0]), weight[2]);
    const wm d = wm_scale(wm_load(palette[joint[3]].column[0]), weight[3]);
    return wm_add(wm_add(wm_add(a, b), c), d);
}

static inline wm skin_blend_more(const skin_matrix *palette, const uint16_t joint[4],
                                 const float weight[4], wm sum)
{
    for (int k = 0; k < 4; k++)
        sum = wm_add(sum, wm_scale(wm_load(palette[joint[k]].column[0]), weight[k]));
    return sum;
}

/// Columns of ZT_Q matrices, for positions and for attributes.
typedef struct skin_columns {
    wf position[4];
    wf attribute[3][2];
} skin_columns;

ZT_LANE_OP void skin_part(const wm m[ZT_Q], skin_columns *out)
{
    for (int column = 0; column < 4; column++) {
        wf pairs[2];
        wm_pairs(m, column, pairs);
        out->position[column] = wf_pairs_first(pairs);
        if (column < 3) {
            out->attribute[column][0] = pairs[0];
            out->attribute[column][1] = pairs[1];
        }
    }
}

/// Normals, the first of each pair of attributes, have matrices of their own.
ZT_LANE_OP void skin_part_normals(const wm normals[ZT_Q], skin_columns *out)
{
    for (int column = 0; column < 3; column++) {
        wf pairs[2];
        wm_pairs(normals, column, pairs);
        wf_pairs_mix(pairs, out->attribute[column], out->attribute[column]);
    }
}

/// c0 x + c1 y; the caller adds c2 z.
ZT_LANE_OP wf skin_xy(wf c0, wf c1, wf v)
{
    return wf_add(wf_mul(c0, wf_spread_x(v)), wf_mul(c1, wf_spread_y(v)));
}

/// The fourth component of the input (1, u, v) is copied.
ZT_LANE_OP void skin_positions(const skin_columns *m, const vertex_position *restrict in,
                               vertex_position *restrict out)
{
    const wf p = wf_load(&in->x);
    const wf xy = skin_xy(m->position[0], m->position[1], p);
    const wf xyz = wf_add(xy, wf_mul(m->position[2], wf_spread_z(p)));
    wf_store(&out->x, wf_add_xyz(xyz, m->position[3], p));
}

ZT_LANE_OP void skin_attributes(const skin_columns *m, bool own_normals,
                                const vertex_attributes *restrict in,
                                vertex_attributes *restrict out)
{
    wf v[2];
    if (own_normals)
        wf_load_mixed(&in->nx, v);
    else
        wf_load_pairs(&in->nx, v);
    for (int k = 0; k < 2; k++) {
        const wf xy = skin_xy(m->attribute[0][k], m->attribute[1][k], v[k]);
        v[k] = wf_add_xyz(xy, wf_mul(m->attribute[2][k], wf_spread_z(v[k])), v[k]);
    }
    if (own_normals)
        wf_store_mixed(&out->nx, v);
    else
        wf_store_pairs(&out->nx, v);
}

/// The matrices of ZT_Q vertices from i on.
ZT_LANE_OP void skin_blends(const skin_job *job, const skin_matrix *palette, size_t i, bool more,
                            wm out[ZT_Q])
{
    for (size_t k = 0; k < ZT_Q; k++) {
        out[k] = skin_blend(palette, job->joints[i + k].joint, job->weights[i + k].weight);
        if (more)
            out[k] = skin_blend_more(palette, job->joints_more[i + k].joint,
                                     job->weights_more[i + k].weight, out[k]);
    }
}

ZT_LANE_OP void skin_transform(const skin_job *job, const skin_columns *columns, bool attributes,
                               bool own_normals, size_t i)
{
    skin_positions(columns, &job->position[i], &job->out_position[i]);
    if (attributes)
        skin_attributes(columns, own_normals, &job->attributes[i], &job->out_attributes[i]);
}

/// Whole groups of ZT_Q vertices, at least one. Always inlined with literal flags, so that each
/// combination becomes a loop without branches. With ZT_Q_AHEAD the matrices of a group are blended
/// while the group before it is transformed: neither depends on the other.
ZT_LANE_OP void skin_range(const skin_job *shared, bool blended, bool more, bool attributes,
                           bool own_normals)
{
    const skin_job own = *shared, *job = &own; // a local copy: no store can change it
    const bool ahead = ZT_Q_AHEAD && blended && !own_normals;
    wm m[ZT_Q], normals[ZT_Q];
    skin_columns columns;
    for (int k = 0; k < ZT_Q && !blended; k++) {
        m[k] = wm_load(job->palette[0].column[0]);
        normals[k] = wm_load(job->normals[0].column[0]);
    }
    if (!blended) {
        skin_part(m, &columns);
        if (own_normals)
            skin_part_normals(normals, &columns);
    }
    if (ahead)
        skin_blends(job, job->palette, job->first, more, m);
    const size_t end = job->first + job->count - (ahead ? ZT_Q : 0);
    for (size_t i = job->first; i < end; i += ZT_Q) {
        if (blended && !ahead)
            skin_blends(job, job->palette, i, more, m);
        if (blended)
            skin_part(m, &columns);
        if (ahead)
            skin_blends(job, job->palette, i + ZT_Q, more, m);
        if (blended && own_normals) {
            skin_blends(job, job->normals, i, more, normals);
            skin_part_normals(normals, &columns);
        }
        skin_transform(job, &columns, attributes, own_normals, i);
    }
    if (ahead) {
        skin_part(m, &columns);
        skin_transform(job, &columns, attributes, own_normals, end);
    }
}

static void skin_groups(const skin_job *job)
{
    const bool attributes = job->out_attributes != NULL;
    const bool own_normals = attributes && job->normals != job->palette;
    if (!job->joints) {
        if (own_normals)
            skin_range(job, false, false, true, true);
        else if (attributes)
            skin_range(job, false, false, true, false);
        else
            skin_range(job, false, false, false, false);
    } else if (job->joints_more) {
        if (own_normals)
            skin_range(job, true, true, true, true);
        else if (attributes)
            skin_range(job, true, true, true, false);
        else
            skin_range(job, true, true, false, false);
    } else if (!attributes) {
        skin_range(job, true, false, false, false);
    } else if (own_normals) {
        skin_range(job, true, false, true, true);
    } else {
        skin_range(job, true, false, true, false);
    }
}

enum { SKIN_GROUP = ZT_Q > ZT_W ? ZT_Q : ZT_W };
/// The vertices that are stretched before they are rotated: they stay in the first cache.
enum { STRETCH_CHUNK = 256 };
_Static_assert(ZT_W % ZT_Q == 0 && STRETCH_CHUNK % ZT_W == 0, "whole groups of both loops");

/// Linear blends of the stretches, then, from there, the dual quaternions.
static void skin_stretched(const skin_job *job)
{
    skin_job stretch = *job, rotate = *job;
    stretch.palette = job->stretch;
    stretch.normals = job->stretch_normals;
    rotate.position = job->out_position;
    rotate.attributes = job->out_attributes;
    for (size_t done = 0; done < job->count; done += STRETCH_CHUNK) {
        const size_t left = job->count - done;
        stretch.first = rotate.first = job->first + done;
        stretch.count = rotate.count = left < STRETCH_CHUNK ? left : STRETCH_CHUNK;
        skin_groups(&stretch);
        skin_with_duals(&rotate);
    }
}

static void skin_whole_groups(const skin_job *job)
{
    if (!job->duals)
        skin_groups(job);
    else if (job->stretch)
        skin_stretched(job);
    else
        skin_with_duals(job);
}

/// The rest of less than a group, as one group padded with copies of its first vertex.
static void skin_rest(const skin_job *job, size_t first, size_t count, size_t size)
{
    vertex_position position[SKIN_GROUP], out_position[SKIN_GROUP];
    vertex_attributes attributes[SKIN_GROUP], out_attributes[SKIN_GROUP];
    vertex_joints joints[SKIN_GROUP], joints_more[SKIN_GROUP];
    vertex_weights weights[SKIN_GROUP], weights_more[SKIN_GROUP];
    skin_job group = *job;
    for (size_t k = 0; k < size; k++) {
        const size_t i = first + (k < count ? k : 0);
        position[k] = job->position[i];
        if (job->out_attributes)
            attributes[k] = job->attributes[i];
        if (job->joints) {
            joints[k] = job->joints[i];
            weights[k] = job->weights[i];
        }
        if (job->joints_more) {
            joints_more[k] = job->joints_more[i];
            weights_more[k] = job->weights_more[i];
        }
    }
    group.position = position;
    group.attributes = attributes;
    group.joints = job->joints ? joints : NULL;
    group.weights = weights;
    group.joints_more = job->joints_more ? joints_more : NULL;
    group.weights_more = weights_more;
    group.out_position = out_position;
    group.out_attributes = job->out_attributes ? out_attributes : NULL;
    group.first = 0;
    group.count = size;
    skin_whole_groups(&group);
    memcpy(&job->out_position[first], out_position, count * sizeof *out_position);
    if (job->out_attributes)
        memcpy(&job->out_attributes[first], out_attributes, count * sizeof *out_attributes);
}

static void skin(const skin_job *job)
{
    const size_t size = job->duals ? ZT_W : ZT_Q, rest = job->count % size;
    skin_job groups = *job;
    groups.count -= rest;
    if (groups.count > 0)
        skin_whole_groups(&groups);
    if (rest > 0)
        skin_rest(job, job->first + groups.count, rest, size);
}
