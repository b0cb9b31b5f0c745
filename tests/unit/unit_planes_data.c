// SPDX-License-Identifier: MIT
/// Planes of the nearest sample: what shading stores with colour, and the ids of what is seen.
#include "base/color_text.h"
#include "base/dvec3.h"
#include "base/hash.h"
#include "base/maths.h"
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
    shot.exposure_ev = 0.5;
    shot.space = samples == 4 ? "camera" : "world";
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

static void draw(const zt_scene *scene, int64_t frame, int32_t threads, zt_isa isa, uint32_t set,
                 drawn *out)
{
    OWN_RENDERER *renderer = make_renderer(threads, isa);
    budget_init(&out->memory, (uint64_t)64 << 20, NULL);
    arena_init(&out->a, &out->memory);
    cr_assert_eq(picture_planes_init(&out->planes, set, SIZE, SIZE, &out->a, &err), ZT_OK);
    cr_assert_eq(renderer_enter(renderer, &err), ZT_OK);
    MUST(renderer_draw(renderer, scene, frame, &out->planes, &err), err);
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
    int partial = 0;
    for (int i = 0; i < 3 * FILE_COUNT; i++) {
        OWN_SCENE *scene = load(files[i / 3], i % 3 == 1 ? 1 : 4, NULL);
        zt_shot_def shot = zt_default_shot_def();
        shot.background = grounds[i % 3];
        shot.tone_map = i % 3 == 0 ? "linear" : i % 3 == 1 ? "agx" : "neutral";
        shot.exposure_ev = -0.5;
        MUST(zt_scene_apply(scene, &shot, &err), err);
        DRAWN all, alone;
        draw(scene, 0, 2, ZT_ISA_BEST, ALL | PICTURE_PLANE_COLOR8, &all);
        draw(scene, 0, 3, ZT_ISA_SCALAR, 1u << PLANE_DISPLAY, &alone);
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
        draw(scene, 0, 1, ZT_ISA_BEST, ALL | PICTURE_PLANE_COLOR8, &all);
        draw(scene, 0, 3, ZT_ISA_SCALAR, ALL, &scalar);
        draw(scene, 0, 2, ZT_ISA_BEST, 1u << PLANE_COLOR | PICTURE_PLANE_COLOR8, &color);
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
        draw(scene, 0, 1, ZT_ISA_BEST, ALL, &all);
        for (int p = 0; p < PLANE_COUNT; p++) {
            DRAWN alone;
            draw(scene, 0, 1, ZT_ISA_BEST, 1u << p, &alone);
            check_same(&all, &alone, (picture_plane)p, files[f]);
        }
    }
}

/// The share of a name in a pixel of a plane of Cryptomatte.
static double share_of(const drawn *d, picture_plane plane, int i, const char *name)
{
    const float *pairs = at(d, plane, i);
    const uint32_t hash = hash_murmur3(name, strlen(name), 0), exponent = hash >> 23 & 255u;
    const uint32_t id = exponent % 255u == 0 ? hash ^ 1u << 23 : hash; // a finite normal number
    for (int rank = 0; rank < 6; rank++)
        if (memcmp(&pairs[2 * rank], &id, sizeof id) == 0)
            return (double)pairs[2 * rank + 1];
    return 0.0;
}

