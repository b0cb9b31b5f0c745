// SPDX-License-Identifier: MIT
/// Meshes by their corners: vertices of both models within a millionth of the size are one place,
/// triangles of the same three places are one triangle, in whatever order files have them.
#include "base/hash.h"
#include "base/maths.h"
#include "diff/diff_parts.h"
#include "pose/pose.h"

#include <stdlib.h>

/// A triangle that begins with its smallest place.
typedef struct face {
    uint32_t place[3], vertex[3];
    uint32_t material; ///< as the new model numbers it
} face;

/// The looks of a corner, as they are compared.
enum { CORNER_FLOATS = 15 };
static const struct {
    const char *name;
    int end; ///< of its floats, which begin where those before end
    double tolerance;
} looks[] = {
    {"normals", 3, 2e-3},
    {"texture coordinates", 5, 1e-5},
    {"second texture coordinates", 7, 1e-5},
    {"colours", 11, 1e-3},
    {"joints, weights or bind matrices", 14, 1e-4},
    {"materials", 15, 0.5},
};
enum { LOOKS = sizeof looks / sizeof *looks };

typedef struct mesh_diff {
    differ *d;
    const model_mesh *mesh[2];
    const model_skin *skin[2]; ///< NULL: none
    affine place[2];           ///< of the vertices
    double tolerance;
    hash_table cells;
    uint32_t count;            ///< of places
    dvec3 *point;              ///< [count]
    uint8_t *seen;             ///< [count] bits of the models that have it
    face *faces[2];            ///< [triangle]
    uint32_t *twin;            ///< [vertex of the old mesh] one of the new mesh, or DIFF_NONE
    uint32_t alone[2];         ///< triangles without a pair
    uint32_t differing[LOOKS]; ///< corners of pairs
} mesh_diff;

static uint32_t *cell_at(const mesh_diff *m, dvec3 at, double x, double y, double z)
{
    const double wide = 4.0 * m->tolerance; // few places are in a cell: none is near another
    const double cell[] = {floor((at.x + x) / wide) + 0.0, floor((at.y + y) / wide) + 0.0,
                           floor((at.z + z) / wide) + 0.0}; // no -0
    return hash_table_first(&m->cells, hash_bytes(HASH_START, cell, sizeof cell));
}

/// The nearest place within the tolerance, or a new one.
static uint32_t place_of(mesh_diff *m, dvec3 at)
{
    const double t = m->tolerance;
    double nearest = t;
    uint32_t best = m->count, *slot;
    for (int k = 0; k < 8; k++)
        for (slot = cell_at(m, at, k & 1 ? t : -t, k & 2 ? t : -t, k & 4 ? t : -t); *slot != 0;
             slot = hash_table_next(&m->cells, slot)) {
            const double far = dvec3_length(dvec3_sub(m->point[*slot - 1], at));
            best = far <= nearest ? *slot - 1 : best;
            nearest = far <= nearest ? far : nearest;
        }
    if (best < m->count)
        return best;
    for (slot = cell_at(m, at, 0.0, 0.0, 0.0); *slot != 0;)
        slot = hash_table_next(&m->cells, slot);
    m->point[m->count] = at;
    *slot = ++m->count;
    return best;
}

static int compare_faces(const void *a, const void *b)
{
    const face *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x->place[k] != y->place[k])
            return x->place[k] < y->place[k] ? -1 : 1;
    return 0;
}

static void add_faces(mesh_diff *m, int side, const meshlet *let, const uint32_t *number, face *out)
{
    const model_mesh *mesh = m->mesh[side];
    for (uint32_t t = let->triangle_first; t < let->triangle_first + let->triangle_count; t++) {
        uint32_t v[3], first = 0;
        for (uint32_t k = 0; k < 3; k++) {
            v[k] = mesh->meshlet_vertex[let->vertex_first + mesh->meshlet_corner[k][t]];
            first = number[v[k]] < number[v[first]] ? k : first;
        }
        out->material = side ? let->material : m->d->materials.partner[0][let->material];
        for (uint32_t k = 0; k < 3; k++) {
            out->vertex[k] = v[(first + k) % 3];
            out->place[k] = number[out->vertex[k]];
        }
        out++;
    }
}

