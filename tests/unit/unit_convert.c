// SPDX-License-Identifier: MIT
/// The converter's parts: DDS read back, bones' keys against channels, inverses of affine maps.

#include "convert/convert_directions.h"
#include "convert/convert_texture.h"
#include "convert/gltf_assembly.h"
#include "convert/m3d_builder.h"
#include "counted_memory.h"
#include "glb.h"
#include "gltf/gltf.h"
#include "load/load.h"
#include "model/model_format.h"
#include "test_folder.h"
#include "test_memory.h"
#include "texture/texture_codecs.h"

ARENA_SUITE(convert, scratch, (uint64_t)64 << 20);

Test(convert, dds_files_read_back)
{
    uint8_t level_0[5 * 3 * 4], level_1[2 * 4];
    for (size_t i = 0; i < sizeof level_0; i++)
        level_0[i] = (uint8_t)(37 * i + 11);
    for (size_t i = 0; i < sizeof level_1; i++)
        level_1[i] = (uint8_t)(91 * i + 3);
    const picture source = {.width = 5,
                            .height = 3,
                            .level_count = 2,
                            .format = PICTURE_RGBA8,
                            .has_alpha = true,
                            .level = {level_0, level_1}};
    file_bytes file;
    picture back;
    zt_error err = {ZT_OK, ""};
    cr_assert(dds_write(&scratch, &source, &file, &err) == ZT_OK);
    cr_assert(dds_decode(&scratch, "a.dds", file, &back, &err) == ZT_OK, "%s", err.message);
    cr_assert(back.width == 5 && back.height == 3 && back.level_count == 2);
    cr_assert(back.format == PICTURE_RGBA8);
    cr_expect(memcmp(back.level[0], level_0, sizeof level_0) == 0);
    cr_expect(memcmp(back.level[1], level_1, sizeof level_1) == 0);
}

Test(convert, other_pictures_become_eight_bits_with_alpha)
{
    const uint8_t rgb[2][2][4] = {
        {{1, 2, 3, 4}, {5, 6, 99, 99}}, // rows of 2 x 3 bytes and a gap of 2
        {{7, 8, 9, 10}, {11, 12, 99, 99}}};
    const uint16_t wide[4] = {0, 65535, 32768, 257};
    const picture three = {.width = 2,
                           .height = 2,
                           .level_count = 1,
                           .format = PICTURE_RGB8,
                           .pitch = 8,
                           .level = {rgb}};
    const picture sixteen = {
        .width = 1, .height = 1, .level_count = 1, .format = PICTURE_RGBA16, .level = {wide}};
    const uint8_t expected[16] = {1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255, 10, 11, 12, 255};
    const uint8_t narrow[4] = {0, 255, 128, 1};
    file_bytes file;
    cr_assert(dds_write(&scratch, &three, &file, NULL) == ZT_OK);
    cr_expect(file.size == 128 + 16 && memcmp(file.data + 128, expected, 16) == 0);
    cr_assert(dds_write(&scratch, &sixteen, &file, NULL) == ZT_OK);
    cr_expect(file.size == 128 + 4 && memcmp(file.data + 128, narrow, 4) == 0);
}

// ---- Keys ---------------------------------------------------------------------------------------

static const float times[3] = {0.5f, 1.0f, 2.5f};
static const float lines[9] = {0, 1, 2, 4, -1, 2, 8, 3, 2};
static const float later[2] = {0.75f, 3.0f};
static const float steps[6] = {1, 1, 1, 2, 3, 4};
// In-tangent, value, out-tangent of each key.
static const float spline[27] = {0, 0,  0, 0, 1, 2, 1, 2, 3, 4, -1, 0, 4, -1,
                                 2, -2, 1, 5, 1, 0, 0, 8, 3, 2, 0,  0, 0};

