// SPDX-License-Identifier: MIT
// Flags of the command line change a scene, and a wrong one changes nothing.
#include "base/def_fields.h"
#include "base/hash.h"
#include "scene/scene_follow.h"
#include "shot/shot.h"
#include "test_memory.h"

#define TRIANGLE ZT_SOURCE_DIR "/tests/cli/models/triangle.gltf"

static zt_scene *scene;
static zt_shot_def shot;
static zt_error err;
static heard said;

static void setup(void)
{
    zt_load_def load = zt_default_load_def();
    load.message = hear;
    load.message_user = &said;
    said = (heard){0};
    shot = zt_default_shot_def();
    MUST(zt_scene_load(TRIANGLE, &load, &scene, &err), err);
}

static void teardown(void) { zt_scene_destroy(scene); }

TestSuite(apply, .init = setup, .fini = teardown);

static void must_apply(void) { MUST(zt_scene_apply(scene, &shot, &err), err); }

static void must_refuse(const char *part)
{
    zt_scene before;
    memcpy(&before, scene, sizeof before);
    cr_assert_eq(zt_scene_apply(scene, &shot, &err), ZT_ERR_ARGUMENT);
    cr_assert(strstr(err.message, part), "%s without %s", err.message, part);
    const size_t members = offsetof(zt_scene, arena) + sizeof scene->arena; // memory may differ
    cr_assert_arr_eq((char *)scene + members, (const char *)&before + members,
                     sizeof before - members, "%s", part);
    shot = zt_default_shot_def();
}

static double azimuth(void) { return scene->camera.azimuth_deg.value[0]; }

Test(apply, no_option_changes_nothing)
{
    must_apply();
    cr_assert_eq(scene->width, 1280);
    cr_assert_eq(zt_scene_frame_count(scene), 30, "one second at 30 fps");
    cr_assert_eq(azimuth(), 30.0);
    cr_assert_eq(scene->instances[0].layers[0].clip, 2, "both clips together");
    cr_assert_not(scene->transparent);
}

Test(apply, a_bare_model_follows_clip_and_rate)
{
    shot.clip = "rise";
    must_apply();
    cr_assert_eq(zt_scene_frame_count(scene), 15);
    shot = zt_default_shot_def();
    shot.fps_numerator = 25;
    shot.fps_denominator = 2;
    must_apply();
    cr_assert_eq(zt_scene_frame_count(scene), 7, "ceil(0.5 s x 12.5)");
    shot = zt_default_shot_def();
    shot.clip = "none";
    must_apply();
    cr_assert_eq(zt_scene_frame_count(scene), 1);
    cr_assert_eq(scene->instances[0].layers[0].clip, -1);
    shot.clip = "1";
    must_apply();
    cr_assert_eq(scene->instances[0].layers[0].clip, 1);
    shot.clip = "all";
    must_apply();
    cr_assert_eq(scene->instances[0].layers[0].clip, 2);
    cr_assert_eq(zt_scene_frame_count(scene), 13, "ceil(1 s x 12.5): as long as the longest");
}

Test(apply, frozen_time_is_one_picture)
{
    shot.time_s = 0.25;
    must_apply();
    cr_assert_eq(zt_scene_frame_count(scene), 1);
    cr_assert_eq(scene->freeze_time_s, 0.25);
}

