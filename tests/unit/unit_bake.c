// SPDX-License-Identifier: MIT
/// Baking: keys of random curves and of random hierarchies keep their bound, measured by an oracle
/// of its own; and scenes that are baked, loaded and posed again are where they were.
#include "../kernels/random_inputs.h"
#include "bake/clip_reduction.h"
#include "bake/key_reduction.h"
#include "drawing.h"
#include "kernels/kernels.h"
#include "pose/pose.h"
#include "random_numbers.h"
#include "test_folder.h"

static zt_error err;

static budget memory;
static arena scratch, keep;
static uint64_t state;

static void start(void)
{
    budget_init(&memory, (uint64_t)512 << 20, NULL);
    arena_init(&scratch, &memory);
    arena_init(&keep, &memory);
    test_folder_make();
    state = 0x9e3779b97f4a7c15;
}

static void stop(void)
{
    test_folder_remove();
    arena_finish(&keep);
    arena_finish(&scratch);
}

TestSuite(bake, .init = start, .fini = stop);

static double chance(void) { return between(&state, 0.0, 1.0); }

// ---- Curves -------------------------------------------------------------------------------------

typedef struct curve {
    double value[400];
} curve;

static double curve_distance(const void *user, uint32_t before, uint32_t after, uint32_t sample)
{
    const curve *c = user;
    const double s = after > before ? (double)(sample - before) / (double)(after - before) : 0.0;
    return fabs(c->value[before] + s * (c->value[after] - c->value[before]) - c->value[sample]);
}

/// A walk with jumps, rests and straight parts.
static void random_curve(curve *c, uint32_t count)
{
    double at = 0.0, slope = 0.0;
    for (uint32_t k = 0; k < count; k++) {
        if (chance() < 0.1)
            slope = chance() < 0.3 ? 0.0 : chance() - 0.5;
        at += slope + (chance() < 0.02 ? 4.0 * chance() : 0.0);
        c->value[k] = at + 0.02 * chance();
    }
}

Test(bake, every_sample_of_a_curve_is_within_the_tolerance)
{
    static curve c;
    bool keyed[400];
    uint32_t total = 0, keys = 0;
    for (int trial = 0; trial < 2000; trial++) {
        const uint32_t count = 1 + (uint32_t)(chance() * 399.0);
        const double tolerance = chance() < 0.1 ? 0.0 : 0.5 * chance();
        random_curve(&c, count);
        cr_assert_eq(
            key_reduce((key_curve){curve_distance, &c, tolerance}, count, keyed, &scratch, NULL),
            ZT_OK);
        cr_assert(keyed[0]);
        bool more = false;
        for (uint32_t k = 1; k < count; k++)
            more |= keyed[k];
        cr_assert(!more || keyed[count - 1]);
        uint32_t before = 0;
        for (uint32_t k = 0; k < count; k++) {
            before = keyed[k] ? k : before;
            uint32_t after = k;
            while (after < count && !keyed[after])
                after++;
            after = after < count ? after : before;
            cr_assert(curve_distance(&c, before, after, k) <= tolerance, "sample %u of %u", k,
                      count);
            keys += keyed[k];
        }
        total += count;
    }
    cr_expect(keys < total / 4, "%u keys of %u samples", keys, total);
}

// ---- Hierarchies --------------------------------------------------------------------------------

enum { NODES = 12, SAMPLES = 120, POINTS = 3 };

typedef struct rig {
    clip_node nodes[NODES];
    dvec3 points[NODES * POINTS];
    float time_s[SAMPLES];
    trs local[NODES][SAMPLES];
    clip_samples clip;
} rig;

