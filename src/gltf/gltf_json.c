// SPDX-License-Identifier: MIT
/// See gltf_json.h.
#include "gltf/gltf_json.h"

#include <float.h>
#include <math.h>
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

zt_result gltf_json_parse(gltf_log *log, const budget *b, file_bytes text, json_t **out)
{
    const char *path = log->path;
    size_t start = 0;
    while (start < text.size && strchr(" \t\r\n", text.data[start]) && text.data[start])
        start++;
    if (start == text.size || text.data[start] != '{')
        return zt_fail(log->err, ZT_ERR_FORMAT,
                       "%s: not a glTF (expected a JSON object, or the 'glTF' magic of a GLB)",
                       path);
    const json_shape shape = measure_json(text);
    if (shape.depth > GLTF_JSON_DEPTH_LIMIT)
        return zt_fail(log->err, ZT_ERR_LIMIT, "%s:%d:%d: JSON is nested deeper than %d levels",
                       path, shape.line, shape.column, GLTF_JSON_DEPTH_LIMIT);
    const uint64_t used = b ? atomic_load(&b->used) : 0;
    if (b && (used > b->limit || shape.cost > b->limit - used))
        return zt_fail(log->err, ZT_ERR_LIMIT,
                       "%s: the JSON needs about %llu bytes, more than the memory limit leaves",
                       path, (unsigned long long)shape.cost);
    json_error_t error;
    *out = json_loadb((const char *)text.data, text.size, JSON_REJECT_DUPLICATES, &error);
    if (!*out) {
        const zt_result code =
            json_error_code(&error) == json_error_out_of_memory ? ZT_ERR_MEMORY : ZT_ERR_FORMAT;
        return zt_fail(log->err, code, "%s:%d:%d: %s", path, error.line, error.column, error.text);
    }
    return ZT_OK;
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

static zt_result wrong_type(gltf_log *log, const json_pointer *json, const char *expected)
{
    return gltf_fail(log, json, ZT_ERR_FORMAT, "is %s (expected %s)", type_name(json->value),
                     expected);
}

zt_result gltf_object(gltf_log *log, const json_pointer *object, const char *key, json_pointer *out)
{
    *out = json_member(object, key);
    if (out->value && !json_is_object(out->value))
        return wrong_type(log, out, "an object");
    return ZT_OK;
}

zt_result gltf_array(gltf_log *log, const json_pointer *object, const char *key, json_pointer *out,
                     uint32_t *out_count)
{
    *out = json_member(object, key);
    *out_count = 0;
    if (!out->value)
        return ZT_OK;
    if (!json_is_array(out->value))
        return wrong_type(log, out, "an array");
    const size_t count = json_array_size(out->value);
    if (count > INT32_MAX)
        return gltf_fail(log, out, ZT_ERR_LIMIT, "has %zu elements", count);
    *out_count = (uint32_t)count;
    return ZT_OK;
}

zt_result gltf_entry(gltf_log *log, const json_pointer *array, size_t index, json_pointer *out)
{
    *out = json_element(array, index);
    return json_is_object(out->value) ? ZT_OK : wrong_type(log, out, "an object");
}

zt_result gltf_integer(gltf_log *log, const json_pointer *value, int64_t fallback, int64_t *out)
{
    *out = fallback;
    if (!value->value)
        return ZT_OK;
    if (!json_is_number(value->value))
        return wrong_type(log, value, "an integer");
    // 3.0 is an integer, too: some exporters write every number as a real.
    const double real = json_number_value(value->value);
    if (real < 0.0)
        return gltf_fail(log, value, ZT_ERR_FORMAT, "is %.17g (expected 0 or more)", real);
    if (real > (double)JSON_INTEGER_LIMIT)
        return gltf_fail(log, value, ZT_ERR_FORMAT, "is %.17g, which is out of range", real);
    const int64_t whole =
        json_is_integer(value->value) ? (int64_t)json_integer_value(value->value) : (int64_t)real;
    if ((double)whole < real || (double)whole > real)
        return gltf_fail(log, value, ZT_ERR_FORMAT, "is %.17g (expected an integer)", real);
    *out = whole;
    return ZT_OK;
}

zt_result gltf_member_integer(gltf_log *log, const json_pointer *object, const char *key,
                              int64_t fallback, int64_t *out)
{
    const json_pointer value = json_member(object, key);
    return gltf_integer(log, &value, fallback, out);
}

zt_result gltf_index_below(gltf_log *log, const json_pointer *value, uint32_t count,
                           const char *what, int32_t *out)
{
    int64_t index;
    *out = -1;
    ZT_TRY(gltf_integer(log, value, -1, &index));
    if (index >= (int64_t)count)
        return gltf_fail(log, value, ZT_ERR_FORMAT, "there is no %s %lld (the file has %u)", what,
                         (long long)index, count);
    *out = (int32_t)index;
    return ZT_OK;
}

static zt_result read_float(gltf_log *log, const json_pointer *json, float *out)
{
    if (!json_is_number(json->value))
        return wrong_type(log, json, "a number");
    const double real = json_number_value(json->value);
    if (!(fabs(real) <= (double)FLT_MAX))
        return gltf_fail(log, json, ZT_ERR_FORMAT, "%.17g is out of the range of a float", real);
    *out = (float)real;
    return ZT_OK;
}

zt_result gltf_float(gltf_log *log, const json_pointer *object, const char *key, float fallback,
                     float *out)
{
    const json_pointer value = json_member(object, key);
    *out = fallback;
    return value.value ? read_float(log, &value, out) : ZT_OK;
}

zt_result gltf_floats(gltf_log *log, const json_pointer *object, const char *key, uint32_t count,
                      float *out)
{
    json_pointer array;
    uint32_t size;
    ZT_TRY(gltf_array(log, object, key, &array, &size));
    if (!array.value)
        return ZT_OK;
    if (size != count)
        return gltf_fail(log, &array, ZT_ERR_FORMAT, "has %u numbers (expected %u)", size, count);
    for (uint32_t i = 0; i < count; i++) {
        const json_pointer element = json_element(&array, i);
        ZT_TRY(read_float(log, &element, &out[i]));
    }
    return ZT_OK;
}

zt_result gltf_flag(gltf_log *log, const json_pointer *object, const char *key, bool fallback,
                    bool *out)
{
    const json_pointer value = json_member(object, key);
    *out = fallback;
    if (!value.value)
        return ZT_OK;
    if (!json_is_boolean(value.value))
        return wrong_type(log, &value, "true or false");
    *out = json_is_true(value.value);
    return ZT_OK;
}

zt_result gltf_text(gltf_log *log, const json_pointer *object, const char *key, const char **out)
{
    const json_pointer value = json_member(object, key);
    *out = NULL;
    if (!value.value)
        return ZT_OK;
    if (!json_is_string(value.value))
        return wrong_type(log, &value, "a string");
    *out = json_string_value(value.value);
    return ZT_OK;
}

zt_result gltf_name(gltf_log *log, const json_pointer *object, const char **out)
{
    // A name never changes the picture, so one of a wrong type is no reason to refuse the file.
    const json_pointer value = json_member(object, "name");
    const char *name = value.value ? json_string_value(value.value) : NULL;
    *out = "";
    if (!name || !*name)
        return ZT_OK;
    *out = arena_text(log->keep, name, strlen(name));
    return *out ? ZT_OK : arena_fail(log->keep, log->err, "a name");
}

zt_result gltf_extension(gltf_log *log, const json_pointer *object, const char *name,
                         json_extension *out)
{
    ZT_TRY(gltf_object(log, object, "extensions", &out->holder));
    return gltf_object(log, &out->holder, name, &out->object);
}
