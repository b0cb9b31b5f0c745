// SPDX-License-Identifier: MIT
/// Layers of scenes: a blend of a clip with
/// itself, cycles in step, root motion, and what any finite input must give. The oracle of whole
/// models is in unit_pose.c, that of real files in unit_pose_files.c.
#include "drawing.h"
#include "kernels/kernels.h"
#include "open_scene.h"
#include "pose_case.h"
#include "scene/scene_build.h"

// ---- Scenes -------------------------------------------------------------------------------------

static zt_scene *scene_named(const char *name)
{
    PRINTED(path, 1024, "%s/scenes/tests/%s.yaml", ZT_SOURCE_DIR, name);
    return load_scene(path, NULL);
}

static size_t pose_at(open_scene *p, const scene_instance *instance, double time_s, pose_block *out)
{
    const frame_time time = {.shot_s = time_s, .animation_s = time_s};
    pose_layers(kernels_best(ZT_ISA_BEST)->pose, instance, time, &p->scratch, out);
    return pose_block_count(instance->model) * sizeof *out;
}

Test(pose_layers, a_blend_of_a_clip_with_itself_is_that_clip)
{
    static pose_block alone[8], blended[8];
    OPEN_SCENE(p, scene_named("wave"));
    scene_layer layers[3] = {p.scene->instances[0].layers[0], p.scene->instances[0].layers[0],
                             p.scene->instances[0].layers[0]};
    const scene_instance one = {
        .model = p.scene->instances[0].model, .layer_count = 1, .layers = layers};
    const double times[] = {0.0, 3.0}, weights[] = {0.1, 0.9};
    layers[1].weight = (track){.key_count = 2, .width = 1, .time_s = times, .value = weights};
    layers[2].mask = p.scene->instances[0].layers[1].mask;
    layers[2].has_begin = layers[2].sync = true;
    layers[2].fade_s = 3.0;
    layers[2].at_s = 0.0;
    for (uint32_t count = 2; count <= 3; count++)
        for (int i = 0; i < 200; i++) {
            scene_instance several = one;
            several.layer_count = count;
            const size_t size = pose_at(&p, &one, i / 31.0, alone);
            pose_at(&p, &several, i / 31.0, blended);
            // In step the rate is the same, so that the sum over the past is exactly nothing.
            cr_assert(memcmp(alone, blended, size) == 0, "%u layers, time %g", count, i / 31.0);
        }
}

Test(pose_layers, weights_of_nothing_and_all)
{
    static pose_block want[8], got[8];
    OPEN_SCENE(p, scene_named("walk_to_run"));
    const scene_instance *instance = &p.scene->instances[0];
    scene_layer layers[2] = {instance->layers[0], instance->layers[1]};
    scene_instance own = *instance;
    own.layers = layers;
    const scene_instance walk = {.model = own.model, .layer_count = 1, .layers = layers};
    const double none = 0.0;
    for (int i = 0; i < 60; i++) { // before the fade, the walk alone
        const size_t size = pose_at(&p, &walk, i * 0.5 / 60.0, want);
        pose_at(&p, instance, i * 0.5 / 60.0, got);
        cr_assert(memcmp(want, got, size) == 0);
    }
    layers[1].weight = (track){.key_count = 1, .width = 1, .time_s = &none, .value = &none};
    for (int i = 0; i < 60; i++) { // and with a weight of 0 for ever
        const size_t size = pose_at(&p, &walk, i * 0.1, want);
        pose_at(&p, &own, i * 0.1, got);
        cr_assert(memcmp(want, got, size) == 0);
    }
    // After the fade there is the run alone: its cycle comes from the past, its pose from no walk.
    const double cycles = pose_sync_cycles_since_start(instance, 5.0);
    const double at =
        pose_wrap_time(&instance->layers[1], &own.model->clips[instance->layers[1].clip],
                       pose_layer_local_time(instance, &instance->layers[1], 5.0, cycles));
    scene_layer run = scene_default_layer(instance->layers[1].clip);
    run.start_s = at;
    const scene_instance alone = {.model = own.model, .layer_count = 1, .layers = &run};
    const size_t size = pose_at(&p, &alone, 0.0, want);
    pose_at(&p, instance, 5.0, got);
    cr_assert(memcmp(want, got, size) == 0);
}

