// SPDX-License-Identifier: MIT
// The scene file: every key of the reference, and files that are meant to hurt (mistakes are in
// unit_mistakes.c). Scenes name a model of tests/cli/models, so animations and cameras resolve.
#include "base/color_text.h"
#include "base/nearest_name.h"
#include "document/document.h"
#include "scene/scene_build.h"
#include "scene/scene_read.h"
#include "scene_fixture.h"
#include "test_folder.h"
#include "test_memory.h"

TestSuite(scene, .init = setup, .fini = teardown);

// ---- Output -------------------------------------------------------------------------------------

Test(scene, the_shortest_scene_has_the_defaults)
{
    must_read(HEAD);
    cr_assert_eq(scene.width, 1280);
    cr_assert_eq(scene.height, 720);
    cr_assert_eq(scene.fps_numerator, 30);
    cr_assert_eq(scene.fps_denominator, 1);
    cr_assert_eq(scene.shot.count, 1);
    cr_assert_eq(scene.instance_count, 1);
    cr_assert_eq(scene.instances[0].layer_count, 0);
    cr_assert_eq(scene.camera.kind, SCENE_CAMERA_ORBIT);
    cr_assert(scene.camera.target_auto && scene.camera.distance_auto);
    cr_assert_eq(scene.lighting.contact_shadow, 0.85, "the first preset");
    cr_assert_eq(scene.light_count, 0);
    cr_assert_eq(scene.lighting.environment, SCENE_ENVIRONMENT_STUDIO);
    cr_assert_eq(scene.lighting.ground, SCENE_FLOOR_SHADOW);
    cr_assert(scene.lighting.occlusion);
    cr_assert_not(scene.transparent);
    cr_assert(scene.freeze_time_s != scene.freeze_time_s);
}

Test(scene, output_keys)
{
    must_read(HEAD "output: { size: [640, 360], frames: 0-75x5, fps: 30000/1001, samples: 8,\n"
                   "  background: \"#ff0080\", tone_map: aces, exposure: -1.5 }\n");
    cr_assert_eq(scene.width, 640);
    cr_assert_eq(scene.height, 360);
    cr_assert_eq(scene.shot.count, 16);
    cr_assert_eq(scene.fps_numerator, 30000);
    cr_assert_eq(scene.fps_denominator, 1001);
    cr_assert_eq(scene.samples, 8);
    cr_assert_eq(scene.background[0], 1.0f);
    cr_assert_eq(scene.background[1], 0.0f);
    // sRGB 128 is 0.2158605 linear (IEC 61966-2-1).
    cr_assert_float_eq((double)scene.background[2], 0.2158605, 1e-6);
    cr_assert_eq(scene.lighting.tone_map, TONE_MAP_ACES);
    cr_assert_eq(scene.exposure_ev, -1.5);
    cr_assert(scene.quality == SCENE_QUALITY_FAST && scene.light_samples == 64);
    must_read(HEAD "output: { quality: final, light_samples: 4096 }\n");
    cr_assert(scene.quality == SCENE_QUALITY_FINAL && scene.light_samples == 4096);
    must_read(HEAD "output: { size: 256 }\n");
    cr_assert(scene.width == 256 && scene.height == 256);
    must_read(HEAD "output: { size: 320x240 }\n");
    cr_assert(scene.width == 320 && scene.height == 240);
    must_read(HEAD
              "output: { background: transparent, tone_map: linear, fps: 12.5, frames: 12 }\n");
    cr_assert(scene.transparent);
    cr_assert_eq(scene.fps_numerator, 25);
    cr_assert_eq(scene.fps_denominator, 2);
    cr_assert_eq(scene.shot.frame[0], 12);
    must_read(HEAD "output: { background: [0.5, 0.25, 2], tone_map: neutral }\n");
    cr_assert_eq(scene.background[2], 2.0f);
    must_read(HEAD "output: { background: 202020 }\n"); // a plain number is meant as hex digits
    cr_assert_float_eq((double)scene.background[0], 0.0144438, 1e-6);
    must_read(HEAD "output:\n  frames: -5..5\n  tone_map: agx\n");
    cr_assert_eq(scene.shot.count, 11);
    cr_assert_eq(scene.lighting.tone_map, TONE_MAP_AGX);
}

// ---- Environment and lights ---------------------------------------------------------------------

