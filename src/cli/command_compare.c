// SPDX-License-Identifier: MIT
/// compare: two pictures, the pictures of two folders by name, or pictures and a list of hashes.
#define _DEFAULT_SOURCE // lstat
#include "base/file.h"
#include "base/file_find.h"
#include "base/letter_form.h"
#include "base/picture_kind.h"
#include "cli/commands.h"
#include "cli/compare.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"
#include "cli/picture_names.h"
#include "cli/rendering.h"
#include "cli/reports.h"
#include "report/golden_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

/// One call of the command.
typedef struct comparing {
    const options *o;
    comparison_list list;
    zt_metrics_def how;
    zt_image mask; ///< of all pictures, or of the one at hand
    bool folders, mask_folder;
    bool *used; ///< by input: whether the name of --accept has matched
    int code;   ///< of what is no item's fault
    bool stop;  ///< nothing more is compared
    double start_s;
} comparing;

/// Remembers a failure; what ends the work stops it.
static void fail(comparing *c, zt_result result, const char *message)
{
    const int code = console_fail(result, message);
    c->code = code > c->code ? code : c->code;
    c->stop = c->stop || result == ZT_ERR_CANCELLED || result == ZT_ERR_MEMORY;
}

// ---- One picture --------------------------------------------------------------------------------

/// A folder of differences may have links to what is compared, and to masks.
static bool is_compared(const comparing *c, const comparison *item, const char *path)
{
    char mask[PATH_SIZE];
    const char *folder = c->mask_folder ? c->o->mask : NULL, *masks = c->o->mask;
    if (folder)
        masks = snprintf(mask, sizeof mask, "%s/%s", folder, item->name) < PATH_SIZE ? mask : NULL;
    return file_is_same(path, item->golden_path) || file_is_same(path, item->picture_path) ||
           (masks && file_is_same(path, masks));
}

static zt_result write_diff(comparing *c, comparison *item, zt_image *picture, const char *path,
                            zt_error *err)
{
    if (is_compared(c, item, path))
        return zt_fail(err, ZT_ERR_OUTPUT, "%.400s: is compared itself (expected --diff elsewhere)",
                       path);
    picture->cancel = interrupt_cancel();
    const size_t root = c->folders ? strlen(c->o->diff) : FILE_ANYWHERE;
    const zt_result result = golden_write(path, root, picture, err);
    if (result == ZT_OK)
        item->diff_path = comparison_text(&c->list, "%s", path);
    return result;
}

/// `input`: the folder or file of the command that the picture is of.
static zt_result read_picture(const comparing *c, int input, const char *path, zt_image *out,
                              zt_error *err)
{
    return c->folders ? golden_read(path, names_root(c->o, c->o->inputs[input]), c->o->load.budget,
                                    out, err)
                      : zt_image_read(path, true, c->o->load.budget, out, err);
}

/// The mask of a picture in a folder of masks; without one all of the picture counts.
static zt_result open_mask(comparing *c, comparison *item, zt_error *err)
{
    char path[PATH_SIZE];
    struct stat status;
    if (!c->mask_folder)
        return ZT_OK;
    zt_image_finish(&c->mask);
    c->how.mask = NULL;
    snprintf(path, sizeof path, "%s/%s", c->o->mask, item->name);
    if (stat(path, &status) != 0 && errno == ENOENT)
        return ZT_OK;
    item->mask_path = comparison_text(&c->list, "%s", path);
    c->how.mask = &c->mask;
    return golden_read(path, names_root(c->o, c->o->mask), c->o->load.budget, &c->mask, err);
}

/// Both pictures are there.
static zt_result compare_both(comparing *c, comparison *item, const char *diff_path, zt_error *err)
{
    const options *o = c->o;
    zt_image golden = {0}, picture = {0}, diff = {0};
    zt_result result = open_mask(c, item, err);
    if (result == ZT_OK)
        result = read_picture(c, 0, item->golden_path, &golden, err);
    if (result == ZT_OK)
        result = read_picture(c, 1, item->picture_path, &picture, err);
    golden.cancel = interrupt_cancel();
    if (result == ZT_OK)
        result = comparison_measure(&c->list, item, &o->criteria, &c->how, &golden, &picture,
                                    diff_path ? &diff : NULL, err);
    if (result == ZT_OK && diff.rgba8)
        result = write_diff(c, item, &diff, diff_path, err);
    zt_image_finish(&golden);
    zt_image_finish(&picture);
    zt_image_finish(&diff);
    return result;
}

