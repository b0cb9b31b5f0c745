// SPDX-License-Identifier: MIT
// Assembles the walker and writes walker.glb, walker.m3d and its textures.
//
// Every number is rounded to a few decimals first, so that the text of the .m3d stays short.
#include "walker.h"

#include "models.h"
#include "writers.h"

#include <zoetrope/zoetrope.h>

#include <stdlib.h>
#include <string.h>

enum {
    COLOR_SIZE = 1024,
    NORMAL_SIZE = 512,
    OVERSAMPLE = 2, // colour is painted at twice the size and averaged
};

static float decimals(double x, double scale) { return (float)(floor(x * scale + 0.5) / scale); }

// --- vertices ------------------------------------------------------------------------------------

// One vertex per (point, side, chart, side of a seam), looked up by its uv and cloth.
typedef struct corner_key {
    int point, vertex;
    float uv[2];
} corner_key;

typedef struct welder {
    corner_key *table;
    size_t size;
} welder;

static int weld(welder *w, built_primitive *p, int point, built_vertex vertex)
{
    size_t at = (size_t)point * 2654435761u % w->size;
    while (w->table[at].point >= 0) {
        if (w->table[at].point == point &&
            memcmp(w->table[at].uv, vertex.uv, sizeof vertex.uv) == 0)
            return w->table[at].vertex;
        at = (at + 1) % w->size;
    }
    w->table[at] =
        (corner_key){point, (int)primitive_vertex(p, vertex), {vertex.uv[0], vertex.uv[1]}};
    return w->table[at].vertex;
}

static built_vertex body_vertex(const walker_mesh *half, const dvec3 *normals, int point,
                                bool right)
{
    const dvec3 p = half->points[point], n = normals[point];
    const double mirror = right ? -1.0 : 1.0;
    built_vertex v = vertex_at(v3(0, 0, 0), v3(0, 0, 0), 0.0, 0.0);
    v.position[0] = decimals(p.x * mirror, 1e5); // 10 micrometres
    v.position[1] = decimals(p.y, 1e5);
    v.position[2] = decimals(p.z, 1e5);
    v.normal[0] = decimals(n.x * mirror, 1e4);
    v.normal[1] = decimals(n.y, 1e4);
    v.normal[2] = decimals(n.z, 1e4);
    return v;
}

static dvec3 triangle_centre(const walker_mesh *mesh, size_t i)
{
    const int *t = mesh->triangles[i];
    return dvec3_scale(
        dvec3_add(mesh->points[t[0]], dvec3_add(mesh->points[t[1]], mesh->points[t[2]])),
        1.0 / 3.0);
}

