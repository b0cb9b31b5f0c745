// SPDX-License-Identifier: MIT
/// Meshes by their corners: vertices of both models within a millionth of the size are one place,
/// triangles of the same three places are one triangle, in whatever order files have them.
#include "base/hash.h"
#include "base/maths.h"
#include "diff/diff_parts.h"
#include "pose/pose.h"

#include <stdlib.h>

enum { NEAREST_MAX = 1 << 27 }; ///< distances: with more, the largest of them is not told
/// The looks of a corner, as they are compared.
enum { LOOKS = 6, LOOK_FLOATS = 15, WEIGHT_FLOATS = 11 };
static const struct {
    const char *name;
    int end; ///< of its floats, which begin where those before end
    double tolerance;
} looks[LOOKS] = {
    {"normals", 3, 2e-3},
    {"texture coordinates", 5, 1e-5},
    {"second texture coordinates", 7, 1e-5},
    {"colours", WEIGHT_FLOATS, 1e-3},
    {"joints, weights or bind matrices", 14, 1e-4},
    {"materials", LOOK_FLOATS, 0.5},
};

/// A triangle that begins with its smallest place; sorted by its members in their order.
typedef struct face {
    uint32_t place[3], material, vertex[3]; ///< material: as the new model numbers it
} face;

typedef struct mesh_diff {
    differ *d;
    const model_mesh *mesh[2];
    const model_skin *skin[2]; ///< NULL: none
    affine place[2];           ///< of the vertices
    double tolerance;
    hash_table cells;
    uint32_t count; ///< of places
    dvec3 *point;   ///< [count]
    uint8_t *seen;  ///< [count] bits of the models that have it
    face *faces[2]; ///< [triangle]
    uint32_t *twin; ///< [vertex of the old mesh] one of the new mesh, or DIFF_NONE
    uint32_t alone[2], differing[LOOKS]; ///< triangles without a pair, and corners of pairs
    vertex_position *moved[2];           ///< by the morph target at hand
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
            const double far = dvec3_length(dvec3_sub(m->point[*slot - 1], at));
            best = far <= nearest ? *slot - 1 : best;
            nearest = far <= nearest ? far : nearest;
        }
    }
    if (best == m->count) {
        m->point[m->count++] = at;
        *slot = m->count;
    }
    return best;
}

static int compare_places(const face *a, const face *b)
{
    for (int k = 0; k < 3; k++)
        if (a->place[k] != b->place[k])
            return a->place[k] < b->place[k] ? -1 : 1;
    return 0;
}

/// Triangles on top of each other keep an order, too.
static int compare_faces(const void *a, const void *b)
{
    const face *x = a, *y = b;
    const int order = compare_places(x, y);
    if (order != 0 || x->material != y->material)
        return order != 0 ? order : x->material < y->material ? -1 : 1;
    return memcmp(x->vertex, y->vertex, sizeof x->vertex);
}

static zt_result list_faces(mesh_diff *m, int side)
{
    const model_mesh *mesh = m->mesh[side];
    const diff_thing *materials = m->d->things[DIFF_MATERIALS].list[0];
    arena *a = &m->d->scratch;
    const uint64_t steps = (uint64_t)mesh->vertex_count + mesh->triangle_count;
    uint32_t *number;
    ZT_TRY(arena_work(a, steps, "meshes", m->d->err));
    ZT_TRY(ARENA_TAKE_RAW(a, &number, mesh->vertex_count, "meshes", m->d->err));
    ZT_TRY(ARENA_TAKE_RAW(a, &m->faces[side], mesh->triangle_count, "meshes", m->d->err));
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const dvec3 at = dvec3_add(dvec3_from_floats(&mesh->position[v].x), mesh->middle);
        ZT_TRY(arena_go_on_at(a, v, "meshes", m->d->err));
        number[v] = place_of(m, affine_point(&m->place[side], at));
        m->seen[number[v]] |= (uint8_t)(1 << side);
    }
    face *out = m->faces[side];
    for (const meshlet *let = mesh->meshlets; let < mesh->meshlets + mesh->meshlet_count; let++)
        for (uint32_t t = 0; t < 3u * let->triangle_count; t++) {
            const uint32_t first = t % 3; // each corner in turn
            face f = {.material = side ? let->material : materials[let->material].partner};
            for (uint32_t k = 0; k < 3; k++) {
                const uint8_t *corner = mesh->meshlet_corner[(first + k) % 3];
                f.vertex[k] =
                    mesh->meshlet_vertex[let->vertex_first + corner[let->triangle_first + t / 3]];
                f.place[k] = number[f.vertex[k]];
            }
            if (first == 0 || compare_places(&f, out) < 0)
                *out = f;
            out += first == 2;
        }
    qsort(m->faces[side], mesh->triangle_count, sizeof(face), compare_faces);
    return ZT_OK;
}