/// Nodes whose translation, rotation and scale are sums of sines, some of them still or with jumps.
static void random_rig(rig *r)
{
    memset(r, 0, sizeof *r);
    for (uint32_t k = 0; k < SAMPLES; k++)
        r->time_s[k] = (float)((double)k / 30.0 + (k % 7 == 3 ? 0.01 : 0.0));
    for (uint32_t i = 0; i < NODES; i++) {
        r->nodes[i] = (clip_node){.parent = i == 0 ? -1 : (int32_t)(chance() * (double)i),
                                  .point_first = i * POINTS,
                                  .point_count = POINTS};
        for (uint32_t p = 0; p < POINTS; p++)
            r->points[i * POINTS + p] = (dvec3){chance(), chance(), chance()};
        double rate[10], phase[10], amount[10];
        for (int c = 0; c < 10; c++) {
            rate[c] = 6.0 * chance();
            phase[c] = 6.0 * chance();
            amount[c] = chance() < 0.3 ? 0.0 : 0.5 * chance();
        }
        const uint32_t jump = chance() < 0.3 ? (uint32_t)(chance() * SAMPLES) : SAMPLES;
        for (uint32_t k = 0; k < SAMPLES; k++) {
            double v[10];
            for (int c = 0; c < 10; c++)
                v[c] = amount[c] * sin(rate[c] * (double)r->time_s[k] + phase[c]) +
                       (k >= jump ? 0.3 : 0.0);
            trs *x = &r->local[i][k];
            *x = (trs){.t = {(float)v[0], (float)(1.0 + v[1]), (float)v[2]},
                       .r = {(float)v[3], (float)v[4], (float)v[5], 1.0f},
                       .s = {(float)(1.0 + v[7]), (float)(1.0 + v[7]), (float)(1.0 + 0.5 * v[8])}};
            cr_assert(quatf_normalize(x->r));
        }
    }
    r->clip = (clip_samples){NODES, SAMPLES, r->nodes, r->points, r->time_s, &r->local[0][0]};
}

/// A path of a node at a sample, from the keys, as a player has it.
static void play(const rig *r, const key_list *keys, uint32_t node, clip_path path, uint32_t sample,
                 float *out)
{
    uint32_t k = 0;
    while (k + 1 < keys->count && keys->sample[k + 1] <= sample)
        k++;
    const uint32_t before = keys->sample[k], after = keys->sample[k + 1 < keys->count ? k + 1 : k];
    const trs *a = &r->local[node][before], *b = &r->local[node][after];
    const float s = after > before ? (r->time_s[sample] - r->time_s[before]) /
                                         (r->time_s[after] - r->time_s[before])
                                   : 0.0f;
    const float *from = path == CLIP_TRANSLATION ? a->t : a->s;
    const float *to = path == CLIP_TRANSLATION ? b->t : b->s;
    if (path == CLIP_ROTATION)
        quatf_slerp(a->r, b->r, s, out);
    for (int c = 0; path != CLIP_ROTATION && c < 3; c++)
        out[c] = from[c] + (to[c] - from[c]) * s;
}

/// The largest distance of a point of the keys from that of the samples, in floats.
static double oracle_error(const rig *r, const clip_reduced *reduced)
{
    static mat4 keyed[NODES], sampled[NODES];
    double max = 0.0;
    for (uint32_t k = 0; k < SAMPLES; k++)
        for (uint32_t i = 0; i < NODES; i++) {
            trs x;
            mat4 local;
            const key_list *keys = &reduced->keys[(size_t)i * CLIP_PATHS];
            play(r, &keys[CLIP_TRANSLATION], i, CLIP_TRANSLATION, k, x.t);
            play(r, &keys[CLIP_ROTATION], i, CLIP_ROTATION, k, x.r);
            play(r, &keys[CLIP_SCALE], i, CLIP_SCALE, k, x.s);
            const int32_t parent = r->nodes[i].parent;
            mat4 *chains[2] = {keyed, sampled};
            for (int c = 0; c < 2; c++) {
                trs_to_mat4(c == 0 ? &x : &r->local[i][k], local);
                if (parent < 0)
                    memcpy(chains[c][i], local, sizeof local);
                else
                    glm_mat4_mul(chains[c][parent], local, chains[c][i]);
            }
            for (int p = 0; p < POINTS; p++) {
                const dvec3 point = r->points[i * POINTS + (uint32_t)p];
                const affine a = affine_from_floats(keyed[i][0]);
                const affine b = affine_from_floats(sampled[i][0]);
                max = fmax(
                    max, dvec3_length(dvec3_sub(affine_point(&a, point), affine_point(&b, point))));
            }
        }
    return max;
}

