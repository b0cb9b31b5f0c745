// SPDX-License-Identifier: MIT
/// JSON tree -> lines of text.
#include "base/utf8.h"
#include "inspect/inspect.h"

#include <stdbool.h>

static void write_value(FILE *out, const json_value *value);

static void write_object(FILE *out, const json_value *object)
{
    bool first = true;
    for (uint32_t i = 0; i < object->count; i++) {
        const json_value *member = object->item[i];
        const bool inner = json_is(member, JSON_KIND_OBJECT);
        if (inner && member->count == 0)
            continue;
        fputs(first ? "" : ", ", out);
        utf8_write_harmless(out, member->key);
        fputs(inner ? " (" : " ", out);
        write_value(out, member);
        fputs(inner ? ")" : "", out);
        first = false;
    }
}

static void write_value(FILE *out, const json_value *value)
{
    switch (value->kind) {
    case JSON_KIND_STRING: utf8_write_harmless(out, value->text[0] ? value->text : "\"\""); break;
    case JSON_KIND_INTEGER: fprintf(out, "%lld", (long long)value->integer); break;
    case JSON_KIND_REAL: fprintf(out, "%.6g", value->real); break;
    case JSON_KIND_TRUE:
    case JSON_KIND_FALSE: fputs(value->kind == JSON_KIND_TRUE ? "yes" : "no", out); break;
    case JSON_KIND_NULL: fputs("none", out); break;
    case JSON_KIND_ARRAY:
        for (uint32_t i = 0; i < value->count; i++) {
            fputs(i ? " " : "", out);
            write_value(out, value->item[i]);
        }
        break;
    case JSON_KIND_OBJECT: write_object(out, value); break;
    }
}

static void write_key(FILE *out, const json_value *member, int indent)
{
    fprintf(out, "%*s", indent, "");
    utf8_write_harmless(out, member->key);
    fputs(":", out);
}

static void write_members(FILE *out, const json_value *object, int indent)
{
    for (uint32_t i = 0; i < object->count; i++) {
        const json_value *member = object->item[i];
        // Arrays of objects or strings take more than one line.
        if (!json_is(member, JSON_KIND_ARRAY) || json_is_numeric(json_at(member, 0))) {
            write_key(out, member, indent);
            fputs(" ", out);
            write_value(out, member);
            fputs("\n", out);
            continue;
        }
        write_key(out, member, indent);
        fprintf(out, " %u\n", member->count);
        for (uint32_t k = 0; k < member->count; k++) {
            const json_value *item = member->item[k];
            if (json_get(item, "format")) {
                write_members(out, item, indent + 2); // a model of a scene
                continue;
            }
            fprintf(out, "%*s%u: ", indent + 2, "", k);
            write_value(out, item);
            fputs("\n", out);
        }
    }
}

void inspect_text(FILE *out, const json_value *tree) { write_members(out, tree, 0); }