/// Cycles by the definition: small steps of the mean rate.
Test(pose_layers, cycles_keep_step)
{
    OPEN_SCENE(p, scene_named("walk_to_run"));
    const scene_instance *instance = &p.scene->instances[0];
    const scene_layer *walk = &instance->layers[0], *run = &instance->layers[1];
    const model_clip *clips = instance->model->clips;
    const double walk_s = (double)clips[walk->clip].end_s, run_s = (double)clips[run->clip].end_s;
    const double step = 1.0 / 40000.0;
    double phase = 0.0;
    for (int i = 0; i < 80000; i++) {
        const double t = i * step;
        if (i % 1000 == 0) {
            const double cycles = pose_sync_cycles_since_start(instance, t);
            const double a = pose_layer_local_time(instance, walk, t, cycles) / walk_s;
            const double b = pose_layer_local_time(instance, run, t, cycles) / run_s;
            cr_assert_float_eq(a, phase, 1e-9, "time %g", t);
            cr_assert_float_eq(b, phase, 1e-9);
        }
        const double w = oracle_weight(run, t + step / 2);
        phase += step * ((1.0 - w) / walk_s + w / run_s);
    }
    // A walk that begins within the fade has no cycles before it begins.
    scene_layer layers[2] = {*walk, *run};
    const scene_instance later = {.model = instance->model, .layer_count = 2, .layers = layers};
    layers[0].at_s = 0.9;
    cr_expect_eq(pose_sync_cycles(&later, 0.0, 3.0), pose_sync_cycles(&later, 0.9, 3.0));
}

// ---- Root motion --------------------------------------------------------------------------------

static void travel(const scene_instance *instance, double time_s, double out[3])
{
    const root_motion motion = root_motion_evaluate(instance, time_s);
    dvec3_store(motion.displacement, out);
    cr_assert_eq(motion.heading_deg, 0.0);
}

Test(pose_layers, loops_add_up_to_strides)
{
    OPEN_SCENE(p, scene_named("travel"));
    const scene_instance *kept = &p.scene->instances[1], *extracted = &p.scene->instances[2];
    const model_clip *clip = &extracted->model->clips[extracted->layers[0].clip];
    const scene_root *root = extracted->layers[0].root;
    cr_assert(root && strcmp(extracted->model->nodes[root->node].name, "root") == 0);
    const float *z = root->channel->value;
    const double stride = (double)z[5] - (double)z[2], length = (double)clip->end_s;
    cr_assert_gt(stride, 1.0);
    double displacement[3];
    for (int n = 0; n < 1000; n += 37) {
        travel(extracted, n * length, displacement);
        cr_assert_float_eq(displacement[2], n * stride, 1e-9 * (n + 1));
        cr_assert(displacement[0] == 0.0 && displacement[1] == 0.0);
        travel(extracted, (n + 0.25) * length, displacement); // its key is linear over the loop
        cr_assert_float_eq(displacement[2], (n + 0.25) * stride, 1e-6);
    }
    travel(extracted, -5.0, displacement);
    cr_assert_eq(displacement[2], 0.0);
    static pose_block local[8];
    for (int i = 0; i < 30; i++) { // in the first loop it is what the clip shows
        mat4 a[48], b[48];
        pose_instance(kernels_best(ZT_ISA_BEST)->pose, p.scene, kept,
                      scene_shot_time(p.scene, i / 30.0), &p.scratch, NULL, NULL, a);
        pose_instance(kernels_best(ZT_ISA_BEST)->pose, p.scene, extracted,
                      scene_shot_time(p.scene, i / 30.0), &p.scratch, NULL, NULL, b);
        for (int k = 0; k < 2; k++)
            cr_assert_float_eq((double)a[5][3][k], (double)b[5][3][k], 1e-5, "frame %d", i);
        cr_assert_float_eq((double)a[5][3][2] + 1.0, (double)b[5][3][2], 1e-5);
        pose_at(&p, extracted, i / 30.0, local);
        cr_assert_eq(local[0].t[2][root->node], z[2], "the pose itself stays");
        travel(&p.scene->instances[0], i / 30.0, displacement);
        cr_assert_eq(displacement[2], 0.0, "stripped");
    }
}