static uint32_t count_keys(const clip_reduced *reduced)
{
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)NODES * CLIP_PATHS; i++)
        count += reduced->keys[i].count;
    return count;
}

Test(bake, chains_keep_the_bound_of_the_whole)
{
    static rig r;
    for (int trial = 0; trial < 12; trial++) {
        uint32_t before = UINT32_MAX;
        random_rig(&r);
        for (double tolerance = 1e-4; tolerance < 0.2; tolerance *= 10.0) {
            clip_reduced reduced;
            cr_assert(clip_reduce(&r.clip, tolerance, &keep, &scratch, &reduced, &err) == ZT_OK);
            cr_expect(reduced.error <= tolerance);
            const double error = oracle_error(&r, &reduced);
            cr_expect(error <= tolerance + 2e-5, "off by %g of %g", error, tolerance);
            cr_expect(error <= reduced.error + 2e-5, "off by %g, reported %g", error,
                      reduced.error);
            cr_expect(count_keys(&reduced) < before, "%u keys", count_keys(&reduced));
            before = count_keys(&reduced);
            arena_reset(&scratch);
            arena_reset(&keep);
        }
        cr_expect(before < NODES * CLIP_PATHS * SAMPLES / 4, "%u keys at the end", before);
    }
}

Test(bake, without_tolerance_every_sample_stays)
{
    static rig r;
    clip_reduced reduced;
    random_rig(&r);
    cr_assert(clip_reduce(&r.clip, 0.0, &keep, &scratch, &reduced, &err) == ZT_OK);
    cr_expect(reduced.error <= 1e-12, "off by %g", reduced.error);
    cr_expect(oracle_error(&r, &reduced) <= 2e-5);
}

// ---- Scenes -------------------------------------------------------------------------------------

/// Bakes a scene and loads what was written, which has one clip.
static zt_scene *bake_and_load(const zt_scene *scene, double error)
{
    const char *path = test_file("baked.glb");
    zt_bake_def def = zt_default_bake_def();
    def.error = error;
    def.one_clip = true;
    cr_assert(zt_scene_bake(scene, path, &def, &err) == ZT_OK, "%s", err.message);
    zt_scene *baked = load_scene(path, NULL);
    cr_assert(test_folder_empty() == 1);
    return baked;
}

static const mat4 *const *pose_frame(const zt_scene *scene, int64_t frame)
{
    const frame_time time = scene_frame_time(scene, frame);
    const mat4 *const *worlds;
    pose_sharing sharing;
    cr_assert(pose_sharing_build(scene, time, &scratch, &sharing, &err) == ZT_OK);
    cr_assert(pose_scene(kernels_for(ZT_ISA_SCALAR)->pose, scene, time, &scratch, &sharing, &worlds,
                         &err) == ZT_OK);
    return worlds;
}

/// The largest difference of weights of the targets of a node, which is `baked` in the file.
static double weights_off(const scene_instance *before, uint32_t node, frame_time time,
                          const pose_joints *joints, const scene_instance *after, uint32_t baked,
                          frame_time baked_time)
{
    pose_morphs a, b;
    double max = 0.0;
    if (before->model->nodes[node].mesh < 0 || after->model->nodes[baked].mesh < 0)
        return 0.0;
    const uint32_t count = before->model->meshes[before->model->nodes[node].mesh].morph_count;
    cr_assert(pose_morphs_init(count, &scratch, &a) && pose_morphs_init(count, &scratch, &b));
    pose_morphs_evaluate(before, node, time, joints, &a);
    pose_morphs_evaluate(after, baked, baked_time, NULL, &b);
    for (uint32_t k = 0; k < count; k++)
        max = fmax(max, fabs((double)a.weights[k] - (double)b.weights[k]));
    return max;
}

