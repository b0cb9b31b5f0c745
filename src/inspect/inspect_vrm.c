// SPDX-License-Identifier: MIT
/// A person of a VRM file: who made it, its licence, what its face can do.
#include "inspect/inspect.h"
#include "json/json_parse.h"

#include <string.h>

enum { META_DEPTH_LIMIT = 16 };

/// The metadata of the person as the file has them; NULL: none. *out_newer: of version 1.0.
static json_value *find_meta(json_builder *b, const zt_model *m, bool *out_newer)
{
    static const char newer[] = "/extensions/VRMC_vrm/meta", older[] = "/extensions/VRM/meta";
    const model_asset_info *a = m->asset_info;
    json_value *found = NULL;
    for (uint32_t i = 0; a && i < a->extra_count && !found; i++) {
        const model_extra *extra = &a->extras[i];
        json_problem problem;
        *out_newer = strcmp(extra->pointer, newer) == 0;
        if (extra->whole && (*out_newer || strcmp(extra->pointer, older) == 0))
            found =
                json_parse(b, extra->text, strlen(extra->text), META_DEPTH_LIMIT, NULL, &problem);
    }
    return found;
}

/// Copies a text, or the texts of a list.
static void put_texts(json_builder *b, json_value *o, const char *key, const json_value *from)
{
    json_value *list = json_new(b, JSON_KIND_ARRAY);
    if (json_is(from, JSON_KIND_STRING) && *from->text)
        json_append(b, list, json_new_text(b, from->text));
    for (uint32_t i = 0; i < json_length(from); i++)
        if (json_is(from->item[i], JSON_KIND_STRING))
            json_append(b, list, json_new_text(b, from->item[i]->text));
    json_put(b, o, key, list);
}

static void put_text(json_builder *b, json_value *o, const char *key, const json_value *from)
{
    if (json_is(from, JSON_KIND_STRING))
        json_put_text(b, o, key, from->text);
}

json_value *inspect_vrm(json_builder *b, const zt_model *m)
{
    bool newer = false;
    const json_value *meta = find_meta(b, m, &newer);
    if (!meta && m->expression_count + m->human_bone_count == 0)
        return NULL;
    json_value *o = json_new(b, JSON_KIND_OBJECT), *names = json_new(b, JSON_KIND_ARRAY);
    if (meta) {
        json_put_text(b, o, "version", newer ? "1.0" : "0.x");
        put_text(b, o, "name", json_get(meta, newer ? "name" : "title"));
        put_texts(b, o, "authors", json_get(meta, newer ? "authors" : "author"));
        put_text(b, o, "licence", json_get(meta, newer ? "licenseUrl" : "licenseName"));
    }
    for (uint32_t i = 0; i < m->expression_count; i++)
        json_append(b, names, json_new_text(b, m->expressions[i].name));
    json_put(b, o, "expressions", names);
    json_put_text(b, o, "gaze",
                  !m->gaze                  ? "none"
                  : m->gaze->by_expressions ? "expressions"
                                            : "bones");
    json_put_int(b, o, "human_bones", m->human_bone_count);
    json_put_int(b, o, "constraints", m->constraint_count);
    return o;
}
