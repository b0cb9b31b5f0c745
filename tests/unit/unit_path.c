// SPDX-License-Identifier: MIT
/// Paths: even steps along curves, their ends, and models on them.
#include "drawing.h"
#include "pose/pose.h"
#include "pose/root_motion.h"
#include "scene/scene_path.h"
#include "test_memory.h"

ARENA_SUITE(path, scratch, 0);

static const dvec3 bend[] = {
    {-2, 0, -1.5}, {-0.5, 0.3, 0.5}, {1, 0, 1}, {2.5, -1, 0}, {2.5, 0, -3}};

static scene_path make(bool closed)
{
    scene_path p = {.count = sizeof bend / sizeof *bend, .point = bend, .closed = closed};
    cr_assert(scene_path_measure(&scratch, &p));
    return p;
}

Test(path, goes_through_its_points_in_even_steps)
{
    for (int closed = 0; closed < 2; closed++) {
        enum { STEPS = 4000 };
        const scene_path p = make(closed);
        const double length = scene_path_length(&p);
        double nearest[sizeof bend / sizeof *bend], sum = 0.0;
        for (size_t i = 0; i < p.count; i++)
            nearest[i] = 1e9;
        dvec3 before = bend[0];
        for (int k = 0; k <= STEPS; k++) {
            dvec3 at, tangent;
            scene_path_at(&p, length * k / STEPS, &at, &tangent);
            const double step = dvec3_length(dvec3_sub(at, before));
            cr_expect(k == 0 || fabs(step / (length / STEPS) - 1.0) < 1e-4, "%d: %g of %g", k, step,
                      length / STEPS);
            dvec3 way = dvec3_sub(at, before);
            if (k > 0 && dvec3_normalize(&way, 0.0))
                cr_expect(dvec3_dot(way, tangent) > 1.0 - 1e-4, "%d", k);
            for (size_t i = 0; i < p.count; i++)
                nearest[i] = fmin(nearest[i], dvec3_length(dvec3_sub(at, bend[i])));
            sum += step;
            before = at;
        }
        cr_expect(fabs(sum / length - 1.0) < 1e-5, "%g of %g", sum, length);
        for (size_t i = 0; i < p.count; i++)
            cr_expect(nearest[i] < length / STEPS, "point %zu: %g", i, nearest[i]);
        cr_expect(!closed || dvec3_length(dvec3_sub(before, bend[0])) < 1e-9);
    }
}

Test(path, ends_and_begins_again)
{
    const scene_path open = make(false), closed = make(true);
    dvec3 a, b, tangent;
    scene_path_at(&open, -3.0, &a, &tangent);
    cr_expect(dvec3_length(dvec3_sub(a, bend[0])) < 1e-12);
    scene_path_at(&open, 1e9, &a, &tangent);
    cr_expect(dvec3_length(dvec3_sub(a, bend[4])) < 1e-12);
    scene_path_at(&closed, 1.25, &a, &tangent);
    scene_path_at(&closed, 1.25 - 2.0 * scene_path_length(&closed), &b, &tangent);
    cr_expect(dvec3_length(dvec3_sub(a, b)) < 1e-9);
}

static void place_of(const zt_scene *scene, uint32_t instance, double time_s, mat4 out)
{
    pose_instance_transform(scene, &scene->instances[instance],
                            (frame_time){.shot_s = time_s, .animation_s = time_s}, out);
}

/// As far as feet or keys lead, with +z along the curve.
Test(path, moves_models)
{
    OWN_SCENE *scene = load_scene(ZT_SOURCE_DIR "/scenes/tests/path.yaml", NULL);
    const scene_instance *walker = &scene->instances[0], *ball = &scene->instances[1];
    for (double t = 0.0; t < 4.0; t += 0.125) {
        mat4 m;
        dvec3 at, tangent;
        place_of(scene, 0, t, m);
        scene_path_at(walker->path, root_motion_evaluate(walker, t).displacement.z, &at, &tangent);
        const dvec3 got = dvec3_from_floats(m[3]), front = dvec3_from_floats(m[2]);
        // The feet drift aside by 0.1 mm a second.
        cr_expect(dvec3_length(dvec3_sub(got, at)) < 1e-3, "%g", t);
        cr_expect(dvec3_dot(front, tangent) > 1.0 - 1e-5 && fabsf(m[1][1] - 1.0f) < 1e-6f);
        place_of(scene, 1, t, m);
        const double s = t < 1.0 ? 1.5 * t * t : t < 2.0 ? 1.5 + 3.0 * (t - 1.0) : 0.0;
        scene_path_at(ball->path, s, &at, &tangent);
        if (t < 2.0 && t >= 1.0)
            cr_expect(dvec3_length(dvec3_sub(dvec3_from_floats(m[3]), at)) < 1e-5, "%g", t);
    }
    mat4 still, later;
    place_of(scene, 1, 3.0, still);
    place_of(scene, 1, 3.9, later);
    cr_expect(memcmp(still, later, sizeof still) == 0, "it stops");
}