/// The framing fits further clips, until something is applied; the shot stays that of its own.
Test(apply, other_clips_are_framed)
{
    const char *const clips[] = {"0", "1", "none"}, *const wrong[] = {"0", "nope"};
    const zt_encode_def encode = zt_default_encode_def();
    const scene_frames before = scene->shot;
    const scene_layer *layers = scene->instances[0].layers;
    const uint64_t key = zt_scene_frame_key(scene, 0, &encode);
    MUST(zt_scene_frame_clips(scene, clips, 3, &err), err);
    cr_expect(scene->framed_count == 3 && scene->framed[1].layer.clip == 1);
    const uint64_t three = zt_scene_frame_key(scene, 0, &encode);
    cr_expect_neq(three, key);
    cr_expect_eq(zt_scene_frame_clips(scene, NULL, 0, &err), ZT_OK, "%s", err.message);
    cr_expect(zt_scene_frame_key(scene, 0, &encode) != three && scene->framed_count == 0);
    MUST(zt_scene_frame_clips(scene, clips, 3, &err), err);
    cr_expect_eq(zt_scene_frame_clips(scene, wrong, 2, &err), ZT_ERR_ARGUMENT);
    cr_expect(strstr(err.message, "'nope'") && scene->framed_count == 3);
    cr_expect_eq(zt_scene_frame_clips(scene, NULL, 1, &err), ZT_ERR_ARGUMENT);
    cr_expect(scene->shot.frame == before.frame && scene->shot.count == before.count);
    cr_expect(scene->instances[0].layers == layers && scene->instances[0].layer_count == 1);
    must_apply();
    cr_expect_eq(scene->framed_count, 0);
    const char *const others[][3] = {{"1", "1", "none"}, {"0", "0", "none"}, {"0", "1", "0"}};
    for (int i = 0; i < 3; i++) { // another clip at each place
        teardown();
        setup();
        MUST(zt_scene_frame_clips(scene, others[i], 3, &err), err);
        cr_expect_neq(zt_scene_frame_key(scene, 0, &encode), three, "place %d", i);
    }
}

/// Keys at 10 to 11 s and at 5 to 5.5 s: shot time 0 is the first of them. Together they last 6 s.
Test(apply, clips_of_bare_models_begin_at_their_start)
{
    teardown();
    zt_load_def load = zt_default_load_def();
    MUST(zt_scene_load(ZT_SOURCE_DIR "/tests/cli/models/late.gltf", &load, &scene, &err), err);
    cr_assert_eq(scene->shot.count, 180, "%d", (int)scene->shot.count);
    cr_assert_eq(scene->instances[0].layers[0].start_s, 5.0);
    shot.clip = "spin";
    must_apply();
    cr_assert_eq(scene->shot.count, 30, "%d", (int)scene->shot.count);
    cr_assert_eq(scene->instances[0].layers[0].start_s, 10.0);
    shot.clip = "rise";
    shot.fps_numerator = 60;
    shot.fps_denominator = 1;
    must_apply();
    cr_assert_eq(scene->shot.count, 30, "%d", (int)scene->shot.count);
    cr_assert_eq(scene->instances[0].layers[0].start_s, 5.0);
}

Test(apply, frames_select_and_keep_the_shot)
{
    shot.frames = "28-40";
    must_apply();
    cr_assert_eq(zt_scene_frame_count(scene), 2);
    cr_assert_eq(zt_scene_frame(scene, 1), 29);
    cr_assert_eq(scene->shot.count, 30, "framing is decided over the whole shot");
    cr_assert(strstr(said.all, "clamped to the shot (0..29)"), "%s", said.all);
}

Test(apply, a_turntable_is_a_shot_of_its_own)
{
    shot.turntable_count = 36;
    must_apply();
    cr_assert_eq(zt_scene_frame_count(scene), 36);
    cr_assert_eq(azimuth(), 0.0, "frame 0 looks at the front");
    cr_assert(scene->transparent);
    shot.background = "ff0000";
    shot.azimuth_deg = 45.0;
    must_apply();
    cr_assert_not(scene->transparent);
    cr_assert_eq(scene->background[0], 1.0f);
    cr_assert_eq(azimuth(), 45.0);
}

Test(apply, a_thumbnail_is_framed_alone)
{
    shot.thumbnail = true;
    shot.frames = "7-9";
    must_apply();
    cr_assert_eq(scene->shot.count, 1);
    cr_assert_eq(scene->shot.frame[0], 7);
    cr_assert(scene->transparent);
}

static int32_t clip_of(const char *const *names, uint32_t count)
{
    model_clip clips[4] = {0};
    for (uint32_t i = 0; i < count; i++)
        clips[i].name = names[i];
    const zt_model model = {.clips = clips, .clip_count = count};
    return shot_thumbnail_clip(&model);
}

