// SPDX-License-Identifier: MIT
#include "base/subdivide.h"

zt_result subdivide(uint32_t last, interval_cut *cut, void *user, uint32_t *keys,
                    uint32_t *out_count, arena *a, zt_error *err)
{
    uint32_t count = 1, next = last; // keys[next] to keys[last]: ends to come, the nearest first
    keys[last] = last;
    keys[0] = 0;
    while (keys[count - 1] < last) {
        const uint32_t from = keys[count - 1], to = keys[next];
        uint32_t at = from;
        if (to - from > 1) {
            ZT_TRY(arena_go_on(a, "keys", err));
            ZT_TRY(cut(user, from, to, &at));
        }
        if (at > from) {
            keys[--next] = at;
        } else {
            keys[count++] = to;
            next++;
        }
    }
    *out_count = count;
    return ZT_OK;
}
