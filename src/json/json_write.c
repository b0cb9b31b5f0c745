// SPDX-License-Identifier: MIT
#include "json/json_write.h"

#include "base/text_stream.h"
#include "json/json_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A real looks like one: 2.0, 1e20.
static void write_real(FILE *out, double real, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits ? digits : 17, real);
    char *comma = strchr(text, ','); // the point of some locales
    if (comma)
        *comma = '.';
    const char *power = strchr(text, 'e');
    if (!power) {
        fprintf(out, "%s%s", text, strchr(text, '.') ? "" : ".0");
        return;
    }
    fprintf(out, "%.*se%d", (int)(power - text), text, atoi(power + 1));
}

static void write_line(FILE *out, json_style style, int depth)
{
    if (style.indent > 0)
        fprintf(out, "\n%*s", style.indent * depth, "");
}

static void write_value(FILE *out, const json_value *value, json_style style, int depth);

static void write_list(FILE *out, const json_value *list, json_style style, int depth)
{
    const bool object = list->kind == JSON_KIND_OBJECT;
    fputc(object ? '{' : '[', out);
    for (uint32_t i = 0; i < list->count; i++) {
        if (i > 0)
            fputc(',', out);
        write_line(out, style, depth + 1);
        if (object) {
            json_stream_string(out, list->item[i]->key);
            fputs(style.indent > 0 ? ": " : ":", out);
        }
        write_value(out, list->item[i], style, depth + 1);
    }
    if (list->count > 0)
        write_line(out, style, depth);
    fputc(object ? '}' : ']', out);
}

static void write_value(FILE *out, const json_value *value, json_style style, int depth)
{
    switch (value->kind) {
    case JSON_KIND_NULL: fputs("null", out); break;
    case JSON_KIND_FALSE: fputs("false", out); break;
    case JSON_KIND_TRUE: fputs("true", out); break;
    case JSON_KIND_INTEGER: fprintf(out, "%" PRId64, value->integer); break;
    case JSON_KIND_REAL: write_real(out, value->real, style.digits); break;
    case JSON_KIND_STRING: json_stream_string(out, value->text); break;
    case JSON_KIND_ARRAY:
    case JSON_KIND_OBJECT: write_list(out, value, style, depth); break;
    }
}

enum { NUMBER_BYTES = 32, ESCAPE_BYTES = 6 };

static uint64_t string_bytes(const char *text)
{
    uint64_t bytes = 2;
    for (; *text; text++)
        bytes += *text < ' ' || *text > '~' ? ESCAPE_BYTES : *text == '"' || *text == '\\' ? 2 : 1;
    return bytes;
}

static uint64_t text_bytes(const json_value *value, json_style style, int depth)
{
    if (value->kind == JSON_KIND_STRING)
        return string_bytes(value->text);
    if (value->kind != JSON_KIND_ARRAY && value->kind != JSON_KIND_OBJECT)
        return NUMBER_BYTES;
    const uint64_t line = 3 + (uint64_t)(style.indent * (depth + 1));
    uint64_t bytes = 2 + line;
    for (uint32_t i = 0; i < value->count; i++) {
        bytes += line + text_bytes(value->item[i], style, depth + 1);
        if (value->kind == JSON_KIND_OBJECT)
            bytes += string_bytes(value->item[i]->key);
    }
    return bytes;
}

uint64_t json_write_bytes(const json_value *value, json_style style)
{
    // A stream in memory grows by doubling, and copies.
    return 2 * text_bytes(value, style, 0);
}

char *json_write(arena *charged, const json_value *value, json_style style)
{
    char *text = NULL;
    size_t size;
    if (!arena_charge(charged, json_write_bytes(value, style)))
        return NULL;
    FILE *out = text_stream_open(&text, &size);
    if (!out)
        return NULL;
    write_value(out, value, style, 0);
    return text_stream_close(out, &text) ? text : NULL;
}