/// Weights become a point: the mean of points that stand for the joints, each at the vertex as it
/// is bound to it.
static void read_corner(const mesh_diff *m, int side, const face *f, int corner,
                        float out[LOOK_FLOATS])
{
    static const vertex_extra plain = {1.0f, 1.0f, 1.0f, 1.0f, 0.0f, 0.0f, {0}};
    static const double stand[] = {0.6180339887, 0.7548776662, 0.8191725134};
    const uint32_t v = f->vertex[corner];
    const model_mesh *mesh = m->mesh[side];
    const model_skin *skin = m->skin[side];
    const vertex_attributes *a = &mesh->attributes[v];
    const vertex_extra *e = mesh->extra ? &mesh->extra[v] : &plain;
    const vertex_joints *joints[] = {mesh->joints, mesh->joints_more};
    const vertex_weights *weights[] = {mesh->weights, mesh->weights_more};
    dvec3 normal = dmat3_transform(&m->place[side].m, dvec3_from_floats(&a->nx));
    double mean[3] = {0.0, 0.0, 0.0}, at[3];
    (void)dvec3_normalize(&normal, 0.0);
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
            mean[axis] += weight * (fmod(n * stand[axis], 1.0) + at[axis] / m->d->size);
    }
    const float rest[] = {a->u, a->v, e->u1, e->v1, e->r, e->g, e->b, e->a};
    dvec3_to_floats(normal, out);
    memcpy(out + 3, rest, sizeof rest);
    dvec3_to_floats(dvec3_load(mean), out + WEIGHT_FLOATS);
    out[LOOK_FLOATS - 1] = (float)f->material;
}

static void compare_corner(mesh_diff *m, const face *a, const face *b, int corner)
{
    float x[LOOK_FLOATS], y[LOOK_FLOATS];
    read_corner(m, 0, a, corner, x);
    read_corner(m, 1, b, corner, y);
    for (int i = 0, k = 0; i < LOOKS; i++) {
        bool same = true;
        for (; k < looks[i].end; k++)
            same = same && fabs((double)x[k] - (double)y[k]) <= looks[i].tolerance;
        m->differing[i] += !same;
    }
    m->twin[a->vertex[corner]] = b->vertex[corner];
}

/// `out`: the number of triangles and corners that differ.
static zt_result compare_mesh(mesh_diff *m, uint64_t *out)
{
    differ *d = m->d;
    const uint32_t vertices = m->mesh[0]->vertex_count;
    const size_t room = (size_t)vertices + m->mesh[1]->vertex_count;
    ZT_TRY(ARENA_TAKE_RAW(&d->scratch, &m->point, room, "meshes", d->err));
    ZT_TRY(ARENA_TAKE(&d->scratch, &m->seen, room, "meshes", d->err));
    ZT_TRY(ARENA_TAKE_RAW(&d->scratch, &m->twin, vertices, "meshes", d->err));
    memset(m->twin, 0xff, vertices * sizeof *m->twin);
    if (!hash_table_init(&m->cells, &d->scratch, room))
        return arena_fail(&d->scratch, d->err, "meshes");
    ZT_TRY(list_faces(m, 0));
    ZT_TRY(list_faces(m, 1));
    const face *x = m->faces[0], *x_end = x + m->mesh[0]->triangle_count;
    const face *y = m->faces[1], *y_end = y + m->mesh[1]->triangle_count;
    while (x < x_end || y < y_end) {
        const int order = x == x_end ? 1 : y == y_end ? -1 : compare_places(x, y);
        for (int c = 0; order == 0 && c < 3; c++)
            compare_corner(m, x, y, c);
        m->alone[0] += order < 0;
        m->alone[1] += order > 0;
        x += order <= 0;
        y += order >= 0;
    }
    *out = (uint64_t)m->alone[0] + m->alone[1];
    for (int i = 0; i < LOOKS; i++)
        *out += m->differing[i];
    return ZT_OK;
}