/// Pictures of an earlier run must not be taken for those of this one.
static zt_result remove_old_diff(const comparing *c, const comparison *item, const char *path,
                                 zt_error *err)
{
    struct stat status;
    if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode) || is_compared(c, item, path) ||
        file_remove_below(path, c->folders ? strlen(c->o->diff) : FILE_ANYWHERE))
        return ZT_OK;
    return zt_fail(err, ZT_ERR_OUTPUT, "%.400s: cannot remove: %s", path, strerror(errno));
}

/// The golden is not there.
static zt_result look_at_new(comparing *c, comparison *item, zt_error *err)
{
    zt_image picture = {0};
    ZT_TRY(read_picture(c, 1, item->picture_path, &picture, err));
    comparison_picture(item, &picture);
    zt_image_finish(&picture);
    return ZT_OK;
}

/// Makes the picture the golden unless it is already.
static zt_result accept_picture(const comparing *c, comparison *item, zt_error *err)
{
    if (item->class == COMPARISON_MISSING || item->class == COMPARISON_ERROR ||
        item->golden_hash == item->picture_hash)
        return ZT_OK;
    const picture_kind *kind = picture_kind_of_file(item->picture_path);
    const picture_kind *named = picture_kind_named(item->golden_path);
    if (kind->name && named && kind != named)
        return usage_error(err, "--accept of %.200s by %.200s, a %s file (expected one format)",
                           item->golden_path, item->picture_path, kind->name);
    const size_t root = c->folders ? strlen(c->o->inputs[0]) : FILE_ANYWHERE;
    ZT_TRY(golden_replace(item->golden_path, root, item->picture_path, interrupt_cancel(), err));
    item->class = COMPARISON_PASSED;
    item->code = (int32_t)ZT_OK;
    item->measured = false;
    item->message = item->rule = "accepted";
    return ZT_OK;
}

/// An item with its names; NULL: no memory, which is reported.
static comparison *add_item(comparing *c, const char *name, const char *golden_path,
                            const char *picture_path)
{
    comparison *item = comparison_list_add(&c->list);
    if (item) {
        item->name = comparison_text(&c->list, "%s", name);
        item->golden_path = comparison_text(&c->list, "%s", golden_path);
        item->picture_path = comparison_text(&c->list, "%s", picture_path);
    }
    if (item && item->name && item->golden_path && item->picture_path)
        return item;
    c->list.count -= item != NULL; // nothing can be said of it
    zt_error err = {0};
    const zt_result result = comparison_list_refused(&c->list, &err);
    fail(c, result, err.message);
    c->stop = true;
    return NULL;
}

static void warn_item(const comparing *c, const comparison *item)
{
    if (item->blank)
        console_say(c->o, ZT_WARNING, "%.400s is blank: all its pixels are equal",
                    item->picture_path);
    else if (item->measured && item->metrics.compared == 0)
        console_say(c->o, ZT_WARNING, "%.400s is left out as a whole: no pixel is compared",
                    item->picture_path);
}

/// Reports what became of an item.
static void finish_item(comparing *c, comparison *item, zt_result result, const char *message)
{
    if (result == ZT_OK) {
        if (!c->o->json)
            compare_print_line(item);
        warn_item(c, item);
        return;
    }
    fail(c, result, message);
    if (result == ZT_ERR_CANCELLED) {
        c->list.count--; // nothing was found out about it
        return;
    }
    item->class = COMPARISON_ERROR;
    item->measured = false;
    item->message = comparison_text(&c->list, "%s", message);
    item->code = (int32_t)result;
}

/// Compares, accepts and prints one item. `has_golden` and `has_picture` say which files there are.
static void compare_item(comparing *c, const char *name, const char *golden_path,
                         const char *picture_path, bool has_golden, bool has_picture,
                         const char *diff_path)
{
    zt_error err = {0}, unsaid;
    char other[FILE_PATH_SIZE];
    const double start_s = console_clock();
    comparison *item = add_item(c, name, golden_path, picture_path);
    if (!item)
        return;
    zt_result result = ZT_OK;
    item->class = has_picture ? COMPARISON_NEW : COMPARISON_MISSING;
    item->code = (int32_t)ZT_ERR_DIFFERENT;
    if (has_golden && has_picture)
        result = compare_both(c, item, diff_path, &err);
    else if (has_picture)
        result = look_at_new(c, item, &err);
    if (c->folders && has_golden != has_picture &&
        file_form(has_golden ? picture_path : golden_path, strlen(c->o->inputs[has_golden]),
                  other) == other)
        item->message = comparison_text(&c->list, "only in the %s folder; " LETTERS_DIFFER,
                                        has_golden ? "first" : "second", other);
    if (diff_path && !item->diff_path && result != ZT_ERR_CANCELLED) {
        const zt_result removed =
            remove_old_diff(c, item, diff_path, result == ZT_OK ? &err : &unsaid);
        result = result == ZT_OK ? removed : result;
    }
    if (result == ZT_OK && c->o->accept)
        result = accept_picture(c, item, &err);
    if (result == ZT_OK && item->class != COMPARISON_PASSED && item->class != COMPARISON_MISSING)
        item->accept_command = accept_command(&c->list, c->o, c->folders ? name : NULL);
    item->seconds = console_clock() - start_s;
    finish_item(c, item, result, err.message);
}

