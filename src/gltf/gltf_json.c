// SPDX-License-Identifier: MIT
/// JSON of a glTF file: parsing with our limits, typed access, and messages that name the file and
/// the JSON pointer (RFC 6901) of what is wrong.

#include "gltf/gltf_reader.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Largest integer that a JSON reader must keep exactly (RFC 8259, section 6); no size in a file of
// 4 GiB comes near it, and sums of a few such numbers stay far inside int64_t.
#define JSON_INTEGER_LIMIT ((int64_t)1 << 53)

// Bytes that jansson 2.14 takes for an object (with its first hash table), an array, a member and
// an element, rounded up. Its memory is not counted by our arenas, so it is estimated before.
enum { OBJECT_COST = 384, ARRAY_COST = 160, MEMBER_COST = 144, ELEMENT_COST = 64 };

typedef struct json_shape {
    uint64_t cost;
    size_t depth;
    int line, column; // where the depth limit was passed, or the last byte
} json_shape;

/// Nesting and memory cost of JSON text, seen as brackets outside of strings. Stops where the
/// nesting passes the limit.
static json_shape measure_json(file_bytes text)
{
    json_shape shape = {.cost = text.size, .line = 1};
    size_t depth = 0, line_start = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.size; i++) {
        const uint8_t c = text.data[i];
        if (in_string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                in_string = false;
            continue;
        }
        if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            shape.cost += c == '{' ? OBJECT_COST : ARRAY_COST;
            if (++depth > shape.depth)
                shape.depth = depth;
            if (depth > GLTF_JSON_DEPTH_LIMIT) {
                shape.column = (int)(i - line_start + 1);
                return shape;
            }
        } else if (c == '}' || c == ']') {
            depth -= depth > 0;
        } else if (c == ':') {
            shape.cost += MEMBER_COST;
        } else if (c == ',') {
            shape.cost += ELEMENT_COST;
        } else if (c == '\n') {
            shape.line++;
            line_start = i + 1;
        }
    }
    return shape;
}

zt_result gltf_json_parse(gltf_reader *g, file_bytes text)
{
    const char *path = g->source->path;
    size_t start = 0;
    while (start < text.size && strchr(" \t\r\n", text.data[start]) && text.data[start])
        start++;
    if (start == text.size || text.data[start] != '{')
        return zt_fail(g->err, ZT_ERR_FORMAT,
                       "%s: not a glTF (expected a JSON object, or the 'glTF' magic of a GLB)",
                       path);
    const json_shape shape = measure_json(text);
    if (shape.depth > GLTF_JSON_DEPTH_LIMIT)
        return zt_fail(g->err, ZT_ERR_LIMIT, "%s:%d:%d: JSON is nested deeper than %d levels", path,
                       shape.line, shape.column, GLTF_JSON_DEPTH_LIMIT);
    const budget *b = g->scratch->budget;
    const uint64_t used = b ? atomic_load(&b->used) : 0;
    if (b && (used > b->limit || shape.cost > b->limit - used))
        return zt_fail(g->err, ZT_ERR_LIMIT,
                       "%s: the JSON needs about %llu bytes, more than the memory limit leaves",
                       path, (unsigned long long)shape.cost);
    json_error_t error;
    g->json = json_loadb((const char *)text.data, text.size, JSON_REJECT_DUPLICATES, &error);
    if (!g->json) {
        const zt_result code =
            json_error_code(&error) == json_error_out_of_memory ? ZT_ERR_MEMORY : ZT_ERR_FORMAT;
        return zt_fail(g->err, code, "%s:%d:%d: %s", path, error.line, error.column, error.text);
    }
    g->root = (json_place){.value = g->json};
    return ZT_OK;
}

json_place json_member(const json_place *object, const char *key)
{
    return (json_place){object->value ? json_object_get(object->value, key) : NULL, object, key, 0};
}

json_place json_element(const json_place *array, size_t index)
{
    return (json_place){json_array_get(array->value, index), array, NULL, index};
}

void json_pointer(const json_place *place, char out[JSON_POINTER_SIZE])
{
    // From the end of the buffer backwards. Our own keys are short and the schema is flat, so
    // nothing is cut.
    char text[JSON_POINTER_SIZE];
    char *at = text + sizeof text - 1;
    *at = 0;
    for (const json_place *p = place; p && p->parent; p = p->parent) {
        char number[24];
        snprintf(number, sizeof number, "%zu", p->index);
        const char *part = p->key ? p->key : number;
        const size_t size = strlen(part);
        if (size + 1 > (size_t)(at - text))
            break;
        at -= size;
        memcpy(at, part, size);
        *--at = '/';
    }
    memcpy(out, at, (size_t)(text + sizeof text - at));
}

