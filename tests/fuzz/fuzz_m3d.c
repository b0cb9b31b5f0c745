// SPDX-License-Identifier: MIT
/// Feeds bytes to the .m3d reader; files that look like nothing get the header's title first.
#include "fuzz_memory.h"
#include "m3d/m3d.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

void fuzz_input(const uint8_t *data, size_t size)
{
    static const char title[] = "***m3d-File-Header***\n";
    const size_t before = size > 0 && data[0] == '*' ? 0 : sizeof title - 1;
    uint8_t *bytes = malloc(before + size + 1);
    if (!bytes)
        return;
    memcpy(bytes, title, before);
    if (size > 0)
        memcpy(bytes + before, data, size);
    bytes[before + size] = 0; // file_read promises a 0 after the last byte

    budget memory;
    arena scratch;
    zt_model model = {0};
    budget_init(&memory, (uint64_t)64 << 20, NULL);
    arena_init(&model.arena, &memory);
    arena_init(&scratch, &memory);
    const model_source source = {.path = "fuzz.m3d", .bytes = {bytes, before + size}};
    zt_error err = {0};
    const zt_result r = m3d_read(&source, &model, &scratch, &err);
    fuzz_result(r);
    if ((r == ZT_OK) != (err.code == ZT_OK))
        abort(); // a failure without a message, or the other way round
    arena_finish(&scratch);
    arena_finish(&model.arena);
    free(bytes);
}