/// Places of one model alone: where both have as many, vertices were moved, each to the nearest.
static void say_moved(const mesh_diff *m)
{
    uint32_t only[4] = {0};
    double most = 0.0;
    for (uint32_t i = 0; i < m->count; i++)
        only[m->seen[i]]++;
    const bool moved = only[1] > 0 && only[1] == only[2],
               told = (uint64_t)only[1] * m->count <= NEAREST_MAX;
    for (uint32_t i = 0; moved && told && i < m->count; i++) {
        double nearest = m->seen[i] == 1 ? (double)INFINITY : 0.0;
        for (uint32_t k = 0; nearest > 0.0 && k < m->count; k++)
            if (m->seen[k] == 2)
                nearest = maths_min(nearest, dvec3_length(dvec3_sub(m->point[i], m->point[k])));
        most = maths_max(most, nearest);
    }
    if (!moved)
        diff_say(m->d, "vertices: %u gone, %u new; triangles: %u gone, %u new", only[1], only[2],
                 m->alone[0], m->alone[1]);
    else if (told)
        diff_say(m->d, "%u of %u vertices moved, by up to %.3g", only[1], only[1] + only[3], most);
    else
        diff_say(m->d, "%u of %u vertices moved", only[1], only[1] + only[3]);
}

/// By vertices that have a twin.
static zt_result diff_morph(differ *d, uint32_t a, uint32_t b)
{
    const mesh_diff *m = d->mesh;
    const model_morph *const morph[2] = {&m->mesh[0]->morphs[a], &m->mesh[1]->morphs[b]};
    uint32_t differing = 0;
    double most = 0.0;
    for (int side = 0; side < 2; side++) {
        const morph_use use = {&morph[side]->target, 1.0f};
        ZT_TRY(arena_work(d->a, m->mesh[side]->vertex_count, "morph targets", d->err));
        pose_morph_positions(m->mesh[side], &use, 1, m->moved[side]);
    }
    for (uint32_t v = 0; v < m->mesh[0]->vertex_count; v++) {
        dvec3 by = {0.0, 0.0, 0.0};
        for (int side = 0; side < 2 && m->twin[v] != DIFF_NONE; side++) {
            const uint32_t i = side ? m->twin[v] : v;
            const dvec3 own = dvec3_sub(dvec3_from_floats(&m->moved[side][i].x),
                                        dvec3_from_floats(&m->mesh[side]->position[i].x));
            by = dvec3_sub(dmat3_transform(&m->place[side].m, own), by);
        }
        const double far = dvec3_length(by);
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
    uint64_t differing, left = 0;
    arena_reset(&d->scratch);
    for (int side = 0; side < 2; side++) {
        const zt_model *model = d->model[side];
        const model_mesh *mesh = own.mesh[side] = &model->meshes[nodes[side]->mesh];
        const dvec3 low = dvec3_from_floats(mesh->bounds_min);
        const dvec3 size = dvec3_sub(dvec3_from_floats(mesh->bounds_max), low);
        own.skin[side] = nodes[side]->skin < 0 ? NULL : &model->skins[nodes[side]->skin];
        own.place[side] = affine_identity();
        own.tolerance = maths_max(own.tolerance, 1e-6 * dvec3_largest(size));
        ZT_TRY(ARENA_TAKE_RAW(&d->scratch, &own.moved[side], pad16(mesh->vertex_count), "meshes",
                              d->err));
        ZT_TRY(diff_list(d, &morphs, side, mesh->morph_count, mesh->morphs, sizeof *mesh->morphs));
    }
    mesh_diff posed = own; // transforms of nodes may make up for it
    ZT_TRY(compare_mesh(&own, &differing));
    if (differing > 0 && !own.skin[0] && !own.skin[1]) {
        memcpy(posed.place, world, sizeof posed.place);
        posed.tolerance = maths_max(posed.tolerance, 1e-6 * d->size);
        ZT_TRY(compare_mesh(&posed, &left));
        own = left == 0 ? posed : own;
    }
    if (own.alone[0] + own.alone[1] > 0)
        say_moved(&own);
    if (own.skin[0] && own.skin[1] && own.skin[0]->joint_count != own.skin[1]->joint_count)
        diff_say(d, "%u -> %u joints", own.skin[0]->joint_count, own.skin[1]->joint_count);
    for (int i = 0; i < LOOKS; i++)
        if (own.differing[i] > 0)
            diff_say(d, "%s of %u corners", looks[i].name, own.differing[i]);
    ZT_TRY(diff_tell(d, "mesh", name, MODEL_CHANGED));
    d->mesh = &own;
    ZT_TRY(diff_pair(d, &morphs));
    return diff_tell_all(d, &morphs, "morph", diff_morph);
}
