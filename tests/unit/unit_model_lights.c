// SPDX-License-Identifier: MIT
/// Lights that a model brings along shine in every instance of it, where its nodes are.
#include "kernels/kernels.h"
#include "render/frame_pose.h"
#include "scene/scene_build.h"
#include "test_memory.h"

#define LAMPS ZT_SOURCE_DIR "/tests/cli/models/lamps.gltf"

static zt_error err;
static heard said;

static zt_scene *open_lamps(bool strict)
{
    zt_scene *scene = NULL;
    zt_load_def def = zt_default_load_def();
    def.message = hear;
    def.message_user = &said;
    def.strict = strict;
    said = (heard){0};
    MUST(zt_scene_load(LAMPS, &def, &scene, &err), err);
    return scene;
}

static double number(const track *t, int component)
{
    double value[4] = {0};
    track_evaluate(t, 0.0, value);
    return value[component];
}

Test(model_lights, shine_with_the_preset)
{
    OWN_SCENE *scene = open_lamps(true);
    cr_assert_eq(scene->light_count, 3, "three lights of visible nodes");
    const scene_light *sun = &scene->lights[0], *point = &scene->lights[1];
    const scene_light *spot = &scene->lights[2];
    cr_expect(sun->kind == MODEL_LIGHT_DIRECTIONAL && point->kind == MODEL_LIGHT_POINT &&
              spot->kind == MODEL_LIGHT_SPOT);
    cr_expect(number(&sun->color, 1) == 0.5 && number(&sun->color, 2) == 0.25);
    cr_expect(number(&sun->intensity, 0) == 2.0 && number(&point->intensity, 0) == 30.0);
    cr_expect(point->range_m == 5.0 && spot->range_m == 0.0);
    cr_expect(spot->inner_deg > 14.3239 && spot->inner_deg < 14.3240, "0.25 rad");
    cr_expect(spot->outer_deg > 28.6478 && spot->outer_deg < 28.6480, "0.5 rad");
    cr_expect(sun->instance == 0 && sun->node >= 0);
    for (int i = 0; i < 3; i++) // the shadow of a sun of half a degree
        cr_expect_eq(scene->lights[i].shadow_softness, 1.0);
    cr_expect_str_eq(said.all, "");
}

static void expect_near(const float got[3], double x, double y, double z, const char *what)
{
    const double want[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        cr_expect(fabs((double)got[k] - want[k]) < 1e-6, "%s[%d] is %g", what, k, (double)got[k]);
}

/// Those of the first frame.
static frame_light_set first_lights(const zt_scene *scene, arena *a, frame_pose *pose,
                                    shade_frame *shade)
{
    const frame_time time = scene_frame_time(scene, 0);
    frame_light_set lights;
    MUST(frame_pose_build(kernels_for(ZT_ISA_SCALAR)->pose, scene, time, a, pose, &err), err);
    cr_assert_eq(frame_lights(scene, pose, time, NULL, a, shade, &lights, &err), ZT_OK);
    return lights;
}

/// A light looks along its node's -z: turned by 90 degrees about y that is -x.
Test(model_lights, follow_their_nodes)
{
    OWN_SCENE *scene = open_lamps(false);
    OWN_MEMORY(a, 0);
    frame_pose pose;
    shade_frame shade = {0};
    const frame_light_set lights = first_lights(scene, &a, &pose, &shade);
    cr_assert_eq(shade.light_count, 3);
    expect_near(shade.lights[0].to_light, 1.0, 0.0, 0.0, "the way to the sun");
    expect_near(shade.lights[0].radiance, 2.0, 1.0, 0.5, "the sun");
    expect_near(shade.lights[1].position, 1.0, 2.0, 3.0, "the point light");
    expect_near(shade.lights[2].position, 0.0, 1.0, 4.0, "the spot, moved by its parent");
    expect_near(shade.lights[2].axis, 0.0, 0.0, -1.0, "the way of the spot");
    cr_expect_eq(lights.lights[0].source.size, 0.0, "where no studio is");

    // In a studio they are dimmed together, and wide.
    const scene_framing framing = {.target = {1.0, 2.0, 1.0}}; // 2 m from the point light
    double facing = 0.0;
    frame_light_set soft;
    MUST(frame_lights(scene, &pose, scene_frame_time(scene, 0), &framing, &a, &shade, &soft, &err),
         err);
    for (int i = 0; i < 3; i++) {
        const light_source *s = &soft.lights[i].source;
        const double d2 = i == 0 ? 1.0 : i == 1 ? 4.0 : 1.0 + 1.0 + 9.0;
        facing += ((0.2126 * s->color[0] + 0.7152 * s->color[1]) + 0.0722 * s->color[2]) *
                  s->intensity / d2;
        NEAR(s->intensity / soft.lights[0].source.intensity,
             lights.lights[i].source.intensity / lights.lights[0].source.intensity, 1e-9, "%d", i);
        cr_expect_gt(soft.lights[i].source.size, i == 0 ? 7.0 : 0.1);
    }
    cr_expect_lt(fabs(facing - 0.4 * 3.14159265358979), 1e-9, "%g", facing);
}

/// A lamp below a node that is hidden at rest, and that a clip shows.
Test(model_lights, shine_while_their_nodes_show)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"extensions\":{\"KHR_lights_punctual\":{\"lights\":[{"
        "\"type\":\"point\",\"intensity\":30}]}},\"nodes\":[{\"children\":[1],\"extensions\":{"
        "\"KHR_node_visibility\":{\"visible\":false}}},{\"extensions\":{\"KHR_lights_punctual\":{"
        "\"light\":0}}}],\"buffers\":[{\"byteLength\":1,\"uri\":\"data:;base64,AQ==\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":1}],\"accessors\":[{\"count\":1,"
        "\"componentType\":5126,\"type\":\"SCALAR\"},{\"count\":1,\"componentType\":5121,"
        "\"type\":\"SCALAR\",\"bufferView\":0}],\"animations\":[{\"samplers\":[{\"input\":0,"
        "\"output\":1}],\"channels\":[{\"sampler\":0,\"target\":{\"path\":\"pointer\","
        "\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":"
        "\"/nodes/0/extensions/KHR_node_visibility/visible\"}}}}]}]}";
    OWN_MEMORY(a, 0);
    frame_pose pose;
    shade_frame shade = {0};
    OWN_SCENE *scene = NULL;
    zt_load_def def = zt_default_load_def();
    def.bytes = text;
    def.size = sizeof text - 1;
    MUST(zt_scene_load("a.gltf", &def, &scene, &err), err);
    cr_expect_eq(first_lights(scene, &a, &pose, &shade).lights[0].source.intensity, 30.0);
    scene->instances[0].layer_count = 0;
    cr_expect_eq(first_lights(scene, &a, &pose, &shade).lights[0].source.intensity, 0.0);
}

Test(model_lights, instances_each_bring_theirs_up_to_the_limit)
{
    OWN_SCENE *scene = open_lamps(false);
    zt_instance_def def = zt_default_instance_def();
    def.model = scene->models[0];
    while (scene->light_count + 3 <= SCENE_LIGHT_LIMIT)
        MUST(zt_scene_add_instance(scene, &def, &err), err);
    cr_assert_eq(scene->light_count, 255);
    cr_expect_eq(scene->lights[254].instance, 84);
    cr_expect_str_eq(said.all, "");
    cr_assert_eq(zt_scene_add_instance(scene, &def, &err), ZT_OK);
    cr_expect_eq(scene->light_count, SCENE_LIGHT_LIMIT);
    cr_expect(strstr(said.last, "the first 1 of them shine") != NULL, "%s", said.last);
}