Test(apply, a_thumbnail_stands_idle)
{
    static const char *const wolf[] = {"Wolf|Attack", "Wolf|Idle_Hit", "Wolf|Idle", "Idle_Two"};
    static const char *const posed[] = {"Rig|T-Pose", "bind", "walk", "last pose"};
    cr_assert_eq(clip_of(wolf, 4), 3, "the shortest name");
    cr_assert_eq(clip_of(wolf, 3), 2);
    cr_assert_eq(clip_of(wolf, 1), 0);
    cr_assert_eq(clip_of(posed, 4), 2, "bind poses are passed over");
    cr_assert_eq(clip_of(posed, 2), 0, "unless there is nothing but them");
    cr_assert_eq(clip_of(posed + 3, 1), 0);
    cr_assert_eq(clip_of(wolf, 0), -1);
    // Clips that are all parts of one movement are shown together: of how many, of how many, which.
    static const int32_t joined[][3] = {{1, 1, 0}, {2, 2, 9}, {3, 3, 9}, {2, 3, 0}};
    model_clip clips[3] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    for (int i = 0; i < 4; i++) {
        const zt_model model = {.clips = clips,
                                .joined_count = (uint32_t)joined[i][0],
                                .clip_count = (uint32_t)joined[i][1],
                                .all_clip = 9};
        cr_expect_eq(shot_thumbnail_clip(&model), joined[i][2], "%d", i);
    }
}

/// A mesh of width 1, depth 1 and this height, lifted by its node, and turned on its side or not.
/// High above hang two that do not show: by scales of 0, to a line, and by a material.
static bool is_flat(float height, float scale_y, bool turned, int32_t skin)
{
    const float half = sqrtf(0.5f);
    const meshlet parts[2] = {{.material = 0}, {.material = 1}};
    const model_material materials[2] = {{.base_color[3] = 1.0f}, {.alpha = MODEL_BLEND}};
    model_mesh meshes[2];
    model_node nodes[4];
    for (int i = 0; i < 2; i++)
        meshes[i] = (model_mesh){
            .bounds_max = {1.0f, height, 1.0f}, .meshlets = &parts[i], .meshlet_count = 1};
    for (int i = 0; i < 4; i++)
        nodes[i] = (model_node){.parent = i > 0 ? 0 : -1,
                                .mesh = i > 0 ? i / 3 : -1,
                                .skin = i == 1 ? skin : -1,
                                .in_scene = true,
                                .visible = true,
                                .rest = {{0.0f, i > 1 ? 50.0f : 5.0f, 0.0f},
                                         {[3] = 1.0f},
                                         {i != 2, i == 1 ? scale_y : 1.0f, i != 2}}};
    if (turned)
        nodes[0].rest.r[0] = nodes[0].rest.r[3] = half;
    const zt_model model = {
        .nodes = nodes, .node_count = 4, .meshes = meshes, .mesh_count = 2, .materials = materials};
    OWN_MEMORY(scratch, 1 << 20);
    return shot_thumbnail_is_flat(&model, &scratch);
}

Test(apply, a_thumbnail_of_a_tile_is_seen_from_above)
{
    cr_assert(is_flat(0.2f, 1.0f, false, -1));
    cr_assert_not(is_flat(0.3f, 1.0f, false, -1));
    cr_assert(is_flat(1.0f, 0.0f, false, -1), "its node has flattened it");
    cr_assert_not(is_flat(0.2f, 1.0f, true, -1), "it stands upright");
    cr_assert(is_flat(0.2f, 1.0f, true, 0), "a skinned mesh counts as it was bound");
}

