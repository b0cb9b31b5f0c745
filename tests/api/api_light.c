// SPDX-License-Identifier: MIT
// Camera, lamps and light of a scene by calls: the example of docs/library.md, and that they are
// what a scene file with the same values has.
//   api_light MODEL
#include "example/api_light.c"

#include "api_check.h"

#include <math.h>
#include <string.h>

static zt_error err;

static zt_scene *load(const char *model, const char *keys)
{
    char text[4096];
    zt_scene *scene = NULL;
    zt_load_def def = zt_default_load_def();
    FILE *file = fopen("api_light.yaml", "w");
    snprintf(text, sizeof text,
             "format: 1\noutput: { size: [64, 64], frames: 0-40, fps: 10 }\n"
             "models: [ { file: \"%s\" } ]\n%s",
             model, keys);
    if (!file || fputs(text, file) < 0 || fclose(file) != 0 ||
        zt_scene_load("api_light.yaml", &def, &scene, &err) != ZT_OK) {
        fprintf(stderr, "api_light: %s\n", err.message);
        exit(9);
    }
    return scene;
}

/// The same frames as those of a file with these keys; destroys both scenes.
static void expect_same(zt_scene *scene, zt_scene *file, const char *what)
{
    for (int64_t frame = 0; frame <= 30; frame += 15) {
        const uint64_t hash = hash_of(scene, frame, &err);
        require(hash != 0 && hash == hash_of(file, frame, &err), what, &err);
    }
    zt_scene_destroy(scene);
    zt_scene_destroy(file);
}

static void check_example(const char *model)
{
    static const char keys[] =
        "camera:\n"
        "  look_at: { position: [[0, [0, 1.5, 4]], [2, [0, 1.5, 2.5]]], target: [0, 1, 0] }\n"
        "  fov: [[0, 35], [2, 30]]\n"
        "lights: [ { spot: { position: [0, 3, 1], direction: [0, -1, -0.3], candela: 40,\n"
        "                    inner: 0, outer: 45, shadow: on } } ]\n"
        "environment: { sky: [0.2, 0.2, 0.2], ground: [0, 0, 0] }\n";
    zt_scene *scene = load(model, "");
    const zt_encode_def encode = zt_default_encode_def();
    const uint64_t key = zt_scene_frame_key(scene, 0, &encode);
    require(light_scene(scene, &err) == ZT_OK, "the example works", &err);
    require(zt_scene_frame_key(scene, 0, &encode) != key, "the key of frames changes", &err);
    expect_same(scene, load(model, keys), "the example is what its file is");
}

static void check_other_values(const char *model)
{
    static const char keys[] =
        "camera: { look_at: { position: [2, 1, 3], target: [0, 1, 0], up: [0.1, 1, 0] },\n"
        "          orthographic: 2.5, fov: 30 }\n"
        "lights:\n"
        "  - directional: { direction: [1, -2, -1], color: [1, 0.5, 0.25], lux: 2, size: 3 }\n"
        "  - point: { position: [1, 2, 1], range: 4, size: 0.25 }\n"
        "environment: { image: sky.hdr, rotation: 70, blur: 0.5, intensity: 0.5 }\n";
    static const char sky[] =
        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n\x80\x90\xA0\x80\x40\x30\x20\x81";
    write_file("sky.hdr", sky, sizeof sky - 1);
    zt_camera_def camera = zt_default_camera_def();
    zt_light_def sun = zt_default_light_def(), bulb = zt_default_light_def();
    zt_environment_def around = zt_default_environment_def();
    camera = (zt_camera_def){.eye = {2.0, 1.0, 3.0},
                             .target = {0.0, 1.0, 0.0},
                             .up = {0.1, 1.0, 0.0},
                             .fov_deg = 30.0,
                             .height_m = 2.5,
                             .cookie_ = camera.cookie_};
    sun = (zt_light_def){.kind = "directional",
                         .direction = {1.0, -2.0, -1.0},
                         .color = {1.0, 0.5, 0.25},
                         .intensity = 2.0,
                         .size = 3.0,
                         .shadow = true,
                         .cookie_ = sun.cookie_};
    bulb.kind = "point";
    bulb.position[0] = bulb.position[2] = 1.0;
    bulb.position[1] = 2.0;
    bulb.range_m = 4.0;
    bulb.size = 0.25;
    around.image = "sky.hdr";
    around.rotation_deg = 70.0;
    around.blur = around.intensity = 0.5;
    zt_scene *scene = load(model, "environment: { color: white }\n");
    require(zt_scene_set_camera(scene, &camera, 1, &err) == ZT_OK &&
                zt_scene_add_light(scene, &sun, &err) == ZT_OK &&
                zt_scene_add_light(scene, &bulb, &err) == ZT_OK &&
                zt_scene_set_environment(scene, &around, &err) == ZT_OK,
            "all values are taken", &err);
    expect_same(scene, load(model, keys), "the values are those of a file");
}

