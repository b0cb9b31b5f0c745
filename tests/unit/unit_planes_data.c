// SPDX-License-Identifier: MIT
/// Planes of the nearest sample: what shading stores with colour, and the ids of what is seen.
#include "base/color_text.h"
#include "drawing.h"
#include "render/frame_pose.h"
#include "render/renderer.h"

enum { SIZE = 64, PIXELS = SIZE * SIZE };

static zt_error err;

static const char *const files[] = {
    "tests/figure.yaml",         "tests/veils.yaml",     "tests/points_lines.yaml",
    "tests/alpha_mask.yaml",     "tests/glass.yaml",     "tests/lobes_around.yaml",
    "tests/relief_object.yaml",  "tests/toon.yaml",      "tests/orthographic.yaml",
    "tests/shadow_catcher.yaml", "tests/occlusion.yaml", "tests/explorer.yaml",
    "tests/unlit_glass.yaml",
};
enum { FILE_COUNT = sizeof files / sizeof *files };

static zt_scene *load(const char *file, int32_t samples, const char *look)
{
    zt_shot_def shot = sized_shot(SIZE, SIZE);
    shot.samples = samples;
    shot.supersample = 1;
    shot.look = look;
    PRINTED(path, 512, "%s%s%s", file[0] == '/' ? "" : ZT_SOURCE_DIR,
            file[0] == '/' ? "" : "/scenes/", file);
    return load_scene(path, &shot);
}

/// Planes and their memory.
typedef struct drawn {
    budget memory;
    arena a;
    picture_planes planes;
} drawn;

static void end_drawn(drawn *d) { arena_finish(&d->a); }

/// Ends with its block.
#define DRAWN __attribute__((cleanup(end_drawn))) drawn

static void draw(const zt_scene *scene, int32_t threads, zt_isa isa, uint32_t set, drawn *out)
{
    OWN_RENDERER *renderer = make_renderer(threads, isa);
    budget_init(&out->memory, (uint64_t)64 << 20, NULL);
    arena_init(&out->a, &out->memory);
    cr_assert_eq(picture_planes_init(&out->planes, set, SIZE, SIZE, &out->a, &err), ZT_OK);
    cr_assert_eq(renderer_enter(renderer, &err), ZT_OK);
    MUST(renderer_draw(renderer, scene, 0, &out->planes, &err), err);
    renderer_leave(renderer);
}

static const float *at(const drawn *d, picture_plane plane, int i)
{
    return picture_plane_at(&d->planes, plane, i % SIZE, i / SIZE);
}

static uint32_t id_at(const drawn *d, picture_plane plane, int i)
{
    uint32_t id;
    memcpy(&id, at(d, plane, i), sizeof id);
    return id;
}

static void check_same(const drawn *a, const drawn *b, picture_plane plane, const char *file)
{
    const size_t size = (size_t)picture_plane_table[plane].kind.channels * PIXELS * sizeof(float);
    cr_assert(memcmp(a->planes.plane[plane].data, b->planes.plane[plane].data, size) == 0, "%s: %s",
              file, picture_plane_table[plane].kind.name);
}

enum { ALL = (1 << PLANE_COUNT) - 1 };

