// SPDX-License-Identifier: MIT
/// URIs in a glTF file: base64 data (RFC 2397, RFC 4648) and relative paths with %xx escapes
/// (RFC 3986).

#include "gltf/gltf_reader.h"

#include <string.h>

/// Compares the start of `text` with a lower-case `prefix` without regard to case (ASCII).
static bool starts_with(const char *text, const char *prefix)
{
    for (; *prefix; text++, prefix++) {
        const char lower = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
        if (lower != *prefix)
            return false;
    }
    return true;
}

bool gltf_uri_is_data(const char *uri)
{
    return starts_with(uri, "data:");
}

/// Value of a base64 digit, or -1.
static int32_t digit_value(uint8_t c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

zt_result gltf_uri_decode(gltf_reader *g, const json_place *place, const char *uri, file_bytes *out)
{
    const char *comma = strchr(uri, ',');
    if (!comma || comma - uri < 7 || !starts_with(comma - 7, ";base64"))
        return gltf_fail(g, place, ZT_ERR_FORMAT,
                         "a data URI must hold base64 data (data:TYPE;base64,...)");
    const uint8_t *digits = (const uint8_t *)comma + 1;
    size_t digit_count = strlen(comma + 1);
    while (digit_count > 0 && digits[digit_count - 1] == '=')
        digit_count--;
    uint8_t *data = ARENA_ARRAY_RAW(g->scratch, uint8_t, digit_count / 4 * 3 + 4);
    if (!data)
        return arena_fail(g->scratch, g->err, "a data URI");
    int8_t table[256];
    for (int32_t c = 0; c < 256; c++)
        table[c] = (int8_t)digit_value((uint8_t)c);
    size_t size = 0;
    uint32_t bits = 0;
    for (size_t i = 0; i < digit_count; i++) {
        const int8_t value = table[digits[i]];
        if (value < 0)
            return gltf_fail(g, place, ZT_ERR_FORMAT,
                             "character %zu of the data URI is no base64 digit",
                             (size_t)(comma + 1 - uri) + i + 1);
        bits = bits << 6 | (uint8_t)value;
        if (i % 4 == 3) {
            data[size++] = (uint8_t)(bits >> 16);
            data[size++] = (uint8_t)(bits >> 8);
            data[size++] = (uint8_t)bits;
        }
    }
    const size_t rest = digit_count % 4;
    if (rest == 1)
        return gltf_fail(g, place, ZT_ERR_FORMAT, "the base64 data of the data URI is cut short");
    if (rest >= 2)
        data[size++] = (uint8_t)(rest == 2 ? bits >> 4 : bits >> 10);
    if (rest == 3)
        data[size++] = (uint8_t)(bits >> 2);
    data[size] = 0;
    *out = (file_bytes){data, size};
    return ZT_OK;
}

static int32_t hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// "http://", "file:/": letters, digits, + - . before a colon (RFC 3986, 3.1).
static bool has_scheme(const char *uri)
{
    size_t i = 0;
    while ((uri[i] >= 'a' && uri[i] <= 'z') || (uri[i] >= 'A' && uri[i] <= 'Z') ||
           (i > 0 &&
            ((uri[i] >= '0' && uri[i] <= '9') || uri[i] == '+' || uri[i] == '-' || uri[i] == '.')))
        i++;
    return i > 1 && uri[i] == ':';
}

zt_result gltf_uri_path(gltf_reader *g, const json_place *place, const char *uri,
                        const char **out_path)
{
    if (has_scheme(uri) || uri[0] == '/')
        return gltf_fail(g, place, ZT_ERR_INPUT,
                         "'%.200s' is not beside the file (expected a relative path)", uri);
    if (!*uri)
        return gltf_fail(g, place, ZT_ERR_FORMAT, "is empty (expected a file name)");
    const size_t size = strlen(uri);
    char *path = ARENA_ARRAY(g->scratch, char, size + 1);
    if (!path)
        return arena_fail(g->scratch, g->err, "a file name");
    size_t length = 0;
    for (size_t i = 0; i < size; i++) {
        // A stray % is taken as it stands: file names hold them more often than escapes are wrong.
        const int32_t high = uri[i] == '%' ? hex_value(uri[i + 1]) : -1;
        const int32_t low = high >= 0 ? hex_value(uri[i + 2]) : -1;
        path[length++] = low >= 0 ? (char)(uint8_t)(high * 16 + low) : uri[i];
        i += low >= 0 ? 2 : 0;
        if (!path[length - 1])
            return gltf_fail(g, place, ZT_ERR_FORMAT, "the file name holds a zero byte");
    }
    if (path[0] == '/')
        return gltf_fail(g, place, ZT_ERR_INPUT,
                         "'%.200s' is not beside the file (expected a relative path)", path);
    *out_path = path;
    return ZT_OK;
}
