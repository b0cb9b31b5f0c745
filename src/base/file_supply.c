// SPDX-License-Identifier: MIT
/// See file_supply.h. Bytes are copied: readers need a 0 after them; the caller may reuse its own.
#include "base/file_supply.h"

#include "base/path.h"

#include <inttypes.h>
#include <string.h>

file_supply file_supply_of(const zt_load_def *def, const char *folder)
{
    return (file_supply){def->open, def->open_user, folder, PTHREAD_MUTEX_INITIALIZER};
}

void file_supply_finish(file_supply *supply) { pthread_mutex_destroy(&supply->lock); }

zt_result file_copy(arena *a, const char *path, const void *bytes, size_t size,
                    file_bytes *out_bytes, zt_error *err)
{
    *out_bytes = (file_bytes){NULL, 0};
    if (size > a->budget->limits->file_bytes)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: larger than the limit of %" PRIu64 " bytes", path,
                       a->budget->limits->file_bytes);
    uint8_t *data;
    ZT_TRY(ARENA_TAKE_RAW(a, &data, size + 1, path, err));
    if (size > 0)
        memcpy(data, bytes, size);
    data[size] = 0;
    *out_bytes = (file_bytes){data, size};
    return ZT_OK;
}

/// True when a name stays inside and is not that of a folder: callers may join it to a path.
static bool names_file(const char *name)
{
    const char *last = path_name(name);
    return path_stays_inside(name) && *last && strcmp(last, ".") != 0 && strcmp(last, "..") != 0;
}

zt_result file_supply_read(file_supply *supply, arena *a, const char *name, file_bytes *out_bytes,
                           zt_error *err)
{
    *out_bytes = (file_bytes){NULL, 0};
    name = path_join(a, supply->folder, name);
    if (!name)
        return arena_fail(a, err, "a file name");
    if (!names_file(name))
        return zt_fail(err, ZT_ERR_INPUT, "%s: is no file in the folder (expected one)", name);
    if (!supply->open)
        return zt_fail(err, ZT_ERR_INPUT,
                       "%s: not found: what names it came from memory (expected zt_load_def.open "
                       "to give it)",
                       name);
    const void *bytes = NULL;
    size_t size = 0;
    pthread_mutex_lock(&supply->lock);
    const bool found = supply->open(supply->user, name, &bytes, &size) && (bytes || size == 0);
    const zt_result result = found ? file_copy(a, name, bytes, size, out_bytes, err) : ZT_ERR_INPUT;
    pthread_mutex_unlock(&supply->lock);
    budget_read(a->budget, out_bytes->size);
    return found ? result : zt_fail(err, ZT_ERR_INPUT, "%s: not found among the inputs", name);
}