/// A change of gait in motion: the sum of small steps of each clip's speed by its weight. Both
/// roots go at a constant speed, so their share of it is known.
Test(pose_layers, a_change_of_gait_in_motion)
{
    OPEN_SCENE(p, scene_named("travel"));
    const scene_instance *instance = &p.scene->instances[3];
    const scene_layer *stride = &instance->layers[0], *dash = &instance->layers[1];
    const double stride_s = (double)instance->model->clips[stride->clip].end_s;
    const double dash_s = (double)instance->model->clips[dash->clip].end_s;
    const double stride_m = (double)stride->root->channel->value[5];
    const double dash_m = (double)dash->root->channel->value[5], step = 1.0 / 40000.0;
    double want = 0.0, displacement[3], before = 0.0;
    for (int i = 0; i < 100000; i++) {
        const double t = i * step, w = oracle_weight(dash, t + step / 2);
        if (i % 250 == 0) {
            travel(instance, t, displacement);
            cr_assert_float_eq(displacement[2], want, 2e-4, "time %g", t);
            // 160 frames a second: it moves on in every frame, without jumps.
            cr_assert(i == 0 ||
                          (displacement[2] - before > 0.006 && displacement[2] - before < 0.03),
                      "%g", displacement[2] - before);
            before = displacement[2];
        }
        const double rate = (1.0 - w) / stride_s + w / dash_s; // in step
        want += step * rate * ((1.0 - w) * stride_m + w * dash_m);
    }
}

/// A root below a turned and scaled parent, up along its z: root motion is across the ground of the
/// model, the height stays in the pose.
Test(pose_layers, the_ground_is_the_models)
{
    static const float times[] = {0.0f, 1.0f}, values[] = {1.0f, 2.0f, 3.0f, 1.0f, 4.0f, 5.0f};
    const float h = sqrtf(0.5f);
    model_node nodes[2] = {
        {.name = "", .parent = -1, .mesh = -1, .skin = -1, .rest = trs_identity()},
        {.name = "", .parent = 0, .mesh = -1, .skin = -1, .rest = trs_identity()},
    };
    nodes[0].rest.r[0] = -h; // a quarter turn about -x: local +z is up
    nodes[0].rest.r[3] = h;
    for (int k = 0; k < 3; k++)
        nodes[0].rest.s[k] = 0.5f;
    const model_channel channel = {1, MODEL_TRANSLATION, MODEL_LINEAR, 2, times, values};
    const model_clip clip = {.name = "", .end_s = 1.0f, .channel_count = 1, .channels = &channel};
    const zt_model model = {.node_count = 2, .nodes = nodes, .clip_count = 1, .clips = &clip};
    zt_scene scene = {0};
    budget_init(&scene.budget_own, 0, NULL);
    arena_init(&scene.arena, &scene.budget_own);
    scene_layer layer = {.speed = 1.0, .root_motion = SCENE_ROOT_EXTRACT};
    cr_assert_eq(scene_find_root(&scene, &model, &clip, -1, false, &layer.root, NULL), ZT_OK);
    const scene_instance instance = {.model = &model, .layer_count = 1, .layers = &layer};
    double displacement[3];
    travel(&instance, 2.5, displacement);
    // Local +y goes to model -z, by 2 half-size metres a loop; local z, the height, stays.
    cr_assert_float_eq(displacement[0], 0.0, 1e-6);
    cr_assert_float_eq(displacement[1], 0.0, 1e-6);
    cr_assert_float_eq(displacement[2], -2.5, 1e-6);
    pose_block local = {0};
    local.t[0][1] = 1.0f;
    local.t[1][1] = 3.0f;
    local.t[2][1] = 4.0f;
    root_motion_remove(&layer, &local);
    cr_assert_float_eq((double)local.t[0][1], 1.0, 1e-6);
    cr_assert_float_eq((double)local.t[1][1], 2.0, 1e-6);
    cr_assert_float_eq((double)local.t[2][1], 4.0, 1e-6);
    arena_finish(&scene.arena);
}

// ---- Any input ----------------------------------------------------------------------------------

/// Far outside a clip it is held, or loops, as near it: to the bit for whole seconds.
Test(pose_layers, far_outside_the_clip)
{
    static const double far[] = {1e3, 1e6, 9007199254740992.0, 1e300};
    const model_clip clip = {.name = "", .start_s = 0.5f, .end_s = 2.5f};
    for (int speed = -1; speed <= 1; speed += 2)
        for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
            scene_layer layer = {.clip = 0, .speed = speed, .start_s = 1.25};
            layer.loop = SCENE_LOOP_ONCE;
            cr_assert_eq(pose_clip_time(&layer, &clip, far[i]), speed > 0 ? 2.5 : 0.5);
            cr_assert_eq(pose_clip_time(&layer, &clip, -far[i]), 1.25, "before it starts");
            for (int loop = 0; loop < 2; loop++) {
                layer.loop = loop ? SCENE_LOOP_PING_PONG : SCENE_LOOP_REPEAT;
                const double at_s = pose_clip_time(&layer, &clip, far[i]);
                cr_assert(at_s >= 0.5 && at_s <= 2.5, "%g: %g", far[i], at_s);
                if (far[i] <= 1e6) // loops of 2 s, to and fro 4 s
                    cr_assert_eq(at_s, 1.25, "%g: %.17g", far[i], at_s);
            }
        }
}