Test(scene, environment_keys)
{
    must_read(HEAD "environment: { color: [0.5, 1, 2], intensity: 2 }\n");
    cr_assert_eq(scene.ambient.sky[1], 2.0f);
    cr_assert_eq(scene.ambient.ambient_below[2], 4.0f);
    cr_assert_eq(scene.light_count, 0, "whoever says environment gets no preset");
    cr_assert_eq(scene.lighting.environment, SCENE_ENVIRONMENT_AMBIENT);
    must_read(HEAD "environment: { sky: \"#ffffff\", ground: [0, 0, 0] }\n");
    cr_assert_eq(scene.ambient.sky[0], 1.0f);
    cr_assert_eq(scene.ambient.ambient_below[0], 0.0f);
}

Test(scene, presets)
{
    must_read(HEAD "preset: flat\nlights: [ { point: { position: [0, 1, 0] } } ]\n"
                   "environment: { color: [0.5, 1, 2] }\n");
    cr_assert_eq(scene.lighting_keys.preset, SCENE_PRESET_FLAT);
    cr_assert_eq(scene.light_count, 4, "with those of the scene, which are first");
    cr_assert_eq(scene.lights[0].kind, MODEL_LIGHT_POINT);
    cr_assert_eq(scene.lights[1].kind, MODEL_LIGHT_DIRECTIONAL);
    cr_assert_eq(scene.ambient.sky[2], 2.0f, "a single key wins");
    must_read(HEAD "preset: flat\nground: none\noutput: { tone_map: aces }\n");
    cr_assert_eq(scene.lighting.tone_map, TONE_MAP_ACES);
    cr_assert_eq(scene.lighting.ground, SCENE_FLOOR_NONE);
}

Test(scene, light_chooses)
{
    must_read(HEAD "light: none\n");
    cr_assert_eq(scene.lighting.environment, SCENE_ENVIRONMENT_AMBIENT);
    cr_assert_eq(scene.light_count, 0);
    cr_assert_eq(scene.ambient.sky[0], 0.0f);
    cr_assert_eq(scene.lighting.lamps, 0.0);
    must_read(HEAD "preset: flat\nlight: file\nlights: [ { point: { position: [0, 1, 0] } } ]\n");
    cr_assert_eq(scene.lighting_keys.preset, SCENE_PRESET_FLAT);
    cr_assert_eq(scene.light_count, 1, "lights of the scene stay");
    cr_assert_eq(scene.lighting.lamps, 1.0);
    must_read(HEAD "light: studio\n");
    cr_assert_eq(scene.lighting.environment, SCENE_ENVIRONMENT_STUDIO);
    cr_assert(scene.lighting.studio == 1.0 && scene.lighting.studio_with_lamps == 1.0);
}

Test(scene, looks_have_their_light)
{
    must_read(HEAD "output: { look: normals }\nlights: [ { point: { position: [0, 1, 0] } } ]\n");
    cr_assert_eq(scene.look, SCENE_LOOK_NORMALS);
    cr_assert_eq(scene.light_count, 0);
    cr_assert_eq(scene.lighting.ground, SCENE_FLOOR_NONE);
    must_read(HEAD "output: { look: flat }\nlights: []\nenvironment: { color: [1, 1, 1] }\n");
    cr_assert_eq(scene.light_count, 3);
    cr_assert(scene.ambient.sky[0] > 0.5f && scene.ambient.sky[0] < 0.55f);
    must_read(HEAD "output: { look: clay }\nlights: []\n");
    cr_assert(scene.lighting.occlusion);
}

Test(scene, light_keys)
{
    must_read(
        HEAD "lights:\n"
             "  - directional: { direction: [-1, -2, -1], color: \"#ffffff\", lux: 3 }\n"
             "  - point: { position: [[0, [0, 1, 0]], [1, [2, 1, 0]]], candela: [[0, 0], [1, 10]], "
             "range: 5 }\n"
             "  - spot: { position: [0, 3, 0], direction: [0, -1, 0], color: [1, 0.5, 0.25], "
             "candela: 20, inner: 10, outer: 30, range: 8 }\n");
    cr_assert_eq(scene.light_count, 3);
    cr_assert_eq(scene.lights[0].kind, MODEL_LIGHT_DIRECTIONAL);
    cr_assert_eq(at(&scene.lights[0].direction, 0, 1), -2.0);
    cr_assert_eq(at(&scene.lights[0].intensity, 0, 0), 3.0);
    cr_assert_eq(scene.lights[0].instance, -1);
    cr_assert_eq(scene.lights[1].kind, MODEL_LIGHT_POINT);
    cr_assert_eq(at(&scene.lights[1].position.at, 0.5, 0), 1.0);
    cr_assert_eq(at(&scene.lights[1].intensity, 0.25, 0), 2.5);
    cr_assert_eq(scene.lights[1].range_m, 5.0);
    cr_assert_eq(scene.lights[2].kind, MODEL_LIGHT_SPOT);
    cr_assert_eq(scene.lights[2].inner_deg, 10.0);
    cr_assert_eq(scene.lights[2].outer_deg, 30.0);
    cr_assert_eq(at(&scene.lights[2].color, 0, 1), 0.5);
    cr_assert_eq(scene.ambient.sky[0], 0.0f, "lights without an environment stand alone");
    must_read(HEAD "lights: []\n");
    cr_assert_eq(scene.light_count, 0);
}

