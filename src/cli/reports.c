// SPDX-License-Identifier: MIT
#include "cli/reports.h"

#include "base/file.h"
#include "base/model_names.h"
#include "base/picture_kind.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_table.h"
#include "cli/option_value.h"

#include <string.h>
#include <sys/utsname.h>

/// "Linux 6.1.0 x86_64, avx2".
static void describe_machine(const options *o, char *out, size_t size)
{
    struct utsname system = {0};
    int isa = o->renderer.max_isa == ZT_ISA_BEST ? ZT_ISA_COUNT - 1 : (int)o->renderer.max_isa;
    while (isa > 0 && !zt_isa_available((zt_isa)isa))
        isa--;
    (void)uname(&system);
    snprintf(out, size, "%s %s %s, %s", system.sysname, system.release, system.machine,
             zt_isa_name((zt_isa)isa));
}

report_def reports_describe(const options *o, const comparison_list *list, const char *title,
                            double start_s, report_about *out_about)
{
    describe_machine(o, out_about->machine, sizeof out_about->machine);
    return (report_def){.list = list,
                        .title = title,
                        .command = command_at(o->command)->name,
                        .machine = out_about->machine,
                        .prefix = o->picture_prefix,
                        .seconds = console_clock() - start_s,
                        .budget = o->load.budget,
                        .cancel = o->load.cancel};
}

static bool is_one(const char *a, const char *b)
{
    return a && b && (strcmp(a, b) == 0 || file_is_same(a, b));
}

/// Pictures, models and scenes have names of their own: nobody wants a report in their place.
static bool names_other_file(const char *path)
{
    return picture_kind_named(path) || model_mime_type(path) || is_scene_name(path);
}

/// `name`: the flag of the report at `path`.
static zt_result check_report(const options *o, const char *name, const char *path, zt_error *err)
{
    const char *const others[][2] = {{"--hashes", o->hashes},
                                     {"--mask", o->mask},
                                     {"--diff", o->diff},
                                     {"--junit", o->junit},
                                     {"--markdown", o->markdown}};
    if (!path)
        return ZT_OK;
    if (strcmp(path, "-") == 0)
        return usage_error(err, "%s - (expected a file: standard output has the results)", name);
    if (names_other_file(path))
        return usage_error(err, "%s '%.200s' (expected the name of a report)", name, path);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (path != others[i][1] && is_one(path, others[i][1]))
            return usage_error(err, "%s and %s are both '%.200s' (expected two files)", name,
                               others[i][0], path);
    for (int i = 0; i < o->input_count; i++)
        if (is_one(path, o->inputs[i]))
            return usage_error(err, "%s '%.200s' is an input (expected another file)", name, path);
    return ZT_OK;
}

zt_result reports_check(const options *o, zt_error *err)
{
    ZT_TRY(check_report(o, "--html", o->html, err));
    ZT_TRY(check_report(o, "--junit", o->junit, err));
    ZT_TRY(check_report(o, "--markdown", o->markdown, err));
    return o->picture_prefix && !o->markdown
               ? usage_error(err, "--picture-prefix without --markdown (expected both)")
               : ZT_OK;
}

zt_result reports_save(const options *o, const report_def *def, zt_error *err)
{
    const char *const paths[] = {o->junit, o->html, o->markdown};
    const report_fn writers[] = {report_write_junit, report_write_html, report_write_markdown};
    for (int i = 0; i < 3; i++) {
        if (!paths[i])
            continue;
        interrupt_output(paths[i], 0);
        ZT_TRY(report_save(paths[i], writers[i], def, err));
    }
    return ZT_OK;
}