Test(apply, views_are_directions)
{
    static const struct {
        const char *view;
        double azimuth, elevation;
        bool orthographic;
    } views[] = {
        {"front", 0.0, 0.0, false},  {"back", 180.0, 0.0, false}, {"left", 270.0, 0.0, false},
        {"right", 90.0, 0.0, false}, {"top", 0.0, 90.0, false},   {"iso", 45.0, 35.26, true},
    };
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        shot.view = views[i].view;
        must_apply();
        cr_assert_eq(azimuth(), views[i].azimuth, "%s", views[i].view);
        cr_assert_float_eq(scene->camera.elevation_deg.value[0], views[i].elevation, 0.01);
        cr_assert_eq(scene->camera.orthographic, views[i].orthographic);
    }
    shot.azimuth_deg = 10.0;
    must_apply();
    cr_assert_eq(azimuth(), 10.0, "an angle wins over the view");
}

Test(apply, cameras_of_the_model)
{
    static const char *const names[] = {"Eye", "Lens", "0"};
    for (size_t i = 0; i < 3; i++) {
        shot.camera = names[i];
        must_apply();
        cr_assert_eq(scene->camera.kind, SCENE_CAMERA_MODEL, "%s", names[i]);
        cr_assert_eq(scene->camera.node, 1);
    }
    shot.fov_deg = 20.0;
    must_apply();
    cr_assert(strstr(said.all, "keeps its own field of view"), "%s", said.all);
    shot = zt_default_shot_def();
    shot.azimuth_deg = 5.0;
    must_apply();
    cr_assert_eq(scene->camera.kind, SCENE_CAMERA_ORBIT, "an angle makes an orbit");
}

Test(apply, up_axes)
{
    for (int i = 0; zt_word_at(ZT_WORDS_UP, i); i++) {
        shot.up = zt_word_at(ZT_WORDS_UP, i);
        must_apply();
        cr_assert_eq((int)scene->up, i + 1);
        cr_assert_eq(scene->up, up_axis_of(shot.up));
        trs root;
        (void)up_axis_set(scene->up, 1.0, &root);
        const quat turn = quat_from_floats(root.r);
        for (int k = 0; k < 3; k++) { // the quaternion is the matrix
            const dvec3 axis = {k == 0, k == 1, k == 2};
            const dvec3 off = dvec3_sub(quat_rotate(turn, axis),
                                        dmat3_transform(&up_axis_rotation[scene->up], axis));
            cr_expect_lt(dvec3_length(off), 1e-7);
        }
    }
}

Test(apply, blur)
{
    const scene_blur *blur = &scene->blur;
    shot.shutter = "3601s";
    must_refuse("--shutter: found '3601s' (expected a number from 0 to 3600)");
    shot.focus = "Eya";
    must_refuse("focus 'Eya': no such bone (auto, metres, a bone or X,Y,Z; did you");
    shot.shutter = "0.5s";
    shot.aperture = "f/2.8";
    shot.focus = "Eye";
    shot.subframes = "256";
    shot.blades = 5;
    shot.samples = 16;
    scene->blur.shutter_phase = 0.25;
    must_apply();
    cr_expect(blur->shutter.value[0] == 0.5 && blur->shutter_seconds && blur->blades == 5);
    cr_expect(blur->aperture.value[0] == 2.8 && blur->aperture_stops && blur->subframes == 256);
    cr_expect(blur->focus == SCENE_FOCUS_POINT && blur->focus_point.follow->node == 1);
    cr_expect(scene_blur_subframes_max(scene) == 256 && blur->shutter_phase == 0.25);
    cr_expect_eq(scene_blur_limit(scene, 257, &err), ZT_ERR_LIMIT);
    shot.shutter = "360";
    shot.aperture = "0.5";
    shot.focus = "-4,5,6";
    shot.subframes = "auto";
    must_apply();
    cr_expect(blur->shutter.value[0] == 360.0 && !blur->shutter_seconds && !blur->subframes);
    cr_expect(blur->aperture.value[0] == 0.5 && !blur->aperture_stops);
    cr_expect(!blur->focus_point.follow && blur->focus_point.at.value[0] == -4.0);
    zt_limits limits = zt_default_limits(); // decide how many sub-frames `auto` takes
    const uint64_t key = zt_scene_frame_key(scene, 0, NULL);
    limits.samples = 64;
    scene->budget_own.limits = &limits;
    cr_expect_neq(zt_scene_frame_key(scene, 0, NULL), key);
}