/// Keys of a bone that the channels move.
static m3d_out_keys keys_of(const model_channel *channels, uint32_t count, uint32_t bone)
{
    static model_node nodes[1];
    static m3d_out_bone bones[2];
    static zt_error err;
    nodes[0] = (model_node){.parent = -1, .rest = trs_identity()};
    bones[0] = bones[1] = (m3d_out_bone){.parent = -1, .node = 0};
    const zt_model model = {.nodes = nodes, .node_count = 1};
    const model_clip clip = {
        .name = "", .start_s = 0.25f, .end_s = 4.0f, .channel_count = count, .channels = channels};
    convert_job job = {.a = &scratch, .err = &err, .out_path = "a.m3d"};
    m3d_builder m = {.job = &job, .model = &model, .bones = bones, .bone_count = 2};
    const model_channel *by_node[3] = {NULL};
    for (uint32_t i = 0; i < count; i++)
        by_node[channels[i].path] = &channels[i];
    m3d_out_keys keys;
    cr_assert(m3d_builder_keys(&m, &clip, by_node, bone, &scratch, &keys) == ZT_OK);
    for (uint32_t i = 1; i < keys.count; i++)
        cr_assert(keys.key[i].time_s > keys.key[i - 1].time_s);
    return keys;
}

/// Translation (or scale) between the keys, as a reader of the format interpolates.
static double between(const m3d_out_keys *keys, double t, bool scale, int c)
{
    uint32_t k = 0;
    while (k + 1 < keys->count && (double)keys->key[k + 1].time_s <= t)
        k++;
    const trs *a = &keys->key[k].pose, *b = k + 1 < keys->count ? &keys->key[k + 1].pose : a;
    const double t0 = (double)keys->key[k].time_s;
    const double t1 = k + 1 < keys->count ? (double)keys->key[k + 1].time_s : t0 + 1.0;
    const double s = t < t0 ? 0.0 : (t - t0) / (t1 - t0);
    const double x = (double)(scale ? a->s[c] : a->t[c]), y = (double)(scale ? b->s[c] : b->t[c]);
    return x + (y - x) * s;
}

/// The channel itself, by the specification's definitions, in double.
static double defined(const model_channel *ch, double t, int c)
{
    uint32_t k = 0;
    const bool cubic = ch->interpolation == MODEL_CUBIC;
    const uint32_t each = cubic ? 9 : 3, value = cubic ? 3 : 0;
    while (k + 1 < ch->key_count && (double)ch->time_s[k + 1] <= t)
        k++;
    const float *a = &ch->value[each * k];
    const double here = (double)a[value + (uint32_t)c];
    if (k + 1 == ch->key_count || t <= (double)ch->time_s[0] || ch->interpolation == MODEL_STEP)
        return here;
    const float *b = a + each;
    const double dt = (double)ch->time_s[k + 1] - (double)ch->time_s[k];
    const double s = (t - (double)ch->time_s[k]) / dt, next = (double)b[value + (uint32_t)c];
    if (!cubic)
        return here + (next - here) * s;
    const double m0 = dt * (double)a[6 + c], m1 = dt * (double)b[c];
    return (2 * s * s * s - 3 * s * s + 1) * here + (s * s * s - 2 * s * s + s) * m0 +
           (3 * s * s - 2 * s * s * s) * next + (s * s * s - s * s) * m1;
}

static void check_channel(const m3d_out_keys *keys, const model_channel *ch, double allowed)
{
    for (double t = 0.0; t < 5.0; t += 0.0137)
        for (int c = 0; c < 3; c++) {
            const double is = between(keys, t, ch->path == MODEL_SCALE, c);
            NEAR(is, defined(ch, t, c), allowed, "at %g component %d", t, c);
        }
}

Test(convert, channels_of_other_times_share_keys)
{
    const model_channel channels[2] = {
        {0, MODEL_TRANSLATION, MODEL_LINEAR, 3, times, lines},
        {0, MODEL_SCALE, MODEL_STEP, 2, later, steps},
    };
    const m3d_out_keys keys = keys_of(channels, 2, 1);
    cr_expect(keys.count == 6, "%u keys", keys.count); // 0.5 0.75 1 2.5 3- 3
    check_channel(&keys, &channels[0], 1e-6);
    check_channel(&keys, &channels[1], 1e-6);
}

