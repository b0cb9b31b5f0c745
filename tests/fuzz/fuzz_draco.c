// SPDX-License-Identifier: MIT
/// Fuzz target: bytes as a Draco stream: an error, or a mesh whose triangles name its vertices.

#include "fuzz_memory.h"
#include "mesh/draco_stream.h"

/// Takes from what is left of a budget.
static bool charge(void *user, uint64_t bytes)
{
    uint64_t *left = user;
    if (bytes > *left)
        return false;
    *left -= bytes;
    return true;
}

void fuzz_input(const uint8_t *data, size_t size)
{
    enum { IDS = 8 };
    uint64_t left = (uint64_t)64 << 20;
    const draco_limits limits = {1 << 20, 1 << 20, charge, &left};
    draco_stream *stream = NULL;
    const draco_status r = draco_stream_open(data, size, &limits, &stream);
    fuzz_result(r == DRACO_NO_MEMORY ? ZT_ERR_MEMORY : (zt_result)r);
    if (r != DRACO_DONE) {
        require(stream == NULL);
        return;
    }
    const size_t faces = draco_stream_faces(stream), points = draco_stream_points(stream);
    require(faces <= limits.faces && points <= limits.points);
    uint32_t *corner = malloc((3 * faces + 1) * sizeof *corner);
    int32_t *value = malloc((points * DRACO_COMPONENTS + 1) * sizeof *value);
    if (corner && value) {
        draco_stream_corners(stream, corner);
        for (uint32_t id = 0; id < IDS; id++) {
            draco_attribute a;
            if (draco_stream_attribute(stream, id, &a) != DRACO_DONE)
                continue;
            require(a.components >= 1 && a.components <= DRACO_COMPONENTS && a.bits <= 30);
            draco_stream_integers(stream, id, value);
            draco_stream_floats(stream, id, (float *)(void *)value);
        }
    }
    free(corner);
    free(value);
    draco_stream_close(stream);
}
