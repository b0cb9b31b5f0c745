// SPDX-License-Identifier: MIT
// compare --merge: the result documents of several runs, as of shards, become the reports of one.
#include "cli/commands.h"
#include "cli/console.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const comparison *const *)a)->name, (*(const comparison *const *)b)->name);
}

/// Two results of one name would be two verdicts on one shot.
static zt_result check_names(const comparison_list *list, zt_error *err)
{
    zt_result result = ZT_OK;
    const comparison **items = calloc(list->count + 1, sizeof *items);
    if (!items)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for the names of shots");
    for (size_t i = 0; i < list->count; i++)
        items[i] = &list->items[i];
    qsort(items, list->count, sizeof *items, by_name);
    for (size_t i = 1; i < list->count && result == ZT_OK; i++)
        if (by_name(&items[i - 1], &items[i]) == 0)
            result = zt_fail(err, ZT_ERR_FORMAT,
                             "%.200s and %.200s: both have '%.200s' (expected each shot once)",
                             items[i - 1]->document, items[i]->document, items[i]->name);
    free(items);
    return result;
}

int command_merge(const options *o)
{
    zt_error err = {0};
    comparison_list list;
    report_def about = {0};
    int code = 0;
    comparison_list_init(&list, o->load.budget);
    zt_result result = ZT_OK;
    for (int i = 0; i < o->input_count && result == ZT_OK; i++)
        result = report_read_json(o->inputs[i], &list, &about, &code, &err);
    if (result == ZT_OK)
        result = check_names(&list, &err);
    code = result != ZT_OK
               ? command_fail(o, result, err.message)
               : test_finish(o, &list, about.title, console_clock() - about.seconds, code);
    comparison_list_finish(&list);
    return code;
}