// ---- Folders ------------------------------------------------------------------------------------

/// Differences are PNG files: that of a.jpg is a.jpg.png, and that of a.jpg.png another one.
static const char *diff_suffix(const char *name)
{
    char stem[PATH_SIZE];
    snprintf(stem, sizeof stem, "%.*s", (int)path_stem_length(name), name);
    return has_suffix(name, ".png") && !picture_kind_named(stem) ? "" : ".png";
}

static void compare_name(comparing *c, const char *name, bool in_a, bool in_b)
{
    const options *o = c->o;
    char a[PATH_SIZE], b[PATH_SIZE], diff[PATH_SIZE];
    if (o->accept && !accept_names(o, name, in_a, c->used))
        return;
    if (snprintf(a, sizeof a, "%s/%s", o->inputs[0], name) < (int)sizeof a &&
        snprintf(b, sizeof b, "%s/%s", o->inputs[1], name) < (int)sizeof b &&
        snprintf(diff, sizeof diff, "%s/%s%s", o->diff ? o->diff : "", name, diff_suffix(name)) <
            (int)sizeof diff)
        compare_item(c, name, a, b, in_a, in_b, o->diff ? diff : NULL);
    else
        fail(c, ZT_ERR_INPUT, "a path is too long (expected below 4096 bytes)");
}

static void check_names_used(comparing *c)
{
    char text[512];
    if (!c->o->accept)
        return;
    for (int i = 2; !c->stop && i < c->o->input_count; i++) {
        if (c->used[i] || strcmp(c->o->inputs[i], "missing") == 0)
            continue;
        snprintf(text, sizeof text,
                 "--accept %.200s: no such picture (expected a name below %.200s)", c->o->inputs[i],
                 c->o->inputs[1]);
        fail(c, ZT_ERR_INPUT, text);
    }
}

/// The length of the part of a listed name that is the folder of --diff; 0: none. `out_name`: it.
static size_t diff_below(const comparing *c, const char *folder, const name_list *list,
                         const char **out_name)
{
    char path[PATH_SIZE];
    const char *last = "";
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->name[i];
        for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
            const size_t length = (size_t)(slash - name) + 1;
            *out_name = name;
            if (strncmp(name, last, length) != 0 && // names are sorted: one look at each folder
                snprintf(path, sizeof path, "%s/%.*s", folder, (int)length, name) < PATH_SIZE &&
                file_is_same(path, c->o->diff))
                return length;
        }
        last = name;
    }
    return 0;
}

/// Refuses a folder of differences in which pictures of `list` have the names of differences.
static zt_result check_diff(const comparing *c, const char *folder, const name_list *list,
                            const name_list pictures[2], zt_error *err)
{
    char path[PATH_SIZE];
    const char *name;
    const size_t length = c->o->diff ? diff_below(c, folder, list, &name) : 0;
    if (length == 0)
        return ZT_OK;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < pictures[k].count; i++)
            if (snprintf(path, sizeof path, "%.*s%s%s", (int)length, name, pictures[k].name[i],
                         diff_suffix(pictures[k].name[i])) < PATH_SIZE &&
                names_has(list, path))
                return usage_error(err,
                                   "--diff would replace %.200s/%.200s (expected another folder)",
                                   folder, path);
    return ZT_OK;
}

/// A mask of no picture is probably misspelt.
static zt_result check_masks(const comparing *c, const name_list pictures[2], zt_error *err)
{
    name_list masks = {0};
    zt_result result = names_read(c->o->mask, c->o->load.budget, &masks, err);
    if (result == ZT_OK)
        result = check_diff(c, c->o->mask, &masks, pictures, err);
    for (size_t i = 0; result == ZT_OK && i < masks.count; i++) {
        if (names_has(&pictures[0], masks.name[i]) || names_has(&pictures[1], masks.name[i]))
            continue;
        console_say(c->o, ZT_WARNING,
                    "%.200s/%.200s is the mask of no picture (expected a name below %.200s)",
                    c->o->mask, masks.name[i], c->o->inputs[0]);
    }
    names_finish(&masks, c->o->load.budget);
    return result;
}

