// SPDX-License-Identifier: MIT
/// inspect and check: what is in a file, and whether it is sound.
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"

int command_inspect(const options *o)
{
    zt_error err = {0};
    char *text = NULL;
    if (o->input_count != 1)
        return command_fail(
            o, usage_error(&err, "inspect with %d inputs (expected one)", o->input_count),
            err.message);
    // The text lists what warnings would say.
    zt_load_def load = o->load;
    load.message = NULL;
    const zt_result result = zt_inspect(o->inputs[0], &load, o->json, &text, &err);
    if (result != ZT_OK)
        return command_fail(o, result, err.message);
    fputs(text, stdout);
    zt_text_free(text);
    return (int)ZT_OK;
}

int command_check(const options *o)
{
    zt_error err = {0};
    int code = (int)ZT_OK;
    if (o->input_count < 1)
        return command_fail(o, usage_error(&err, "check without a scene (expected SCENE...)"),
                            err.message);
    if (o->json) {
        document_begin(o);
        printf(",\"files\":[");
    }
    for (int i = 0; i < o->input_count && !interrupt_raised(); i++) {
        zt_scene *scene = NULL;
        const zt_result result = zt_scene_load(o->inputs[i], &o->load, &scene, &err);
        zt_scene_destroy(scene);
        const int one = result == ZT_OK ? (int)ZT_OK : console_fail(result, err.message);
        code = one > code ? one : code;
        if (!o->json)
            continue;
        printf("%s{\"file\":", i ? "," : "");
        print_json_text(stdout, o->inputs[i]);
        printf(",\"code\":%d,\"message\":", one);
        print_json_text(stdout, result == ZT_OK              ? ""
                                : result == ZT_ERR_CANCELLED ? interrupt_message()
                                                             : err.message);
        printf("}");
    }
    if (o->json)
        printf("]}\n");
    return code;
}