/// A camera by points ends what was applied to the one before: it rests, and so do lights.
static void check_camera_after_turn(const char *model)
{
    static const char keys[] = "lights: [ { directional: { direction: [1, -2, -1] } } ]\n"
                               "camera: { look_at: { position: [0, 1, 4], target: [0, 1, 0] } }\n";
    zt_camera_def camera = zt_default_camera_def();
    zt_shot_def turn = zt_default_shot_def();
    zt_scene *scene = load(model, keys);
    camera.eye[1] = camera.target[1] = 1.0;
    camera.eye[2] = 4.0;
    turn.turntable_duration_s = 4.1;
    turn.lights_turn = true;
    turn.directions = 8;
    turn.azimuth_deg = 30.0;
    require(zt_scene_apply(scene, &turn, &err) == ZT_OK, "a turntable", &err);
    require(zt_scene_set_camera(scene, &camera, 1, &err) == ZT_OK, "a camera after it", &err);
    expect_same(scene, load(model, keys), "the camera by points is that of a file");
}

/// Each of these is refused with these words, and leaves the scene as it was.
static void check_refusals(const char *model)
{
    zt_scene *scene = load(model, "");
    const uint64_t want = hash_of(scene, 0, &err);
    zt_camera_def camera[2] = {zt_default_camera_def(), zt_default_camera_def()};
    zt_light_def lamp = zt_default_light_def();
    zt_environment_def around = zt_default_environment_def();
    require(zt_scene_set_camera(scene, camera, 0, &err) == ZT_ERR_ARGUMENT, "no points", &err);
    camera[0].eye[2] = camera[1].eye[2] = camera[1].time_s = 1.0;
    camera[1].fov_deg = 180.0;
    require(zt_scene_set_camera(scene, camera, 2, &err) == ZT_ERR_ARGUMENT &&
                err.code == ZT_ERR_ARGUMENT &&
                strstr(err.message, "zt_scene_set_camera:/fov/1/1: found '180'"),
            "an angle that is too wide", &err);
    camera[0].fov_deg = (double)NAN;
    require(zt_scene_set_camera(scene, camera, 1, &err) == ZT_ERR_ARGUMENT, "no angle", &err);
    require(zt_scene_add_light(scene, &lamp, &err) == ZT_ERR_ARGUMENT, "no kind", &err);
    lamp.kind = "spott";
    require(zt_scene_add_light(scene, &lamp, &err) == ZT_ERR_ARGUMENT &&
                strstr(err.message, "'spot'"),
            "a misspelt kind", &err);
    lamp.kind = "spot";
    lamp.inner_deg = 50.0;
    require(zt_scene_add_light(scene, &lamp, &err) == ZT_ERR_ARGUMENT &&
                strstr(err.message, "inner angle"),
            "an inner angle above the outer one", &err);
    around.intensity = -1.0;
    require(zt_scene_set_environment(scene, &around, &err) == ZT_ERR_ARGUMENT &&
                strstr(err.message, "/intensity"),
            "a negative intensity", &err);
    around = zt_default_environment_def();
    around.image = "nowhere.hdr";
    require(zt_scene_set_environment(scene, &around, &err) == ZT_ERR_INPUT, "no such picture",
            &err);
    write_file("broken.hdr", "#?RADIANCE\nFORMAT=", 18);
    around.image = "broken.hdr";
    require(zt_scene_set_environment(scene, &around, &err) == ZT_ERR_FORMAT &&
                err.code == ZT_ERR_FORMAT && strncmp(err.message, "broken.hdr:", 11) == 0,
            "a picture that is broken", &err);
    camera[1] = zt_default_camera_def();
    camera[1].cookie_ = lamp.cookie_ = around.cookie_ = 0;
    require(zt_scene_set_camera(scene, camera + 1, 1, &err) == ZT_ERR_ARGUMENT &&
                zt_scene_add_light(scene, &lamp, &err) == ZT_ERR_ARGUMENT &&
                zt_scene_set_environment(scene, &around, &err) == ZT_ERR_ARGUMENT,
            "no cookies", &err);
    require(hash_of(scene, 0, &err) == want, "the scene is as it was", &err);
    zt_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    check_example(argv[1]);
    check_other_values(argv[1]);
    check_camera_after_turn(argv[1]);
    check_refusals(argv[1]);
    return faults == 0 ? 0 : 1;
}
