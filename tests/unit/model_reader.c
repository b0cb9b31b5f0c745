// SPDX-License-Identifier: MIT
/// See model_reader.h.
#include "model_reader.h"

#include "testing.h"

void reader_begin(reader_case *c)
{
    memset(c, 0, sizeof *c);
    budget_init(&c->memory, (uint64_t)256 << 20, NULL);
    c->limits = *c->memory.limits;
    c->memory.limits = &c->limits;
}

void reader_finish(reader_case *c)
{
    arena_finish(&c->model.arena);
    arena_finish(&c->scratch);
}

static void count_warning(void *user, zt_severity severity, const char *text)
{
    reader_case *c = user;
    c->warnings += severity == ZT_WARNING;
    if (severity == ZT_WARNING)
        snprintf(c->last_warning, sizeof c->last_warning, "%s", text);
}

static bool open_other(void *user, const char *name, const void **out_bytes, size_t *out_size)
{
    const reader_case *c = user;
    if (!c->other || strcmp(name, c->other_name) != 0)
        return false;
    *out_bytes = c->other;
    *out_size = strlen(c->other);
    return true;
}

zt_result reader_read(reader_case *c, const model_format *format, const char *path,
                      const void *data, size_t size)
{
    reader_finish(c);
    c->model = (zt_model){0};
    c->err = (zt_error){ZT_OK, ""};
    c->warnings = 0;
    c->last_warning[0] = 0;
    arena_init(&c->model.arena, &c->memory);
    arena_init(&c->scratch, &c->memory);
    uint8_t *bytes = malloc(size + 1);
    memcpy(bytes, data, size);
    bytes[size] = 0;
    zt_load_def def = zt_default_load_def();
    def.open = open_other;
    def.open_user = c;
    file_supply supply = file_supply_of(&def, "");
    const model_source source = {.path = path,
                                 .supply = &supply,
                                 .bytes = {bytes, size},
                                 .at_origin = true,
                                 .up = c->up,
                                 .unit_um = c->unit_um,
                                 .package_picture = c->package_picture,
                                 .sink = {count_warning, c, false}};
    const zt_result r = format->read(&source, &c->model, &c->scratch, &c->err);
    file_supply_finish(&supply);
    free(bytes);
    cr_assert_eq(r == ZT_OK, c->err.code == ZT_OK, "%s", c->err.message);
    return r;
}