Test(pose_layers, finite_input_gives_finite_poses)
{
    static const double times[] = {-1e9, -1e6, -1.0, 0.0, 1e-300, 0.5, 7.0, 1e6, 1e9, 1e15, 1e300};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        ORACLE_CASE(c, seed * 0xA0761D6478BD642Fu);
        pose_scratch scratch;
        cr_assert(pose_scratch_init(&c.scene, &c.scratch, &scratch));
        for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
            for (int n = 0; n < 2; n++) {
                mat4 world[POSE_LANES];
                c.layers[n][0].speed = seed % 2 ? 1000.0 : -1000.0;
                c.layers[n][0].root_motion = SCENE_ROOT_EXTRACT;
                pose_instance(kernels_best(ZT_ISA_BEST)->pose, &c.scene, &c.instances[n],
                              scene_shot_time(&c.scene, times[i]), &scratch, NULL, NULL, world);
                for (int k = 0; k < ORACLE_NODES * 16; k++)
                    cr_assert(isfinite(world[k / 16][k / 4 % 4][k % 4]), "seed %d time %g",
                              (int)seed, times[i]);
                for (uint32_t l = 0; l < c.instances[n].layer_count; l++) {
                    const double w = pose_layer_weight(&c.instances[n].layers[l], times[i]);
                    cr_assert(w >= 0.0 && w <= 1.0, "%a", w);
                    cr_assert_float_eq(w, oracle_weight(&c.instances[n].layers[l], times[i]),
                                       1e-12);
                }
            }
    }
}

/// The end of a part that repeats is its start, although the times of frames are rounded; a clip
/// that is whole has its end there.
Test(pose_layers, parts_begin_anew_where_they_end)
{
    const model_clip clip = {.start_s = 0.0f, .end_s = 1.0f};
    scene_layer layer = scene_default_layer(0);
    layer.has_range = true;
    for (int from = 1; from < 7; from++)
        for (int frames = 1; frames < 9; frames++) {
            const double start = from / 10.0, end = start + frames / 30.0;
            layer.from_s = start;
            layer.to_s = end;
            for (int frame = 0; frame < 200; frame++) {
                const double expected = start + frame % frames / 30.0;
                cr_expect_float_eq(pose_wrap_time(&layer, &clip, start + frame / 30.0), expected,
                                   1e-9, "from %g to %g, frame %d", start, end, frame);
            }
        }
    layer.has_range = false;
    cr_expect_float_eq(pose_wrap_time(&layer, &clip, 1.0), 1.0, 0.0);
}

/// Layers along a number: two neighbours show, straight in between, with keys where one is passed.
Test(pose_layers, blend_spaces)
{
    static const struct {
        double time_s, by;
    } keys[] = {{0.0, 0.0}, {1.0, 0.0},  {1.5, 0.55}, {2.0, 1.1},
                {2.7, 1.1}, {3.5, 2.05}, {4.0, 3.0},  {9.0, 3.0}};
    OPEN_SCENE(p, scene_named("blend_space"));
    const scene_instance *walker = &p.scene->instances[0];
    cr_assert_eq(walker->layer_count, 3);
    cr_expect(walker->layers[1].sync && walker->layers[2].sync, "in step");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const double walk = fmin(fmax(keys[i].by / 1.1, 0.0), 1.0);
        const double run = fmin(fmax((keys[i].by - 1.1) / 1.9, 0.0), 1.0);
        cr_expect_float_eq(pose_layer_weight(&walker->layers[0], keys[i].time_s), 1.0, 1e-12);
        cr_expect_float_eq(pose_layer_weight(&walker->layers[1], keys[i].time_s), walk, 1e-12, "%g",
                           keys[i].time_s);
        cr_expect_float_eq(pose_layer_weight(&walker->layers[2], keys[i].time_s), run, 1e-12, "%g",
                           keys[i].time_s);
    }
    // It stands, then walks and runs faster and faster.
    double before = 0.0, speed = 0.0;
    for (int k = 1; k <= 8; k++) {
        const double z = root_motion_evaluate(walker, 0.5 * k).displacement.z;
        cr_expect(k <= 2 ? z == 0.0 : z - before >= speed - 0.02, "%d: %g after %g", k, z - before,
                  speed);
        speed = z - before;
        before = z;
    }
}