Test(convert, splines_are_followed)
{
    const model_channel channel = {0, MODEL_TRANSLATION, MODEL_CUBIC, 3, times, spline};
    const m3d_out_keys keys = keys_of(&channel, 1, 1);
    // A chord of length h misses a curve by at most h^2 / 8 of its second derivative, below 150.
    check_channel(&keys, &channel, 150.0 / (8.0 * 60.0 * 60.0));
    cr_expect(keys.count > 60 && keys.count < 200, "%u keys", keys.count);
}

Test(convert, equal_times_are_kept_as_they_are)
{
    const model_channel channel = {0, MODEL_TRANSLATION, MODEL_LINEAR, 3, times, lines};
    const m3d_out_keys keys = keys_of(&channel, 1, 1);
    cr_assert(keys.count == 3);
    for (uint32_t k = 0; k < 3; k++)
        cr_expect(keys.key[k].time_s == times[k] &&
                  memcmp(keys.key[k].pose.t, &lines[3 * k], 3 * sizeof(float)) == 0);
    // The first bone also holds the ends of the clip.
    const m3d_out_keys first = keys_of(&channel, 1, 0);
    cr_assert(first.count == 5);
    cr_expect(first.key[0].time_s == 0.25f && first.key[4].time_s == 4.0f);
    check_channel(&first, &channel, 1e-6);
}

Test(convert, affine_maps_are_inverted)
{
    const affine a = {.m = {{2, 0, 1}, {0.5, -1, 0}, {0, 3, 0.25}}, .t = {5, -6, 7}};
    affine inverse;
    cr_assert(affine_invert(&a, &inverse));
    const affine one = affine_multiply(&a, &inverse);
    cr_expect(affine_is_near_identity(&one, 1e-12) && !affine_is_near_identity(&a, 1.0));
    const affine flat = {.m = {{1, 0, 1}, {0, 1, 1}, {0, 0, 0}}};
    cr_expect(!affine_invert(&flat, &inverse));
}

Test(convert, a_call_without_its_arguments_is_refused)
{
    zt_error err = {ZT_OK, ""};
    const zt_load_def def = zt_default_load_def(), raw = {0};
    cr_expect(zt_convert(NULL, "a.glb", &def, &err) == ZT_ERR_ARGUMENT);
    cr_expect(zt_convert("a.glb", "b.glb", &raw, &err) == ZT_ERR_ARGUMENT);
    cr_expect(zt_convert("a.glb", "b.obj", &def, &err) == ZT_ERR_UNSUPPORTED);
    cr_expect(zt_convert("a.glb", "b.png", &def, &err) == ZT_ERR_ARGUMENT);
    cr_expect(strstr(err.message, "expected OUT.glb") != NULL, "%s", err.message);
}

/// A model that loads, but has a buffer that is missing and cannot be copied: whatever it is
/// converted to, all memory goes when the error comes. A buffer without a name is a placeholder.
Test(convert, memory_goes_when_an_error_comes, .init = test_folder_make, .fini = test_folder_remove)
{
    static const char *const to[] = {"out.glb", "out.gltf", "out.m3d"};
    OWN_BLOCK char *json = glb_json(
        "{'asset':{'version':'2.0'},'nodes':[{'mesh':0}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],"
        "'accessors':[<0 float VEC3 3>],'bufferViews':[<36>],'buffers':[{'byteLength':36,"
        "'uri':'data:;base64,AAAAvwAAAAAAAAAAAAAAPwAAAAAAAAAAAAAAAAAAgD8AAAAA'},{'byteLength':4},"
        "{'byteLength':4,'uri':'no.bin'}]}");
    test_folder_write("missing.gltf", json);
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        counted_memory counts;
        const zt_allocator counting = counted_allocator(&counts);
        zt_load_def def = zt_default_load_def();
        def.allocator = &counting;
        zt_error err = {ZT_OK, ""};
        PRINTED(out, 512, ZT_BINARY_DIR "/%s", to[i]);
        cr_expect(zt_convert(test_file("missing.gltf"), out, &def, &err) == ZT_ERR_INPUT, "%s",
                  out);
        SAYS(err.message, "/buffers/2/uri: the buffer cannot be read");
        cr_expect_eq(counts.allocations, counts.frees, "%s: blocks are left", to[i]);
    }
}