/// The largest distance of a bone after baking, at four times the frames of the shot; or difference
/// of a weight: a target is taken to move vertices by a metre.
static double round_trip(const char *name, double error)
{
    double max = 0.0;
    PRINTED(path, 640, ZT_SOURCE_DIR "/scenes/tests/%s.yaml", name);
    OWN_SCENE *scene = load_scene(path, NULL), *baked = bake_and_load(scene, error);
    const int64_t first = 4 * zt_scene_frame(scene, 0), count = 4 * zt_scene_frame_count(scene);
    baked->fps_numerator = scene->fps_numerator *= 4;
    baked->fps_denominator = scene->fps_denominator;
    for (int64_t i = 0; i < count; i++) {
        const frame_time time = scene_frame_time(scene, first + i);
        const mat4 *const *before = pose_frame(scene, first + i);
        const mat4 *after = pose_frame(baked, i)[0];
        uint32_t at = 0;
        for (uint32_t k = 0; k < scene->instance_count; k++) {
            const pose_joints joints = {.world_from_node = before[k], .posed = before};
            at++; // the instance itself
            for (uint32_t n = 0; n < scene->instances[k].model->node_count; n++, at++) {
                const dvec3 a = dvec3_from_floats(&before[k][n][3][0]);
                const dvec3 b = dvec3_from_floats(&after[at][3][0]);
                max = fmax(max, dvec3_length(dvec3_sub(a, b)));
                max = fmax(max, weights_off(&scene->instances[k], n, time, &joints,
                                            baked->instances, at, scene_frame_time(baked, i)));
            }
        }
        arena_reset(&scratch);
    }
    return max;
}

Test(bake, scenes_are_where_they_were)
{
    static const struct {
        const char *name;
        double size; // of its largest model in the world
    } scenes[] = {
        {"bones", 2.1},        {"robot_arm", 2.1}, {"rider", 1.93}, // parents that change
        {"ik_stairs", 2.26},                                        // feet on steps, root motion
        {"ik_rifle", 2.26},                                         // poses in several runs
        {"layers", 2.26},      {"crowd", 2.5},     {"springs", 1.7},
        {"walk_to_run", 2.26},                                              // a fade in step
        {"wave", 2.26},        {"ik_chain", 2.8},  {"interpolation", 1.64}, // jumps
        {"path", 2.26},        {"mirror", 2.26},   {"retarget", 2.26},
        {"drivers", 3.16},     {"shapes", 2.26},   {"blind", 1.4},
        {"toon", 2.2}, // weights by a joint, by eyes
    };
    for (size_t i = 0; i<sizeof scenes / sizeof *scenes; i += ZT_RANDOM_SHARE> 1 ? 2 : 1) {
        const double fine = round_trip(scenes[i].name, 1e-4);
        const double coarse = round_trip(scenes[i].name, 1e-2);
        cr_expect(fine <= 1e-4 * scenes[i].size + 2e-6, "%s: %g m", scenes[i].name, fine);
        cr_expect(coarse <= 1e-2 * scenes[i].size + 2e-6, "%s: %g m", scenes[i].name, coarse);
    }
}