static zt_result list_faces(mesh_diff *m, int side)
{
    const model_mesh *mesh = m->mesh[side];
    arena *a = m->d->a;
    uint32_t *number, count = 0;
    ZT_TRY(ARENA_TAKE_RAW(a, &number, mesh->vertex_count, "meshes", m->d->err));
    ZT_TRY(ARENA_TAKE_RAW(a, &m->faces[side], mesh->triangle_count, "meshes", m->d->err));
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const dvec3 at = dvec3_add(dvec3_from_floats(&mesh->position[v].x), mesh->middle);
        ZT_TRY(arena_go_on_at(a, v, "meshes", m->d->err));
        number[v] = place_of(m, affine_point(&m->place[side], at));
        m->seen[number[v]] |= (uint8_t)(1 << side);
    }
    for (uint32_t i = 0; i < mesh->meshlet_count; i++) {
        add_faces(m, side, &mesh->meshlets[i], number, m->faces[side] + count);
        count += mesh->meshlets[i].triangle_count;
    }
    qsort(m->faces[side], count, sizeof(face), compare_faces);
    return ZT_OK;
}

/// Weights become a point: the mean of points that stand for the joints, each at the vertex as it
/// is bound to it.
static void read_corner(const mesh_diff *m, int side, const face *f, int corner,
                        float out[CORNER_FLOATS])
{
    static const vertex_extra plain = {1.0f, 1.0f, 1.0f, 1.0f, 0.0f, 0.0f, {0}};
    const uint32_t v = f->vertex[corner];
    const model_mesh *mesh = m->mesh[side];
    const model_skin *skin = m->skin[side];
    const vertex_attributes *a = &mesh->attributes[v];
    const vertex_extra *e = mesh->extra ? &mesh->extra[v] : &plain;
    const vertex_joints *joints[] = {mesh->joints, mesh->joints_more};
    const vertex_weights *weights[] = {mesh->weights, mesh->weights_more};
    dvec3 normal = dmat3_transform(&m->place[side].m, dvec3_from_floats(&a->nx));
    dvec3 mean = {0.0, 0.0, 0.0};
    (void)dvec3_normalize(&normal, 0.0);
    for (int k = 0; skin && k < 8; k++) {
        const float weight = weights[k / 4] ? weights[k / 4][v].weight[k % 4] : 0.0f;
        if (weight == 0.0f)
            continue;
        const uint16_t joint = joints[k / 4][v].joint[k % 4];
        const int32_t node = skin->joint_node[joint];
        const double n = side ? node : (double)m->d->nodes.partner[0][node];
        const affine bind = affine_from_floats(skin->joint_from_bind[joint][0]);
        const dvec3 at = affine_point(&bind, dvec3_from_floats(&mesh->position[v].x));
        const double places[] = {n * 0.6180339887, n * 0.7548776662, n * 0.8191725134};
        const dvec3 stand = {places[0] - floor(places[0]), places[1] - floor(places[1]),
                             places[2] - floor(places[2])};
        mean = dvec3_add(
            mean, dvec3_scale(dvec3_add(stand, dvec3_divide(at, m->d->size)), (double)weight));
    }
    const float rest[] = {a->u, a->v, e->u1, e->v1, e->r, e->g, e->b, e->a};
    dvec3_to_floats(normal, out);
    memcpy(out + 3, rest, sizeof rest);
    dvec3_to_floats(mean, out + 11);
    out[14] = (float)f->material;
}