/// A map that a material has is replaced by its mean: 0.2, 0.4, 0.6 and 0.8 of both textures here.
Test(convert, reflectance_follows_from_metalness_and_maps)
{
    static const struct {
        int32_t base, metal_rough, specular, tint; ///< textures
        float metallic, want[7];                   ///< want: diffuse, reflectance, roughness
    } rows[] = {
        {-1, -1, -1, -1, 0.5f, {0.5f, 0.25f, 0.125f, 0.55f, 0.35f, 0.275f, 0.5f}},
        {0, -1, -1, -1, 1, {0.5f, 0.25f, 0.125f, 0.15f, 0.2f, 0.225f, 0.5f}},
        {-1, 0, -1, -1, 0.5f, {0.7f, 0.35f, 0.175f, 0.37f, 0.29f, 0.285f, 0.2f}},
        {-1, -1, 1, -1, 0, {1, 0.5f, 0.25f, 0.08f, 0.16f, 0.24f, 0.5f}},
        {-1, -1, -1, 0, 0, {1, 0.5f, 0.25f, 0.02f, 0.08f, 0.18f, 0.8f}}, // of specular and gloss
    };
    static const uint8_t bytes[12] = {0, 51, 102, 153, 102, 153, 204, 255}; // and a column more
    static uint16_t words[12];
    for (int i = 0; i < 8; i++)
        words[i] = (uint16_t)(bytes[i] * (MIPMAP_U15_ONE / 255));
    model_texture textures[2] = {
        {.mipmap = {.format = MIPMAP_U8, .level_count = 1, .level = {{bytes, 2, 1, 3}}}},
        {.mipmap = {.format = MIPMAP_U15, .level_count = 1, .level = {{words, 2, 1, 3}}}}};
    const zt_model model = {.textures = textures, .texture_count = 2};
    const m3d_builder builder = {.model = &model};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        model_material m = model_material_default();
        m.base_map.texture = rows[i].base;
        m.metal_rough_map.texture = rows[i].metal_rough;
        m.specular_map.texture = rows[i].specular;
        m.specular_color_map.texture = rows[i].tint;
        m.metallic = rows[i].metallic;
        m.glossy = rows[i].tint >= 0;
        m.roughness = 0.5f;
        m.glossiness = 0.25f;
        for (int k = 0; k < 3; k++) {
            m.base_color[k] = 1.0f / (float)(1 << k);
            m.f0[k] = 0.1f * (float)(k + 1);
        }
        const m3d_out_material out = m3d_builder_material(&builder, &m);
        for (int k = 0; k < 7; k++) {
            const float got = k < 3 ? out.diffuse[k] : k < 6 ? out.fresnel0[k - 3] : out.roughness;
            cr_expect_float_eq(got, rows[i].want[k], 1e-6f, "row %zu, %d: %g", i, k, (double)got);
        }
    }
}

static void add_message(void *user, zt_severity severity, const char *text)
{
    char *all = user;
    cr_expect_eq(severity, ZT_WARNING);
    strncat(all, text, 4095 - strlen(all));
}

