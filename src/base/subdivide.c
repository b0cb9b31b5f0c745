// SPDX-License-Identifier: MIT
#include "base/subdivide.h"

#include <string.h>

zt_result subdivide(uint32_t last, interval_cut *cut, void *user, bool *keyed, arena *a,
                    zt_error *err)
{
    memset(keyed, 0, ((size_t)last + 1) * sizeof *keyed);
    keyed[0] = keyed[last] = true;
    for (uint32_t from = 0, to = last; from < last;) {
        uint32_t at = from;
        if (to - from > 1) {
            ZT_TRY(arena_go_on(a, "keys", err));
            ZT_TRY(cut(user, from, to, &at));
        }
        if (at > from) {
            keyed[at] = true;
            to = at;
        } else {
            from = to++;
            while (to < last && !keyed[to])
                to++;
        }
    }
    return ZT_OK;
}
