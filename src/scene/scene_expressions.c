// SPDX-License-Identifier: MIT
/// `expression` of a model or instance: one by name, or a map of names and weights.
#include "scene/scene_read.h"

#include <stdio.h>
#include <string.h>

/// The names that there are, for a message.
static void list_expressions(const zt_model *model, char *out, size_t size)
{
    size_t used = 0;
    out[0] = 0;
    for (uint32_t i = 0; i < model->expression_count && used + 1 < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%.40s", i ? ", " : "",
                                 model->expressions[i].name);
}

static zt_result find_expression(document_reader *r, const document_node *value, bool at_key,
                                 const char *name, uint32_t *out)
{
    const zt_model *model = model_of(r);
    char names[400];
    for (uint32_t i = 0; i < model->expression_count; i++)
        if (strcmp(model->expressions[i].name, name) == 0) {
            *out = i;
            return ZT_OK;
        }
    list_expressions(model, names, sizeof names);
    if (model->expression_count == 0)
        return value_fail(r, value, at_key,
                          "an expression of a model that has none (expected a VRM file)");
    return value_fail(r, value, at_key, "no expression '%.80s' (expected one of %s)", name, names);
}

zt_result scene_read_expressions(document_reader *r, const document_node *value, void *target)
{
    static const char *const expected = "the name of an expression, or a map of names and weights";
    scene_instance *out = target;
    const bool map = value->kind == DOCUMENT_MAP;
    const double one = 1.0;
    scene_expression *list;
    uint32_t count = 0;
    if (!map)
        ZT_TRY(value_check_text(r, value, expected));
    ZT_TRY(ARENA_TAKE(r->keep, &list, map ? value->count : 1, "expressions", r->err));
    if (!map) {
        ZT_TRY(find_expression(r, value, false, value->text, &list[0].expression));
        ZT_TRY(value_constant(r, 1, &one, &list[count++].weight));
    }
    for (const document_node *member = map ? value->first : NULL; member; member = member->next) {
        ZT_TRY(find_expression(r, member, true, member->key, &list[count].expression));
        ZT_TRY(value_track(r, member, TRACK_NUMBER, 0.0, 1.0, &list[count++].weight));
    }
    out->expressions = list;
    out->expression_count = count;
    return ZT_OK;
}