/// The floats of 16-bit colours become the codes of the 8-bit ones, whatever else is asked for, and
/// without a tone map they are light, of all kinds of surfaces and exposure.
Test(planes_data, display_is_the_picture_before_it_is_rounded)
{
    static const char *const grounds[] = {"transparent", "#203040", "environment"};
    static const char *const maps[] = {"linear", "agx", "neutral"};
    int partial = 0;
    for (int i = 0; i < 3 * FILE_COUNT; i++) {
        OWN_SCENE *scene = load(files[i / 3], i % 3 == 1 ? 1 : 4, NULL);
        zt_shot_def shot = zt_default_shot_def();
        shot.background = grounds[i % 3];
        shot.tone_map = maps[i % 3];
        shot.exposure_ev = -0.5;
        MUST(zt_scene_apply(scene, &shot, &err), err);
        DRAWN all, alone;
        draw(scene, 2, ZT_ISA_BEST, ALL | PICTURE_PLANE_COLOR8, &all);
        draw(scene, 3, ZT_ISA_SCALAR, 1u << PLANE_DISPLAY, &alone);
        check_same(&all, &alone, PLANE_DISPLAY, files[i / 3]);
        for (int k = 0; k < 4 * PIXELS; k++) {
            const float *display = at(&all, PLANE_DISPLAY, k / 4);
            const double v = (double)display[k % 4], alpha = fmax((double)display[3], 1e-9);
            const uint8_t code = all.planes.color8.rgba8[k];
            NEAR(code, 255.0 * (k % 4 == 3 ? v : srgb_encode(v / alpha)), 0.5 + 1e-4, "%s, %s: %d",
                 files[i / 3], shot.background, k);
            if (i < 12 && i % 3 == 0 && code < 255)
                NEAR(v, (double)at(&all, PLANE_COLOR, k / 4)[k % 4], 1e-5, "%s", files[i / 3]);
            partial += i < 12 && k % 4 == 3 && code > 0 && code < 255;
        }
    }
    cr_assert(partial > 100, "%d pixels are partly covered", partial);
}

/// Colour is the same without data, and data on any machine.
Test(planes_data, changes_no_colour)
{
    for (int f = 0; f < FILE_COUNT; f++) {
        OWN_SCENE *scene = load(files[f], 4, NULL);
        DRAWN all, scalar, color;
        draw(scene, 1, ZT_ISA_BEST, ALL | PICTURE_PLANE_COLOR8, &all);
        draw(scene, 3, ZT_ISA_SCALAR, ALL, &scalar);
        draw(scene, 2, ZT_ISA_BEST, 1u << PLANE_COLOR | PICTURE_PLANE_COLOR8, &color);
        for (int p = 0; p < PLANE_COUNT; p++)
            check_same(&all, &scalar, (picture_plane)p, files[f]);
        check_same(&all, &color, PLANE_COLOR, files[f]);
        cr_assert_eq(picture_planes_hash(&all.planes), picture_planes_hash(&color.planes));
    }
}

/// Each plane alone is the same as with all others.
Test(planes_data, each_alone_is_the_same)
{
    for (int f = 0; f < FILE_COUNT; f += 3) {
        OWN_SCENE *scene = load(files[f], 2, NULL);
        DRAWN all;
        draw(scene, 1, ZT_ISA_BEST, ALL, &all);
        for (int p = 0; p < PLANE_COUNT; p++) {
            DRAWN alone;
            draw(scene, 1, ZT_ISA_BEST, 1u << p, &alone);
            check_same(&all, &alone, (picture_plane)p, files[f]);
        }
    }
}

/// Pixels that show nothing are zero; normals of the others are unit vectors. Some pixel has each
/// plane: one that nothing fills is zero, or what was in memory, which the tests above notice.
Test(planes_data, is_zero_where_nothing_is)
{
    uint32_t filled = 0;
    for (int f = 0; f < FILE_COUNT; f++) {
        OWN_SCENE *scene = load(files[f], 4, NULL);
        DRAWN d;
        draw(scene, 2, ZT_ISA_BEST, ALL, &d);
        for (int i = 0; i < PIXELS; i++) {
            const bool shows = isfinite(*at(&d, PLANE_DEPTH, i));
            for (int p = PLANE_NORMAL; p < PLANE_COUNT && !shows; p++)
                for (int c = 0; c < picture_plane_table[p].kind.channels; c++)
                    cr_assert(at(&d, (picture_plane)p, i)[c] == 0.0f, "%s: %d", files[f], p);
            if (!shows)
                continue;
            for (int p = 0; p < PLANE_COUNT; p++)
                filled |= (uint32_t)(id_at(&d, (picture_plane)p, i) != 0) << p;
            const float *n = at(&d, PLANE_NORMAL, i), *l = at(&d, PLANE_BARYCENTRIC, i);
            const double length = sqrt((double)n[0] * (double)n[0] + (double)n[1] * (double)n[1] +
                                       (double)n[2] * (double)n[2]);
            cr_assert(fabs(length - 1.0) < 1e-5 || strstr(files[f], "points_lines"), "%s: %g",
                      files[f], length);
            cr_assert(l[0] >= 0.0f && l[1] >= 0.0f && l[0] + l[1] <= 1.0f + 1e-5f, "%s", files[f]);
            cr_assert(id_at(&d, PLANE_INSTANCE, i) >= 1 &&
                      id_at(&d, PLANE_INSTANCE, i) <= scene->instance_count);
            const zt_model *model = scene->instances[id_at(&d, PLANE_INSTANCE, i) - 1].model;
            const uint32_t node = id_at(&d, PLANE_OBJECT, i) - 1;
            cr_assert(node < model->node_count && model->nodes[node].mesh >= 0);
            cr_assert(id_at(&d, PLANE_MATERIAL, i) - 1 < model->material_count);
            cr_assert(id_at(&d, PLANE_BONE, i) <= model->node_count);
            cr_assert_eq(id_at(&d, PLANE_BONE, i) > 0, model->nodes[node].skin >= 0);
        }
    }
    for (int p = 0; p < PLANE_COUNT; p++)
        cr_expect(filled >> p & 1u, "nothing fills %s", picture_plane_table[p].kind.name);
}

