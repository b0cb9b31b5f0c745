// SPDX-License-Identifier: MIT
/// Poses of FBX files against vertices that the programs which made the files have written, when
/// their folder is there: ZT_ASSETS, or shared/assets next to the project.
#include "asset_files.h"
#include "base/file.h"
#include "fbx/fbx.h"
#include "model_reader.h"
#include "pose/pose.h"
#include "test_memory.h"

#include <strings.h>

ARENA_SUITE(fbx_poses, a, 0);

enum { NAME_SIZE = 500, POINTS_MAX = 1 << 16 };

typedef struct point_list {
    uint32_t count;
    dvec3 point[POINTS_MAX];
} point_list;

static point_list ours, theirs;

static void add_point(point_list *list, dvec3 p)
{
    cr_assert_lt(list->count, POINTS_MAX);
    list->point[list->count++] = p;
}

/// A file of the folder, which is there.
static file_bytes read_file(const char *name)
{
    file_bytes bytes;
    PRINTED(path, NAME_SIZE + 20, "formats/%s", name);
    reader.path = asset_file(path);
    cr_assert_eq(file_read(&a, reader.path, &bytes, &reader.err), ZT_OK, "%s", path);
    return bytes;
}

/// A vertex in bind space, morphed.
static dvec3 morphed(const model_mesh *mesh, uint32_t v, const float *weights)
{
    const vertex_position *p = &mesh->position[v];
    dvec3 out = {(double)p->x, (double)p->y, (double)p->z};
    for (uint32_t m = 0; m < mesh->morph_count; m++) {
        const morph_part *part = &mesh->morphs[m].target.position;
        const uint32_t at = morph_find_group(part, v / MORPH_GROUP);
        if (at == part->group_count || part->group[at] != v / MORPH_GROUP)
            continue;
        const float *d = part->delta + (at * MORPH_GROUP + v % MORPH_GROUP) * 4;
        out = dvec3_add(out, dvec3_scale(dvec3_from_floats(d), (double)weights[m]));
    }
    return out;
}

static void add_scaled(quat *sum, quat q, double scale)
{
    *sum = (quat){sum->x + scale * q.x, sum->y + scale * q.y, sum->z + scale * q.z,
                  sum->w + scale * q.w};
}

/// Linearly; or, as the kernels: stretches are blended linearly, then dual quaternions on the side
/// of the first.
static dvec3 skinned(const zt_model *model, const model_node *node, uint32_t v, dvec3 p,
                     const affine *world)
{
    const model_mesh *mesh = &model->meshes[node->mesh];
    const model_skin *skin = &model->skins[node->skin];
    dvec3 out = {0.0, 0.0, 0.0};
    quat sum = {0.0, 0.0, 0.0, 0.0}, real = sum, dual = sum, first = sum;
    for (int i = 0; i < (mesh->joints_more ? 8 : 4); i++) {
        const uint16_t j = (i < 4 ? &mesh->joints[v] : &mesh->joints_more[v])->joint[i % 4];
        const double w =
            (double)(i < 4 ? &mesh->weights[v] : &mesh->weights_more[v])->weight[i % 4];
        const affine bind = affine_from_floats(skin->joint_from_bind[j][0]);
        affine part = affine_multiply(&world[skin->joint_node[j]], &bind);
        if (skin->dual_quaternions) {
            mat4 m, stretch = GLM_MAT4_IDENTITY_INIT;
            skin_dual d;
            affine_to_floats(&part, m[0]);
            (void)pose_dual(m, &d, stretch);
            part = affine_from_floats(stretch[0]);
            const quat r = quat_from_floats(d.real);
            first = i == 0 ? r : first;
            const double side = quat_dot(r, first) < 0.0 ? -w : w;
            add_scaled(&real, r, side);
            add_scaled(&dual, quat_from_floats(d.dual), side);
        }
        out = dvec3_add(out, dvec3_scale(affine_point(&part, p), w));
    }
    if (!skin->dual_quaternions)
        return out;
    add_scaled(&sum, dual, 1.0 / sqrt(quat_dot(real, real)));
    cr_assert(quat_normalize(&real));
    const quat t = quat_multiply(sum, quat_conjugate(real)); // half of the translation
    return dvec3_add(quat_rotate(real, out), (dvec3){2.0 * t.x, 2.0 * t.y, 2.0 * t.z});
}

/// All vertices at a time of a clip (-1: at rest) -> `ours`, in the model's space or the file's.
static void pose_points(int32_t clip, double time_s, bool in_file)
{
    const zt_model *model = &reader.model;
    trs *local = ARENA_ARRAY(&a, trs, model->node_count);
    affine *world = ARENA_ARRAY(&a, affine, model->node_count), back;
    float weights[256];
    model_sample_clip(model, clip < 0 ? NULL : &model->clips[clip], (float)time_s, local);
    model_place_nodes(model, local, world);
    cr_assert(affine_invert(&world[0], &back));
    ours.count = 0;
    for (uint32_t n = 0; n < model->node_count; n++) {
        const model_node *node = &model->nodes[n];
        if (node->mesh < 0)
            continue;
        const model_mesh *mesh = &model->meshes[node->mesh];
        cr_assert_leq(mesh->morph_count, 256u);
        pose_morph_rest(model, n, weights);
        if (clip >= 0)
            pose_morph_sample(model, n, &model->clips[clip], (float)time_s, weights);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const dvec3 bind = morphed(mesh, v, weights);
            const dvec3 p = node->skin >= 0 ? skinned(model, node, v, bind, world)
                                            : affine_point(&world[n], bind);
            add_point(&ours, in_file ? affine_point(&back, p) : p);
        }
    }
}