Test(scene, the_defaults_that_the_reference_names)
{
    must_read(HEAD "    animation: { clip: spin }\n"
                   "lights: [ { spot: { position: [0, 3, 0], direction: [0, -1, 0] } },\n"
                   "  { directional: { direction: [0, -1, 0] } } ]\n");
    const scene_light *spot = &scene.lights[0];
    cr_assert_eq(at(&spot->color, 0, 0), 1.0);
    cr_assert_float_eq(at(&spot->intensity, 0, 0), 3.14159265358979, 1e-12);
    cr_assert_eq(spot->range_m, 0.0);
    cr_assert_eq(spot->inner_deg, 0.0);
    cr_assert_eq(spot->outer_deg, 45.0);
    cr_assert_float_eq(at(&scene.lights[1].intensity, 0, 0), 3.14159265358979, 1e-12);
    const scene_instance *model = &scene.instances[0];
    cr_assert_eq(model->layers[0].loop, SCENE_LOOP_REPEAT);
    cr_assert_eq(model->layers[0].speed, 1.0);
    cr_assert_eq(model->layers[0].start_s, 0.0);
    cr_assert_eq(model->layers[0].at_s, 0.0);
    cr_assert_eq(at(&model->translate, 0, 0), 0.0);
    cr_assert_eq(at(&model->rotate, 0, 1), 0.0);
    cr_assert_eq(at(&model->scale, 0, 0), 1.0);
    cr_assert_eq(at(&scene.camera.azimuth_deg, 0, 0), 30.0);
    cr_assert_eq(at(&scene.camera.elevation_deg, 0, 0), 10.0);
    cr_assert_eq(at(&scene.camera.fov_deg, 0, 0), 35.0);
    cr_assert_eq(at(&scene.camera.up, 0, 1), 1.0);
    cr_assert_eq(scene.camera.zoom, 1.0);
    cr_assert_not(scene.camera.orthographic);
    cr_assert_eq(scene.samples, 4);
    cr_assert_eq(scene.shot.frame[0], 0);
    cr_assert_eq(scene.exposure_ev, 0.0);
    cr_assert_eq(scene.lighting.tone_map, TONE_MAP_NEUTRAL);
    // #303338: sRGB 48 is 0.0295568 linear (IEC 61966-2-1).
    cr_assert_float_eq((double)scene.background[0], 0.0295568, 1e-6);
    must_read(HEAD "environment: { color: [0.5, 1, 2] }\n");
    cr_assert_eq(scene.ambient.sky[2], 2.0f, "an intensity of 1");
}

Test(scene, shadows)
{
    must_read(HEAD "lights: [ { directional: { direction: [0, -1, 0] } } ]\n");
    cr_assert_not(scene.own_lights[0].casts, "no shadow unless it is asked for");
    cr_assert_eq(scene.own_lights[0].shadow_softness, 1.0);
    must_read(HEAD "lights: [ { directional: { direction: [0, -1, 0], shadow: on } } ]\n");
    cr_assert(scene.own_lights[0].casts);
    must_read(HEAD "lights: [ { point: { position: [0, 1, 0], size: 0.2 } } ]\n");
    cr_assert(scene.own_lights[0].casts, "a light with an extent has soft shadows");
    must_read(HEAD "lights: [ { point: { shadow: off, position: [0, 1, 0], size: 0.2 } } ]\n");
    cr_assert_not(scene.own_lights[0].casts, "in any order of the keys");
    must_read(HEAD
              "lights: [ { spot: { position: [0, 1, 0], direction: [0, -1, 0], shadow: { size: "
              "512, softness: 1.5 } } } ]\n");
    cr_assert(scene.own_lights[0].casts);
    cr_assert_eq(scene.own_lights[0].shadow_size, 512);
    cr_assert_eq(scene.own_lights[0].shadow_softness, 1.5);
}