/// Reads the names, and checks them before anything is written.
static zt_result read_folders(const comparing *c, name_list pictures[2], zt_error *err)
{
    const options *o = c->o;
    for (int k = 0; k < 2; k++)
        ZT_TRY(names_read(o->inputs[k], o->load.budget, &pictures[k], err));
    if (pictures[0].count + pictures[1].count == 0)
        return zt_fail(err, ZT_ERR_INPUT,
                       "%.200s and %.200s hold no pictures (expected files to compare)",
                       o->inputs[0], o->inputs[1]);
    for (int k = 0; k < 2; k++)
        ZT_TRY(check_diff(c, o->inputs[k], &pictures[k], pictures, err));
    return c->mask_folder ? check_masks(c, pictures, err) : ZT_OK;
}

/// Walks both lists, which are sorted, side by side.
static void compare_names(comparing *c, const name_list *a, const name_list *b)
{
    size_t i = 0, k = 0;
    while (!c->stop && (i < a->count || k < b->count)) {
        if (interrupt_raised()) {
            fail(c, ZT_ERR_CANCELLED, "");
            break;
        }
        const bool in_a = k == b->count || (i < a->count && strcmp(a->name[i], b->name[k]) <= 0);
        const bool in_b = i == a->count || (k < b->count && strcmp(a->name[i], b->name[k]) >= 0);
        compare_name(c, in_a ? a->name[i] : b->name[k], in_a, in_b);
        i += in_a;
        k += in_b;
    }
    check_names_used(c);
}

static void compare_folders(comparing *c)
{
    const options *o = c->o;
    zt_error err = {0};
    name_list pictures[2] = {0};
    const zt_result result = read_folders(c, pictures, &err);
    if (result != ZT_OK)
        fail(c, result, err.message);
    if (o->diff)
        interrupt_folder(o->diff, NAMES_DEPTH_MAX);
    if (o->accept)
        interrupt_folder(o->inputs[0], NAMES_DEPTH_MAX);
    if (result == ZT_OK)
        compare_names(c, &pictures[0], &pictures[1]);
    names_finish(&pictures[0], o->load.budget);
    names_finish(&pictures[1], o->load.budget);
}

// ---- The command --------------------------------------------------------------------------------

/// Which of two inputs is missing while the other is a folder; NULL: none.
static const char *missing_with_folder(const char *a, const char *b)
{
    struct stat status;
    if (is_folder(a) && stat(b, &status) != 0)
        return b;
    return is_folder(b) && stat(a, &status) != 0 ? a : NULL;
}

/// Hashes and result documents have nothing that could be measured or shown.
static zt_result check_alone(const options *o, const char *flag, zt_error *err)
{
    const bool measured = comparison_criteria_given(&o->criteria);
    if (measured || o->mask || o->ignored.count > 0 || o->diff || o->accept)
        return usage_error(err, "%s with %s (expected it alone: nothing is measured)", flag,
                           measured    ? "criteria"
                           : o->diff   ? "--diff"
                           : o->accept ? "--accept"
                                       : "a mask");
    return ZT_OK;
}

static zt_result check_inputs(const options *o, zt_error *err)
{
    if (o->merge && (o->hashes || o->input_count < 1))
        return usage_error(err, "--merge without inputs, or with --hashes (expected documents)");
    if (o->hashes && o->input_count > 1)
        return usage_error(err, "--hashes with %d inputs (expected a folder)", o->input_count);
    if (o->hashes || o->merge)
        return check_alone(o, o->merge ? "--merge" : "--hashes", err);
    if (o->input_count < 2 || (o->input_count > 2 && !o->accept))
        return usage_error(err, "compare with %d input%s (expected two)", o->input_count,
                           o->input_count == 1 ? "" : "s");
    const char *a = o->inputs[0], *b = o->inputs[1];
    const char *missing = missing_with_folder(a, b);
    if (missing)
        return zt_fail(err, ZT_ERR_INPUT, "%.400s: %s (expected a folder, as %.400s is)", missing,
                       strerror(errno), missing == a ? b : a);
    if (is_folder(a) != is_folder(b))
        return usage_error(err, "%.400s is a folder and %.400s is a file (expected two of a kind)",
                           is_folder(a) ? a : b, is_folder(a) ? b : a);
    if (o->diff && (file_is_same(o->diff, a) || file_is_same(o->diff, b)))
        return usage_error(err, "--diff %.200s is compared itself (expected another path)",
                           o->diff);
    if (o->diff && o->mask && (strcmp(o->diff, o->mask) == 0 || file_is_same(o->diff, o->mask)))
        return usage_error(err, "--diff and --mask are both '%.200s' (expected two paths)",
                           o->diff);
    if (o->mask && is_folder(o->mask) && !is_folder(a))
        return usage_error(err, "a folder of masks with two files (expected one mask)");
    if (o->accept && (strcmp(a, "-") == 0 || strcmp(b, "-") == 0))
        return usage_error(err, "--accept with standard input (expected files)");
    if (o->accept && is_folder(a) != (o->input_count > 2))
        return usage_error(err, is_folder(a)
                                    ? "--accept without names (expected those of pictures, or '*')"
                                    : "--accept with names of two files (expected none)");
    return ZT_OK;
}