Test(apply, wrong_values_change_nothing)
{
    shot.width = 64;
    shot.height = 64;
    shot.view = "sideways";
    must_refuse("view 'sideways'");
    shot.samples = 8;
    shot.frames = "5-1";
    must_refuse("before it starts");
    shot.azimuth_deg = 5;
    shot.fov_deg = 0.0;
    must_refuse("fov 0");
    shot.clip = "rise";
    shot.frames = "500";
    must_refuse("none is in the shot");
    shot.up = "-z"; // all that is set before the frames are found wrong
    shot.time_s = 0.25;
    shot.tone_map = "aces";
    shot.exposure_ev = 3.0;
    shot.fps_numerator = 7;
    shot.fps_denominator = 1;
    shot.turntable_count = 5;
    shot.background = "transparent";
    shot.frames = "500";
    must_refuse("none is in the shot");
    shot.samples = 5;
    must_refuse("samples 5");
    shot.quality = "final"; // what comes with a wrong value is not set either
    shot.light_samples = 24;
    must_refuse("light_samples 24 (expected a multiple of 16, 16 to 4096)");
    shot.light_samples = 4112;
    must_refuse("light_samples 4112 (expected a multiple of 16, 16 to 4096)");
    shot.aperture = "0.1";
    shot.view = "iso";
    must_refuse("an aperture with an orthographic camera");
    shot.camera = "Eye";
    shot.view = "top";
    must_refuse("--view cannot be combined with a camera");
    shot.camera = "Nose";
    must_refuse("no camera 'Nose' (expected one of Eye, Lens)");
    shot.tone_map = "nine";
    must_refuse("tone map");
    shot.background = "12345";
    must_refuse("background");
    shot.preset = "flt";
    must_refuse("did you mean 'flat'");
    shot.light = "file";
    shot.environment = "x.hdr";
    must_refuse("cannot be combined");
    shot.fps_numerator = 5000;
    shot.fps_denominator = 1;
    must_refuse("frame rate");
    shot.cookie_ = 0;
    must_refuse("zt_default_shot_def");
}

Test(apply, a_scene_by_calls_follows_its_first_clip)
{
    const zt_load_def load = zt_default_load_def();
    OWN_SCENE *made = NULL;
    OWN_MODEL *model = NULL;
    zt_instance_def instance = zt_default_instance_def();
    cr_assert_eq(zt_model_load(TRIANGLE, &load, &model, &err), ZT_OK);
    cr_assert_eq(zt_scene_create(&load, &made, &err), ZT_OK);
    cr_assert_eq(zt_scene_frame_count(made), 1);
    instance.model = model;
    instance.clip = 2;
    cr_assert_eq(zt_scene_add_instance(made, &instance, &err), ZT_ERR_ARGUMENT);
    instance.clip = 1;
    instance.world_from_model[3] = 5.0f;
    cr_assert_eq(zt_scene_add_instance(made, &instance, &err), ZT_OK);
    cr_assert_eq(zt_scene_frame_count(made), 15);
    cr_assert_eq(made->instances[0].world_from_model[3][0], 5.0f, "row-major in, columns inside");
    instance.world_from_model[0] = (float)INFINITY;
    cr_assert_eq(zt_scene_add_instance(made, &instance, &err), ZT_ERR_ARGUMENT);
}

typedef union any_def {
    zt_shot_def shot;
    zt_load_def load;
    zt_encode_def encode;
} any_def;

/// A value of each field that is not the one it has unset.
static void set_field(const def_field *field, any_def *def)
{
    static const char pointed;
    const void *pointer = &pointed;
    if (field->kind == DEF_POINTER)
        memcpy((char *)def + field->offset, &pointer, sizeof pointer);
    else if (field->kind == DEF_WORD)
        *def_text(field, def) = zt_word_at(field->words, 1);
    else if (field->kind == DEF_PATH)
        *def_text(field, def) = "none"; // a path counts by its content
    else if (field->kind == DEF_TEXT)
        *def_text(field, def) = strcmp(field->name, "color") == 0 ? "#222" : "2";
    else
        def_set_number(field, def, 2.0);
}