static void read_oracle(const char *name)
{
    theirs.count = 0;
    for (const char *line = (const char *)read_file(name).data; line; line = strchr(line, '\n')) {
        dvec3 p;
        line += *line == '\n';
        if (sscanf(line, "v %lf %lf %lf", &p.x, &p.y, &p.z) == 3)
            add_point(&theirs, p);
    }
}

/// The largest distance from one of theirs to the nearest of ours.
static double distance(void)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < theirs.count; i++) {
        double best = 1e300;
        for (uint32_t k = 0; k < ours.count; k++) {
            const double d = dvec3_length(dvec3_sub(theirs.point[i], ours.point[k]));
            best = d < best ? d : best;
        }
        worst = best > worst ? best : worst;
    }
    return worst;
}

static const char *after(const char *text, const char *word)
{
    const char *found = strstr(text, word);
    return found ? found + strlen(word) : NULL;
}

/// The clip of a row: whose name holds the word of "take containing", in any case; the first.
static int32_t clip_of(const char *row)
{
    const char *take = after(row, "take containing \"");
    for (uint32_t i = 0; take && i < reader.model.clip_count; i++)
        for (const char *name = reader.model.clips[i].name; *name; name++)
            if (strncasecmp(name, take, strcspn(take, "\"")) == 0)
                return (int32_t)i;
    return reader.model.clip_count > 0 ? 0 : -1;
}

/// Turns `ours`, which are y up and metres.
static void convert(const char *row)
{
    const double scale = strstr(row, "and centimetres") ? 100.0 : 1.0;
    const bool z_up = strstr(row, "conversion to Z up") != NULL;
    for (uint32_t i = 0; i < ours.count; i++) {
        const dvec3 p = dvec3_scale(ours.point[i], scale);
        ours.point[i] = z_up ? (dvec3){p.x, -p.z, p.y} : p;
    }
}

static int compare_file(const char *row, const char *name, double tolerance)
{
    PRINTED(path, NAME_SIZE, "fbx/%s", name);
    const file_bytes bytes = read_file(path);
    const zt_result result = reader_read(bytes.data, bytes.size);
    if (result == ZT_ERR_UNSUPPORTED)
        return 0; // too old
    cr_expect_eq(result, ZT_OK, "%s", reader.err.message);
    const char *time = after(row, " at t = ");
    const bool converted = strstr(row, "after conversion") != NULL;
    pose_points(time ? clip_of(row) : -1, time ? atof(time) : 0.0, !converted);
    if (converted)
        convert(row);
    const double d = distance();
    cr_expect_leq(d, tolerance, "%s, %.110s: %g off (at most %g)", name, row, d, tolerance);
    return 1;
}

/// A row names its files with the distance that was measured: "F.fbx: 8/8 v, max distance 3e-07".
static int compare_row(const char *row, const char *oracle)
{
    int compared = 0;
    const char *flag = after(row, "ufbx:tolerance=");
    read_oracle(oracle);
    for (const char *at = strstr(row, ".fbx: "); at; at = strstr(at + 1, ".fbx: ")) {
        const char *begin = at, *measured = after(at, "max distance ");
        while (begin > row && begin[-1] != ' ')
            begin--;
        PRINTED(name, 200, "%.*s", (int)(at + 4 - begin), begin);
        double tolerance = 0.001;
        if (flag && atof(flag) > tolerance)
            tolerance = atof(flag);
        if (measured && 1.02 * atof(measured) > tolerance)
            tolerance = 1.02 * atof(measured);
        compared += compare_file(row, name, tolerance);
    }
    return compared;
}

Test(fbx_poses, are_those_of_the_programs_that_made_the_files)
{
    int compared = 0;
    char oracle[NAME_SIZE];
    if (!asset_file("formats/MANIFEST.md"))
        cr_skip_test("no folder of formats");
    reader_begin(&fbx_format, "");
    const file_bytes list = read_file("MANIFEST.md");
    char *text = arena_text(&a, (const char *)list.data, list.size);
    for (const char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        const char *row = strstr(line, "ORACLE: ");
        if (row && (strstr(row, "extrapolation switched off") || strstr(row, "not comparable")))
            continue; // that is not in the file
        if (row && strstr(row, "maya_dq_weights"))
            continue; // linear and dual quaternion skinning blended by vertex: not supported
        if (row && sscanf(line, "| %400s", oracle) == 1)
            compared += compare_row(row, oracle);
    }
    cr_log_info("%d poses", compared);
    cr_assert_gt(compared, 50);
    reader_finish();
}
