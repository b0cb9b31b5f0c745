// SPDX-License-Identifier: MIT
/// The camera of a scene as a glTF camera: a node that looks along its -Z, and its angle. The error
/// is a part of the picture's height: of what it sees at the distance of the scene's middle.
#include "bake/bake.h"
#include "base/maths.h"
#include "json/json.h"

#include <stdio.h>
#include <string.h>

enum { VIEW_POINTS = 5 };

/// The nearest distance of the scene's middle that counts, as a part of its size.
#define MIN_DISTANCE 0.01

/// The camera at all samples.
typedef struct camera_samples {
    trs *local;
    float *size;         ///< fov_y in radians, or half the height of an orthographic view in metres
    double far_m, least; ///< largest distance of the middle; smallest half height of the view there
    double height;       ///< largest half height of the view at far_m
    double near_m, range_m; ///< clip planes
} camera_samples;

static trs transform_of(const view_camera *camera)
{
    const dmat3 axes = {dvec3_load(camera->right), dvec3_load(camera->up),
                        dvec3_scale(dvec3_load(camera->forward), -1.0)};
    trs out = trs_identity();
    quat q = quat_from_rotation(&axes);
    if (quat_normalize(&q))
        quat_to_floats(q, out.r);
    dvec3_to_floats(dvec3_load(camera->eye), out.t);
    return out;
}

zt_result bake_camera_at(bake_job *bake, frame_time time, view_camera *view, bake_thing *out)
{
    const dvec3 middle = dvec3_scale(dvec3_add(bake->min, bake->max), 0.5);
    camera_points points;
    ZT_TRY(scene_camera_points(bake->kernels->pose, bake->scene, time, bake->a->budget, &points,
                               bake->err));
    scene_camera_at(bake->scene, &bake->framing, time, &points, NULL, NULL, view);
    double distance = dvec3_length(dvec3_sub(middle, dvec3_load(view->eye)));
    distance = maths_max(distance, MIN_DISTANCE * bake->size);
    const bool flat = view->orthographic;
    *out = (bake_thing){
        .local = transform_of(view),
        .number = {(float)(flat ? view->half_height : 2.0 * maths_atan2(1.0, view->focal))},
        .size = 2.0 * (flat ? view->half_height : distance / view->focal),
        .reach = distance};
    return ZT_OK;
}

static zt_result sample_camera(bake_job *bake, uint32_t sample, camera_samples *out)
{
    view_camera view;
    bake_thing camera;
    ZT_TRY(bake_camera_at(bake, bake->times.time[sample], &view, &camera));
    out->far_m = maths_max(out->far_m, camera.reach);
    out->height = maths_max(out->height, 0.5 * camera.size);
    out->least = maths_min(out->least, 0.5 * camera.size);
    out->near_m = sample > 0 ? maths_min(out->near_m, view.near_m) : view.near_m;
    out->range_m = maths_max(out->range_m, view.far_m);
    out->size[sample] = camera.number[0];
    for (int k = 0; k < 3; k++)
        camera.local.t[k] = (float)(view.eye[k] + bake->scene->origin[k]);
    out->local[sample] = camera.local;
    if (sample > 0)
        quatf_keep_side(out->local[sample - 1].r, out->local[sample].r);
    return ZT_OK;
}

zt_result bake_find_framing(bake_job *bake)
{
    job_pool *pool = NULL;
    if (!scene_camera_needs_framing(bake->scene))
        return ZT_OK;
    ZT_TRY(job_pool_create(1, &pool, bake->err));
    const zt_result result = scene_framing_find(bake->kernels, bake->scene, &bake->trail, pool, 1,
                                                bake->a->budget, &bake->framing, bake->err);
    job_pool_destroy(pool);
    return result;
}

