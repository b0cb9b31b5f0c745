// SPDX-License-Identifier: MIT
// Every clip of real files, in three layers, against the oracle in double: a clip, the next one
// over it by a part, and the first one added to every second node; the local transforms of all
// nodes, and where their world matrices put the boxes of what hangs on them. The folder of files
// comes from ZT_ASSETS, otherwise from the folder next to the source; where it is absent the test
// says so and passes.
#include "asset_files.h"
#include "kernels/kernels.h"
#include "pose/pose.h"
#include "pose_oracle.h"
#include "test_memory.h"

#include <dirent.h>

enum { PATH = 1024, TIMES = 7 };

/// Largest errors of rotations, and of translations and scales relative to the largest of the
/// node's, at least 1. Three interpolations, a blend and a product in float, each good to one or
/// two units of 2^-24; 1.8e-7 was measured.
#define BOUND 6.0e-7

/// Largest errors of points in the world, relative to the one that is farthest from the origin. A
/// matrix of each joint above adds its roundings, and turns the errors of rotations into distances.
#define WORLD_BOUND 2.0e-6

typedef struct tally {
    int files, clips;
    double worst, worst_world;
} tally;

/// The local transform of a node by the oracle.
typedef struct local {
    double t[3], r[4], s[3];
} local;

static bool is_model(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (!strcmp(dot, ".glb") || !strcmp(dot, ".gltf") || !strcmp(dot, ".m3d"));
}

static double apart(const double *want, const float *got, int count, bool rotation)
{
    double dot = 0.0, size = 1.0, worst = 0.0;
    for (int k = 0; k < count; k++) {
        dot += want[k] * (double)got[k];
        size = fmax(size, fabs(want[k]));
    }
    for (int k = 0; k < count; k++) {
        const double sign = rotation && dot < 0.0 ? -1.0 : 1.0;
        worst = fmax(worst, fabs(want[k] - sign * (double)got[k]) / size);
    }
    return worst;
}

/// Largest error of the points of a pose, and how far the farthest of them is from the origin.
typedef struct spread {
    double off, reach;
} spread;

/// One point of a node's space in the world, by our matrix and by the oracle's steps.
static void check_point(const zt_model *model, int32_t node, const local *locals, const mat4 *world,
                        const double point[3], spread *out)
{
    double want[3], got[3], off = 0.0, reach = 0.0;
    memcpy(want, point, sizeof want);
    for (int32_t i = node; i >= 0; i = model->nodes[i].parent)
        oracle_to_parent(&model->nodes[i], locals[i].t, locals[i].r, locals[i].s, want);
    for (int row = 0; row < 3; row++) {
        got[row] = (double)world[node][3][row];
        for (int k = 0; k < 3; k++)
            got[row] += (double)world[node][k][row] * point[k];
        off += (got[row] - want[row]) * (got[row] - want[row]);
        reach += want[row] * want[row];
    }
    out->off = fmax(out->off, sqrt(off));
    out->reach = fmax(out->reach, sqrt(reach));
}

/// The corners of a mesh's box, taken to a node's space by a matrix (of a skin) or as they are.
static void check_box(const zt_model *model, const model_mesh *mesh, const mat4 *node_from_mesh,
                      int32_t node, const local *locals, const mat4 *world, spread *out)
{
    for (int corner = 0; corner < 8; corner++) {
        double p[3], in_node[3];
        for (int k = 0; k < 3; k++)
            p[k] = (double)(corner >> k & 1 ? mesh->bounds_max[k] : mesh->bounds_min[k]);
        for (int row = 0; row < 3; row++) {
            in_node[row] = node_from_mesh ? (double)(*node_from_mesh)[3][row] : p[row];
            for (int k = 0; node_from_mesh && k < 3; k++)
                in_node[row] += (double)(*node_from_mesh)[k][row] * p[k];
        }
        check_point(model, node, locals, world, in_node, out);
    }
}

/// Every node's origin, and the boxes of meshes by every node or joint that they hang on.
static double world_apart(const zt_model *model, const local *locals, const mat4 *world)
{
    const double origin[3] = {0.0, 0.0, 0.0};
    spread all = {0.0, 0.0};
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *node = &model->nodes[i];
        check_point(model, (int32_t)i, locals, world, origin, &all);
        if (node->mesh < 0)
            continue;
        const model_mesh *mesh = &model->meshes[node->mesh];
        const model_skin *skin = node->skin < 0 ? NULL : &model->skins[node->skin];
        if (!skin)
            check_box(model, mesh, NULL, (int32_t)i, locals, world, &all);
        for (uint32_t k = 0; skin && k < skin->joint_count; k++)
            check_box(model, mesh, (const mat4 *)&skin->joint_from_bind[k], skin->joint_node[k],
                      locals, world, &all);
    }
    return all.reach > 0.0 ? all.off / all.reach : 0.0;
}

