// SPDX-License-Identifier: MIT
/// Meshes by their corners: vertices of both models within a millionth of the size are one place.
/// The looks of corners at a place are summed, in the old model with the other sign, so that the
/// order in files does not count. A corner counts with a factor of its own triangle, so that two
/// corners do not make up for each other.
#include "base/hash.h"
#include "base/maths.h"
#include "diff/diff_parts.h"
#include "pose/pose.h"

enum { NEAREST_MAX = 1 << 27 }; ///< distances: with more, the largest of them is not told
/// Numbers of a corner: 1, then its looks.
enum { LOOKS = 7, LOOK_FLOATS = 16, WEIGHT_FLOATS = 12 };
static const struct {
    const char *name;
    int end;          ///< of its numbers, which begin where those before end
    double tolerance; ///< of a corner; materials are whole numbers
} looks[LOOKS] = {
    {"triangles", 1, 1e-9}, // the places around
    {"normals", 4, 2e-3},
    {"texture coordinates", 6, 1e-5},
    {"second texture coordinates", 8, 1e-5},
    {"colours", WEIGHT_FLOATS, 1e-3},
    {"joints, weights or bind matrices", 15, 1e-4},
    {"materials", LOOK_FLOATS, 0.4},
};

typedef struct place {
    dvec3 at;
    uint32_t vertices[2];
    double sum[LOOK_FLOATS];
    double factors; ///< of both models: rounding grows with them
    dvec3 moved;    ///< by the morph target at hand: the new model less the old one
} place;

typedef struct mesh_diff {
    differ *d;
    const model_mesh *mesh[2];
    const model_skin *skin[2]; ///< NULL: none
    affine from_mesh[2];
    double tolerance;
    hash_table cells;
    uint32_t count; ///< of places
    place *places;
    uint32_t *number[2];       ///< [vertex] its place
    uint32_t differing[LOOKS]; ///< places
    vertex_position *moved[2]; ///< by the morph target at hand
} mesh_diff;

/// The nearest place within the tolerance, or a new one.
static uint32_t place_of(mesh_diff *m, dvec3 at)
{
    const double wide = 4.0 * m->tolerance; // few places are in a cell: none is near another
    double nearest = m->tolerance;
    uint32_t best = m->count, *slot = NULL;
    for (int k = 0; k < 9; k++) { // the cells around it, then its own
        const double t = k < 8 ? m->tolerance : 0.0;
        const double cell[] = {floor((at.x + (k & 1 ? t : -t)) / wide) + 0.0,
                               floor((at.y + (k & 2 ? t : -t)) / wide) + 0.0,
                               floor((at.z + (k & 4 ? t : -t)) / wide) + 0.0}; // no -0
        slot = hash_table_first(&m->cells, hash_bytes(HASH_START, cell, sizeof cell));
        for (; *slot != 0; slot = hash_table_next(&m->cells, slot)) {
            const double far = dvec3_length(dvec3_sub(m->places[*slot - 1].at, at));
            best = far <= nearest ? *slot - 1 : best;
            nearest = far <= nearest ? far : nearest;
        }
    }
    if (best == m->count) {
        m->places[m->count++].at = at;
        *slot = m->count;
    }
    return best;
}

/// Weights become a point: the mean of points that stand for the joints, each at the vertex as it
/// is bound to it.
static void add_corner(mesh_diff *m, int side, uint32_t v, uint32_t material, double factor)
{
    static const vertex_extra plain = {1.0f, 1.0f, 1.0f, 1.0f, 0.0f, 0.0f, {0}};
    static const double stand[] = {0.6180339887, 0.7548776662, 0.8191725134};
    const model_mesh *mesh = m->mesh[side];
    const model_skin *skin = m->skin[side];
    const vertex_attributes *a = &mesh->attributes[v];
    const vertex_extra *e = mesh->extra ? &mesh->extra[v] : &plain;
    const vertex_joints *joints[] = {mesh->joints, mesh->joints_more};
    const vertex_weights *weights[] = {mesh->weights, mesh->weights_more};
    dvec3 normal = dmat3_transform(&m->from_mesh[side].m, dvec3_from_floats(&a->nx));
    (void)dvec3_normalize(&normal, 0.0);
    const float flat[] = {a->u, a->v, e->u1, e->v1, e->r, e->g, e->b, e->a};
    double look[LOOK_FLOATS] = {1.0, normal.x, normal.y, normal.z}, at[3];
    for (int k = 0; k < 8; k++)
        look[4 + k] = (double)flat[k];
    for (int k = 0; skin && k < 8; k++) {
        const double weight = weights[k / 4] ? (double)weights[k / 4][v].weight[k % 4] : 0.0;
        if (weight == 0.0)
            continue;
        const uint16_t joint = joints[k / 4][v].joint[k % 4];
        const int32_t node = skin->joint_node[joint];
        const double n = side ? node : (double)m->d->things[DIFF_NODES].list[0][node].partner;
        const affine bind = affine_from_floats(skin->joint_from_bind[joint][0]);
        dvec3_store(affine_point(&bind, dvec3_from_floats(&mesh->position[v].x)), at);
        for (int axis = 0; axis < 3; axis++)
            look[WEIGHT_FLOATS + axis] +=
                weight * (fmod(n * stand[axis], 1.0) + at[axis] / m->d->size);
    }
    look[LOOK_FLOATS - 1] = material;
    place *p = &m->places[m->number[side][v]];
    p->factors += factor;
    for (int k = 0; k < LOOK_FLOATS; k++)
        p->sum[k] += (side ? factor : -factor) * look[k];
}

