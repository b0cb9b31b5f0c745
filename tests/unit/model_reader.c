// SPDX-License-Identifier: MIT
#include "model_reader.h"

#include <stdarg.h>

reader_case reader;

void reader_begin(const model_format *format, const char *path)
{
    reader = (reader_case){.format = format, .path = path};
    budget_init(&reader.memory, (uint64_t)256 << 20, NULL);
    reader.limits = *reader.memory.limits;
    reader.memory.limits = &reader.limits;
}

void reader_finish(void)
{
    arena_finish(&reader.model.arena);
    arena_finish(&reader.scratch);
}

static void count_warning(void *user, zt_severity severity, const char *text)
{
    (void)user;
    reader.warnings += severity == ZT_WARNING;
    if (severity == ZT_WARNING)
        snprintf(reader.last_warning, sizeof reader.last_warning, "%s", text);
}

static bool open_other(void *user, const char *name, const void **out_bytes, size_t *out_size)
{
    static uint8_t tga[48] = {[2] = 2, [14] = 1, [16] = 24};
    (void)user;
    reader.opened++;
    if (strstr(name, ".tga")) {
        tga[12] = (uint8_t)(*name - '0');
        *out_bytes = tga;
        *out_size = sizeof tga;
        return true;
    }
    if (!reader.other || strcmp(name, reader.other_name) != 0)
        return false;
    *out_bytes = reader.other;
    *out_size = strlen(reader.other);
    return true;
}

zt_result reader_read(const void *data, size_t size)
{
    reader_finish();
    reader.model = (zt_model){0};
    reader.err = (zt_error){ZT_OK, ""};
    reader.warnings = reader.opened = 0;
    reader.last_warning[0] = 0;
    arena_init(&reader.model.arena, &reader.memory);
    arena_init(&reader.scratch, &reader.memory);
    OWN_BLOCK uint8_t *bytes = malloc(size + 1);
    memcpy(bytes, data, size);
    bytes[size] = 0;
    zt_load_def def = zt_default_load_def();
    def.open = open_other;
    file_supply supply = file_supply_of(&def, "");
    const model_source source = {.path = reader.path,
                                 .supply = &supply,
                                 .bytes = {bytes, size},
                                 .at_origin = true,
                                 .up = reader.up,
                                 .unit_um = reader.unit_um,
                                 .m3d = reader.m3d,
                                 .package_picture = reader.package_picture,
                                 .sink = {count_warning, NULL, reader.strict}};
    const zt_result r = reader.format->read(&source, &reader.model, &reader.scratch, &reader.err);
    file_supply_finish(&supply);
    cr_assert_eq(r, reader.err.code, "%s", reader.err.message);
    return r;
}

zt_result read_text(const char *text) { return reader_read(text, strlen(text)); }

void must_read_bytes(const void *data, size_t size)
{
    MUST(reader_read(data, size), reader.err);
    cr_assert_eq(model_lay_out_motion(&reader.model, &reader.scratch, &reader.err), ZT_OK);
}

void must_read(const char *text) { must_read_bytes(text, strlen(text)); }

void must_read_as(const char *format, ...)
{
    char text[4096];
    va_list values;
    va_start(values, format);
    cr_assert_lt(vsnprintf(text, sizeof text, format, values), (int)sizeof text);
    va_end(values);
    must_read(text);
}

void must_fail_bytes(const void *data, size_t size, zt_result code, const char *part)
{
    cr_expect_eq(reader_read(data, size), code, "%s", reader.err.message);
    cr_expect(strstr(reader.err.message, part), "%s, expected %s", reader.err.message, part);
    cr_expect(strncmp(reader.err.message, reader.path, strlen(reader.path)) == 0 &&
                  !strchr(reader.err.message, '\n'),
              "'%s' is not a line of %s", reader.err.message, reader.path);
}

void must_fail_as(const char *text, zt_result code, const char *part)
{
    must_fail_bytes(text, strlen(text), code, part);
}

void must_fail(const char *text, const char *part) { must_fail_as(text, ZT_ERR_FORMAT, part); }

void must_warn(const char *text, const char *part)
{
    must_read(text);
    cr_expect(part ? reader.warnings == 1 && strstr(reader.last_warning, part) : !reader.warnings,
              "%s: %d: %s", part ? part : "none", reader.warnings, reader.last_warning);
}

void must_bear_limits(const void *data, size_t size, uint64_t step)
{
    int refused = 0, fitted = 0;
    for (uint64_t limit = 0; limit < 200 * step; limit += step) {
        reader.memory.limit = limit;
        const zt_result r = reader_read(data, size);
        cr_assert(r == ZT_OK || (r == ZT_ERR_LIMIT && reader.err.message[0]), "%d", (int)r);
        refused += r != ZT_OK;
        fitted += r == ZT_OK;
    }
    cr_expect(refused > 3 && fitted > 3, "%d, %d", refused, fitted);
    cancel_raise(&reader.memory.cancel);
    cr_expect_eq(reader_read(data, size), ZT_ERR_CANCELLED);
}

const model_mesh *mesh(void) { return &reader.model.meshes[0]; }

uint32_t vertex_at(float x, float y)
{
    for (uint32_t v = 0; v < mesh()->vertex_count; v++)
        if (mesh()->position[v].x == x && mesh()->position[v].y == y)
            return v;
    cr_assert(false, "no vertex at %g %g", (double)x, (double)y);
    return 0;
}
