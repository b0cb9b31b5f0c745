// SPDX-License-Identifier: MIT
/// Scenes that are open, with what posing their instances needs, and root motion as numbers.
#pragma once

#include "pose/pose.h"
#include "pose/root_motion.h"
#include "testing.h"

typedef struct open_scene {
    zt_scene *scene;
    budget memory;
    arena arena;
    pose_scratch scratch;
} open_scene;

static inline void scene_open(open_scene *p, zt_scene *scene)
{
    p->scene = scene;
    budget_init(&p->memory, 0, NULL);
    arena_init(&p->arena, &p->memory);
    cr_assert(pose_scratch_init(scene, &p->arena, &p->scratch));
}

static inline void scene_close(open_scene *p)
{
    arena_finish(&p->arena);
    zt_scene_destroy(p->scene);
}

/// Declares `p`, which owns the scene and closes with its block.
#define OPEN_SCENE(p, scene)                                                                       \
    __attribute__((cleanup(scene_close))) open_scene p;                                            \
    scene_open(&p, (scene))

static inline void evaluate_motion(const scene_instance *instance, double time_s,
                                   double *heading_deg, double displacement[3])
{
    const root_motion motion = root_motion_evaluate(instance, time_s);
    *heading_deg = motion.heading_deg;
    dvec3_store(motion.displacement, displacement);
}