static zt_result add_mesh(mesh_diff *m, int side)
{
    const model_mesh *mesh = m->mesh[side];
    const diff_thing *materials = m->d->things[DIFF_MATERIALS].list[0];
    const uint64_t steps = (uint64_t)mesh->vertex_count + mesh->triangle_count;
    uint32_t *number = m->number[side];
    ZT_TRY(arena_work(&m->d->scratch, steps, "meshes", m->d->err));
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const dvec3 at = dvec3_add(dvec3_from_floats(&mesh->position[v].x), mesh->middle);
        ZT_TRY(arena_go_on_at(&m->d->scratch, v, "meshes", m->d->err));
        number[v] = place_of(m, affine_point(&m->from_mesh[side], at));
        m->places[number[v]].vertices[side]++;
    }
    for (const meshlet *let = mesh->meshlets; let < mesh->meshlets + mesh->meshlet_count; let++)
        for (uint32_t t = 0; t < let->triangle_count; t++) {
            uint32_t v[5];
            for (uint32_t k = 0; k < 5; k++)
                v[k] = mesh->meshlet_vertex[let->vertex_first +
                                            mesh->meshlet_corner[k % 3][let->triangle_first + t]];
            for (uint32_t k = 0; k < 3; k++) {
                uint64_t hash = hash_number(HASH_START, number[v[k + 1]]);
                hash = hash_number(hash, number[v[k + 2]]);
                add_corner(m, side, v[k], side ? let->material : materials[let->material].partner,
                           0.5 + (double)(hash >> 11) * 0x1p-53);
            }
        }
    return ZT_OK;
}

/// True in `out` when nothing differs.
static zt_result compare_mesh(mesh_diff *m, bool *out)
{
    differ *d = m->d;
    const size_t room = (size_t)m->mesh[0]->vertex_count + m->mesh[1]->vertex_count;
    ZT_TRY(ARENA_TAKE(&d->scratch, &m->places, room, "meshes", d->err));
    if (!hash_table_init(&m->cells, &d->scratch, room))
        return arena_fail(&d->scratch, d->err, "meshes");
    for (int side = 0; side < 2; side++) {
        ZT_TRY(ARENA_TAKE_RAW(&d->scratch, &m->number[side], m->mesh[side]->vertex_count, "meshes",
                              d->err));
        ZT_TRY(add_mesh(m, side));
    }
    *out = true;
    for (const place *p = m->places; p < m->places + m->count; p++)
        for (int i = 0, k = 0; i < LOOKS; i++) {
            const double corners = i < LOOKS - 1 ? maths_max(1.0, 0.5 * p->factors) : 1.0;
            bool same = true;
            for (; k < looks[i].end; k++)
                same = same && fabs(p->sum[k]) <= corners * looks[i].tolerance;
            m->differing[i] += !same;
            *out = *out && same;
            if (i == 0 && !same)
                break; // other triangles have other looks
        }
    return ZT_OK;
}

/// Places of one model alone: where both have as many, vertices were moved, each to the nearest.
static void say_moved(const mesh_diff *m)
{
    const place *end = m->places + m->count;
    uint32_t only[2] = {0, 0};
    double most = 0.0;
    for (const place *p = m->places; p < end; p++)
        for (int side = 0; side < 2; side++)
            only[side] += p->vertices[1 - side] == 0;
    const bool moved = only[0] > 0 && only[0] == only[1],
               told = (uint64_t)only[0] * only[1] <= NEAREST_MAX;
    for (const place *p = m->places; moved && told && p < end; p++) {
        double nearest = p->vertices[1] == 0 ? (double)INFINITY : 0.0;
        for (const place *q = end - only[1]; nearest > 0.0 && q < end; q++) // the last to come
            nearest = maths_min(nearest, dvec3_length(dvec3_sub(p->at, q->at)));
        most = maths_max(most, nearest);
    }
    if (moved)
        diff_say(m->d, "%u of %u vertices moved", only[0], m->count - only[0]);
    if (moved && told)
        diff_say(m->d, "by up to %.3g", most);
    if (!moved)
        diff_say(m->d, "vertices: %u gone, %u new; triangles: %u -> %u", only[0], only[1],
                 m->mesh[0]->triangle_count, m->mesh[1]->triangle_count);
}