/// Adds the camera to the list of the file; returns its index.
static int64_t add_camera(bake_job *bake, const camera_samples *samples, const char **out_pointer)
{
    gltf_builder *builder = &bake->assembly.builder;
    json_builder *b = &builder->package.values;
    const int64_t index = json_length(gltf_package_array(&builder->package, "cameras"));
    json_value *camera = gltf_builder_entry(builder, "cameras");
    json_value *lens = json_new(b, JSON_KIND_OBJECT);
    const bool flat = bake->scene->camera.orthographic;
    const double size = (double)samples->size[0];
    char pointer[80];
    json_put_text(b, camera, "name", "camera");
    json_put_text(b, camera, "type", flat ? "orthographic" : "perspective");
    if (flat) {
        json_put_real(b, lens, "xmag",
                      size * (double)bake->scene->width / (double)bake->scene->height);
        json_put_real(b, lens, "ymag", size);
        json_put_real(b, lens, "zfar", maths_max(samples->range_m, samples->near_m + 1e-3));
    } else {
        json_put_real(b, lens, "yfov", size);
    }
    json_put_real(b, lens, "znear", flat ? maths_max(samples->near_m, 0.0) : samples->near_m);
    json_put(b, camera, flat ? "orthographic" : "perspective", lens);
    snprintf(pointer, sizeof pointer, "/cameras/%lld/%s", (long long)index,
             flat ? "orthographic/ymag" : "perspective/yfov");
    *out_pointer = arena_text(bake->a, pointer, strlen(pointer));
    return index;
}

/// The width of an orthographic view changes as its height at `height_pointer` does.
static zt_result write_width(bake_job *bake, const camera_samples *samples,
                             const char *height_pointer, gltf_clip *clip)
{
    const uint32_t count = bake->times.count;
    const float aspect = (float)((double)bake->scene->width / (double)bake->scene->height);
    float *width = ARENA_ARRAY_RAW(bake->a, float, count);
    char *pointer = arena_text(bake->a, height_pointer, strlen(height_pointer));
    if (!width || !pointer)
        return arena_fail(bake->a, bake->err, "camera");
    for (uint32_t i = 0; i < count; i++)
        width[i] = samples->size[i] * aspect;
    memcpy(pointer + strlen(pointer) - strlen("ymag"), "xmag", strlen("xmag"));
    return bake_write_numbers(bake, width, 1, pointer, clip);
}

zt_result bake_write_camera(bake_job *bake, json_value *roots)
{
    const uint32_t count = bake->times.count;
    camera_samples samples = {.local = ARENA_ARRAY_RAW(bake->a, trs, count),
                              .size = ARENA_ARRAY_RAW(bake->a, float, count),
                              .least = HUGE_VAL};
    const char *pointer;
    json_value *node;
    if (bake->scene->camera.kind == SCENE_CAMERA_MODEL)
        return ZT_OK;
    if (!samples.local || !samples.size)
        return arena_fail(bake->a, bake->err, "camera");
    for (uint32_t s = 0; s < count; s++)
        ZT_TRY(sample_camera(bake, s, &samples));
    const double h = samples.height, d = -samples.far_m;
    const dvec3 points[VIEW_POINTS] = {
        {0.0, 0.0, 0.0}, {-h, -h, d}, {h, -h, d}, {-h, h, d}, {h, h, d}};
    const bake_object object = {.name = "camera",
                                .local = samples.local,
                                .points = points,
                                .point_count = VIEW_POINTS,
                                .tolerance = bake->def.error * 2.0 * samples.least};
    gltf_clip clip = bake_begin_clip(bake);
    ZT_TRY(bake_write_object(bake, &object, roots, &clip, &node));
    json_put_int(&bake->assembly.builder.package.values, node, "camera",
                 add_camera(bake, &samples, &pointer));
    if (!pointer)
        return arena_fail(bake->a, bake->err, "camera");
    ZT_TRY(bake_write_numbers(bake, samples.size, 1, pointer, &clip));
    if (bake->scene->camera.orthographic)
        ZT_TRY(write_width(bake, &samples, pointer, &clip));
    bake_end_clip(bake, &clip, "camera");
    return ZT_OK;
}
