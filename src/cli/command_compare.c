// SPDX-License-Identifier: MIT
/// compare: two PNG files, or the PNG files of two folders by name.
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096, NAMES_MAX = 1000000 };

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// ---- One pair -----------------------------------------------------------------------------------

static bool passes(const options *o, const zt_difference *d)
{
    const bool has_mean = !isnan(o->mean);
    if (has_mean && d->mean > o->mean)
        return false;
    // Without limits only equal pictures pass; --mean alone does not limit the largest difference.
    const int64_t max = o->max_diff >= 0 ? o->max_diff : has_mean ? 255 : 0;
    return d->max <= max;
}

static void print_pair(const options *o, const char *a, const char *b, const zt_difference *d,
                       bool same, bool first)
{
    if (o->json) {
        printf("%s{\"a\":", first ? "" : ",");
        print_json_text(stdout, a);
        printf(",\"b\":");
        print_json_text(stdout, b);
        printf(",\"pass\":%s,\"pixels\":%" PRId64 ",\"max\":%d,\"mean\":%.9g,\"first\":[%d,%d]}",
               same ? "true" : "false", d->pixels, (int)d->max, d->mean, (int)d->first_x,
               (int)d->first_y);
    } else if (d->pixels == 0) {
        printf("%s %s: equal\n", a, b);
    } else {
        printf("%s %s: %" PRId64 " pixels differ by up to %d, mean %.6g, first at (%d, %d)%s\n", a,
               b, d->pixels, (int)d->max, d->mean, (int)d->first_x, (int)d->first_y,
               same ? ", within the limits" : "");
    }
}

static void print_problem(const options *o, const char *a, const char *b, const char *message,
                          bool first)
{
    if (!o->json) {
        printf("%s %s: %s\n", a, b, message);
        return;
    }
    printf("%s{\"a\":", first ? "" : ",");
    print_json_text(stdout, a);
    printf(",\"b\":");
    print_json_text(stdout, b);
    printf(",\"pass\":false,\"problem\":");
    print_json_text(stdout, message);
    printf("}");
}

static int compare_pair(const options *o, const char *a, const char *b, const char *diff_path,
                        bool first)
{
    zt_error err = {0};
    zt_image left = {0}, right = {0}, picture = {0};
    zt_difference difference = {0};
    int code = (int)ZT_OK;
    zt_result result = zt_png_read_within(a, o->load.budget, &left, &err);
    if (result == ZT_OK)
        result = zt_png_read_within(b, o->load.budget, &right, &err);
    if (result == ZT_OK) {
        result = zt_image_compare(&left, &right, &difference, diff_path ? &picture : NULL, &err);
        if (result == ZT_ERR_DIFFERENT &&
            (left.width != right.width || left.height != right.height)) {
            char text[sizeof err.message + 64];
            snprintf(text, sizeof text, "%s%s", err.message,
                     diff_path ? "; no picture of the differences is written" : "");
            print_problem(o, a, b, text, first);
            code = (int)ZT_ERR_DIFFERENT;
            result = ZT_OK;
        } else if (result == ZT_OK) {
            const bool same = passes(o, &difference);
            print_pair(o, a, b, &difference, same, first);
            code = same ? (int)ZT_OK : (int)ZT_ERR_DIFFERENT;
        }
    }
    if (result == ZT_OK && picture.rgba8 && difference.pixels > 0) {
        interrupt_output(diff_path);
        picture.cancel = interrupt_cancel();
        result = zt_png_write(diff_path, &picture, ZT_PNG_FAST, &err);
    }
    zt_image_finish(&left);
    zt_image_finish(&right);
    zt_image_finish(&picture);
    return result == ZT_OK ? code : console_fail(result, err.message);
}

// ---- Folders ------------------------------------------------------------------------------------

typedef struct name_list {
    char **name;
    size_t count;
    uint64_t charged; ///< to the budget
} name_list;

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_png(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".png") == 0;
}

static void names_finish(name_list *list, zt_budget *budget)
{
    zt_budget_give(budget, list->charged);
    for (size_t i = 0; i < list->count; i++)
        free(list->name[i]);
    free(list->name);
    *list = (name_list){0};
}

/// Counts `bytes` for the list, and as many again for what the allocator adds to a name.
static bool names_charge(name_list *list, zt_budget *budget, size_t bytes)
{
    const uint64_t charge = 2 * (uint64_t)bytes;
    if (!zt_budget_take(budget, charge))
        return false;
    list->charged += charge;
    return true;
}