// ---- Models -------------------------------------------------------------------------------------

Test(scene, model_keys)
{
    must_read("format: 1\n"
              "models:\n"
              "  - name: one\n"
              "    file: triangle.gltf\n"
              "    transform: { translate: [1, 2, 3], rotate: [0, 180, 0], scale: 0.5 }\n"
              "    animation: spin\n"
              "  - name: two\n"
              "    file: triangle.gltf\n"
              "    transform:\n"
              "      translate: [[0, [0, 0, 0]], [2, [4, 0, 0]]]\n"
              "      rotate: [0, 0.7071, 0, 0.7071]\n"
              "      scale: [1, 2, 3]\n"
              "    animation: [ { clip: rise, loop: once, speed: 2, start: 0.25, at: 1 } ]\n"
              "  - file: triangle.gltf\n"
              "    animation: { clip: 1 }\n");
    cr_assert_eq(scene.instance_count, 3);
    cr_assert_eq(scene.model_count, 1, "one file is loaded once");
    cr_assert_str_eq(scene.instances[0].name, "one");
    cr_assert_eq(at(&scene.instances[0].translate, 0, 2), 3.0);
    cr_assert_eq(scene.instances[0].rotate.width, 3);
    cr_assert_eq(scene.instances[0].scale.width, 1);
    cr_assert_eq(scene.instances[0].layers[0].clip, 0);
    cr_assert_eq(scene.instances[0].layers[0].loop, SCENE_LOOP_REPEAT);
    cr_assert_eq(scene.instances[0].layers[0].speed, 1.0);
    cr_assert_eq(at(&scene.instances[1].translate, 1.0, 0), 2.0);
    cr_assert_eq(scene.instances[1].rotate.width, 4);
    cr_assert_eq(scene.instances[1].scale.width, 3);
    const scene_layer *layer = &scene.instances[1].layers[0];
    cr_assert_eq(layer->clip, 1);
    cr_assert_eq(layer->loop, SCENE_LOOP_ONCE);
    cr_assert_eq(layer->speed, 2.0);
    cr_assert_eq(layer->start_s, 0.25);
    cr_assert_eq(layer->at_s, 1.0);
    cr_assert_eq(scene.instances[2].layers[0].clip, 1);
}

Test(scene, layers)
{
    must_read(HEAD "    animation: [ spin, { clip: rise, weight: [[0, 0], [0.5, 1]] }, none ]\n");
    cr_assert_eq(scene.instances[0].layer_count, 3);
    const scene_layer *layers = scene.instances[0].layers;
    cr_assert_eq(layers[0].clip, 0);
    cr_assert_eq(layers[0].weight.key_count, 0);
    cr_assert_eq(layers[1].clip, 1);
    cr_assert_eq(at(&layers[1].weight, 0.25, 0), 0.5);
    cr_assert_eq(layers[2].clip, -1);
}

Test(scene, instances_override_their_model)
{
    must_read("format: 1\n"
              "models:\n"
              "  - name: crowd\n"
              "    file: triangle.gltf\n"
              "    animation: spin\n"
              "    transform: { translate: [9, 0, 0], scale: 2 }\n"
              "    instances:\n"
              "      - { transform: { translate: [2, 0, 0] }, animation: [ { clip: rise, start: "
              "0.4 } ] }\n"
              "      - { name: other, animation: none }\n"
              "      - {}\n");
    cr_assert_eq(scene.instance_count, 3, "the model itself is not shown besides its instances");
    cr_assert_eq(scene.model_count, 1);
    cr_assert_eq(at(&scene.instances[0].translate, 0, 0), 2.0);
    cr_assert_eq(at(&scene.instances[0].scale, 0, 0), 2.0);
    cr_assert_eq(scene.instances[0].layers[0].clip, 1);
    cr_assert_eq(scene.instances[0].layers[0].start_s, 0.4);
    cr_assert_str_eq(scene.instances[1].name, "other");
    cr_assert_eq(scene.instances[1].layers[0].clip, -1);
    cr_assert_eq(at(&scene.instances[1].translate, 0, 0), 9.0);
    cr_assert_eq(scene.instances[2].layers[0].clip, 0);
}

