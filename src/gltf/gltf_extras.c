// SPDX-License-Identifier: MIT
/// What a glTF file says beside its picture: `extras` of any object, and metadata of
/// KHR_xmp_json_ld (or the older KHR_xmp). Kept as text for inspect, up to limits that only spare
/// memory.

#include "gltf/gltf_reader.h"
#include "gltf/json_text.h"

#include <stdlib.h>
#include <string.h>

enum { EXTRA_LIMIT = 256, EXTRA_TEXT_LIMIT = 4096 };

typedef struct extra_list {
    gltf_reader *g;
    model_extra *extra;
    uint32_t count;
} extra_list;

static zt_result keep_extra(extra_list *list, const json_place *place)
{
    arena *keep = list->g->keep;
    char pointer[JSON_POINTER_SIZE];
    char *text = json_text(place->value, JSON_COMPACT | JSON_ENCODE_ANY);
    if (!text)
        return zt_fail(list->g->err, ZT_ERR_MEMORY, "no memory for extras");
    const size_t size = strlen(text);
    model_extra *extra = &list->extra[list->count++];
    json_pointer(place, pointer);
    extra->place = arena_text(keep, pointer, strlen(pointer));
    extra->whole = size <= EXTRA_TEXT_LIMIT;
    extra->text = arena_text(keep, text, extra->whole ? size : EXTRA_TEXT_LIMIT);
    free(text);
    return extra->place && extra->text ? ZT_OK : arena_fail(keep, list->g->err, "extras");
}

static bool is_metadata(const char *key)
{
    return strcmp(key, "extras") == 0 || strcmp(key, "KHR_xmp_json_ld") == 0 ||
           strcmp(key, "KHR_xmp") == 0;
}

/// Objects and arrays of objects below `place`; the parser has bounded how deep they lie.
static zt_result walk(extra_list *list, json_t *tree, const json_place *place)
{
    const char *key;
    json_t *value;
    size_t index;
    if (json_is_object(tree)) {
        json_object_foreach(tree, key, value)
        {
            if (list->count == EXTRA_LIMIT)
                return ZT_OK;
            const json_place member = {value, place, key, 0};
            if (is_metadata(key))
                ZT_TRY(keep_extra(list, &member));
            else if (json_is_object(value) || json_is_array(value))
                ZT_TRY(walk(list, value, &member));
        }
        return ZT_OK;
    }
    json_array_foreach(tree, index, value)
    {
        const json_place element = {value, place, NULL, index};
        if (json_is_object(value) || json_is_array(value))
            ZT_TRY(walk(list, value, &element));
    }
    return ZT_OK;
}

zt_result gltf_read_extras(gltf_reader *g, model_about *about)
{
    extra_list list = {g, ARENA_ARRAY(g->scratch, model_extra, EXTRA_LIMIT), 0};
    if (!list.extra)
        return arena_fail(g->scratch, g->err, "extras");
    ZT_TRY(walk(&list, g->json, &g->root));
    model_extra *kept = ARENA_ARRAY_RAW(g->keep, model_extra, list.count);
    if (!kept)
        return arena_fail(g->keep, g->err, "extras");
    if (list.count > 0)
        memcpy(kept, list.extra, list.count * sizeof *kept);
    about->extras = kept;
    about->extra_count = list.count;
    return ZT_OK;
}