/// The largest distance of a bone after baking, at 240 times a second of a shot at 15.
static double between_frames(const char *models)
{
    OWN_SCENE *scene = load_scene_text("output: { frames: 0-44, fps: 15 }\nmodels:\n%s", models);
    test_folder_empty(); // of files with clips
    OWN_SCENE *baked = bake_and_load(scene, 1e-4);
    double max = 0.0;
    scene->fps_numerator = baked->fps_numerator = 240;
    scene->fps_denominator = baked->fps_denominator = 1;
    for (int64_t i = 0; i < 3 * 240; i++) {
        const mat4 *before = pose_frame(scene, i)[0], *after = pose_frame(baked, i)[0] + 1;
        for (uint32_t n = 0; n < scene->instances[0].model->node_count; n++)
            max = fmax(max, dvec3_length(dvec3_sub(dvec3_from_floats(before[n][3]),
                                                   dvec3_from_floats(after[n][3]))));
        arena_reset(&scratch);
    }
    return max;
}

#define ARM         "  - file: " ZT_SOURCE_DIR "/scenes/models/robot_arm.glb\n"
#define STILL(keys) ARM "    animation: none\n    " keys "\n"

/// Clips that turn, whose speed is keyed, or that are in step with others, and each track of an
/// instance, have their own keys between frames, too. Two whole turns a frame, and what eases in
/// and out within a frame, are halfway where straight lines are.
Test(bake, keys_between_frames)
{
    static const char *const cases[] = {
        ARM "    animation: { clip: 0, loop: ping_pong, speed: 1.37, start: 0.21 }\n",
        ARM "    animation: { clip: 0, speed: [[0, 0.3], [1.1, 2.9], [2.3, -1.7]] }\n",
        ARM "    animation: { clip: 0, loop: ping_pong, speed: [[0, 2], [3, 0.5]] }\n",
        ARM "    animation: { clip: 0, loop: once, speed: [[0, 2], [3, 0.5]] }\n",
        "  - file: " ZT_SOURCE_DIR "/scenes/models/walker.glb\n"
        "    clips_from: " ZT_SOURCE_DIR "/scenes/models/walker_moves.glb\n    animation:\n"
        "      - { clip: stride, root_motion: extract }\n"
        "      - { clip: dash, at: 0.4, fade: 1.4, sync: phase, root_motion: extract }\n",
        STILL("transform: { rotate: [[0, [0, 0, 0]], [1.03, [0, 80, 0]]] }"),
        STILL("bones: { 4: { scale: [[0, 1], [1.03, 1.5], [3, 1]] } }"),
        STILL("bones: { finger_l: { translate: [[0, [0, 0, 0]], [1.03, [0.5, 0, 0]]] } }"),
        STILL("transform: { rotate: [[0, [0, 0, 0]], [3, [0, 0, 32400]]] }"),
        STILL("transform: { translate: { interpolation: ease, keys: [[1, [0, 0, 0]], "
              "[1.0666666666666667, [1, 0, 0]]] } }"),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double off = between_frames(cases[i]);
        cr_expect_lt(off, i == 0 ? 1e-5 : 2.1e-4, "case %zu: %g m", i, off);
    }
}

/// A pulse of 8 ms of a clip, with keys of its layer.
static double pulse_between_frames(const char *layer)
{
    static const float keys[20] = {0.0f, 1.048f, 1.052f, 1.056f, 3.0f, [11] = 1.0f};
    const char *path = test_folder_glb(
        "pulse.glb",
        "{'asset':{'version':'2.0'},'nodes':[{'name':'elbow'}],'buffers':[{'byteLength':80}],"
        "'bufferViews':[<80>],'accessors':[<0 float SCALAR 5,'min':[0],'max':[3]>,"
        "<0+20 float VEC3 5>],'animations':[{'samplers':[{'input':0,"
        "'output':1}],'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}]}",
        keys, sizeof keys);
    PRINTED(models, 640, ARM "    clips_from: %s\n    animation: { clip: 1, %s }\n", path, layer);
    return between_frames(models);
}

