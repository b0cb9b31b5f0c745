// SPDX-License-Identifier: MIT
/// JSON tree -> lines of text.
#include "base/utf8.h"
#include "inspect/inspect.h"

#include <stdbool.h>
#include <string.h>

/// The unit of a number, with a space before it; "" for a share. The second of two corners
/// has the unit of both.
static const char *unit_of(const json_value *object, const json_value *member)
{
    static const char *const units[][2] = {
        {"start", " s"},
        {"end", " s"},
        {"duration", " s"},
        {"speed", " m/s"},
        {"memory", " bytes"},
        {"file_size", " bytes"},
        {"width", " px"},
        {"mesh_min", " m"},
        {"mesh_max", " m"},
        {"max", " m"},
        {"fov", " degrees"},
        {"fps", " a second"},
        {"thicknessFactor", " m"},
        {"attenuationDistance", " m"},
        {"anisotropyRotation", " radians"},
        {"iridescenceThicknessMinimum", " nm"},
        {"iridescenceThicknessMaximum", " nm"},
    };
    if (strcmp(member->key, "height") == 0)
        return json_get(object, "width") ? " px" : " m"; // of a picture, or of what a camera sees
    const char *kind = json_str(json_get(object, "kind"));
    if (kind && strcmp(member->key, "intensity") == 0) // of a light
        return strcmp(kind, "directional") == 0 ? " lux" : " candela";
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i][0], member->key) == 0)
            return units[i][1];
    return "";
}

/// `ours`: its keys are those of inspect, not of the file.
static void write_value(FILE *out, const json_value *value, bool ours);

static void write_object(FILE *out, const json_value *object, bool ours)
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
        write_value(out, member, ours);
        fputs(inner ? ")" : ours ? unit_of(object, member) : "", out);
        first = false;
    }
}

static void write_value(FILE *out, const json_value *value, bool ours)
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
            write_value(out, value->item[i], ours);
        }
        break;
    case JSON_KIND_OBJECT: write_object(out, value, ours); break;
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
            write_value(out, member, strcmp(member->key, "extras") != 0);
            fprintf(out, "%s\n", unit_of(object, member));
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
            write_value(out, item, true);
            fputs("\n", out);
        }
    }
}

void inspect_text(FILE *out, const json_value *tree) { write_members(out, tree, 0); }