static zt_result names_add(name_list *out, zt_budget *budget, size_t *capacity, const char *name)
{
    if (out->count == NAMES_MAX || !names_charge(out, budget, strlen(name) + 1 + sizeof(char *)))
        return ZT_ERR_LIMIT;
    if (out->count == *capacity) {
        *capacity = *capacity ? *capacity * 2 : 64;
        char **grown = realloc(out->name, *capacity * sizeof *grown);
        if (!grown)
            return ZT_ERR_MEMORY;
        out->name = grown;
    }
    char *copy = strdup(name);
    if (!copy)
        return ZT_ERR_MEMORY;
    out->name[out->count++] = copy;
    return ZT_OK;
}

static zt_result names_read(const char *folder, zt_budget *budget, name_list *out, zt_error *err)
{
    DIR *directory = opendir(folder);
    if (!directory) {
        snprintf(err->message, sizeof err->message, "%.400s: %s (expected a folder)", folder,
                 strerror(errno));
        return ZT_ERR_INPUT;
    }
    zt_result result = ZT_OK;
    size_t capacity = 0;
    for (struct dirent *entry; result == ZT_OK && (entry = readdir(directory)) != NULL;) {
        if (!is_png(entry->d_name))
            continue;
        result = names_add(out, budget, &capacity, entry->d_name);
    }
    closedir(directory);
    if (result != ZT_OK)
        snprintf(err->message, sizeof err->message, "%.400s: %s for its names", folder,
                 result == ZT_ERR_LIMIT ? "the memory limit does not suffice" : "no memory");
    else if (out->count > 0)
        qsort(out->name, out->count, sizeof *out->name, compare_names); // names are unique
    return result;
}

static int compare_name(const options *o, const char *name, bool in_a, bool in_b, bool first)
{
    char a[PATH_SIZE], b[PATH_SIZE], diff[PATH_SIZE];
    snprintf(a, sizeof a, "%s/%s", o->inputs[0], name);
    snprintf(b, sizeof b, "%s/%s", o->inputs[1], name);
    snprintf(diff, sizeof diff, "%s/%s", o->diff ? o->diff : "", name);
    if (in_a && in_b)
        return compare_pair(o, a, b, o->diff ? diff : NULL, first);
    print_problem(o, a, b, in_a ? "only in the first folder" : "only in the second folder", first);
    return (int)ZT_ERR_DIFFERENT;
}

static int compare_folders(const options *o)
{
    zt_error err = {0};
    name_list a = {0}, b = {0};
    zt_result result = names_read(o->inputs[0], o->load.budget, &a, &err);
    if (result == ZT_OK)
        result = names_read(o->inputs[1], o->load.budget, &b, &err);
    if (result == ZT_OK && a.count + b.count == 0) {
        snprintf(err.message, sizeof err.message,
                 "%.200s and %.200s hold no .png files (expected pictures to compare)",
                 o->inputs[0], o->inputs[1]);
        result = ZT_ERR_INPUT;
    }
    int code = result == ZT_OK ? (int)ZT_OK : console_fail(result, err.message);
    for (size_t i = 0, k = 0, n = 0; result == ZT_OK && (i < a.count || k < b.count); n++) {
        if (interrupt_raised()) {
            code = console_fail(ZT_ERR_CANCELLED, "");
            break;
        }
        const int order = i == a.count ? 1 : k == b.count ? -1 : strcmp(a.name[i], b.name[k]);
        const int one =
            compare_name(o, order <= 0 ? a.name[i] : b.name[k], order <= 0, order >= 0, n == 0);
        code = one > code ? one : code;
        i += order <= 0;
        k += order >= 0;
    }
    names_finish(&a, o->load.budget);
    names_finish(&b, o->load.budget);
    return code;
}

int command_compare(const options *o)
{
    zt_error err = {0};
    if (o->input_count != 2)
        return command_fail(
            o, usage_error(&err, "compare with %d inputs (expected two)", o->input_count),
            err.message);
    const bool folder_a = is_folder(o->inputs[0]), folder_b = is_folder(o->inputs[1]);
    if (folder_a != folder_b)
        return command_fail(o, usage_error(&err, "a file and a folder (expected two of a kind)"),
                            err.message);
    if (o->json) {
        document_begin(o);
        printf(",\"pairs\":[");
    }
    const int code =
        folder_a ? compare_folders(o) : compare_pair(o, o->inputs[0], o->inputs[1], o->diff, true);
    if (o->json)
        printf("],\"code\":%d}\n", code);
    return code;
}