/// Pixels that show nothing are zero; normals of the others are unit vectors. Some pixel has each
/// plane: one that nothing fills is zero, or what was in memory, which the tests above notice.
Test(planes_data, is_zero_where_nothing_is)
{
    uint32_t filled = 0;
    int apart = 0; // pixels whose depth is not that of their position: few, at silhouettes
    for (int f = 0; f < FILE_COUNT; f++) {
        OWN_SCENE *scene = load(files[f], 4, NULL);
        DRAWN d;
        draw(scene, 0, 2, ZT_ISA_BEST, ALL, &d);
        for (int i = 0; i < PIXELS; i++) {
            const bool shows = isfinite(*at(&d, PLANE_DEPTH, i));
            const float alpha = at(&d, PLANE_COLOR, i)[3];
            cr_assert(alpha >= 0.0f && alpha <= 1.0f + 1e-6f, "%s: %g", files[f], (double)alpha);
            for (int p = PLANE_NORMAL; p < PLANE_COUNT && !shows; p++)
                for (int c = 0; c < picture_plane_table[p].kind.channels; c++)
                    cr_assert(at(&d, (picture_plane)p, i)[c] == 0.0f, "%s: %d", files[f], p);
            if (!shows)
                continue;
            apart +=
                !(fabsf(at(&d, PLANE_POSITION, i)[2] / *at(&d, PLANE_DEPTH, i) + 1.0f) < 0.05f);
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
            const uint32_t bone = id_at(&d, PLANE_BONE, i), material = id_at(&d, PLANE_MATERIAL, i);
            const char *name = model->materials[material - 1].name;
            if (scene->instance_count > 1 || strstr(files[f], "glass"))
                continue; // names have a prefix, or glass is before them
            if (at(&d, PLANE_CRYPTO_BONE, i)[1] == 1.0f)
                cr_assert_eq(share_of(&d, PLANE_CRYPTO_BONE, i, model->nodes[bone - 1].name), 1.0);
            if (at(&d, PLANE_CRYPTO_MATERIAL, i)[1] == 1.0f && name[0])
                cr_assert_eq(share_of(&d, PLANE_CRYPTO_MATERIAL, i, name), 1.0, "%s", files[f]);
        }
    }
    cr_assert(apart < 200, "%d", apart);
    for (int p = 0; p < PLANE_COUNT; p++)
        cr_expect(filled >> p & 1u, "nothing fills %s", picture_plane_table[p].kind.name);
}

