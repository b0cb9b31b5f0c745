// SPDX-License-Identifier: MIT
/// JSON tree -> lines of text.
#include "render/inspect.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// Control characters of a hostile name must not drive a terminal.
static void write_string(FILE *out, const char *text)
{
    if (!text[0])
        fputs("\"\"", out);
    for (; *text; text++)
        fputc((unsigned char)*text < 0x20 || *text == 0x7F ? '?' : *text, out);
}

static void write_value(FILE *out, json_t *value)
{
    const char *key;
    json_t *member;
    size_t index;
    bool first = true;
    switch (json_typeof(value)) {
    case JSON_STRING:
        write_string(out, json_string_value(value));
        break;
    case JSON_INTEGER:
        fprintf(out, "%lld", (long long)json_integer_value(value));
        break;
    case JSON_REAL:
        fprintf(out, "%.6g", json_real_value(value));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        fputs(json_is_true(value) ? "yes" : "no", out);
        break;
    case JSON_NULL:
        fputs("none", out);
        break;
    case JSON_ARRAY:
        json_array_foreach(value, index, member)
        {
            fputs(index ? " " : "", out);
            write_value(out, member);
        }
        break;
    case JSON_OBJECT:
        json_object_foreach(value, key, member)
        {
            if (json_is_object(member) && json_object_size(member) == 0)
                continue;
            fprintf(out, "%s%s %s", first ? "" : ", ", key, json_is_object(member) ? "(" : "");
            write_value(out, member);
            fputs(json_is_object(member) ? ")" : "", out);
            first = false;
        }
        break;
    }
}

static bool is_simple_list(json_t *value)
{
    return json_is_array(value) && json_array_size(value) > 0 &&
           json_is_number(json_array_get(value, 0));
}

static void write_members(FILE *out, json_t *object, int indent)
{
    const char *key;
    json_t *member, *item;
    size_t index;
    json_object_foreach(object, key, member)
    {
        if (!json_is_array(member) || is_simple_list(member)) {
            fprintf(out, "%*s%s: ", indent, "", key);
            write_value(out, member);
            fputs("\n", out);
            continue;
        }
        fprintf(out, "%*s%s: %zu\n", indent, "", key, json_array_size(member));
        json_array_foreach(member, index, item)
        {
            if (json_is_object(item) && json_object_get(item, "format")) {
                write_members(out, item, indent + 2); // a model of a scene
                continue;
            }
            fprintf(out, "%*s%zu: ", indent + 2, "", index);
            write_value(out, item);
            fputs("\n", out);
        }
    }
}

char *inspect_text(json_t *tree)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    write_members(out, tree, 0);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