// Fills one primitive with both halves of one cloth.
static void add_cloth(built_primitive *p, const walker_mesh *half, const dvec3 *normals,
                      const walker_influence *influences, walker_cloth cloth)
{
    welder w = {.size = half->point_count * 4 + 1};
    w.table = checked_alloc(w.size, sizeof *w.table);
    for (size_t i = 0; i < w.size; i++)
        w.table[i].point = -1;
    const int count = (int)half->point_count;
    for (int right = 0; right < 2; right++)
        for (size_t i = 0; i < half->triangle_count; i++) {
            const dvec3 centre = triangle_centre(half, i);
            const walker_chart chart = walker_chart_of(centre);
            if (walker_cloth_of(centre, chart) != cloth)
                continue;
            uint32_t at[3];
            for (int k = 0; k < 3; k++) {
                const int point = half->triangles[i][right ? 2 - k : k];
                built_vertex v = body_vertex(half, normals, point, right != 0);
                double uv[2];
                walker_uv(chart, half->points[point], centre, right != 0, uv);
                v.uv[0] = decimals(uv[0], 1e5);
                v.uv[1] = decimals(uv[1], 1e5);
                const walker_influence *f = &influences[right ? count + point : point];
                memcpy(v.joints, f->joints, sizeof v.joints);
                memcpy(v.weights, f->weights, sizeof v.weights);
                // Points in the middle belong to both halves, under two keys: their tangents differ
                // in handedness wherever the chart is shared.
                at[k] = (uint32_t)weld(&w, p, right ? count + point : point, v);
            }
            primitive_triangle(p, at[0], at[1], at[2]);
        }
    free(w.table);
    primitive_tangents(p, true);
    for (size_t i = 0; i < p->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            p->vertices[i].tangent[k] = decimals((double)p->vertices[i].tangent[k], 1e3);
}

// --- baking --------------------------------------------------------------------------------------

// Position and tangent frame of a texel on the body.
typedef struct bake_site {
    dvec3 point, tangent, bitangent;
    walker_chart chart;
    walker_cloth cloth;
    double open; ///< share of the sky that is not blocked
} bake_site;

typedef void (*bake_texel)(void *user, int x, int y, const bake_site *site);

// Part of the sky that a point sees, 0 to 1, from the free space along its normal (Evans, "Fast
// approximations for global illumination on dynamic scenes", 2006).
static double openness(dvec3 p, dvec3 normal)
{
    static const double steps[3] = {0.015, 0.04,
                                    0.09}; // metres: creases, armpits, between the legs
    double blocked = 0.0;
    for (int k = 0; k < 3; k++)
        blocked +=
            maths_clamp(1.0 - walker_distance(v3_mad(p, normal, steps[k])) / steps[k], 0.0, 1.0);
    return 1.0 - blocked / 3.0;
}

// Calls `texel` for every texel centre of a size x size picture that a triangle covers.
static void bake_triangle(const built_primitive *p, const uint32_t *corner, int size,
                          bake_texel texel, void *user)
{
    const built_vertex *v[3];
    double x[3], y[3];
    for (int k = 0; k < 3; k++) {
        v[k] = &p->vertices[corner[k]];
        x[k] = (double)v[k]->uv[0] * size - 0.5;
        y[k] = (double)v[k]->uv[1] * size - 0.5;
    }
    const double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    if (fabs(area) < 1e-9)
        return;
    bake_site site;
    dvec3 centre = dvec3_scale(
        dvec3_add(dvec3_from_floats(v[0]->position),
                  dvec3_add(dvec3_from_floats(v[1]->position), dvec3_from_floats(v[2]->position))),
        1.0 / 3.0);
    const bool right = centre.x < 0.0;
    centre.x = fabs(centre.x);
    site.chart = walker_chart_of(centre);
    site.cloth = walker_cloth_of(centre, site.chart);
    if (right && site.chart != CHART_TORSO)
        return; // shared with the left side
    double open[3];
    for (int k = 0; k < 3; k++)
        open[k] = openness(dvec3_from_floats(v[k]->position), dvec3_from_floats(v[k]->normal));
    const int x0 = (int)ceil(maths_min(x[0], maths_min(x[1], x[2]))),
              x1 = (int)floor(maths_max(x[0], maths_max(x[1], x[2])));
    const int y0 = (int)ceil(maths_min(y[0], maths_min(y[1], y[2]))),
              y1 = (int)floor(maths_max(y[0], maths_max(y[1], y[2])));
    for (int py = y0; py <= y1; py++)
        for (int px = x0; px <= x1; px++) {
            const double b1 = ((px - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (py - y[0])) / area;
            const double b2 = ((x[1] - x[0]) * (py - y[0]) - (px - x[0]) * (y[1] - y[0])) / area;
            const double b[3] = {1.0 - b1 - b2, b1, b2};
            if (b[0] < -1e-9 || b[1] < -1e-9 || b[2] < -1e-9 || px < 0 || py < 0 || px >= size ||
                py >= size)
                continue;
            dvec3 point = v3(0, 0, 0), n = v3(0, 0, 0), t = v3(0, 0, 0);
            for (int k = 0; k < 3; k++) {
                point = v3_mad(point, dvec3_from_floats(v[k]->position), b[k]);
                n = v3_mad(n, dvec3_from_floats(v[k]->normal), b[k]);
                t = v3_mad(t, dvec3_from_floats(v[k]->tangent), b[k]);
            }
            site.open = b[0] * open[0] + b[1] * open[1] + b[2] * open[2];
            site.point = point;
            site.tangent = v3_unit(t);
            site.bitangent =
                dvec3_scale(dvec3_cross(v3_unit(n), site.tangent), (double)v[0]->tangent[3]);
            texel(user, px, py, &site);
        }
}

typedef struct bake_target {
    double *sum; // rgb and count per texel
    int size;
} bake_target;

static void bake_add(bake_target *target, int x, int y, dvec3 value)
{
    double *to = target->sum +
                 ((size_t)(y / OVERSAMPLE) * (size_t)target->size + (size_t)(x / OVERSAMPLE)) * 4;
    to[0] += value.x;
    to[1] += value.y;
    to[2] += value.z;
    to[3] += 1.0;
}

static void bake_color(void *user, int x, int y, const bake_site *site)
{
    const walker_dye dye = walker_paint(site->chart, site->cloth, site->point);
    const double light = mix_d(0.6, 1.0, site->open);
    bake_add(user, x, y, dvec3_scale(v3(dye.r, dye.g, dye.b), light));
}

static double height_at(const bake_site *site, dvec3 p)
{
    return walker_paint(site->chart, site->cloth, p).height;
}

static void bake_normal(void *user, int x, int y, const bake_site *site)
{
    const double step = 0.0012; // metres: about half a texel of the normal map
    double slope[2];
    for (int k = 0; k < 2; k++) {
        const dvec3 d = dvec3_scale(k == 0 ? site->tangent : site->bitangent, step);
        slope[k] = (height_at(site, dvec3_add(site->point, d)) -
                    height_at(site, dvec3_sub(site->point, d))) /
                   (2.0 * step);
    }
    const dvec3 n = v3_unit(v3(-slope[0], -slope[1], 1.0));
    bake_add(user, x, y, n);
}

// Bakes all primitives into size x size sums, then lets the charts bleed into the gaps.
static double *bake(const built_model *m, int size, bake_texel texel)
{
    const size_t texels = (size_t)size * (size_t)size;
    bake_target target = {checked_alloc(texels * 4, sizeof(double)), size};
    for (int i = 0; i < m->primitive_count; i++)
        for (size_t k = 0; k < m->primitives[i].index_count; k += 3)
            bake_triangle(&m->primitives[i], &m->primitives[i].indices[k], size * OVERSAMPLE, texel,
                          &target);
    double *next = checked_alloc(texels * 4, sizeof(double));
    for (int pass = 0; pass < 8; pass++) { // one texel per pass: enough for three mips
        memcpy(next, target.sum, texels * 4 * sizeof(double));
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++) {
                double *to = next + ((size_t)y * (size_t)size + (size_t)x) * 4;
                for (int k = 0; k < 9 && to[3] < 0.5; k++) {
                    const int sx = x + k % 3 - 1, sy = y + k / 3 - 1;
                    if (sx < 0 || sy < 0 || sx >= size || sy >= size)
                        continue;
                    const double *from = target.sum + ((size_t)sy * (size_t)size + (size_t)sx) * 4;
                    if (from[3] >= 0.5)
                        memcpy(to, from, 4 * sizeof(double));
                }
            }
        double *swap = target.sum;
        target.sum = next;
        next = swap;
    }
    free(next);
    return target.sum;
}

static void bake_pictures(built_model *m)
{
    built_image *color = &m->images[0], *normal = &m->images[1];
    double *sum = bake(m, COLOR_SIZE, bake_color);
    for (size_t i = 0; i < (size_t)COLOR_SIZE * COLOR_SIZE; i++) {
        const double *s = sum + i * 4;
        for (int c = 0; c < 3; c++)
            color->rgba8[i * 4 + (size_t)c] = (uint8_t)floor(
                (s[3] > 0.0 ? maths_clamp(s[c] / s[3], 0.0, 1.0) : 0.35) * 255.0 + 0.5);
        color->rgba8[i * 4 + 3] = 255;
    }
    free(sum);
    sum = bake(m, NORMAL_SIZE, bake_normal);
    for (size_t i = 0; i < (size_t)NORMAL_SIZE * NORMAL_SIZE; i++) {
        const double *s = sum + i * 4;
        const dvec3 n = s[3] > 0.0 ? v3_unit(v3(s[0], s[1], s[2])) : v3(0, 0, 1);
        uint8_t *to = normal->rgba8 + i * 4;
        to[0] = (uint8_t)floor(n.x * 127.0 + 128.0);
        to[1] = (uint8_t)floor(n.y * 127.0 + 128.0);
        to[2] = (uint8_t)floor(n.z * 127.0 + 128.0);
        to[3] = 255;
    }
    free(sum);
}

// --- the model -----------------------------------------------------------------------------------

static void add_skeleton(built_model *m, const walker_bone *bones)
{
    for (int i = 0; i < BONE_COUNT; i++) {
        const dvec3 at = bones[i].joint;
        const dvec3 from = bones[i].parent < 0 ? v3(0, 0, 0) : bones[bones[i].parent].joint;
        const int node = new_node(m, bones[i].name, bones[i].parent, dvec3_sub(at, from));
        for (int k = 0; k < 3; k++)
            m->nodes[node].rest.t[k] = decimals((double)m->nodes[node].rest.t[k], 1e5);
        m->joints[m->joint_count++] = (built_joint){node, at};
    }
    // Bind positions are sums of the rounded offsets, so that the bind pose is exactly the mesh.
    for (int i = 0; i < BONE_COUNT; i++) {
        const dvec3 from = bones[i].parent < 0 ? v3(0, 0, 0) : m->joints[bones[i].parent].bind;
        const dvec3 at = dvec3_add(from, dvec3_from_floats(m->nodes[i].rest.t));
        m->joints[i].bind = v3((double)decimals(at.x, 1e5), (double)decimals(at.y, 1e5),
                               (double)decimals(at.z, 1e5));
    }
    m->skeleton = 0;
}

// walker.glb as .m3d with .dds textures, by the library.
static void m3d_convert(const char *folder)
{
    char from[1024], to[1024];
    snprintf(from, sizeof from, "%s/walker.glb", folder);
    snprintf(to, sizeof to, "%s/walker.m3d", folder);
    const zt_load_def def = zt_default_load_def();
    zt_error err;
    if (zt_convert(from, to, &def, &err) != ZT_OK)
        generator_fail(err.message);
}

void walker_write(const char *folder)
{
    static const struct {
        const char *name;
        double roughness;
    } cloths[CLOTH_COUNT] = {{"suit", 0.8}, {"rubber", 0.55}, {"shell", 0.3}, {"visor", 0.08}};
    built_model *m = model_create();
    walker_bone bones[BONE_COUNT];
    walker_bones(bones);
    add_skeleton(m, bones);

    walker_mesh half = {0};
    walker_mesh_build(&half);
    walker_cut_borders(&half);
    walker_influence *influences = walker_weights(&half);
    dvec3 *normals = checked_alloc(half.point_count, sizeof *normals);
    for (size_t i = 0; i < half.point_count; i++) {
        // Over a third of a cell: detail finer than the mesh would only flicker.
        const bool fine = walker_chart_of(half.points[i]) == CHART_HAND_BACK ||
                          walker_chart_of(half.points[i]) == CHART_HAND_PALM;
        dvec3 g = walker_gradient(half.points[i], fine ? 0.003 : 0.008);
        if (half.points[i].x == 0.0)
            g.x = 0.0;
        normals[i] = v3_unit(g);
    }
    const int body = new_mesh_node(m, "body", -1, v3(0, 0, 0));
    m->nodes[body].skin = 0;
    new_picture(m, "color", COLOR_SIZE, COLOR_SIZE);
    new_picture(m, "normal", NORMAL_SIZE, NORMAL_SIZE);
    for (int c = 0; c < CLOTH_COUNT; c++) {
        const int material =
            new_material(m, cloths[c].name, 1.0, 1.0, 1.0, 0.0, cloths[c].roughness);
        m->materials[material].base_map.texture = 0;
        m->materials[material].normal_map.texture = 1;
        built_primitive *p =
            new_primitive(m, material, HAS_NORMAL | HAS_TANGENT | HAS_UV | HAS_SKIN);
        add_cloth(p, &half, normals, influences, (walker_cloth)c);
    }
    bake_pictures(m);
    walker_clips(m, 0, bones);
    free(normals);
    free(influences);
    walker_mesh_free(&half);

    // Both files show the decoded pixels of the blocks, so the blocks are built first.
    size_t size;
    uint8_t *color = dds_bc1(&m->images[0], &size);
    walker_settle_normal_mips(&m->images[1]);
    glb_write(m, folder, "walker.glb");
    m3d_convert(folder);
    FILE *file = file_begin(folder, "walker-color.dds");
    fwrite(color, 1, size, file);
    file_end(file);
    free(color);
    walker_beast_build(m);
    glb_write(m, folder, "walker_beast.glb");
    model_destroy(m);
}

// The walker's skeleton without its body, and more clips for it.
void walker_moves_build(built_model *m)
{
    walker_bone bones[BONE_COUNT];
    walker_bones(bones);
    add_skeleton(m, bones);
    m->joint_count = 0; // bones without a skin
    walker_moves(m, 0, bones);
}