static void check_clip(const zt_model *model, uint32_t clip, arena *a, const char *path, tally *t)
{
    const model_clip *first = &model->clips[clip];
    const uint32_t next = (clip + 1) % model->clip_count;
    const double zero = 0.0, part = 0.37, length = (double)first->end_s - (double)first->start_s;
    float *mask = ARENA_ARRAY(a, float, pad16(model->node_count));
    for (uint32_t i = 1; i < model->node_count; i += 2)
        mask[i] = 0.5f;
    const scene_layer layers[3] = {
        {.clip = (int32_t)clip, .speed = 1.0, .reference = -1},
        {.clip = (int32_t)next,
         .loop = SCENE_LOOP_PING_PONG,
         .speed = -1.25,
         .start_s = 0.21,
         .weight = {.key_count = 1, .width = 1, .time_s = &zero, .value = &part},
         .reference = -1},
        {.clip = (int32_t)clip,
         .speed = 0.7,
         .mode = SCENE_ADDITIVE,
         .mask = mask,
         .reference = (int32_t)clip,
         .reference_s = (double)first->start_s},
    };
    scene_instance instance = {.model = model, .layer_count = 3, .layers = layers};
    const zt_scene scene = {.instance_count = 1, .instances = &instance};
    pose_scratch scratch;
    local *locals = ARENA_ARRAY(a, local, model->node_count);
    mat4 *world = ARENA_ARRAY(a, mat4, pad16(model->node_count));
    mat4 placed = GLM_MAT4_IDENTITY_INIT;
    cr_assert(mask && locals && world && pose_scratch_init(&scene, a, &scratch));
    for (int n = 0; n < TIMES; n++) {
        const double time_s = (double)first->start_s + length * (0.0137 + 0.2391 * n);
        const frame_time time = {.shot_s = time_s, .animation_s = time_s};
        pose_layers(kernels_best(ZT_ISA_BEST)->pose, &instance, time, &scratch, scratch.local);
        for (uint32_t i = 0; i < model->node_count; i++) {
            const pose_block *b = &scratch.local[i / POSE_LANES];
            local *want = &locals[i];
            float got_t[3], got_r[4], got_s[3];
            oracle_local(&instance, (int32_t)i, time_s, 0.0, want->t, want->r, want->s);
            for (int k = 0; k < 4; k++) {
                got_r[k] = b->r[k][i % POSE_LANES];
                got_t[k % 3] = b->t[k % 3][i % POSE_LANES];
                got_s[k % 3] = b->s[k % 3][i % POSE_LANES];
            }
            const double off =
                fmax(apart(want->r, got_r, 4, true),
                     fmax(apart(want->t, got_t, 3, false), apart(want->s, got_s, 3, false)));
            cr_expect(off <= BOUND, "%s clip %s node %s time %g: %g", path, first->name,
                      model->nodes[i].name, time_s, off);
            t->worst = fmax(t->worst, off);
        }
        pose_blocks_to_world(kernels_best(ZT_ISA_BEST)->pose, model, placed, scratch.local, world);
        const double off = world_apart(model, locals, (const mat4 *)world);
        cr_expect(off <= WORLD_BOUND, "%s clip %s world at %g: %g", path, first->name, time_s, off);
        t->worst_world = fmax(t->worst_world, off);
    }
    t->clips++;
}

static void check_file(const char *path, tally *t)
{
    zt_error err = {0};
    OWN_SCENE *scene = NULL;
    zt_load_def def = zt_default_load_def();
    const zt_result result = zt_scene_load(path, &def, &scene, &err);
    if (result != ZT_OK) {
        cr_expect_eq(result, ZT_ERR_UNSUPPORTED, "%s", err.message);
        fprintf(stderr, "skipped: %s\n", err.message);
        return;
    }
    const zt_model *model = scene->instances[0].model;
    OWN_MEMORY(a, 0);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        check_clip(model, i, &a, path, t);
        arena_reset(&a);
    }
    t->files++;
}

/// A folder and the folders in it.
static void check_folder(const char *path, int depth, tally *t)
{
    DIR *dir = opendir(path);
    cr_assert(dir, "%s", path);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        PRINTED(name, PATH, "%s/%s", path, entry->d_name);
        DIR *below = depth > 0 ? opendir(name) : NULL;
        if (below) {
            closedir(below);
            check_folder(name, depth - 1, t);
        } else if (is_model(name)) {
            check_file(name, t);
        }
    }
    closedir(dir);
}

Test(pose_files, every_clip_in_layers)
{
    static const char *const kinds[] = {"skinned", "anim", "morph", "m3d"};
    tally t = {0};
    int folders = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        PRINTED(path, PATH, "%s/%s", asset_folder(), kinds[i]);
        DIR *dir = opendir(path);
        if (!dir) {
            fprintf(stderr, "%s is absent: skipped\n", path);
            continue;
        }
        closedir(dir);
        folders++;
        check_folder(path, 2, &t);
    }
    fprintf(stderr,
            "%d clips of %d files: off by at most %.2g (bound %.2g), in the world %.2g of the "
            "model's reach (bound %.2g)\n",
            t.clips, t.files, t.worst, BOUND, t.worst_world, WORLD_BOUND);
    cr_assert(folders == 0 || (t.files >= folders && t.clips >= t.files / 2),
              "hardly any of the files was read");
}
