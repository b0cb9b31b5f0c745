// SPDX-License-Identifier: MIT
// Points that follow, and bones keyed by the scene, one thread:
//     bench_follow [--filter TEXT] [--repeat N] [--json]
// A point on a bone of a walking character of 40 bones, which is posed for it: plain, and as the
// mean over half a second (scenes/tests/follow.yaml). And bones that the scene keys
// (scenes/tests/bones.yaml).
#include "bench_timing.h"
#include "kernels/kernels.h"
#include "own.h"
#include "pose/pose.h"
#include "scene/scene_follow.h"

#include <zoetrope/zoetrope.h>

#include <stdio.h>
#include <string.h>

enum { FRAMES = 75, KEY_ROUNDS = 1000 };

static zt_result load(const char *name, zt_scene **out, zt_error *err)
{
    char path[1024];
    const zt_load_def def = zt_default_load_def();
    snprintf(path, sizeof path, ZT_SOURCE_DIR "/scenes/tests/%s.yaml", name);
    return zt_scene_load(path, &def, out, err);
}

/// The camera's target at every frame, each with a pose of its own.
static zt_result time_point(const bench_options *o, const char *name, const zt_scene *scene,
                            const scene_follow *follow, zt_error *err)
{
    static bench_series series;
    const scene_point point = {.follow = follow};
    double points[FRAMES][3];
    budget memory;
    budget_init(&memory, 0, NULL);
    for (int32_t i = 0; i < o->repeats + BENCH_WARM_UP; i++) {
        const uint64_t start = bench_now_ns();
        for (int64_t f = 0; f < FRAMES; f++)
            ZT_TRY(pose_point(kernels_best(ZT_ISA_BEST)->pose, scene, &point,
                              scene_frame_time(scene, f), &memory, points[f], err));
        bench_add_since(&series, i, start);
    }
    bench_report(o, name, "best", "us", 1e-3 / FRAMES, &series, bench_hash(points, sizeof points));
    return ZT_OK;
}

static zt_result time_points(const bench_options *o, zt_error *err)
{
    OWN_SCENE *scene = NULL;
    ZT_TRY(load("follow", &scene, err));
    scene_follow follow = *scene->camera.target.follow;
    if (bench_selected(o, "follow_smooth"))
        ZT_TRY(time_point(o, "follow_smooth", scene, &follow, err));
    follow.smooth_s = 0.0;
    if (bench_selected(o, "follow_bone"))
        ZT_TRY(time_point(o, "follow_bone", scene, &follow, err));
    return ZT_OK;
}

static zt_result time_keys(const bench_options *o, zt_error *err)
{
    static bench_series series;
    OWN_SCENE *scene = NULL;
    OWN_MEMORY(a, 0);
    pose_block *local;
    ZT_TRY(load("bones", &scene, err));
    ZT_TRY(ARENA_TAKE(&a, &local, pose_block_count(scene->instances[0].model), "pose", err));
    for (int32_t i = 0; i < o->repeats + BENCH_WARM_UP; i++) {
        const uint64_t start = bench_now_ns();
        for (int k = 0; k < KEY_ROUNDS; k++) {
            memcpy(local, scene->instances[0].model->rest, sizeof *local);
            const frame_time time = {.shot_s = (double)k / KEY_ROUNDS};
            pose_bone_keys(&scene->instances[0], time, &(pose_morphs){0}, local);
        }
        bench_add_since(&series, i, start);
    }
    bench_report(o, "bone_keys", "c", "ns",
                 1.0 / (KEY_ROUNDS * (double)scene->instances[0].bone_key_count), &series,
                 bench_hash(local, sizeof *local));
    return ZT_OK;
}

int main(int argc, char **argv)
{
    bench_options o;
    zt_error err = {0};
    if (!bench_options_read(argc, argv, &o))
        return 2;
    zt_result result = time_points(&o, &err);
    if (result == ZT_OK && bench_selected(&o, "bone_keys"))
        result = time_keys(&o, &err);
    if (result != ZT_OK)
        fprintf(stderr, "%s\n", err.message);
    return (int)result;
}
