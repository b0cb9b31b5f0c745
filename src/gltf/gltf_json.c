// SPDX-License-Identifier: MIT
#include "gltf/gltf_json.h"

#include "json/json_parse.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Largest integer that a JSON reader must keep exactly (RFC 8259, section 6); no size in a file of
// 4 GiB comes near it, and sums of a few such numbers stay far inside int64_t.
#define JSON_INTEGER_LIMIT ((int64_t)1 << 53)

/// "nan and inf (3, the first at 2:14) are read as 0".
static zt_result warn_oddity(gltf_log *log, const json_oddity *oddity, const char *what,
                             const char *read_as)
{
    const json_pointer root = {0};
    return oddity->count == 0
               ? ZT_OK
               : gltf_warn(log, &root, "%s (%u, the first at %u:%u) are read as %s", what,
                           oddity->count, oddity->line, oddity->column, read_as);
}

zt_result gltf_json_parse(gltf_log *log, arena *a, file_bytes text, json_value **out)
{
    const char *path = log->path;
    json_builder builder = {.a = a};
    json_problem problem;
    json_oddities oddities;
    size_t start = 0;
    while (start < text.size && strchr(" \t\r\n", text.data[start]) && text.data[start])
        start++;
    if (start == text.size || text.data[start] != '{')
        return zt_fail(log->err, ZT_ERR_FORMAT,
                       "%s: not a glTF (expected a JSON object, or the 'glTF' magic of a GLB)",
                       path);
    *out = json_parse(&builder, (const char *)text.data, text.size,
                      (uint32_t)a->budget->limits->depth, &oddities, &problem);
    if (!*out)
        return zt_fail(log->err, problem.code, "%s:%u:%u: %s", path, problem.line, problem.column,
                       problem.message);
    ZT_TRY(warn_oddity(log, &oddities.characters, "characters that are not UTF-8", "'?'"));
    return warn_oddity(log, &oddities.numbers, "nan and inf", "0 in arrays, else as absent");
}

/// "a string", for messages.
static const char *type_name(const json_value *value)
{
    switch (value->kind) {
    case JSON_KIND_OBJECT: return "an object";
    case JSON_KIND_ARRAY: return "an array";
    case JSON_KIND_STRING: return "a string";
    case JSON_KIND_INTEGER:
    case JSON_KIND_REAL: return "a number";
    case JSON_KIND_TRUE:
    case JSON_KIND_FALSE: return "a boolean";
    case JSON_KIND_NULL: return "null";
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
    if (out->value && !json_is(out->value, JSON_KIND_OBJECT))
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
    if (!json_is(out->value, JSON_KIND_ARRAY))
        return wrong_type(log, out, "an array");
    *out_count = json_length(out->value);
    return ZT_OK;
}

zt_result gltf_entry(gltf_log *log, const json_pointer *array, size_t index, json_pointer *out)
{
    *out = json_element(array, index);
    return json_is(out->value, JSON_KIND_OBJECT) ? ZT_OK : wrong_type(log, out, "an object");
}

zt_result gltf_integer(gltf_log *log, const json_pointer *value, int64_t fallback, int64_t *out)
{
    *out = fallback;
    if (!value->value)
        return ZT_OK;
    if (!json_is_numeric(value->value))
        return wrong_type(log, value, "an integer");
    // 3.0 is an integer, too: some exporters write every number as a real.
    const double real = json_number(value->value);
    if (real < 0.0)
        return gltf_fail(log, value, ZT_ERR_FORMAT, "is %.17g (expected 0 or more)", real);
    if (real > (double)JSON_INTEGER_LIMIT)
        return gltf_fail(log, value, ZT_ERR_FORMAT, "is %.17g, which is out of range", real);
    const int64_t whole =
        json_is(value->value, JSON_KIND_INTEGER) ? json_int(value->value) : (int64_t)real;
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
    if (!json_is_numeric(json->value))
        return wrong_type(log, json, "a number");
    const double real = json_number(json->value);
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
    if (!(json_is(value.value, JSON_KIND_TRUE) || json_is(value.value, JSON_KIND_FALSE)))
        return wrong_type(log, &value, "true or false");
    *out = json_is(value.value, JSON_KIND_TRUE);
    return ZT_OK;
}

zt_result gltf_text(gltf_log *log, const json_pointer *object, const char *key, const char **out)
{
    const json_pointer value = json_member(object, key);
    *out = NULL;
    if (!value.value)
        return ZT_OK;
    if (!json_is(value.value, JSON_KIND_STRING))
        return wrong_type(log, &value, "a string");
    *out = json_str(value.value);
    return ZT_OK;
}

zt_result gltf_kept_text(gltf_log *log, const json_pointer *object, const char *key,
                         const char *fallback, const char **out)
{
    ZT_TRY(gltf_text(log, object, key, out));
    if (*out)
        return ARENA_TEXT(log->keep, out, *out, "a text", log->err);
    *out = fallback;
    return ZT_OK;
}

zt_result gltf_name(gltf_log *log, const json_pointer *object, const char **out)
{
    // A name never changes the picture, so one of a wrong type is no reason to refuse the file.
    const json_pointer value = json_member(object, "name");
    const char *name = value.value ? json_str(value.value) : NULL;
    *out = "";
    if (!name || !*name)
        return ZT_OK;
    return ARENA_TEXT(log->keep, out, name, "a name", log->err);
}

zt_result gltf_extension(gltf_log *log, const json_pointer *object, const char *name,
                         json_extension *out)
{
    ZT_TRY(gltf_object(log, object, "extensions", &out->holder));
    return gltf_object(log, &out->holder, name, &out->object);
}