Test(scene, handedness_makes_another_model)
{
    must_read("format: 1\nmodels:\n"
              "  - { file: hinge.m3d, handedness: left }\n"
              "  - { file: hinge.m3d, handedness: right }\n"
              "  - { file: hinge.m3d, handedness: left, animation: Swing }\n");
    cr_assert_eq(scene.instance_count, 3);
    cr_assert_eq(scene.model_count, 2);
}

// ---- Camera -------------------------------------------------------------------------------------

Test(scene, camera_keys)
{
    must_read(HEAD
              "camera: { orbit: { target: [0, 1, 0], azimuth: [[0, 0], [2, 360]], elevation: 15,\n"
              "  distance: 4 }, fov: 50, near: 0.1, far: 90, zoom: 2, margin: 0.2 }\n");
    cr_assert_eq(scene.camera.kind, SCENE_CAMERA_ORBIT);
    cr_assert_not(scene.camera.target_auto);
    cr_assert_not(scene.camera.distance_auto);
    cr_assert_eq(at(&scene.camera.azimuth_deg, 0.5, 0), 90.0);
    cr_assert_eq(at(&scene.camera.elevation_deg, 9, 0), 15.0);
    cr_assert_eq(at(&scene.camera.distance, 0, 0), 4.0);
    cr_assert_eq(at(&scene.camera.fov_deg, 0, 0), 50.0);
    cr_assert_eq(scene.camera.near_m, 0.1);
    cr_assert_eq(scene.camera.far_m, 90.0);
    cr_assert_eq(scene.camera.zoom, 2.0);
    cr_assert_eq(scene.camera.margin, 0.2);
    must_read(HEAD "camera: { orbit: { target: auto, distance: auto }, orthographic: 3 }\n");
    cr_assert(scene.camera.target_auto && scene.camera.distance_auto);
    cr_assert(scene.camera.orthographic);
    cr_assert_eq(scene.camera.ortho_height, 3.0);
    must_read(HEAD
              "camera: { look_at: { position: [0, 1, 5], target: [[0, [0, 0, 0]], [1, [1, 0, 0]]], "
              "up: [0, 0, 1] }, orthographic: auto }\n");
    cr_assert_eq(scene.camera.kind, SCENE_CAMERA_LOOK);
    cr_assert_eq(at(&scene.camera.target.at, 0.5, 0), 0.5);
    cr_assert_eq(at(&scene.camera.up, 0, 2), 1.0);
    must_read("format: 1\ncamera: { model: { model: m, camera: Eye } }\n"
              "models: [ { name: m, file: triangle.gltf } ]\n");
    cr_assert_eq(scene.camera.kind, SCENE_CAMERA_MODEL);
    cr_assert_eq(scene.camera.instance, 0);
    cr_assert_eq(scene.camera.node, 1);
    must_read(HEAD "camera: { model: { camera: 0 } }\n");
    cr_assert_eq(scene.camera.node, 1);
    must_read(HEAD "camera: { model: { camera: Lens } }\n");
    cr_assert_eq(scene.camera.node, 1);
}

Test(scene, blur_keys)
{
    const scene_blur *blur = &scene.blur;
    must_read(HEAD "output: { shutter: 180, subframes: 4096 }\n"
                   "camera: { aperture: [[0, 0], [1, 2]], focus: [[0, 1], [1, 5]], blades: 6 }\n");
    cr_expect(at(&blur->shutter, 0, 0) == 180.0 && !blur->shutter_seconds);
    cr_expect(at(&blur->aperture, 0.5, 0) == 1.0 && !blur->aperture_stops && blur->blades == 6);
    cr_expect(blur->focus == SCENE_FOCUS_DISTANCE && at(&blur->focus_m, 0.5, 0) == 3.0);
    cr_expect(blur->subframes == 4096);
    must_read(
        HEAD
        "output: { subframes: auto, shutter: { seconds: [[0, 0], [1, 2]], phase: 0.5 } }\n"
        "camera: { aperture: { f_stop: 2.8, sensor: 0.01 },\n"
        "  focus: { keys: [[0, [1, 2, 3]], [1, [3, 2, 1]]] }, blades: { count: 5, turn: 30 } }\n");
    cr_expect(at(&blur->shutter, 0.5, 0) == 1.0 && blur->shutter_seconds);
    cr_expect(blur->subframes == SCENE_SUBFRAMES_AUTO && blur->shutter_phase == 0.5);
    cr_expect(at(&blur->aperture, 0, 0) == 2.8 && blur->aperture_stops && blur->sensor_m == 0.01);
    cr_expect(blur->focus == SCENE_FOCUS_POINT && at(&blur->focus_point.at, 0.5, 0) == 2.0);
    cr_expect(blur->blades == 5 && blur->blades_turn_deg == 30.0);
    must_fail("format: 1\nmodels: [ { file: views.gltf } ]\n"
              "camera: { model: { camera: 2 }, aperture: 1 }\n",
              "an aperture with an orthographic camera");
}