static zt_result prepare(comparing *c, zt_error *err)
{
    const options *o = c->o;
    comparison_list_init(&c->list, o->load.budget);
    c->how = zt_default_metrics_def();
    c->how.ignored = o->ignored.at;
    c->how.ignored_count = o->ignored.count;
    c->how.flip = c->how.flip_diff = o->flip_diff;
    c->used = calloc((size_t)o->input_count + 1, sizeof *c->used);
    if (!c->used)
        return ZT_ERR_MEMORY;
    c->mask_folder = o->mask && is_folder(o->mask);
    if (!o->mask || c->mask_folder)
        return ZT_OK;
    const zt_result result = zt_image_read(o->mask, true, o->load.budget, &c->mask, err);
    c->how.mask = &c->mask;
    return result;
}

static void compare(comparing *c)
{
    const options *o = c->o;
    zt_error err = {0};
    c->folders = o->hashes || is_folder(o->inputs[0]);
    if (o->hashes) {
        const zt_result result = hashes_check(o, &c->list, &err);
        if (result != ZT_OK)
            fail(c, result, err.message);
        c->stop = result != ZT_OK; // the rest of the list is not known
    } else if (c->folders) {
        compare_folders(c);
    } else {
        if (o->diff)
            interrupt_output(o->diff, 0);
        if (o->accept)
            interrupt_output(o->inputs[0], 0);
        struct stat status;
        // A golden that is not there is new; a picture that is not there is an error.
        const bool has_golden = stat(o->inputs[0], &status) == 0 || !o->accept;
        compare_item(c, o->inputs[1], o->inputs[0], o->inputs[1], has_golden, true, o->diff);
    }
}

static void write_reports(comparing *c)
{
    char title[512];
    zt_error err = {0};
    report_about about;
    if (!c->o->html && !c->o->junit && !c->o->markdown)
        return;
    snprintf(title, sizeof title, "%.250s", c->o->hashes ? c->o->hashes : c->o->inputs[0]);
    report_def def = reports_describe(c->o, &c->list, title, c->start_s, &about);
    zt_metrics_def how = c->how;
    comparison_metrics_def(&c->o->criteria, &how);
    how.mask = c->mask_folder ? NULL : how.mask; // the items have theirs
    def.how = &how;
    const zt_result result = reports_save(c->o, &def, &err);
    if (result != ZT_OK)
        fail(c, result, err.message);
}

/// Reports and the last line, which are of whole lists alone, and the document.
static int finish(comparing *c)
{
    char text[256];
    if (!c->stop)
        write_reports(c);
    int code = comparison_list_code(&c->list);
    code = c->code > code ? c->code : code;
    if (c->o->json) {
        compare_print_document(c->o, &c->list, code);
    } else if (c->folders && c->list.count > 0 && !c->stop) {
        comparison_summary(&c->list, text, sizeof text);
        printf("%s\n", text);
    }
    return code;
}

int command_compare(const options *o)
{
    zt_error err = {0};
    if (o->print_hashes)
        return hashes_print(o);
    zt_result result = check_inputs(o, &err);
    if (result == ZT_OK)
        result = reports_check(o, &err);
    if (result != ZT_OK)
        return command_fail(o, result, err.message);
    if (o->merge)
        return command_merge(o);
    comparing c = {.o = o, .start_s = console_clock()};
    int code = 0;
    result = prepare(&c, &err);
    if (result == ZT_OK) {
        compare(&c);
        code = finish(&c);
    } else {
        code = command_fail(o, result, err.message);
    }
    zt_image_finish(&c.mask);
    comparison_list_finish(&c.list);
    free(c.used);
    return code;
}