/// Where one sample shows an opaque surface, the code of a look is that of the plane.
Test(planes_data, looks_show_planes)
{
    static const char *const looks[] = {"normals", "uv", "albedo"};
    for (int look = 0; look < 3; look++) {
        OWN_SCENE *scene = load("tests/explorer.yaml", 1, looks[look]);
        DRAWN d;
        draw(scene, 0, 1, ZT_ISA_BEST, ALL | PICTURE_PLANE_COLOR8, &d);
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

/// True if parts of light add up to the colour, and shares to the coverage, above which glass is.
static bool adds_up(const drawn *d, int i, bool glass, int filled[PLANE_COUNT])
{
    const float *color = at(d, PLANE_COLOR, i);
    const double coverage = (double)*at(d, PLANE_COVERAGE, i);
    bool good = coverage == (double)color[3];
    for (int k = 0; k < 3; k++) {
        double sum = 0.0;
        for (int p = PLANE_EMISSION; p <= PLANE_TRANSMITTED; p++) {
            const double part = (double)at(d, (picture_plane)p, i)[k];
            good = good && part >= 0.0;
            filled[p] += part > 0.0;
            sum += part;
        }
        good = good && fabs(sum - (double)color[k]) <= 1e-5 * (double)color[k];
    }
    for (int p = PLANE_CRYPTO_OBJECT; p <= PLANE_CRYPTO_MATERIAL; p++) {
        const float *pairs = at(d, (picture_plane)p, i);
        double sum = 0.0;
        for (int rank = 0; rank < 6; rank++)
            sum += (double)pairs[2 * rank + 1];
        good =
            good && (fabs(sum - coverage) < 1e-5 || pairs[11] > 0.0f || (glass && sum > coverage));
    }
    return good;
}

/// The scenes of all goldens, with their looks.
Test(planes_data, light_adds_up)
{
    FILE *manifest = fopen(ZT_SOURCE_DIR "/golden/manifest.txt", "r");
    char line[1024], file[128], look[16];
    int filled[PLANE_COUNT] = {0};
    cr_assert(manifest);
    while (fgets(line, sizeof line, manifest)) {
        const char *option = strstr(line, "--look ");
        if (sscanf(line, "%*[a-z0-9_]  %127s", file) != 1)
            continue;
        OWN_SCENE *scene =
            load(file, 2, option && sscanf(option, "--look %15s", look) == 1 ? look : NULL);
        const bool glass = strstr(file, "transmission") || strstr(file, "glass");
        DRAWN d;
        draw(scene, 0, 2, ZT_ISA_BEST, PICTURE_PLANES_MEAN, &d);
        for (int i = 0; i < PIXELS; i++)
            cr_assert(adds_up(&d, i, glass, filled), "%s: pixel %d", line, i);
    }
    fclose(manifest);
    for (int p = PLANE_EMISSION; p <= PLANE_TRANSMITTED; p++)
        cr_expect(filled[p] > 1000, "%s: %d", picture_plane_table[p].kind.name, filled[p]);
}

/// At its edges a triangle has a part of the pixel, in means and in Cryptomatte.
Test(planes_data, means_of_an_edge)
{
    for (int32_t factor = 1; factor <= 2; factor++) {
        OWN_SCENE *scene = load(ZT_SOURCE_DIR "/tests/cli/models/triangle.gltf", 4, NULL);
        zt_shot_def shot = zt_default_shot_def();
        DRAWN d;
        int edges = 0;
        shot.supersample = factor;
        MUST(zt_scene_apply(scene, &shot, &err), err);
        draw(scene, 0, 1, ZT_ISA_BEST, PICTURE_PLANES_MEAN, &d);
        for (int i = 0; i < PIXELS; i++) {
            const double coverage = (double)*at(&d, PLANE_COVERAGE, i);
            NEAR((double)at(&d, PLANE_ALBEDO, i)[0], 0.8 * coverage, 1e-6, "%d", i);
            cr_assert_eq(share_of(&d, PLANE_CRYPTO_OBJECT, i, "body"), coverage, "%d", i);
            cr_assert_eq(share_of(&d, PLANE_CRYPTO_MATERIAL, i, "red"), coverage, "%d", i);
            edges += coverage > 0.0 && coverage < 1.0;
        }
        cr_assert(edges > 20, "%d", edges);
    }
}

/// A layer hides as much of what is behind it as its alpha says; it counts in the name's order.
/// Clear glass hides all.
Test(planes_data, shares_of_layers)
{
    OWN_SCENE *glass = load("tests/transmission.yaml", 1, NULL);
    DRAWN clear;
    int covered = 0;
    draw(glass, 0, 1, ZT_ISA_BEST, PICTURE_PLANES_MEAN, &clear);
    for (int k = 0; k < PIXELS; k++)
        covered += share_of(&clear, PLANE_CRYPTO_MATERIAL, k, "glass") == 1.0;
    cr_expect(covered > PIXELS / 8, "%d", covered);
    OWN_SCENE *scene = load_scene_text(
        "models:\n  - { name: layer 233, file: %s/tests/cli/models/triangle.gltf, opacity: 0.25 }\n"
        "  - { file: %s/tests/cli/models/triangle.gltf, transform: { translate: [0, 0, -1] } }\n"
        "output: { size: [%d, %d], samples: 2 }\nlights: []\n"
        "camera: { look_at: { position: [0, 0.4, 3], target: [0, 0.4, 0] }, fov: 30 }\n",
        ZT_SOURCE_DIR, ZT_SOURCE_DIR, SIZE, SIZE);
    const int i = PIXELS / 2 + SIZE / 2;
    DRAWN d;
    draw(scene, 0, 1, ZT_ISA_BEST, PICTURE_PLANES_MEAN, &d);
    NEAR(share_of(&d, PLANE_CRYPTO_OBJECT, i, "layer 233/body"), 0.25, 1e-6, "front");
    NEAR(share_of(&d, PLANE_CRYPTO_OBJECT, i, "model 1/body"), 0.75, 1e-6, "behind");
    NEAR(share_of(&d, PLANE_CRYPTO_MATERIAL, i, "red"), 1.0, 1e-6, "both");
    NEAR((double)at(&d, PLANE_ALBEDO, i)[0], 0.8, 1e-6, "both");
}

/// Planes of data are those without blur, means those of sub-frames, on any machine; what stands
/// still has no blur. Files are posed 33 frames after their start, some past the end of their clip.
Test(planes_data, of_an_open_shutter_and_lens)
{
    int blurred = 0;
    for (int f = 0; f < FILE_COUNT; f++) {
        DRAWN plain, open, again, still, shut;
        OWN_SCENE *scene = load(files[f], 4, NULL), *frozen = load(files[f], 4, NULL);
        zt_shot_def shot = zt_default_shot_def();
        shot.time_s = 0.7;
        for (int k = 0; k < 2; k++) {
            MUST(zt_scene_apply(frozen, &shot, &err), err);
            draw(frozen, 33, 2, ZT_ISA_BEST, ALL | PICTURE_PLANE_COLOR8, k ? &still : &shut);
            shot.shutter = "360";
        }
        shot = zt_default_shot_def();
        shot.supersample = 1 + f % 2;
        MUST(zt_scene_apply(scene, &shot, &err), err);
        draw(scene, 33, 2, ZT_ISA_BEST, ALL | PICTURE_PLANE_COLOR8, &plain);
        shot.shutter = f % 3 ? "300" : "40s";
        shot.aperture = scene->camera.orthographic ? NULL : f % 2 ? "0.02" : "f/0.2";
        shot.subframes = f % 3 ? "auto" : "5";
        MUST(zt_scene_apply(scene, &shot, &err), err);
        draw(scene, 33, 1, ZT_ISA_BEST, ALL | PICTURE_PLANE_COLOR8, &open);
        draw(scene, 33, 7, ZT_ISA_SCALAR, ALL | PICTURE_PLANE_COLOR8, &again);
        cr_assert_eq(picture_planes_hash(&open.planes), picture_planes_hash(&again.planes));
        for (int p = 0; p < PLANE_COUNT; p++) {
            check_same(&still, &shut, (picture_plane)p, files[f]);
            check_same(&open, &again, (picture_plane)p, files[f]);
            if (p > PLANE_DISPLAY)
                check_same(&plain, &open, (picture_plane)p, files[f]);
        }
        for (int i = 0; i < PIXELS; i++) {
            cr_assert(adds_up(&open, i, true, (int[PLANE_COUNT]){0}), "%s: pixel %d", files[f], i);
            blurred += *at(&open, PLANE_COVERAGE, i) != *at(&plain, PLANE_COVERAGE, i);
        }
    }
    cr_assert(blurred > 100 * FILE_COUNT, "%d", blurred);
}

/// Ids as Cryptomatte's own tests have them, and hashes as Appleby's code gives them.
Test(planes_data, ids_of_names)
{
    static const char *const names[] = {"hello", "cube", "sphere", "plane"};
    static const double ids[] = {6.07056271024e-17, -4.08461912519e+15, 2.79018604383e+15,
                                 3.66557617593e-11};
    for (int i = 0; i < 4; i++) {
        const uint32_t hash = hash_murmur3(names[i], strlen(names[i]), 0);
        float id;
        memcpy(&id, &hash, sizeof id);
        NEAR((double)id / ids[i], 1.0, 1e-6, "%s", names[i]);
    }
    cr_expect_eq(hash_murmur3("aaaa", 4, 0x9747b28cu), 0x5a97808au);
    cr_expect_eq(hash_murmur3("", 0, 1), 0x514e28b7u);
}

static frame_time time_of(const zt_renderer *r, const zt_scene *scene, int64_t frame)
{
    frame_time time = scene_frame_time(scene, frame);
    time.trail = &r->trail;
    return time;
}

/// By a renderer that becomes ready for the scene.
static void pose(zt_renderer *r, const zt_scene *scene, int64_t frame, arena *a, frame_pose *out)
{
    MUST(renderer_prepare(r, scene, &err), err);
    MUST(frame_pose_build(r->kernels->pose, scene, time_of(r, scene, frame), a, out, &err), err);
}

/// The bone of a vertex: no other weight of it is larger.
Test(planes_data, a_bone_is_the_strongest)
{
    static const char *const skinned[] = {"walk.yaml", "tests/weights.yaml", "tests/crowd.yaml"};
    for (int f = 0; f < 3; f++) {
        OWN_SCENE *scene = load(skinned[f], 1, NULL);
        OWN_RENDERER *r = make_renderer(1, ZT_ISA_BEST);
        OWN_MEMORY(a, (uint64_t)256 << 20);
        frame_pose now;
        int bones = 0;
        pose(r, scene, 0, &a, &now);
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

/// A model that spins about z and drifts, seen by a camera that turns around its target and pans.
typedef struct moving {
    const char *shape, *visible;
    double spin_deg, drift[3], turn_deg, pan[3]; ///< a second
    bool parallel;
    int32_t last, frame, known; ///< frames 0 to `last`; `known`: the value of the channel
} moving;

static dvec3 keyed(const double rate[3], double time_s)
{
    return dvec3_scale(dvec3_load(rate), time_s);
}

static dvec3 spun(dvec3 v, double deg)
{
    double s, c;
    maths_sincos_deg(deg, &s, &c);
    return (dvec3){c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

/// A direction in the space of the camera, which is 3 m from its target, at elevation 0.
static dvec3 seen(const moving *m, double time_s, dvec3 v)
{
    double s, c;
    maths_sincos_deg(m->turn_deg * time_s, &s, &c);
    return (dvec3){c * v.x - s * v.z, v.y, s * v.x + c * v.z};
}

static dvec3 seen_point(const moving *m, double time_s, dvec3 p)
{
    dvec3 out = seen(m, time_s, dvec3_sub(p, keyed(m->pan, time_s)));
    out.z -= 3.0;
    return out;
}

/// The pixel of a point, y up.
static dvec3 pixel_of(const moving *m, double time_s, dvec3 p)
{
    const dvec3 c = seen_point(m, time_s, p); // fov 90: a picture is 2 m high at 1 m
    return dvec3_scale(c, SIZE / 2.0 / (m->parallel ? 1.0 : -c.z));
}

static void check_moving(const moving *m, const float *motion, const float *vector, dvec3 p,
                         double now_s, int step)
{
    const double then_s = now_s + step / 30.0;
    const bool known = m->known & (step > 0 ? 1 : 2);
    const dvec3 own = spun(dvec3_sub(p, keyed(m->drift, now_s)), -m->spin_deg * now_s);
    const dvec3 there = dvec3_add(spun(own, m->spin_deg * then_s), keyed(m->drift, then_s));
    const float *got = step > 0 ? motion : motion + 2;
    double want[3];
    dvec3_store(dvec3_sub(pixel_of(m, then_s, there), pixel_of(m, now_s, p)), want);
    for (int k = 0; k < 2; k++) {
        cr_assert(fabs((double)got[k] - (known ? want[k] : 0.0)) < 1e-4, "%g, %g", (double)got[k],
                  want[k]);
        cr_assert_eq(vector[step > 0 ? 2 + k : k], step > 0 ? 0.0f - got[k] : got[k]);
    }
}

static double distance_of(const float *a, dvec3 b)
{
    return dvec3_length(dvec3_sub(dvec3_from_floats(a), b));
}

static zt_scene *load_moving(const moving *m, int32_t supersample, const char *space)
{
    return load_scene_text(
        "models: [ { shape: %s, visible: %s, transform: { rotate: [[0, [0, 0, 0]], [1, [0, 0, "
        "%g]]], "
        "translate: [[0, [0, 0, 0]], [1, [%g, %g, %g]]] } } ]\nground: none\noutput: { frames: "
        "0-%d, "
        "size: [%d, %d], samples: 1, supersample: %d, space: %s }\ncamera: { orbit: { "
        "target: [[0, [0, 0, 0]], [1, [%g, %g, %g]]], azimuth: [[0, 0], [1, %g]], elevation: 0, "
        "distance: 3 }, %s }\n",
        m->shape, m->visible, m->spin_deg, m->drift[0], m->drift[1], m->drift[2], m->last, SIZE,
        SIZE, (int)supersample, space, m->pan[0], m->pan[1], m->pan[2], m->turn_deg,
        m->parallel ? "orthographic: 2" : "fov: 90");
}

/// Wheels, moving balls, cameras that turn and pan, to 1e-4 pixels of the final picture; and the
/// neighbours that a frame has.
Test(planes_data, motion_is_that_of_the_formula)
{
    static const moving rows[] = {
        {"box", "true", 360.0, {0}, 0.0, {0}, false, 20, 7, 3},
        {"sphere", "true", 90.0, {0.6, -0.3, 1.2}, 0.0, {0}, false, 20, 7, 3},
        {"sphere", "true", 0.0, {0}, 40.0, {0.5, 0.3, -1.0}, false, 20, 7, 3},
        {"sphere", "true", 30.0, {0}, -40.0, {0.5, 0.3, -1.0}, true, 20, 7, 3},
        {"box", "true", 360.0, {0}, 0.0, {0}, false, 20, 0, 1},  // before the first
        {"box", "true", 360.0, {0}, 0.0, {0}, false, 20, 20, 2}, // after the last
        {"box", "true", 360.0, {0}, 0.0, {0}, false, 29, 0, 3},  // of a shot that closes
        {"box", "true", 360.0, {0}, 0.0, {0}, false, 29, 29, 3},
        {"box", "true", 360.0, {0}, 0.0, {0.1, 0.0, 0.0}, false, 29, 0, 1}, // but for its camera
        {"box", "[[0, false], [0.2, true], [0.4, false]]", 90.0, {0}, 0.0, {0}, true, 20, 6, 1},
        {"box", "[[0, false], [0.2, true], [0.4, false]]", 90.0, {0}, 0.0, {0}, true, 20, 11, 2},
        {"box", "true", 0.0, {0}, 0.0, {0.0, 0.0, -20.0}, false, 20, 3, 2}, // behind the eye
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int32_t factor = 1; factor <= 2; factor++) {
            OWN_SCENE *scene = load_moving(&rows[r], factor, "world");
            OWN_SCENE *other = load_moving(&rows[r], factor, "camera");
            DRAWN d, c;
            int count = 0;
            const double now_s = rows[r].frame / 30.0;
            draw(scene, rows[r].frame, 1, ZT_ISA_BEST, ALL, &d);
            draw(other, rows[r].frame, 1, ZT_ISA_BEST, ALL, &c);
            for (int i = 0; i < PIXELS; i++) {
                if (!isfinite(*at(&d, PLANE_DEPTH, i)))
                    continue;
                const float *motion = at(&d, PLANE_MOTION, i);
                const dvec3 p = dvec3_from_floats(at(&d, PLANE_POSITION, i));
                cr_assert(motion[4] == (float)rows[r].known, "row %zu: %g", r, (double)motion[4]);
                cr_assert(id_at(&d, PLANE_INSTANCE, i) == 1 && id_at(&d, PLANE_OBJECT, i) == 1 &&
                          id_at(&d, PLANE_MATERIAL, i) == 1 && id_at(&d, PLANE_BONE, i) == 0);
                check_moving(&rows[r], motion, at(&d, PLANE_VECTOR, i), p, now_s, 1);
                check_moving(&rows[r], motion, at(&d, PLANE_VECTOR, i), p, now_s, -1);
                const dvec3 n = dvec3_from_floats(at(&d, PLANE_NORMAL, i));
                const dvec3 own = dvec3_sub(p, keyed(rows[r].drift, now_s));
                const float *place = at(&c, PLANE_POSITION, i);
                dvec3 eye = seen_point(&rows[r], now_s, p);
                eye.z = rows[r].parallel ? (double)place[2] : eye.z; // where it is does not matter
                cr_assert(distance_of(place, eye) < 1e-5);
                cr_assert(distance_of(at(&c, PLANE_NORMAL, i), seen(&rows[r], now_s, n)) < 1e-5);
                cr_assert(fabs((double)*at(&d, PLANE_DEPTH, i) + (double)place[2]) < 5e-3);
                cr_assert(rows[r].shape[0] == 'b' ||
                          (fabs(dvec3_length(own) - 0.5) < 0.01 && dvec3_dot(own, n) > 0.49));
                count++;
            }
            cr_assert(count > 100, "row %zu: %d", r, count);
        }
}

/// A point of a triangle of a meshlet in the world, by barycentrics of corners 1 and 2.
static dvec3 point_of(const geometry_draw *d, const meshlet *m, uint32_t triangle, const float l[2])
{
    const double share[3] = {1.0 - (double)l[0] - (double)l[1], (double)l[0], (double)l[1]};
    dvec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        const uint32_t local = d->mesh->meshlet_corner[k][m->triangle_first + triangle];
        const vertex_position *v = &d->position[d->mesh->meshlet_vertex[m->vertex_first + local]];
        float place[4] = {v->x, v->y, v->z};
        mat4 world;
        memcpy(world, d->palette, sizeof world);
        if (d->posed_mesh)
            posed_place(world, v, place);
        sum = dvec3_add(sum, dvec3_scale(dvec3_from_floats(place), share[k]));
    }
    return sum;
}

/// Checks a pixel by the triangle that shows it and by the frames before, of and after it.
static void check_point(const frame_motion frames[3], uint32_t draw, const drawn *d, int i)
{
    const dvec3 p = dvec3_from_floats(at(d, PLANE_POSITION, i));
    const float *l = at(d, PLANE_BARYCENTRIC, i), *motion = at(d, PLANE_MOTION, i);
    const model_mesh *mesh = frames[1].draw[draw]->mesh;
    double nearest = 1e-3, pixel[3][2] = {0};
    for (uint32_t m = 0; m < mesh->meshlet_count; m++)
        for (uint32_t k = 0; k < mesh->meshlets[m].triangle_count; k++) {
            double world[3];
            const dvec3 there = point_of(frames[1].draw[draw], &mesh->meshlets[m], k, l);
            if (!(dvec3_length(dvec3_sub(there, p)) < nearest))
                continue;
            nearest = dvec3_length(dvec3_sub(there, p));
            for (int t = 0; t < 3; t++) {
                dvec3_store(point_of(frames[t].draw[draw], &mesh->meshlets[m], k, l), world);
                cr_assert(view_project(&frames[t].camera, SIZE, SIZE, world, pixel[t]));
            }
        }
    cr_assert(nearest < 1e-3 && motion[4] == 3.0f, "pixel %d: %g", i, nearest);
    for (int k = 0; k < 2; k++) {
        const double up = k ? -1.0 : 1.0;
        cr_assert_float_eq((double)motion[k], up * (pixel[2][k] - pixel[1][k]), 1e-4);
        cr_assert_float_eq((double)motion[2 + k], up * (pixel[0][k] - pixel[1][k]), 1e-4);
    }
}

/// Skins, morph targets, crowds and nodes: by the posed vertices of the three frames.
Test(planes_data, motion_follows_posed_vertices)
{
    static const char *const posed[] = {
        "walk.yaml",        "tests/crowd.yaml",   "tests/face.yaml",         "tests/robot_arm.yaml",
        "tests/elbow.yaml", "tests/springs.yaml", "tests/relief_object.yaml"};
    for (int f = 0; f < 7; f++) {
        OWN_SCENE *scene = load(posed[f], 1, NULL);
        OWN_RENDERER *r = make_renderer(1, ZT_ISA_BEST);
        OWN_MEMORY(a, (uint64_t)256 << 20);
        frame_pose now;
        frame_motion frames[3];
        DRAWN d;
        double most = 0.0;
        pose(r, scene, 6, &a, &now);
        for (int t = 0; t < 3; t++) {
            MUST(frame_motion_build(scene, &r->framing, &now, time_of(r, scene, 5 + t), &a,
                                    &frames[t], &err),
                 err);
            for (int64_t i = 0; i < frames[t].geometry.skin_job_count; i++)
                geometry_skin(&frames[t].geometry, r->kernels->geometry, i);
        }
        draw(scene, 6, 1, ZT_ISA_BEST, ALL, &d);
        for (int i = 0; i < PIXELS; i += 3)
            for (uint32_t k = 0; k < now.draw_count; k++)
                if (now.draws[k].instance + 1 == id_at(&d, PLANE_INSTANCE, i) &&
                    now.draws[k].node + 1 == id_at(&d, PLANE_OBJECT, i)) {
                    check_point(frames, k, &d, i);
                    most = fmax(most, fabs((double)*at(&d, PLANE_MOTION, i)));
                }
        cr_assert(most > 1e-3, "%s: %g", posed[f], most);
    }
}
