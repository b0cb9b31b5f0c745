// SPDX-License-Identifier: MIT
// Linear-blend skinning, bind space -> world space, in the order of operations of skin_types.h.
// Each vertex blends a matrix of its own (a wm: gathering its 48 numbers across lanes would cost
// more than it saves); then the columns of ZT_Q vertices stand side by side and move their
// positions, normals and tangents together. (Magnenat-Thalmann et al., "Joint-dependent local
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

/// Normals, the first of each pair of attributes, move by matrices of their own.
ZT_LANE_OP void skin_part_normals(const wm normals[ZT_Q], skin_columns *out)
{
    for (int column = 0; column < 3; column++) {
        wf pairs[2];
        wm_pairs(normals, column, pairs);
        wf_pairs_mix(pairs, out->attribute[column], out->attribute[column]);
    }
}

/// c0 x + c1 y, to which c2 z is added last.
ZT_LANE_OP wf skin_xy(wf c0, wf c1, wf v)
{
    return wf_add(wf_mul(c0, wf_spread_x(v)), wf_mul(c1, wf_spread_y(v)));
}

/// The fourth component of the input (1, u, v) is copied.
ZT_LANE_OP void skin_positions(const skin_columns *m, const vertex_position *in,
                               vertex_position *out)
{
    const wf p = wf_load(&in->x);
    const wf xy = skin_xy(m->position[0], m->position[1], p);
    const wf xyz = wf_add(xy, wf_mul(m->position[2], wf_spread_z(p)));
    wf_store(&out->x, wf_add_xyz(xyz, m->position[3], p));
}

ZT_LANE_OP void skin_attributes(const skin_columns *m, const vertex_attributes *in,
                                vertex_attributes *out)
{
    wf v[2];
    wf_load_pairs(&in->nx, v);
    for (int k = 0; k < 2; k++) {
        const wf xy = skin_xy(m->attribute[0][k], m->attribute[1][k], v[k]);
        v[k] = wf_add_xyz(xy, wf_mul(m->attribute[2][k], wf_spread_z(v[k])), v[k]);
    }
    wf_store_pairs(&out->nx, v);
}

/// Whole groups of ZT_Q vertices. Always inlined with literal flags, so that each combination
/// becomes a loop without branches.
ZT_LANE_OP void skin_range(const skin_job *job, bool blended, bool more, bool attributes,
                           bool own_normals)
{
    const vertex_joints *joints = job->joints;
    const vertex_weights *weights = job->weights;
    const vertex_joints *joints_more = job->joints_more;
    const vertex_weights *weights_more = job->weights_more;
    const skin_matrix *palette = job->palette, *normal_palette = job->normals;
    wm m[ZT_Q], normals[ZT_Q];
    skin_columns columns;
    for (int k = 0; k < ZT_Q && !blended; k++) {
        m[k] = wm_load(palette[0].column[0]);
        normals[k] = wm_load(normal_palette[0].column[0]);
    }
    if (!blended) {
        skin_part(m, &columns);
        if (own_normals)
            skin_part_normals(normals, &columns);
    }
    const vertex_position *restrict position = job->position;
    const vertex_attributes *restrict attribute = job->attributes;
    vertex_position *restrict out_position = job->out_position;
    vertex_attributes *restrict out_attribute = job->out_attributes;
    for (size_t i = job->first, end = job->first + job->count; i < end; i += ZT_Q) {
        for (size_t k = 0; k < ZT_Q && blended; k++)
            m[k] = skin_blend(palette, joints[i + k].joint, weights[i + k].weight);
        for (size_t k = 0; k < ZT_Q && more; k++)
            m[k] = skin_blend_more(palette, joints_more[i + k].joint, weights_more[i + k].weight,
                                   m[k]);
        if (blended)
            skin_part(m, &columns);
        for (size_t k = 0; k < ZT_Q && blended && own_normals; k++)
            normals[k] = skin_blend(normal_palette, joints[i + k].joint, weights[i + k].weight);
        for (size_t k = 0; k < ZT_Q && more && own_normals; k++)
            normals[k] = skin_blend_more(normal_palette, joints_more[i + k].joint,
                                         weights_more[i + k].weight, normals[k]);
        if (blended && own_normals)
            skin_part_normals(normals, &columns);
        skin_positions(&columns, &position[i], &out_position[i]);
        if (attributes)
            skin_attributes(&columns, &attribute[i], &out_attribute[i]);
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

/// The vertices left over, as one group with copies of the first of them behind.
static void skin_rest(const skin_job *job, size_t first, size_t count)
{
    vertex_position position[ZT_Q], out_position[ZT_Q];
    vertex_attributes attributes[ZT_Q], out_attributes[ZT_Q];
    vertex_joints joints[ZT_Q], joints_more[ZT_Q];
    vertex_weights weights[ZT_Q], weights_more[ZT_Q];
    skin_job group = *job;
    for (size_t k = 0; k < ZT_Q; k++) {
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
    group.count = ZT_Q;
    skin_groups(&group);
    memcpy(&job->out_position[first], out_position, count * sizeof *out_position);
    if (job->out_attributes)
        memcpy(&job->out_attributes[first], out_attributes, count * sizeof *out_attributes);
}

static void skin(const skin_job *job)
{
    if (job->duals) {
        skin_with_duals(job);
        return;
    }
    const size_t rest = job->count % ZT_Q;
    skin_job groups = *job;
    groups.count -= rest;
    skin_groups(&groups);
    if (rest > 0)
        skin_rest(job, job->first + groups.count, rest);
}
