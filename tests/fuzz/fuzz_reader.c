// SPDX-License-Identifier: MIT
#include "fuzz_reader.h"

#include "fuzz_memory.h"
#include "fuzz_work.h"
#include "model/model.h"

typedef struct same_bytes {
    const uint8_t *bytes;
    size_t size;
} same_bytes;

static bool open_same(void *user, const char *name, const void **out_bytes, size_t *out_size)
{
    const same_bytes *same = user;
    *out_bytes = same->bytes;
    *out_size = same->size;
    return name[0] != 0;
}

void fuzz_reader(const fuzz_reading *how, const uint8_t *data, size_t size)
{
    uint8_t *bytes = fuzz_copy(data, size);
    if (!bytes)
        return;
    budget memory;
    arena scratch;
    zt_model model = {0};
    budget_init(&memory, (uint64_t)64 << 20, NULL);
    zt_limits limits = *memory.limits;
    limits.texture_side = FUZZ_TEXTURE_SIDE;
    memory.limits = &limits;
    budget_read(&memory, size);
    arena_init(&model.arena, &memory);
    arena_init(&scratch, &memory);
    same_bytes same = {bytes, size};
    zt_load_def def = zt_default_load_def();
    def.open = open_same;
    def.open_user = &same;
    file_supply supply = file_supply_of(&def, "");
    const model_source source = {.path = how->path,
                                 .bytes = {bytes, size},
                                 .supply = how->same_files ? &supply : NULL,
                                 .package_picture = true,
                                 .first_person = size % 2 == 1,
                                 .at_origin = size % 4 < 2};
    zt_error err = {0};
    const zt_result read = how->format->read(&source, &model, &scratch, &err);
    const zt_result r = read == ZT_OK ? model_lay_out_motion(&model, &scratch, &err) : read;
    fuzz_result(r);
    require(fuzz_work_fits(&memory, FUZZ_SPARE_BYTES));
    require((r == ZT_OK) == (err.code == ZT_OK)); // a failure has its message
    if (how->check && r == read)                  // what lays out poses does not know the file
        how->check(r == ZT_OK ? &model : NULL, &err);
    file_supply_finish(&supply);
    arena_finish(&scratch);
    arena_finish(&model.arena);
    free(bytes);
}
