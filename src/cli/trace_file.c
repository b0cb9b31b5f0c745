// SPDX-License-Identifier: MIT
#include "cli/trace_file.h"

#include "base/budget.h"
#include "base/file.h"
#include "base/text_stream.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"

#include <stdlib.h>
#include <string.h>

enum { TRACE_EVENTS = 1 << 20 };

zt_result trace_file_begin(const options *o, trace_log *t, zt_error *err)
{
    if (!o->trace)
        return ZT_OK;
    if (options_many_models(o))
        return usage_error(err, "--trace with many models, which other processes make");
    if (strcmp(o->trace, "-") == 0)
        return usage_error(err, "--trace - (expected a file: standard output has the results)");
    for (int i = 0; i < o->input_count; i++)
        if (file_is_same(o->trace, o->inputs[i]))
            return usage_error(err, "--trace '%.200s' is an input (expected another file)",
                               o->trace);
    if (o->output && file_is_same(o->trace, o->output))
        return usage_error(err, "--trace '%.200s' is the output (expected another file)", o->trace);
    if (!trace_init(t, TRACE_EVENTS))
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a trace");
    o->load.budget->bytes.trace = t;
    interrupt_output(o->trace, 0);
    return ZT_OK;
}

static zt_result save(const char *path, const trace_log *t, zt_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_stream_open(&text, &size);
    if (out)
        trace_write(t, out);
    if (!out || !text_stream_close(out, &text))
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a trace");
    const zt_result result =
        file_save(path, FILE_ANYWHERE, (file_bytes){(const uint8_t *)text, size}, false, NULL, err);
    free(text);
    return result;
}

int trace_file_end(const options *o, trace_log *t, int code)
{
    zt_error err = {0};
    if (!t->events)
        return code;
    const zt_result result = code == 0 ? save(o->trace, t, &err) : ZT_OK;
    trace_finish(t);
    return result == ZT_OK ? code : console_fail(result, err.message);
}