/// The key of a frame of a scene that is loaded, or written, in this way.
static uint64_t key_of(const def_table *table, const any_def *def)
{
    OWN_SCENE *made = NULL;
    if (table != &load_table)
        return zt_scene_frame_key(scene, 0, table == &encode_table ? &def->encode : NULL);
    MUST(zt_scene_create(&def->load, &made, &err), err);
    return zt_scene_frame_key(made, 0, NULL);
}

static void expect_fields_decide(const def_table *table, const any_def *none)
{
    enum { FIELDS_MAX = 64 };
    uint64_t hash[FIELDS_MAX];
    const uint64_t before = def_hash(HASH_START, table, none, NULL), key = key_of(table, none);
    cr_assert_leq(table->count, FIELDS_MAX);
    for (size_t i = 0; i < table->count; i++) {
        const def_field *f = &table->field[i];
        any_def def = *none, over = *none;
        set_field(f, &def);
        cr_expect(def_is_set(f, &def) && !def_is_same(f, &def, none), "%s", f->name);
        hash[i] = def_hash(HASH_START, table, &def, NULL);
        cr_expect((hash[i] == before) == (f->no_pixel != NULL), "%s", f->name);
        for (size_t k = 0; k < i && !f->no_pixel; k++)
            cr_expect(hash[i] != hash[k], "%s and %s", f->name, table->field[k].name);
        for (size_t k = 0; k < table->count; k++)
            cr_expect(k == i || def_is_same(&table->field[k], &def, none), "%s sets %s", f->name,
                      table->field[k].name);
        if (!f->no_pixel && table != &shot_table)
            cr_expect(key_of(table, &def) != key, "%s", f->name);
        def_overlay(table, &over, &def);
        cr_expect(def_all_same(table, &over, &def) && def_find(table, f->name) == f, "%s", f->name);
    }
}

/// No field can be forgotten by the key of a frame: what --resume keeps, and what suites share.
Test(apply, every_field_decides_the_key)
{
    expect_fields_decide(&shot_table, &(any_def){.shot = zt_default_shot_def()});
    expect_fields_decide(&load_table, &(any_def){.load = zt_default_load_def()});
    expect_fields_decide(&encode_table, &(any_def){.encode = zt_default_encode_def()});
}

/// The scene's key has what was applied.
Test(apply, the_key_of_a_frame_has_what_was_applied)
{
    const zt_encode_def how = zt_default_encode_def();
    must_apply();
    const uint64_t plain = zt_scene_frame_key(scene, 0, &how);
    shot.opaque = true;
    must_apply();
    const uint64_t opaque = zt_scene_frame_key(scene, 0, &how);
    cr_expect(plain != opaque);
    zt_shot_def there = zt_default_shot_def(), here = zt_default_shot_def();
    there.look_at = "0.5,0,0"; // a dot, as in paths of pictures, whose bytes count instead
    here.look_at = "0.25,0,0";
    cr_expect(def_hash(0, &shot_table, &there, NULL) != def_hash(0, &shot_table, &here, NULL));
    there.look_at = here.look_at = NULL;
    there.light = "sky.hdr";
    here.light = "copy.hdr";
    cr_expect(def_hash(0, &shot_table, &there, NULL) == def_hash(0, &shot_table, &here, NULL));
    here.light = NULL;
    here.environment = "sky.hdr"; // keeps the lamps that `light` switches off
    cr_expect(def_hash(0, &shot_table, &there, NULL) != def_hash(0, &shot_table, &here, NULL));
    here.environment = NULL;
    here.light = "none";
    cr_expect(def_hash(0, &shot_table, &there, NULL) != def_hash(0, &shot_table, &here, NULL));
    cr_expect_eq(zt_scene_frame_key(scene, 0, &how), zt_scene_frame_key(scene, 0, NULL));
}