// ---- The file itself ----------------------------------------------------------------------------

Test(scene, empty_files)
{
    must_fail("", "the file is empty");
    must_fail("# only a comment\n", "the file is empty");
}

Test(scene, yaml_that_is_not_ours)
{
    must_fail("format: 1\n\tmodels: []\n", "expected YAML");
    cr_assert_eq(read_yaml("format: 1\n\xff\xfe\n"), ZT_ERR_FORMAT);
    cr_assert(strstr(err.message, "UTF-8"), "%s", err.message);
}

Test(scene, nesting_is_bounded)
{
    static char text[200000];
    strcpy(text, "format: 1\nmodels: ");
    memset(text + strlen(text), '[', 511);
    must_fail(text, "expected YAML");
    strcpy(text, "format: 1\nmodels: ");
    memset(text + strlen(text), '[', 512);
    must_fail(text, "nested too deeply (at most 512 levels)");
    cr_assert_eq(err.code, ZT_ERR_LIMIT);
    memset(text + 18, '[', 150000);
    cr_assert_eq(read_yaml(text), ZT_ERR_LIMIT, "%s", err.message);
}

Test(scene, a_map_is_bounded)
{
    static char text[40000];
    size_t used = (size_t)snprintf(text, sizeof text, "format: 1\n");
    for (int i = 0; i < 1100; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "k%d: 1\n", i);
    cr_assert_eq(read_yaml(text), ZT_ERR_LIMIT);
    cr_assert(strstr(err.message, "more than 1024 keys"), "%s", err.message);
}

Test(scene, a_file_is_bounded)
{
    // A list with as many values as a scene may hold, and with one more.
    for (size_t count = DOCUMENT_NODE_LIMIT - 1; count <= DOCUMENT_NODE_LIMIT; count++) {
        const size_t size = 2 * count + 1;
        OWN_BLOCK char *text = malloc(size + 1);
        cr_assert(text);
        for (size_t i = 0; i < size; i += 2)
            memcpy(text + i, ",1", 2);
        text[0] = '[';
        text[size - 1] = ']';
        for (int json = 0; json < 2; json++) {
            OWN_ARENA a;
            document_node *root;
            const file_bytes list = {(const uint8_t *)text, size};
            arena_init(&a, &scene.budget_own);
            const zt_result result = json ? document_read_json(&a, "list", list, &root, &err)
                                          : document_read_yaml(&a, "list", list, &root, &err);
            if (count < DOCUMENT_NODE_LIMIT)
                cr_assert(result == ZT_OK && root->count == count, "%s", err.message);
            else
                cr_assert(result == ZT_ERR_LIMIT && strstr(err.message, "too many values"));
        }
    }
    const file_bytes bytes = {(const uint8_t *)"", (size_t)DOCUMENT_SIZE_LIMIT + 1};
    cr_assert_eq(scene_read("big.yaml", bytes, &scene, &err), ZT_ERR_LIMIT);
}

Test(scene, json_gives_the_same_scene)
{
    static const char json[] =
        "\t{\r\n\t\"format\" :\t1,\n \"output\": {\"size\": [64, 32], \"frames\": \"0-3\", "
        "\"fps\": 24,\n"
        "\"background\": \"#ff0080\", \"exposure\": -1.5e0},\n"
        "\"models\": [{\"name\": \"caf\\u00e9 \\ud83d\\ude00 \\\"\\/\\\\\\n\", \"file\": "
        "\"triangle.gltf\", \"animation\": {\"clip\": 1, \"loop\": \"once\"}}],\n"
        "\"camera\": {\"orbit\": {\"azimuth\": [[0, 0], [2, 360]]}}}";
    MUST(read_as("test.json", json), err);
    cr_assert_eq(scene.width, 64);
    cr_assert_eq(scene.fps_numerator, 24);
    cr_assert_eq(scene.shot.count, 4);
    cr_assert_eq(scene.exposure_ev, -1.5);
    cr_assert_str_eq(scene.instances[0].name, "caf\u00e9 \U0001F600 \"/\\\n");
    cr_assert_eq(scene.instances[0].layers[0].clip, 1);
    cr_assert_eq(at(&scene.camera.azimuth_deg, 1.0, 0), 180.0);
}