/// A ball of 7 cm around zero, seen from 2 m: its places, normals and depths belong together.
Test(planes_data, of_a_ball)
{
    for (int parallel = 0; parallel < 2; parallel++) {
        OWN_SCENE *scene = load_scene_text(
            "models: [ { file: %s/scenes/models/ball.glb } ]\nground: none\n"
            "output: { size: [%d, %d], samples: 1 }\n"
            "camera: { look_at: { position: [0, 0, 2], target: [0, 0, 0] }, %s }\n",
            ZT_SOURCE_DIR, SIZE, SIZE, parallel ? "orthographic: 0.2" : "fov: 5.7248");
        DRAWN d;
        int count = 0;
        draw(scene, 1, ZT_ISA_BEST, ALL, &d);
        for (int i = 0; i < PIXELS; i++) {
            const float *p = at(&d, PLANE_POSITION, i), *n = at(&d, PLANE_NORMAL, i);
            if (!isfinite(*at(&d, PLANE_DEPTH, i)))
                continue;
            double radius2 = 0.0, along = 0.0;
            for (int k = 0; k < 3; k++) {
                radius2 += (double)p[k] * (double)p[k];
                along += (double)p[k] * (double)n[k];
            }
            cr_assert(fabs(sqrt(radius2) - 0.07) < 1e-3, "pixel %d: %g", i, sqrt(radius2));
            cr_assert(along / sqrt(radius2) > 0.99, "pixel %d: %g", i, along);
            cr_assert(fabs(2.0 - (double)p[2] - (double)*at(&d, PLANE_DEPTH, i)) < 5e-3);
            count++;
        }
        cr_assert(count > 1000, "%d", count);
    }
}

/// The triangle in the plane z = 0 with a red material, which faces the camera.
Test(planes_data, of_a_triangle)
{
    OWN_SCENE *scene = load(ZT_SOURCE_DIR "/tests/cli/models/triangle.gltf", 1, NULL);
    DRAWN d;
    draw(scene, 1, ZT_ISA_BEST, ALL, &d);
    const int i = PIXELS / 2 + SIZE / 2;
    const float base[3] = {0.8f, 0.1f, 0.1f};
    for (int k = 0; k < 3; k++) {
        cr_expect_eq(at(&d, PLANE_BASE, i)[k], base[k]);
        cr_expect_eq(at(&d, PLANE_EMISSION, i)[k], 0.0f);
        cr_expect_float_eq((double)at(&d, PLANE_NORMAL, i)[k], k == 2, 1e-6);
    }
    cr_expect_float_eq((double)at(&d, PLANE_POSITION, i)[2], 0.0, 1e-5);
    cr_expect_eq(id_at(&d, PLANE_INSTANCE, i), 1);
    cr_expect_eq(id_at(&d, PLANE_OBJECT, i), 1);
    cr_expect_eq(id_at(&d, PLANE_MATERIAL, i), 1);
    cr_expect_eq(id_at(&d, PLANE_BONE, i), 0);
}

