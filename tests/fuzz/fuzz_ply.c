// SPDX-License-Identifier: MIT
/// Feeds bytes to the PLY reader.
#include "fuzz_memory.h"
#include "model/model.h"
#include "ply/ply.h"

#include <stdlib.h>
#include <string.h>

void fuzz_input(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + 1);
    if (!bytes)
        return;
    if (size > 0)
        memcpy(bytes, data, size);
    bytes[size] = 0; // file_read promises a 0 after the last byte

    budget memory;
    arena scratch;
    zt_model model = {0};
    budget_init(&memory, (uint64_t)64 << 20, NULL);
    arena_init(&model.arena, &memory);
    arena_init(&scratch, &memory);
    const model_source source = {
        .path = "fuzz.ply", .bytes = {bytes, size}, .threads = 1, .at_origin = true};
    zt_error err = {0};
    const zt_result r = ply_format.read(&source, &model, &scratch, &err);
    fuzz_result(r);
    if ((r == ZT_OK) != (err.code == ZT_OK))
        abort(); // a failure without a message, or the other way round
    arena_finish(&scratch);
    arena_finish(&model.arena);
    free(bytes);
}
