// SPDX-License-Identifier: MIT
#include "render/crypto_names.h"

#include "base/hash.h"
#include "base/text_stream.h"
#include "base/utf8.h"
#include "json/json_stream.h"

#include <stdio.h>
#include <stdlib.h>

enum { TEXTS_MAX = 4 * 3 }; // of all planes

/// Nodes or materials of an instance.
static uint32_t name_count(const scene_instance *instance, picture_plane plane)
{
    return plane == PLANE_CRYPTO_MATERIAL ? instance->model->material_count
                                          : instance->model->node_count;
}

static void write_name(const zt_scene *scene, picture_plane plane, uint32_t k, uint32_t i,
                       char out[CRYPTO_NAME_MAX + 1])
{
    const scene_instance *of = &scene->instances[k];
    const bool material = plane == PLANE_CRYPTO_MATERIAL;
    const char *own = material ? of->model->materials[i].name : of->model->nodes[i].name;
    const bool several = !material && scene->instance_count > 1;
    char made[32], model[32];
    snprintf(made, sizeof made, "%s %u", material ? "material" : "node", (unsigned)i);
    snprintf(model, sizeof model, "model %u", (unsigned)k);
    snprintf(out, CRYPTO_NAME_MAX + 1, "%.500s%s%.1000s",
             several ? (of->name ? of->name : model) : "", several ? "/" : "",
             own && own[0] ? own : made);
    utf8_make_harmless(out); // half a character, too
}

static zt_result add_name(crypto_names *names, const hash_table *table, const char *name, arena *a,
                          uint32_t *out_id, zt_error *err)
{
    uint32_t *slot = hash_table_text(table, names->list, sizeof *names->list, name);
    if (*slot == 0) {
        crypto_name *own = &names->list[names->count];
        const uint32_t id = hash_murmur3(name, strlen(name), 0), exponent = id >> 23 & 255u;
        ZT_TRY(ARENA_TEXT(a, &own->name, name, "names of a picture", err));
        own->id = exponent == 0 || exponent == 255u ? id ^ 1u << 23 : id;
        *slot = ++names->count;
    }
    *out_id = names->list[*slot - 1].id;
    return ZT_OK;
}

zt_result crypto_names_build(const zt_scene *scene, picture_plane plane, arena *a,
                             crypto_names *out, zt_error *err)
{
    size_t limit = 1;
    hash_table table;
    char name[CRYPTO_NAME_MAX + 1];
    *out = (crypto_names){.count = 0};
    for (uint32_t k = 0; k < scene->instance_count; k++)
        limit += name_count(&scene->instances[k], plane);
    ZT_TRY(ARENA_TAKE_RAW(a, &out->list, limit, "names of a picture", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &out->id, (size_t)scene->instance_count, "names of a picture", err));
    if (!hash_table_init(&table, a, limit))
        return arena_fail(a, err, "names of a picture");
    for (uint32_t k = 0; k < scene->instance_count; k++) {
        const uint32_t count = name_count(&scene->instances[k], plane);
        ZT_TRY(ARENA_TAKE_RAW(a, &out->id[k], (size_t)count, "names of a picture", err));
        for (uint32_t i = 0; i < count; i++) {
            write_name(scene, plane, k, i, name);
            ZT_TRY(add_name(out, &table, name, a, &out->id[k][i], err));
        }
    }
    return add_name(out, &table, "ground", a, &out->ground, err);
}

/// The ids by name, as JSON.
static zt_result make_manifest(const zt_scene *scene, picture_plane plane, arena *a,
                               const char **out, zt_error *err)
{
    crypto_names names;
    char *text = NULL;
    size_t size;
    ZT_TRY(crypto_names_build(scene, plane, a, &names, err));
    json_stream s = {.out = text_stream_open(&text, &size)};
    if (s.out) {
        json_stream_open(&s, NULL, '{');
        for (uint32_t i = 0; i < names.count; i++)
            json_stream_print(&s, names.list[i].name, "\"%08x\"", (unsigned)names.list[i].id);
        json_stream_close(&s, '}');
    }
    if (!s.out || !text_stream_close(s.out, &text))
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for the names of a picture");
    const zt_result result = ARENA_TEXT(a, out, text, "names of a picture", err);
    free(text);
    return result;
}

zt_result crypto_texts_make(const zt_scene *scene, uint32_t planes, arena *a, zt_encode_def *def,
                            zt_error *err)
{
    zt_picture_text *texts;
    if (!(planes & PICTURE_PLANES_CRYPTO))
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(a, &texts, TEXTS_MAX, "texts of a picture", err));
    def->texts = texts;
    def->text_count = 0;
    for (int p = PLANE_CRYPTO_OBJECT; p <= PLANE_CRYPTO_BONE; p++) {
        const char *channel = picture_plane_table[p].kind.channel[0], *type, *manifest = NULL;
        const size_t length = strcspn(channel, "0");
        if (!(planes >> p & 1u))
            continue;
        ZT_TRY(make_manifest(scene, (picture_plane)p, a, &manifest, err));
        if (!(type = arena_text(a, channel, length)))
            return arena_fail(a, err, "texts of a picture");
        const char *const parts[][2] = {{"name", type},
                                        {"hash", "MurmurHash3_32"},
                                        {"conversion", "uint32_to_float32"},
                                        {"manifest", manifest}};
        for (int k = 0; k < 4; k++) {
            zt_picture_text *text = &texts[def->text_count++];
            char keyword[64];
            snprintf(keyword, sizeof keyword, "cryptomatte/%07x/%s",
                     (unsigned)hash_murmur3(type, length, 0) >> 4, parts[k][0]);
            text->text = parts[k][1];
            ZT_TRY(ARENA_TEXT(a, &text->keyword, keyword, "texts of a picture", err));
        }
    }
    return ZT_OK;
}