Test(scene, json_mistakes_have_pointers)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"{\"format\": 1, \"models\": [{\"file\": \"triangle.gltf\", \"animation\": \"no\"}]}",
         "test.json:/models/0/animation: "},
        {"{\"format\": 1, \"models\": [{\"file\": \"triangle.gltf\", \"a/b~\": 1}]}",
         "test.json:/models/0/a~1b~0: "},
        {"{\"format\": 1, \"output\": {\"size\": [1, \"2\"]}, \"models\": []}",
         "test.json:/output/size/1: "},
        {"{\"format\": 1, \"format\": 1}", "test.json:1:"},
        {"{\"format\": 1,, }", "test.json:1:"},
        {"{\"models\": []}", "expected 'format: 1' first"},
        {"[]", "test.json:/: "},
        {"", "expected JSON"},
        {"{\"format\": 1, \"models\": [{\"file\": null}]}", "/models/0/file: found nothing"},
        {"{\"format\": 1e400}", "expected JSON"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(read_as("test.json", cases[i].text), ZT_ERR_FORMAT, "%s", cases[i].text);
        cr_assert(strstr(err.message, cases[i].part), "%s\n%s", cases[i].text, err.message);
    }
    static char deep[4000];
    strcpy(deep, "{\"format\": 1, \"models\": ");
    char *list = deep + strlen(deep);
    memset(list, '[', 511);
    memset(list + 511, ']', 511);
    strcat(deep, "}");
    must_fail_json(deep, ZT_ERR_FORMAT, "test.json:/models/0: ");
    memset(list, '[', 512);
    memset(list + 512, ']', 512);
    strcat(deep, "}");
    must_fail_json(deep, ZT_ERR_LIMIT, "nested too deeply (at most 512 levels)");
    cr_assert(strstr(err.message, "test.json:/models/0/0/0/"), "%s", err.message);
    cr_assert(strstr(err.message, "/0/...: nested"), "a shortened pointer: %s", err.message);
    cr_assert_lt(strlen(err.message), 500);
    memset(list, '[', 3000); // more than the parser takes
    must_fail_json(deep, ZT_ERR_LIMIT, "nested too deeply (at most 512 levels)");
}