zt_result gltf_fail(gltf_reader *g, const json_place *place, zt_result code, const char *format,
                    ...)
{
    char text[sizeof g->err->message], pointer[JSON_POINTER_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_pointer(place, pointer);
    return zt_fail(g->err, code, "%s:%s%s %s", g->source->path, pointer, *pointer ? ":" : "", text);
}

/// Keeps "pointer: text" among the notes of the model. `out_new` is false when it is there already
/// or there are too many: it need not be said again.
static zt_result keep_note(gltf_reader *g, const json_place *place, const char *text, bool *out_new)
{
    char pointer[JSON_POINTER_SIZE], note[1024];
    *out_new = false;
    if (g->note_count == GLTF_NOTE_LIMIT)
        return ZT_OK;
    json_pointer(place, pointer);
    snprintf(note, sizeof note, "%s%s%s", pointer, *pointer ? ": " : "", text);
    for (char *c = note; *c; c++) // names in the file may hold anything, but a note is one line
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    for (uint32_t i = 0; i < g->note_count; i++)
        if (strcmp(g->note[i], note) == 0)
            return ZT_OK;
    g->note[g->note_count] = arena_text(g->keep, note, strlen(note));
    if (!g->note[g->note_count])
        return arena_fail(g->keep, g->err, "a note");
    g->note_count++;
    *out_new = true;
    return ZT_OK;
}

zt_result gltf_warn(gltf_reader *g, const json_place *place, const char *format, ...)
{
    char text[512];
    bool is_new;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ZT_TRY(keep_note(g, place, text, &is_new));
    if (is_new)
        message_warn(&g->source->sink, "%s:%s%s", g->source->path,
                     *g->note[g->note_count - 1] == '/' ? "" : " ", g->note[g->note_count - 1]);
    return ZT_OK;
}

zt_result gltf_unsupported(gltf_reader *g, const json_place *place, const char *format, ...)
{
    char text[512];
    bool is_new;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ZT_TRY(keep_note(g, place, text, &is_new));
    if (!is_new)
        return ZT_OK;
    return message_unsupported(&g->source->sink, g->err, "%s:%s%s", g->source->path,
                               *g->note[g->note_count - 1] == '/' ? "" : " ",
                               g->note[g->note_count - 1]);
}

/// "a string", for messages.
static const char *type_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "a boolean";
    case JSON_NULL:
        return "null";
    }
    return "unknown";
}

static zt_result wrong_type(gltf_reader *g, const json_place *place, const char *expected)
{
    return gltf_fail(g, place, ZT_ERR_FORMAT, "is %s (expected %s)", type_name(place->value),
                     expected);
}

zt_result gltf_object(gltf_reader *g, const json_place *object, const char *key, json_place *out)
{
    *out = json_member(object, key);
    if (out->value && !json_is_object(out->value))
        return wrong_type(g, out, "an object");
    return ZT_OK;
}

zt_result gltf_array(gltf_reader *g, const json_place *object, const char *key, json_place *out,
                     uint32_t *out_count)
{
    *out = json_member(object, key);
    *out_count = 0;
    if (!out->value)
        return ZT_OK;
    if (!json_is_array(out->value))
        return wrong_type(g, out, "an array");
    const size_t count = json_array_size(out->value);
    if (count > INT32_MAX)
        return gltf_fail(g, out, ZT_ERR_LIMIT, "has %zu elements", count);
    *out_count = (uint32_t)count;
    return ZT_OK;
}

zt_result gltf_entry(gltf_reader *g, const json_place *array, size_t index, json_place *out)
{
    *out = json_element(array, index);
    return json_is_object(out->value) ? ZT_OK : wrong_type(g, out, "an object");
}