Test(bake, short_pulses_between_frames)
{
    cr_expect_lt(pulse_between_frames("speed: [[0, 1], [3, 1]]"), 2.1e-4);
    // Slow, and a part that is repeated: its keys are not too many for the frames.
    cr_expect_lt(pulse_between_frames("from: 1.03, to: 1.08, speed: 0.5"), 2.1e-4);
}

/// Times are farther apart there than keys of the same scene may be at its beginning.
Test(bake, late_shots_of_keyed_speeds_end)
{
    OWN_SCENE *scene =
                  load_scene_text("output: { frames: 900000000-900000001, fps: 0.1 }\nmodels:\n" ARM
                                  "    animation: { clip: 0, speed: [[0, 1], [3, 1.7]] }\n"),
              *baked = bake_and_load(scene, 1e-4);
    cr_expect_eq(baked->instance_count, 1u);
}

/// A camera goes around a still model, and a light eases from one frame to the next.
Test(bake, cameras_and_lights_between_frames)
{
    OWN_SCENE *scene = load_scene_text(
                  "output: { frames: 0-9, fps: 10 }\nmodels: [ { shape: box } "
                  "]\ncamera: { orbit: "
                  "{ target: [0, 1, 0], azimuth: [[0, 0], [1, 360]], elevation: 0, distance: 3 }, "
                  "fov: 30 }\n"
                  "lights:\n  - { point: { position: { interpolation: ease, keys: [[0, [0, 3, 0]], "
                  "[0.1, [1, 3, 0]]] } } }\n"),
              *baked = bake_and_load(scene, 1e-4);
    const zt_model *model = baked->instances[0].model;
    baked->fps_numerator = 240;
    for (int64_t f = 0; f < 240; f++) {
        const double x = fmin((double)f / 24.0, 1.0);
        for (uint32_t n = 0; n < model->node_count; n++) {
            const dvec3 at = dvec3_from_floats(pose_frame(baked, f)[0][n][3]);
            if (strcmp(model->nodes[n].name, "camera") == 0)
                cr_expect_float_eq(dvec3_length(dvec3_sub(at, (dvec3){0.0, 1.0, 0.0})), 3.0,
                                   1.7e-4);
            if (strcmp(model->nodes[n].name, "light") == 0)
                cr_expect_float_eq(at.x, x * x * (3.0 - 2.0 * x), 1.8e-4);
        }
        arena_reset(&scratch);
    }
}

/// Weights of morph targets, by hand: the scene keys one of them, also between frames.
Test(bake, weights_of_targets_are_baked)
{
    OWN_SCENE *scene = load_scene_text("output: { frames: 0-30, fps: 30 }\n"
                                       "models:\n"
                                       "  - file: " ZT_SOURCE_DIR "/scenes/models/face.glb\n"
                                       "    morphs: { smile: [[0, 0], [0.51, 0.8], [1, 0.2]] }\n");
    OWN_SCENE *baked = bake_and_load(scene, 1e-4);
    const zt_model *model = baked->instances[0].model;
    uint32_t node = 0, target = 0;
    while (node < model->node_count && model->nodes[node].mesh < 0)
        node++;
    cr_assert(node < model->node_count);
    const model_mesh *mesh = &model->meshes[model->nodes[node].mesh];
    while (target < mesh->morph_count && strcmp(mesh->morphs[target].name, "smile") != 0)
        target++;
    cr_assert(target < mesh->morph_count);
    pose_morphs morphs;
    cr_assert(pose_morphs_init(mesh->morph_count, &scratch, &morphs));
    baked->fps_numerator = 240;
    for (int64_t f = 0; f <= 240; f++) {
        const double t = (double)f / 240.0;
        const double expected = t < 0.51 ? 0.8 * t / 0.51 : 0.8 - 0.6 * (t - 0.51) / 0.49;
        pose_morphs_evaluate(&baked->instances[0], node, scene_frame_time(baked, f), NULL, &morphs);
        NEAR(morphs.weights[target], expected, 1e-3, "frame %lld", (long long)f);
    }
}