static void compare_corner(mesh_diff *m, const face *a, const face *b, int corner)
{
    float x[CORNER_FLOATS], y[CORNER_FLOATS];
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

static zt_result compare_mesh(mesh_diff *m)
{
    differ *d = m->d;
    const uint32_t vertices = m->mesh[0]->vertex_count;
    const size_t room = (size_t)vertices + m->mesh[1]->vertex_count;
    ZT_TRY(ARENA_TAKE_RAW(d->a, &m->point, room, "meshes", d->err));
    ZT_TRY(ARENA_TAKE(d->a, &m->seen, room, "meshes", d->err));
    ZT_TRY(ARENA_TAKE_RAW(d->a, &m->twin, vertices, "meshes", d->err));
    memset(m->twin, 0xff, vertices * sizeof *m->twin);
    if (!hash_table_init(&m->cells, d->a, room))
        return arena_fail(d->a, d->err, "meshes");
    ZT_TRY(list_faces(m, 0));
    ZT_TRY(list_faces(m, 1));
    const face *x = m->faces[0], *x_end = x + m->mesh[0]->triangle_count;
    const face *y = m->faces[1], *y_end = y + m->mesh[1]->triangle_count;
    while (x < x_end || y < y_end) {
        const int order = x == x_end ? 1 : y == y_end ? -1 : compare_faces(x, y);
        for (int c = 0; order == 0 && c < 3; c++)
            compare_corner(m, x, y, c);
        m->alone[0] += order < 0;
        m->alone[1] += order > 0;
        x += order <= 0;
        y += order >= 0;
    }
    return ZT_OK;
}

/// Places of one model alone: where both have as many, vertices were moved.
static void say_moved(mesh_diff *m)
{
    uint32_t only[4] = {0}, k = 0;
    double most = 0.0;
    for (uint32_t i = 0; i < m->count; i++)
        only[m->seen[i]]++;
    for (uint32_t i = 0; only[1] == only[2] && i < m->count; i++) {
        if (m->seen[i] != 1)
            continue;
        while (m->seen[k] != 2)
            k++;
        most = maths_max(most, dvec3_length(dvec3_sub(m->point[i], m->point[k++])));
    }
    if (only[1] > 0 && only[1] == only[2])
        diff_say(m->d, "%u of %u vertices moved, by up to %.3g", only[1], only[1] + only[3], most);
    else
        diff_say(m->d, "vertices: %u gone, %u new; triangles: %u gone, %u new", only[1], only[2],
                 m->alone[0], m->alone[1]);
}

static bool is_equal(const mesh_diff *m)
{
    uint32_t differing = m->alone[0] + m->alone[1];
    for (int i = 0; i < LOOKS; i++)
        differing |= m->differing[i];
    return differing == 0;
}

/// By vertices that have a twin.
static zt_result diff_morph(differ *d, uint32_t a, uint32_t b)
{
    const mesh_diff *m = d->mesh;
    const model_morph *const morph[2] = {&m->mesh[0]->morphs[a], &m->mesh[1]->morphs[b]};
    vertex_position *moved[2];
    uint32_t differing = 0;
    double most = 0.0;
    for (int side = 0; side < 2; side++) {
        const size_t room = pad16(m->mesh[side]->vertex_count);
        const morph_use use = {&morph[side]->target, 1.0f};
        ZT_TRY(ARENA_TAKE_RAW(d->a, &moved[side], room, "morph targets", d->err));
        pose_morph_positions(m->mesh[side], &use, 1, moved[side]);
    }
    for (uint32_t v = 0; v < m->mesh[0]->vertex_count; v++) {
        dvec3 by = {0.0, 0.0, 0.0};
        for (int side = 0; side < 2 && m->twin[v] != DIFF_NONE; side++) {
            const uint32_t i = side ? m->twin[v] : v;
            const dvec3 own = dvec3_sub(dvec3_from_floats(&moved[side][i].x),
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

static zt_result diff_morphs(const mesh_diff *m)
{
    diff_things things = {.kind = "morph"};
    for (int side = 0; side < 2; side++)
        ZT_TRY(LIST(m->d, &things, side, m->mesh[side]->morph_count, m->mesh[side]->morphs));
    ZT_TRY(diff_things_pair(m->d, &things));
    m->d->mesh = m;
    return diff_things_tell(m->d, &things, diff_morph);
}

zt_result diff_mesh(differ *d, const model_node *const nodes[2], const affine world[2],
                    const char *name)
{
    mesh_diff own = {.d = d, .tolerance = 1e-12};
    for (int side = 0; side < 2; side++) {
        const zt_model *model = d->model[side];
        const model_mesh *mesh = own.mesh[side] = &model->meshes[nodes[side]->mesh];
        own.skin[side] = nodes[side]->skin < 0 ? NULL : &model->skins[nodes[side]->skin];
        own.place[side] = affine_identity();
        const dvec3 size =
            dvec3_sub(dvec3_from_floats(mesh->bounds_max), dvec3_from_floats(mesh->bounds_min));
        own.tolerance = maths_max(own.tolerance, 1e-6 * dvec3_largest(size));
    }
    mesh_diff posed = own; // transforms of nodes may make up for it
    ZT_TRY(compare_mesh(&own));
    if (!is_equal(&own) && !own.skin[0] && !own.skin[1]) {
        posed.place[0] = world[0];
        posed.place[1] = world[1];
        posed.tolerance = maths_max(posed.tolerance, 1e-6 * d->size);
        ZT_TRY(compare_mesh(&posed));
        own = is_equal(&posed) ? posed : own;
    }
    if (own.alone[0] + own.alone[1] > 0)
        say_moved(&own);
    for (int i = 0; i < LOOKS; i++)
        if (own.differing[i] > 0)
            diff_say(d, "%s of %u corners", looks[i].name, own.differing[i]);
    ZT_TRY(diff_tell(d, "mesh", name, MODEL_CHANGED));
    return diff_morphs(&own);
}