zt_result gltf_integer(gltf_reader *g, const json_place *value, int64_t fallback, int64_t *out)
{
    *out = fallback;
    if (!value->value)
        return ZT_OK;
    if (!json_is_number(value->value))
        return wrong_type(g, value, "an integer");
    // 3.0 is an integer, too: some exporters write every number as a real.
    const double real = json_number_value(value->value);
    if (real < 0.0)
        return gltf_fail(g, value, ZT_ERR_FORMAT, "is %.17g (expected 0 or more)", real);
    if (real > (double)JSON_INTEGER_LIMIT)
        return gltf_fail(g, value, ZT_ERR_FORMAT, "is %.17g, which is out of range", real);
    const int64_t whole =
        json_is_integer(value->value) ? (int64_t)json_integer_value(value->value) : (int64_t)real;
    if ((double)whole < real || (double)whole > real)
        return gltf_fail(g, value, ZT_ERR_FORMAT, "is %.17g (expected an integer)", real);
    *out = whole;
    return ZT_OK;
}

zt_result gltf_member_integer(gltf_reader *g, const json_place *object, const char *key,
                              int64_t fallback, int64_t *out)
{
    const json_place value = json_member(object, key);
    return gltf_integer(g, &value, fallback, out);
}

zt_result gltf_index(gltf_reader *g, const json_place *value, uint32_t count, const char *what,
                     int32_t *out)
{
    int64_t index;
    *out = -1;
    ZT_TRY(gltf_integer(g, value, -1, &index));
    if (index >= (int64_t)count)
        return gltf_fail(g, value, ZT_ERR_FORMAT, "there is no %s %lld (the file has %u)", what,
                         (long long)index, count);
    *out = (int32_t)index;
    return ZT_OK;
}

zt_result gltf_member_index(gltf_reader *g, const json_place *object, const char *key,
                            uint32_t count, const char *what, int32_t *out)
{
    const json_place value = json_member(object, key);
    return gltf_index(g, &value, count, what, out);
}

static zt_result read_float(gltf_reader *g, const json_place *place, float *out)
{
    if (!json_is_number(place->value))
        return wrong_type(g, place, "a number");
    const double real = json_number_value(place->value);
    if (!(fabs(real) <= (double)FLT_MAX))
        return gltf_fail(g, place, ZT_ERR_FORMAT, "%.17g is out of the range of a float", real);
    *out = (float)real;
    return ZT_OK;
}

zt_result gltf_float(gltf_reader *g, const json_place *object, const char *key, float fallback,
                     float *out)
{
    const json_place value = json_member(object, key);
    *out = fallback;
    return value.value ? read_float(g, &value, out) : ZT_OK;
}

zt_result gltf_floats(gltf_reader *g, const json_place *object, const char *key, uint32_t count,
                      float *out)
{
    json_place array;
    uint32_t size;
    ZT_TRY(gltf_array(g, object, key, &array, &size));
    if (!array.value)
        return ZT_OK;
    if (size != count)
        return gltf_fail(g, &array, ZT_ERR_FORMAT, "has %u numbers (expected %u)", size, count);
    for (uint32_t i = 0; i < count; i++) {
        const json_place element = json_element(&array, i);
        ZT_TRY(read_float(g, &element, &out[i]));
    }
    return ZT_OK;
}

zt_result gltf_flag(gltf_reader *g, const json_place *object, const char *key, bool fallback,
                    bool *out)
{
    const json_place value = json_member(object, key);
    *out = fallback;
    if (!value.value)
        return ZT_OK;
    if (!json_is_boolean(value.value))
        return wrong_type(g, &value, "true or false");
    *out = json_is_true(value.value);
    return ZT_OK;
}

zt_result gltf_text(gltf_reader *g, const json_place *object, const char *key, const char **out)
{
    const json_place value = json_member(object, key);
    *out = NULL;
    if (!value.value)
        return ZT_OK;
    if (!json_is_string(value.value))
        return wrong_type(g, &value, "a string");
    *out = json_string_value(value.value);
    return ZT_OK;
}

zt_result gltf_name(gltf_reader *g, const json_place *object, const char **out)
{
    // A name never changes the picture, so one of a wrong type is no reason to refuse the file.
    const json_place value = json_member(object, "name");
    const char *name = value.value ? json_string_value(value.value) : NULL;
    *out = "";
    if (!name || !*name)
        return ZT_OK;
    *out = arena_text(g->keep, name, strlen(name));
    return *out ? ZT_OK : arena_fail(g->keep, g->err, "a name");
}

zt_result gltf_extension(gltf_reader *g, const json_place *object, const char *name,
                         json_extension *out)
{
    ZT_TRY(gltf_object(g, object, "extensions", &out->holder));
    return gltf_object(g, &out->holder, name, &out->object);
}