/// Where one sample shows an opaque surface, the code of a look is that of the plane.
Test(planes_data, looks_show_planes)
{
    static const char *const looks[] = {"normals", "uv", "albedo"};
    for (int look = 0; look < 3; look++) {
        OWN_SCENE *scene = load("tests/explorer.yaml", 1, looks[look]);
        DRAWN d;
        draw(scene, 1, ZT_ISA_BEST, ALL | PICTURE_PLANE_COLOR8, &d);
        for (int i = 0; i < PIXELS; i++) {
            const uint8_t *code = d.planes.color8.rgba8 + 4 * i;
            if (!isfinite(*at(&d, PLANE_DEPTH, i)))
                continue;
            for (int k = 0; k < 2; k++) {
                const double n = (double)at(&d, PLANE_NORMAL, i)[k] * 0.5 + 0.5;
                const double u = (double)at(&d, PLANE_UV, i)[k];
                const double base = (double)at(&d, PLANE_BASE, i)[k];
                if (look == 0)
                    cr_assert(fabs(code[k] - 255.0 * n) < 0.51, "%d: %d, %g", i, code[k], n);
                else if (look == 1) // squares take up to a quarter
                    cr_assert(code[k] <= 255.0 * (u - floor(u)) + 0.6 &&
                              code[k] >= 255.0 * 0.75 * (u - floor(u)) - 0.6);
                else
                    cr_assert(base >= srgb_decode((code[k] - 0.51) / 255.0) - 1e-6 &&
                              base <= srgb_decode((code[k] + 0.51) / 255.0) + 1e-6);
            }
        }
    }
}

/// Emission is a part of the colour.
Test(planes_data, emission_is_a_part_of_colour)
{
    OWN_SCENE *scene = load("tests/pulse.yaml", 1, NULL);
    zt_shot_def shot = zt_default_shot_def();
    DRAWN d;
    int emits = 0;
    shot.time_s = 0.5; // a sphere shines then
    MUST(zt_scene_apply(scene, &shot, &err), err);
    draw(scene, 1, ZT_ISA_BEST, ALL, &d);
    for (int i = 0; i < PIXELS; i++) {
        const float *e = at(&d, PLANE_EMISSION, i), *color = at(&d, PLANE_COLOR, i);
        emits += e[0] + e[1] + e[2] > 0.0f;
        for (int k = 0; k < 3 && color[3] == 1.0f; k++)
            cr_assert(color[k] >= e[k] * 0.999f, "pixel %d: %g, %g", i, (double)color[k],
                      (double)e[k]);
    }
    cr_assert(emits > 0);
}

/// A renderer that is ready for a scene, and memory.
typedef struct posing {
    zt_renderer *renderer;
    budget memory;
    arena a;
} posing;

static void posing_begin(posing *p, const zt_scene *scene)
{
    p->renderer = make_renderer(1, ZT_ISA_BEST);
    budget_init(&p->memory, (uint64_t)256 << 20, NULL);
    arena_init(&p->a, &p->memory);
    MUST(renderer_prepare(p->renderer, scene, &err), err);
}

static void posing_end(posing *p)
{
    arena_finish(&p->a);
    zt_renderer_destroy(p->renderer);
}

/// Ends with its block.
#define POSING __attribute__((cleanup(posing_end))) posing

static frame_time time_of(const posing *p, const zt_scene *scene, int64_t frame)
{
    frame_time time = scene_frame_time(scene, frame);
    time.trail = &p->renderer->trail;
    return time;
}

static void pose(posing *p, const zt_scene *scene, int64_t frame, frame_pose *out)
{
    MUST(frame_pose_build(p->renderer->kernels->pose, scene, time_of(p, scene, frame), &p->a, out,
                          &err),
         err);
}

