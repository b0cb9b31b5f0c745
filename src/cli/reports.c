// SPDX-License-Identifier: MIT
// See reports.h.
#include "cli/reports.h"

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
    int isa = ZT_ISA_COUNT - 1;
    while (isa > 0 && (isa > (int)o->renderer.max_isa || !zt_isa_available((zt_isa)isa)))
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
                        .seconds = console_clock() - start_s,
                        .budget = o->load.budget,
                        .cancel = o->load.cancel};
}

zt_result reports_check(const options *o, zt_error *err)
{
    const char *const paths[] = {o->html, o->junit};
    for (int i = 0; i < 2; i++)
        if (paths[i] && strcmp(paths[i], "-") == 0)
            return usage_error(err, "%s - (expected a file: standard output has the results)",
                               i ? "--junit" : "--html");
    if (o->html && o->junit && strcmp(o->html, o->junit) == 0)
        return usage_error(err, "--html and --junit are both '%.200s' (expected two files)",
                           o->html);
    return ZT_OK;
}

zt_result reports_save(const options *o, const report_def *def, zt_error *err)
{
    const char *const paths[] = {o->junit, o->html};
    const report_fn writers[] = {report_write_junit, report_write_html};
    for (int i = 0; i < 2; i++) {
        if (!paths[i])
            continue;
        interrupt_output(paths[i]);
        const zt_result result = report_save(paths[i], writers[i], def, err);
        if (result != ZT_OK)
            return result;
    }
    return ZT_OK;
}
