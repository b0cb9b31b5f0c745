// SPDX-License-Identifier: MIT
/// The program: words -> options -> command -> exit code. It uses the public library only.
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"

#include <string.h>

static void print_version(const options *o)
{
    zt_renderer *renderer = NULL;
    zt_error err = {0};
    printf("zoetrope %s\ninstruction sets:", zt_version());
    for (int isa = 0; isa < ZT_ISA_COUNT; isa++)
        if (zt_isa_built((zt_isa)isa))
            printf(" %s%s", zt_isa_name((zt_isa)isa),
                   zt_isa_available((zt_isa)isa) ? "" : " (not on this machine)");
    printf("\n");
    if (zt_renderer_create(&o->renderer, &renderer, &err) == ZT_OK)
        printf("in use: %s\n", zt_isa_name(zt_renderer_isa(renderer)));
    zt_renderer_destroy(renderer);
}

static int run(options *o)
{
    switch (o->command) {
    case COMMAND_RENDER:
    case COMMAND_TURNTABLE:
        return command_render(o);
    case COMMAND_THUMBNAIL:
        return command_thumbnail(o);
    case COMMAND_COMPARE:
        return command_compare(o);
    case COMMAND_INSPECT:
        return command_inspect(o);
    case COMMAND_CHECK:
        return command_check(o);
    case COMMAND_NONE:
    case COMMAND_COUNT:
        break;
    }
    return (int)ZT_ERR_INTERNAL;
}

int main(int argc, char **argv)
{
    options o;
    zt_error err = {0};
    const zt_result result = options_parse(argc - 1, argv + 1, &o, &err);
    if (result != ZT_OK)
        return console_fail(result, err.message);
    if (o.help) {
        options_help(o.command);
        return console_finish(0);
    }
    if (o.version) {
        print_version(&o);
        return console_finish(0);
    }
    o.load.message = console_message;
    o.load.message_user = &o;
    interrupt_install(o.timeout_s);
    return console_finish(run(&o));
}