/// What the output lacks is a warning, or the error. A file of no bytes but a picture's has no
/// buffers.
Test(convert, what_is_lost_is_said, .init = test_folder_make, .fini = test_folder_remove_all)
{
    static const struct {
        const char *sampler, *loss;
    } rows[] = {{"", ""},
                {"\"wrapS\":33071", "is clamped or mirrored: it will repeat"},
                {"\"wrapT\":33648", "is clamped or mirrored: it will repeat"},
                {"\"magFilter\":9728", "has another filter: it will be trilinear"},
                {"\"minFilter\":9986", "has another filter: it will be trilinear"},
                {"\"minFilter\":9985", "has another filter: it will be trilinear"}};
    char text[2048], from[600], to[600];
    file_bytes written;
    zt_error err = {ZT_OK, ""};
    snprintf(from, sizeof from, "%s", test_file("lost.gltf"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char said[4096] = "";
        snprintf(
            text, sizeof text,
            "{'asset':{'version':'2.0'},'nodes':[{'mesh':0}],"
            "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'material':0}]}],"
            "'materials':[{'pbrMetallicRoughness':{'metallicFactor':0,"
            "'baseColorTexture':{'index':0}}}],'textures':[{'source':0,'sampler':0}],"
            "'samplers':[{%s}],'images':[{'uri':'data:image/png;base64,"
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mM4kWIEAANWAV/W6lf+AAAAAElF"
            "TkSuQmCC'}],'accessors':[<float VEC3 3>]}",
            rows[i].sampler);
        OWN_BLOCK char *lost = glb_json(text);
        test_folder_write("lost.gltf", lost);
        zt_load_def def = zt_default_load_def();
        def.message = add_message;
        def.message_user = said;
        snprintf(to, sizeof to, "%s", test_file("lost.m3d"));
        MUST(zt_convert(from, to, &def, &err), err);
        cr_expect(strstr(said, rows[i].loss) && !said[0] == !rows[i].loss[0], "%zu: %s", i, said);
        def.strict = true;
        cr_expect_eq(zt_convert(from, to, &def, &err) == ZT_OK, i == 0);
        cr_expect(strstr(err.message, rows[i].loss), "%zu: %s", i, err.message);
    }
    const zt_load_def def = zt_default_load_def();
    snprintf(to, sizeof to, "%s", test_file("none.gltf"));
    MUST(zt_convert(from, to, &def, &err), err);
    cr_assert_eq(file_read(&scratch, to, &written, &err), ZT_OK);
    const char *json = arena_text(&scratch, (const char *)written.data, written.size);
    cr_expect(json && strstr(json, "\"images\"") && !strstr(json, "\"buffers\""), "%s", json);
}

/// A quad of two triangles with colours and two sets of coordinates, a line and a point.
static const char two_kinds[] =
    "{'asset':{'version':'2.0'},'nodes':[{'mesh':0,'translation':[1,2,3]}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'COLOR_0':1,'TEXCOORD_1':2},"
    "'material':0},{'attributes':{'POSITION':0},'mode':1,'material':1},"
    "{'attributes':{'POSITION':3},'mode':0,'material':1}]}],'materials':[{'doubleSided':true,"
    "'alphaMode':'BLEND','emissiveFactor':[1,0.5,0],"
    "'extensions':{'KHR_materials_emissive_strength':{'emissiveStrength':1.5}},"
    "'pbrMetallicRoughness':{'baseColorFactor':[1,0.5,0.25,0.5],'metallicFactor':0.25}},"
    "{'name':'lines','extensions':{'KHR_materials_unlit':{}}}],'accessors':[<0 float VEC3 6,"
    "'min':[0,0,0],'max':[1,1,0]>,<0 float VEC3 6>,<0 float VEC2 6>,<0 float VEC3 1>],"
    "'bufferViews':[<72>],'buffers':[{'byteLength':72,'uri':'data:;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAgD8AAAAAAAAAAAAAgD8A"
    "AAAA'}]}";

static void read_model(const char *path, file_bytes bytes, zt_model *out)
{
    zt_error err = {ZT_OK, ""};
    const zt_load_def def = zt_default_load_def();
    model_source source = model_source_of(&def, path);
    source.bytes = bytes;
    *out = (zt_model){0};
    arena_init(&out->arena, &scratch_budget);
    cr_assert(model_read(&source, out, &scratch, &err) == ZT_OK, "%s", err.message);
}

/// A model of an unknown format is written from memory: its file is not taken for a glTF. Its clip
/// begins before 0, where glTF has no times: of keys that fall together once moved, the last stays.
Test(convert, other_formats_are_built_from_the_model)
{
    static const model_format other = {.name = "other", .noun = "another"};
    static const char out_path[] = ZT_BINARY_DIR "/unit_convert_other.glb";
    const zt_load_def def = zt_default_load_def();
    zt_error err = {ZT_OK, ""};
    zt_model model, back;
    file_bytes written;
    OWN_BLOCK char *json = glb_json(two_kinds);
    read_model("two_kinds.gltf", (file_bytes){(const uint8_t *)json, strlen(json)}, &model);
    static const float time_s[3] = {-1e6f, 0.0f, 0.01f}; // 1e6 and 0.01 are 1e6 in floats
    static const float places[9] = {5.0f, 6.0f, 7.0f, 1.0f, 1.0f, 1.0f, 2.0f, 3.0f, 4.0f};
    model_channel channel = {0, MODEL_TRANSLATION, MODEL_LINEAR, 3, time_s, places};
    model_clip early = {.name = "early", .channel_count = 1, .channels = &channel};
    model.clips = &early;
    model.clip_count = 1;
    model.format = &other;
    convert_job job = {.source = model_source_of(&def, "not a glTF"),
                       .out_path = out_path,
                       .format = CONVERT_GLB,
                       .a = &scratch,
                       .err = &err};
    job.source.bytes = (file_bytes){(const uint8_t *)"solid", 5};
    cr_assert(convert_to_gltf(&job, &model) == ZT_OK, "%s", err.message);
    cr_assert(output_commit(&job.files, &err) == ZT_OK, "%s", err.message);
    cr_assert(file_read(&scratch, out_path, &written, &err) == ZT_OK, "%s", err.message);
    read_model(out_path, written, &back);
    cr_expect(back.format == &gltf_format);
    const model_mesh *a = &model.meshes[0], *b = &back.meshes[0];
    cr_assert_eq(b->meshlet_count, a->meshlet_count);
    for (uint32_t i = 0; i < a->meshlet_count; i++) {
        const meshlet *x = &a->meshlets[i], *y = &b->meshlets[i];
        cr_expect(x->kind == y->kind && x->triangle_count == y->triangle_count, "meshlet %u", i);
        for (uint32_t t = 0; t < x->triangle_count; t++)
            for (int k = 0; k < 3; k++) {
                const uint32_t v = a->meshlet_vertex[x->vertex_first +
                                                     a->meshlet_corner[k][x->triangle_first + t]];
                const uint32_t w = b->meshlet_vertex[y->vertex_first +
                                                     b->meshlet_corner[k][y->triangle_first + t]];
                cr_expect(memcmp(&a->position[v], &b->position[w], sizeof *a->position) == 0);
                cr_expect(memcmp(&a->extra[v], &b->extra[w], 6 * sizeof(float)) == 0);
            }
        const model_material *m = &model.materials[x->material], *n = &back.materials[y->material];
        cr_expect(m->double_sided == n->double_sided && m->alpha == n->alpha &&
                  m->unlit == n->unlit && m->metallic == n->metallic);
        cr_expect(memcmp(m->base_color, n->base_color, sizeof m->base_color) == 0);
        cr_expect(memcmp(m->emissive, n->emissive, sizeof m->emissive) == 0);
    }
    cr_expect(memcmp(&model.nodes[0].rest, &back.nodes[0].rest, sizeof(trs)) == 0);
    cr_assert(back.clip_count == 1 && back.clips[0].channel_count == 1);
    const model_channel *moved = &back.clips[0].channels[0];
    cr_assert(moved->key_count == 2 && moved->time_s[0] == 0.0f && moved->time_s[1] == 1e6f);
    cr_expect(memcmp(moved->value, places, 12) == 0 &&
              memcmp(moved->value + 3, places + 6, 12) == 0);
    // The same where a scene is baked: a part that is no glTF is built from its model.
    gltf_assembly assembly;
    gltf_part part;
    job.files = (output_files){0};
    cr_assert(gltf_assembly_begin(&assembly, &job) == ZT_OK);
    cr_assert(gltf_assembly_add(&assembly, &job.source, &model, &part) == ZT_OK, "%s", err.message);
    cr_expect_eq(part.firsts.mesh, 0);
    output_abandon(&job.files);
    arena_finish(&model.arena);
    arena_finish(&back.arena);
    remove(out_path);
}