/// The bone of a vertex: no other weight of it is larger.
Test(planes_data, a_bone_is_the_strongest)
{
    static const char *const skinned[] = {"walk.yaml", "tests/weights.yaml", "tests/crowd.yaml"};
    for (int f = 0; f < 3; f++) {
        OWN_SCENE *scene = load(skinned[f], 1, NULL);
        POSING p;
        frame_pose now;
        int bones = 0;
        posing_begin(&p, scene);
        pose(&p, scene, 0, &now);
        for (uint32_t i = 0; i < now.draw_count; i++) {
            const geometry_draw *d = &now.draws[i];
            const model_node *node = &scene->instances[d->instance].model->nodes[d->node];
            cr_assert_eq(d->mesh, &scene->instances[d->instance].model->meshes[node->mesh]);
            for (uint32_t v = 0; v < d->mesh->vertex_count; v++) {
                const int32_t bone = geometry_draw_bone(d, v);
                cr_assert_eq(bone >= 0, node_is_skinned(scene->instances[d->instance].model, node));
                float most = 0.0f, own = 0.0f;
                for (int k = 0; k < 4 && bone >= 0; k++) {
                    const float weight = d->mesh->weights[v].weight[k];
                    const float more =
                        d->mesh->weights_more ? d->mesh->weights_more[v].weight[k] : 0.0f;
                    most = fmaxf(most, fmaxf(weight, more));
                    if (d->skin->joint_node[d->mesh->joints[v].joint[k]] == bone)
                        own = fmaxf(own, weight);
                    if (more > 0.0f &&
                        d->skin->joint_node[d->mesh->joints_more[v].joint[k]] == bone)
                        own = fmaxf(own, more);
                }
                cr_assert_eq(own, most, "%s: vertex %u", skinned[f], v);
                bones += bone >= 0;
            }
        }
        cr_assert(bones > 100);
    }
}

static void skin(const posing *p, const geometry_frame *geometry)
{
    for (int64_t i = 0; i < geometry->skin_job_count; i++)
        geometry_skin(geometry, p->renderer->kernels->geometry, i);
}

static const geometry_draw *find_draw(const frame_pose *in, const geometry_draw *like)
{
    for (uint32_t i = 0; i < in->draw_count; i++)
        if (in->draws[i].instance == like->instance && in->draws[i].node == like->node &&
            !in->draws[i].outline)
            return &in->draws[i];
    return NULL;
}

/// The positions of a frame at another time are those of the frame of that time.
Test(planes_data, motion_has_the_positions_of_another_frame)
{
    static const char *const moving[] = {
        "walk.yaml",        "tests/crowd.yaml", "tests/face.yaml",    "tests/robot_arm.yaml",
        "tests/elbow.yaml", "tests/toon.yaml",  "tests/springs.yaml", "tests/relief_object.yaml"};
    for (int f = 0; f < 8; f++) {
        OWN_SCENE *scene = load(moving[f], 1, NULL);
        POSING p;
        frame_pose now, then;
        frame_motion motion;
        posing_begin(&p, scene);
        pose(&p, scene, 3, &now);
        pose(&p, scene, 11, &then);
        MUST(frame_motion_build(scene, &now, time_of(&p, scene, 11), &p.a, &motion, &err), err);
        skin(&p, &motion.geometry);
        geometry_frame whole = {.draws = then.draws,
                                .draw_count = then.draw_count,
                                .posed_meshes = then.posed_meshes,
                                .posed_mesh_count = then.posed_mesh_count};
        uint32_t kept = 0;
        for (uint32_t i = 0; i < then.draw_count; i++) // the widths of outlines are not known here
            if (!then.draws[i].outline)
                then.draws[kept++] = then.draws[i];
        whole.draw_count = then.draw_count = kept;
        MUST(geometry_frame_init(&whole, &p.a, &p.a, &err), err);
        skin(&p, &whole);
        for (uint32_t i = 0; i < now.draw_count; i++) {
            const geometry_draw *want = find_draw(&then, &now.draws[i]), *got = motion.draw[i];
            cr_assert_eq(got != NULL, want != NULL, "%s: %u", moving[f], i);
            if (!got)
                continue;
            cr_assert_eq(got->mesh, now.draws[i].mesh);
            cr_assert(memcmp(got->position, want->position,
                             got->mesh->vertex_count * sizeof *got->position) == 0,
                      "%s: %u", moving[f], i);
            cr_assert(memcmp(got->palette, want->palette, sizeof *got->palette) == 0);
        }
    }
}
