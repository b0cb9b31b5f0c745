// SPDX-License-Identifier: MIT
// Checking and printing lists of pixel hashes.
#include "base/utf8.h"
#include "cli/compare.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"
#include "cli/picture_names.h"
#include "report/golden_file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096, LINE_SIZE = PATH_SIZE + 64 };

static zt_result print_hash(const options *o, const char *path, const char *name, zt_error *err)
{
    zt_image image = {0};
    if (strpbrk(name, "\r\n"))
        return usage_error(err, "%.400s: a name of several lines (expected one: lists have lines)",
                           path);
    const zt_result result =
        name == path ? zt_image_read(path, true, o->load.budget, &image, err)
                     : golden_read(path, names_root(o, o->inputs[0]), o->load.budget, &image, err);
    if (result == ZT_OK)
        printf("%016" PRIx64 "  %s\n", zt_image_hash(&image), name);
    zt_image_finish(&image);
    return result;
}

static int print_folder(const options *o, const char *folder)
{
    char path[PATH_SIZE];
    zt_error err = {0};
    name_list names;
    const zt_result result = names_read(folder, o->load.budget, &names, &err);
    int code = result == ZT_OK ? (int)ZT_OK : console_fail(result, err.message);
    for (size_t i = 0; result == ZT_OK && i < names.count; i++) {
        if (interrupt_raised()) {
            code = console_fail(ZT_ERR_CANCELLED, "");
            break;
        }
        snprintf(path, sizeof path, "%s/%s", folder, names.name[i]);
        const zt_result one = print_hash(o, path, names.name[i], &err);
        if (one != ZT_OK) {
            const int failed = console_fail(one, err.message);
            code = failed > code ? failed : code;
        }
    }
    names_finish(&names, o->load.budget);
    return code;
}

int hashes_print(const options *o)
{
    zt_error err = {0};
    struct stat status;
    if (o->input_count != 1 || o->json)
        return command_fail(o,
                            usage_error(&err,
                                        "--print-hashes with %d inputs%s (expected one "
                                        "folder or file, as text)",
                                        o->input_count, o->json ? " and --json" : ""),
                            err.message);
    if (stat(o->inputs[0], &status) == 0 && S_ISDIR(status.st_mode))
        return print_folder(o, o->inputs[0]);
    const zt_result result = print_hash(o, o->inputs[0], o->inputs[0], &err);
    return result == ZT_OK ? (int)ZT_OK : console_fail(result, err.message);
}

/// Cuts `HASH  NAME` in two; the second space may be `*` (sha256sum) or absent. False: neither.
static bool split_line(char *line, uint64_t *out_hash, const char **out_name)
{
    const size_t length = strcspn(line, " \t");
    if (line[length] == 0)
        return false;
    const char *name = line + length + 1;
    if (name[0] == '*' || name[0] == ' ')
        name++;
    if (name[0] == 0)
        return false;
    line[length] = 0;
    *out_name = name;
    return parse_hash(line, out_hash);
}

static zt_result check_picture(const options *o, comparison_list *list, uint64_t hash,
                               const char *name, zt_error *err)
{
    zt_image image = {0};
    zt_error fault = {0};
    comparison *item = comparison_list_add(list);
    if (!item)
        return comparison_list_refused(list, err);
    item->name = comparison_text(list, "%s", name);
    item->golden_path = o->hashes;
    const char *folder = o->input_count > 0 ? o->inputs[0] : ".";
    item->picture_path = name[0] == '/' && !o->load.confine_scene
                             ? item->name
                             : comparison_text(list, "%s/%s", folder, name);
    item->golden_hash = hash;
    if (!item->name || !item->picture_path) {
        list->count--; // nothing can be said of it
        return comparison_list_refused(list, err);
    }
    const zt_result result =
        golden_read(item->picture_path, names_root(o, folder), o->load.budget, &image, &fault);
    if (result == ZT_ERR_CANCELLED || result == ZT_ERR_MEMORY) {
        *err = fault;
        return result;
    }
    if (result != ZT_OK) {
        item->class = result == ZT_ERR_INPUT ? COMPARISON_MISSING : COMPARISON_ERROR;
        item->code = (int32_t)result;
        item->message = comparison_text(list, "%s", fault.message);
        return ZT_OK;
    }
    comparison_picture(item, &image);
    zt_image_finish(&image);
    const bool same = item->picture_hash == hash;
    item->class = same ? COMPARISON_PASSED : COMPARISON_CHANGED;
    item->code = same ? (int32_t)ZT_OK : (int32_t)ZT_ERR_DIFFERENT;
    item->rule = comparison_text(list, "hash %016" PRIx64 "%s", item->picture_hash,
                                 same ? "" : " is another one");
    return ZT_OK;
}

/// As sha256sum -c says it.
static void print_check(const options *o, const comparison *item)
{
    if (!o->json) {
        utf8_write_harmless(stdout, item->name);
        printf(": %s%s\n",
               item->class == COMPARISON_PASSED    ? "OK"
               : item->class == COMPARISON_CHANGED ? "FAILED"
                                                   : "FAILED open or read",
               item->blank ? " (blank: all pixels are equal)" : "");
    }
    if (item->message && item->class != COMPARISON_PASSED)
        (void)console_fail((zt_result)item->code, item->message);
}

static zt_result check_lines(const options *o, FILE *file, comparison_list *list, zt_error *err)
{
    char line[LINE_SIZE];
    const char *name = NULL;
    uint64_t hash = 0;
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "\r\n")] = 0;
        if (interrupt_raised())
            return ZT_ERR_CANCELLED;
        if (line[0] == 0 || line[0] == '#')
            continue;
        if (!split_line(line, &hash, &name))
            return zt_fail(err, ZT_ERR_FORMAT,
                           "%.400s:%d: '%.60s' (expected a pixel hash of 16 digits and a name)",
                           o->hashes, number, line);
        ZT_TRY(check_picture(o, list, hash, name, err));
        print_check(o, &list->items[list->count - 1]);
    }
    if (ferror(file))
        return zt_fail(err, ZT_ERR_INPUT, "%.400s: cannot read: %s", o->hashes, strerror(errno));
    return ZT_OK;
}

zt_result hashes_check(const options *o, comparison_list *list, zt_error *err)
{
    FILE *file = fopen(o->hashes, "r");
    if (!file)
        return zt_fail(err, errno == ENOMEM ? ZT_ERR_MEMORY : ZT_ERR_INPUT,
                       "%.400s: %s (expected a list of hashes)", o->hashes, strerror(errno));
    zt_result result = check_lines(o, file, list, err);
    fclose(file);
    if (result == ZT_OK && list->count == 0)
        result =
            zt_fail(err, ZT_ERR_FORMAT, "%.400s: no hash (expected lines HASH  NAME)", o->hashes);
    return result;
}