/// By places that both have.
static zt_result diff_morph(differ *d, uint32_t a, uint32_t b)
{
    const mesh_diff *m = d->mesh;
    const model_morph *const morph[2] = {&m->mesh[0]->morphs[a], &m->mesh[1]->morphs[b]};
    uint32_t differing = 0;
    double most = 0.0;
    for (uint32_t i = 0; i < m->count; i++)
        m->places[i].moved = (dvec3){0.0, 0.0, 0.0};
    for (int side = 0; side < 2; side++) {
        const model_mesh *mesh = m->mesh[side];
        const morph_use use = {&morph[side]->target, 1.0f};
        ZT_TRY(arena_work(d->a, mesh->vertex_count, "morph targets", d->err));
        pose_morph_positions(mesh, &use, 1, m->moved[side]);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            place *p = &m->places[m->number[side][v]];
            const dvec3 by = dvec3_sub(dvec3_from_floats(&m->moved[side][v].x),
                                       dvec3_from_floats(&mesh->position[v].x));
            const double share = (side ? 1.0 : -1.0) / p->vertices[side];
            const dvec3 own = dmat3_transform(&m->from_mesh[side].m, by);
            p->moved = dvec3_add(p->moved, dvec3_scale(own, p->vertices[!side] ? share : 0.0));
        }
    }
    for (uint32_t i = 0; i < m->count; i++) {
        const double far = dvec3_length(m->places[i].moved);
        differing += far > 2.0 * m->tolerance;
        most = maths_max(most, far);
    }
    if (differing > 0)
        diff_say(d, "%u vertices move otherwise, by up to %.3g", differing, most);
    if (fabs((double)morph[0]->weight - (double)morph[1]->weight) > 1e-5)
        diff_say(d, "weight %.4g -> %.4g", (double)morph[0]->weight, (double)morph[1]->weight);
    return ZT_OK;
}

zt_result diff_mesh(differ *d, const model_node *const nodes[2], const affine world[2],
                    const char *name)
{
    mesh_diff own = {.d = d, .tolerance = 1e-12};
    diff_things morphs;
    bool same, same_posed = true;
    arena_reset(&d->scratch);
    for (int side = 0; side < 2; side++) {
        const zt_model *model = d->model[side];
        const model_mesh *mesh = own.mesh[side] = &model->meshes[nodes[side]->mesh];
        const dvec3 low = dvec3_from_floats(mesh->bounds_min);
        const dvec3 size = dvec3_sub(dvec3_from_floats(mesh->bounds_max), low);
        own.skin[side] = nodes[side]->skin < 0 ? NULL : &model->skins[nodes[side]->skin];
        own.from_mesh[side] = affine_identity();
        own.tolerance = maths_max(own.tolerance, 1e-6 * dvec3_largest(size));
        ZT_TRY(ARENA_TAKE_RAW(&d->scratch, &own.moved[side], pad16(mesh->vertex_count), "meshes",
                              d->err));
        ZT_TRY(diff_list(d, &morphs, side, mesh->morph_count, mesh->morphs, sizeof *mesh->morphs));
    }
    mesh_diff posed = own; // transforms of nodes may make up for it
    ZT_TRY(compare_mesh(&own, &same));
    if (!same && !own.skin[0] && !own.skin[1]) {
        memcpy(posed.from_mesh, world, sizeof posed.from_mesh);
        posed.tolerance = maths_max(posed.tolerance, 1e-6 * d->size);
        ZT_TRY(compare_mesh(&posed, &same_posed));
        own = same_posed ? posed : own;
    }
    if (own.differing[0] > 0)
        say_moved(&own);
    if (own.skin[0] && own.skin[1] && own.skin[0]->joint_count != own.skin[1]->joint_count)
        diff_say(d, "%u -> %u joints", own.skin[0]->joint_count, own.skin[1]->joint_count);
    for (int i = 1; i < LOOKS; i++)
        if (own.differing[i] > 0)
            diff_say(d, "%s of %u vertices", looks[i].name, own.differing[i]);
    ZT_TRY(diff_tell(d, "mesh", name, MODEL_CHANGED));
    d->mesh = &own;
    ZT_TRY(diff_pair(d, &morphs));
    return diff_tell_all(d, &morphs, "morph", diff_morph);
}