/// A shot of one frame has no clip: the nodes stand in its pose.
Test(bake, one_frame_is_a_pose)
{
    OWN_SCENE *scene = load_scene_text("output: { frames: 12, fps: 24 }\n"
                                       "models:\n"
                                       "  - file: " ZT_SOURCE_DIR "/scenes/models/walker.glb\n"
                                       "    animation: walk\n");
    OWN_SCENE *baked = bake_and_load(scene, 1e-4);
    cr_expect(baked->instances[0].model->clip_count == 0);
    const mat4 *before = pose_frame(scene, 12)[0], *after = pose_frame(baked, 0)[0] + 1;
    for (uint32_t n = 0; n < scene->instances[0].model->node_count; n++)
        for (int k = 0; k < 3; k++)
            cr_expect(fabsf(before[n][3][k] - after[n][3][k]) < 1e-6f);
}

/// A model on a node that is scaled along one axis and turned has shear, which is reported.
Test(bake, shear_is_a_loss)
{
    const char *path = test_file("baked.glb");
    OWN_SCENE *scene = load_scene_text("output: { frames: 0-3 }\n"
                                       "models:\n"
                                       "  - name: base\n"
                                       "    file: " ZT_SOURCE_DIR "/scenes/models/rod.glb\n"
                                       "    transform: { scale: [1, 3, 1] }\n"
                                       "  - file: " ZT_SOURCE_DIR "/scenes/models/ball.glb\n"
                                       "    transform: { rotate: [0, 0, 45] }\n"
                                       "    parent: { model: base, bone: grip_l }\n");
    const zt_bake_def def = zt_default_bake_def();
    scene->load.strict = true;
    cr_expect(zt_scene_bake(scene, path, &def, &err) == ZT_ERR_UNSUPPORTED);
    cr_expect(strstr(err.message, "shear"), "%s", err.message);
    cr_expect(test_folder_empty() == 0);
    scene->load.strict = false;
    cr_expect(zt_scene_bake(scene, path, &def, &err) == ZT_OK);
    cr_expect(test_folder_empty() == 1);
}

/// Lights keep their colour, shapes their name. (A glTF's colour is at most 1: its lights take the
/// rest as intensity.)
Test(bake, lights_and_shapes_are_what_they_were)
{
    static const char *const shapes[] = {"sphere", "capsule", "cylinder", "box"};
    static const double color[3] = {0.5, 4.0, 0.25};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        OWN_SCENE *scene = load_scene_text(
            "output: { frames: 0-3 }\nmodels: [ { shape: %s } ]\nlights:\n"
            "  - { point: { position: [0, 3, 0], color: [0.5, 4, 0.25], candela: 8 } }\n",
            shapes[i]);
        OWN_SCENE *baked = bake_and_load(scene, 1e-4);
        const zt_model *model = baked->instances[0].model;
        cr_assert(model->mesh_count == 1 && model->light_count == 1);
        cr_expect_str_eq(model->meshes[0].name, shapes[i]);
        const model_light *light = &model->lights[0];
        for (int k = 0; k < 3; k++)
            cr_expect_float_eq(light->color[k] * light->intensity, (float)(8.0 * color[k]), 1e-5f);
    }
}

/// Number 1 of three rows, 2 8 7 at 0, 1 and 4 s: the line from the first to the last is 3.25 at 1.
Test(bake, numbers_are_off_the_line_between_their_keys)
{
    static const float value[6] = {0.0f, 2.0f, 0.0f, 8.0f, 0.0f, 7.0f};
    static const float time_s[3] = {0.0f, 1.0f, 4.0f};
    const key_rows rows = {value, time_s, 2};
    cr_expect_eq(key_rows_difference(&rows, 0, 2, 1, 1), 8.0 - 3.25);
    cr_expect_eq(key_rows_difference(&rows, 0, 0, 2, 1), 5.0, "held");
}