Test(scene, a_name_is_given_once)
{
    // More names than the first table holds, all different; then one of them again.
    static char text[16000];
    size_t used = (size_t)snprintf(text, sizeof text, "format: 1\nmodels:\n");
    for (int i = 0; i < 200; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  - { name: n%d, file: triangle.gltf }\n", i);
    must_read(text);
    cr_assert_eq(scene.instance_count, 200);
    snprintf(text + used, sizeof text - used, "  - { name: n7, file: triangle.gltf }\n");
    must_fail(text, "the name 'n7' is used twice");
}

// ---- Tracks and names ---------------------------------------------------------------------------

Test(scene, quaternion_tracks_take_the_shorter_arc_evenly)
{
    // 0 and 120 degrees about y, the second in both signs and not of unit length; then on to 180.
    static const double times[] = {0.0, 1.0, 2.0};
    for (int sign = -1; sign <= 1; sign += 2) {
        const double s = sign * 3.0;
        const double values[] = {0.0, 0.0,     0.0, 1.0, 0.0, s * sqrt(0.75),
                                 0.0, s * 0.5, 0.0, 1.0, 0.0, 0.0};
        const track t = {.key_count = 3, .width = 4, .time_s = times, .value = values};
        for (int k = -2; k <= 24; k++) {
            const double time = k * 0.1, at_s = fmin(fmax(time, 0.0), 2.0);
            const double want_deg = at_s < 1.0 ? 120.0 * at_s : 120.0 + 60.0 * (at_s - 1.0);
            const quat q = track_evaluate_rotation(&t, time);
            const double got_deg = 2.0 *
                                   atan2(fabs(q.y), q.y * q.w < 0.0 ? -fabs(q.w) : fabs(q.w)) *
                                   57.29577951308232;
            NEAR(got_deg, want_deg, 1e-12, "degrees at %g s", time);
        }
    }
}

Test(scene, tracks_are_linear_and_clamped)
{
    static const double times[] = {0.0, 1.0, 3.0}, values[] = {10.0, 20.0, 0.0};
    const track t = {.key_count = 3, .width = 1, .time_s = times, .value = values};
    static const double expected[][2] = {{-1, 10}, {0, 10}, {0.5, 15}, {1, 20},
                                         {2, 10},  {3, 0},  {99, 0}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        cr_assert_eq(at(&t, expected[i][0], 0), expected[i][1], "at %g", expected[i][0]);
}

Test(scene, the_nearest_name_is_the_one_meant)
{
    static const char *const names[] = {"output", "environment", "models", "camera", "lights"};
    static const struct {
        const char *word, *nearest;
    } cases[] = {{"ouput", "output"},
                 {"Camera", "camera"},
                 {"cmaera", "camera"},
                 {"light", "lights"},
                 {"enviroment", "environment"},
                 {"env", "environment"}, // the only one that begins so
                 {"en", NULL},
                 {"lamps", NULL}, // four letters of five are others
                 {"xyzzy", NULL},
                 {"", NULL},
                 {"q", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *nearest = nearest_name(cases[i].word, names, 5);
        if (cases[i].nearest)
            cr_assert_str_eq(nearest ? nearest : "(none)", cases[i].nearest, "%s", cases[i].word);
        else
            cr_assert_null(nearest, "%s", cases[i].word);
    }
}

Test(scene, colors_have_names)
{
    static const char *const same[] = {"#ff7f50", "FF7F50", "coral", "Coral"};
    static const char *const wrong[] = {"", "#", "#ff7f5", "#ff7f500", "#coral", "corals", "ggg"};
    double expected[3], color[3];
    cr_assert(color_from_text("#ff7f50", expected));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        cr_assert(color_from_text(same[i], color), "%s", same[i]);
        cr_assert_arr_eq(color, expected, sizeof color, "%s", same[i]);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_assert_not(color_from_text(wrong[i], color), "%s", wrong[i]);
    cr_assert(color_from_text("#f08", expected) && color_from_text("ff0088", color));
    cr_assert_arr_eq(color, expected, sizeof color);
    size_t count = 0;
    for (; color_name_at(count); count++) {
        cr_assert(color_from_text(color_name_at(count), color));
        cr_assert(count == 0 || strcmp(color_name_at(count - 1), color_name_at(count)) < 0);
    }
    cr_assert_eq(count, 148); // CSS Color Module Level 4
    cr_assert_str_eq(color_nearest_name("stelblue"), "steelblue");
}

Test(scene, confined_to_its_folder)
{
    zt_load_def def = zt_default_load_def();
    zt_scene *loaded = NULL;
    static const struct {
        const char *file, *message; // NULL: it loads
    } cases[] = {
        {"in/near.gltf", NULL},
        {"in/../triangle.gltf", NULL},
        {"../triangle.gltf", "lies outside the folder of this file"},
        {FOLDER "triangle.gltf", "lies outside the folder of this file"},
        {"out.gltf", "leads out of its folder"},
        {"in/up/up/etc/passwd", "leads out of its folder"},
    };
    test_folder_make();
    PRINTED(command, 1024,
            "cd %s && mkdir in && cp " FOLDER "triangle.gltf . && ln -s ../triangle.gltf "
            "in/near.gltf && ln -s " FOLDER "triangle.gltf out.gltf && ln -s .. in/up && ln -s .. "
            "up",
            test_folder);
    cr_assert_eq(system(command), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        PRINTED(text, 1024, "format: 1\nmodels:\n  - file: %s\n", cases[i].file);
        test_folder_write("scene.yaml", text);
        const char *path = test_file("scene.yaml");
        def.confine_scene = true;
        const zt_result confined = zt_scene_load(path, &def, &loaded, &err);
        zt_scene_destroy(loaded);
        cr_expect_eq(confined, cases[i].message ? ZT_ERR_INPUT : ZT_OK, "%s: %s", cases[i].file,
                     err.message);
        cr_expect(!cases[i].message || strstr(err.message, cases[i].message), "%s", err.message);
        def.confine_scene = false;
        if (i == 3 || i == 4) { // the user's own scene may name them
            cr_expect_eq(zt_scene_load(path, &def, &loaded, &err), ZT_OK, "%s", err.message);
            zt_scene_destroy(loaded);
        }
    }
    test_folder_remove_all();
}
