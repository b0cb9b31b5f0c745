// SPDX-License-Identifier: MIT
/// The program: words -> options -> command -> exit code. It uses the public library only.
#include "base/file_inputs.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_table.h"
#include "cli/sandbox.h"
#include "cli/trace_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/// "with: Draco, OpenEXR", or "without:" the others; nothing when there are none.
static void print_optional_formats(bool built)
{
    const char *between = built ? "with: " : "without: ";
    bool any = false;
    const char *name;
    bool is_built;
    for (int32_t i = 0; (name = zt_optional_format_at(i, &is_built)) != NULL; i++) {
        if (is_built != built)
            continue;
        printf("%s%s", between, name);
        between = ", ";
        any = true;
    }
    if (any)
        printf("\n");
}

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
    print_optional_formats(true);
    print_optional_formats(false);
    char sandbox[128];
    sandbox_describe(sandbox, sizeof sandbox);
    printf("sandbox: %s\n", sandbox);
}

/// glibc gives large blocks back when they are freed, but raises what it takes for large to 32 MiB
/// meanwhile, unless the size is set. Libraries allocate blocks that large for one picture.
static void limit_allocator(void)
{
#if defined(M_MMAP_THRESHOLD)
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

static void warn_of_flags(const options *o)
{
    struct stat status;
    const char *folder = o->load.texture_dir;
    // Not an error: many models need no textures.
    if (folder && (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode)))
        console_say(o, ZT_WARNING, "--texture-dir '%.200s' is not a folder (expected one)", folder);
    if (o->repeated)
        console_say(o, ZT_WARNING, "%s is given more than once: the last one counts (expected one)",
                    o->repeated);
}

static int run(options *o)
{
    warn_of_flags(o);
    switch (o->command) {
    case COMMAND_RENDER:
    case COMMAND_TURNTABLE: return command_render(o);
    case COMMAND_THUMBNAIL: return command_thumbnail(o);
    case COMMAND_SHEET: return command_sheet(o);
    case COMMAND_COMPARE: return command_compare(o);
    case COMMAND_TEST: return command_test(o);
    case COMMAND_DIFF: return command_diff(o);
    case COMMAND_INSPECT: return command_inspect(o);
    case COMMAND_CHECK: return command_check(o);
    case COMMAND_CONVERT: return command_convert(o);
    case COMMAND_VERIFY: return command_verify(o);
    case COMMAND_SERVE: return command_serve(o, run);
    case COMMAND_NONE:
    case COMMAND_COUNT: break;
    }
    return (int)ZT_ERR_INTERNAL;
}

/// One line a limit: flag, value, what it limits.
static int print_limits(const options *o)
{
    const option_flag *flag = NULL;
    char value[64];
    for (int i = 0; (flag = option_at(i)) != NULL; i++) {
        if (flag->group != OPTION_GROUP_LIMITS || flag->kind == OPTION_SWITCH)
            continue;
        option_current(flag, o, value, sizeof value);
        printf("%-18s %12s  %s\n", flag->name, value, flag->help);
    }
    return (int)ZT_OK;
}

/// One budget, that of --max-memory, for all that the command does.
static zt_result begin_budget(options *o, zt_error *err)
{
    zt_budget *whole = NULL;
    limit_allocator();
    zt_result result = zt_budget_create(o->max_memory, NULL, &whole, err);
    if (result == ZT_OK)
        result = zt_budget_set_limits(whole, &o->limits, err);
    if (result != ZT_OK) {
        zt_budget_destroy(whole);
        return result;
    }
    o->max_memory = zt_budget_limit(whole);
    o->load.budget = o->renderer.budget = whole;
    return ZT_OK;
}

/// Opens what the caller closed of standard input, output and error: a picture would get the
/// number, and messages would be written into it. What is opened here fails as closed files do.
static bool fill_standard_files(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int i = 0; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", modes[i]) != i)
            return false;
    return true;
}

/// Makes the stack of this thread larger, where that is allowed. False: it would not suffice.
static bool has_stack(void)
{
    struct rlimit limit;
    const rlim_t least = 1 << 20; // five times what a picture takes
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least)
        return true;
    limit.rlim_cur = least;
    return limit.rlim_max >= least && setrlimit(RLIMIT_STACK, &limit) == 0;
}

int main(int argc, char **argv)
{
    options o;
    if (!fill_standard_files())
        return (int)ZT_ERR_OUTPUT;
    zt_error err = {0};
    const zt_result result = options_parse(argc - 1, argv + 1, &o, &err);
    if (result != ZT_OK) {
        // Parsing stopped at the fault; --json may come after it.
        for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
            o.json |= strcmp(argv[i], "--json") == 0;
        return console_finish(command_fail(&o, result, err.message));
    }
    if (o.help) {
        help_print(o.command, o.help_all);
        return console_finish(0);
    }
    if (o.version) {
        print_version(&o);
        return console_finish(0);
    }
    if (!has_stack())
        return command_fail(&o, ZT_ERR_LIMIT, "the stack is too small (expected ulimit -s 1024)");
    o.load.message = console_message;
    o.load.message_user = &o;
    if (o.freedesktop)
        (void)umask(0077); // nobody else reads the user's thumbnails
    const zt_result started =
        o.command == COMMAND_SERVE ? serve_open(&o, &err) : video_start(&o, &err);
    if (started != ZT_OK)
        return console_finish(command_fail(&o, started, err.message));
    // Before the sandbox, which reads scenes: limits and --timeout hold there, too.
    interrupt_install(o.timeout_s);
    o.load.cancel = interrupt_cancel();
    o.renderer.cancel = interrupt_cancel();
    trace_log record = {0};
    zt_result begun = begin_budget(&o, &err);
    if (o.command == COMMAND_SERVE)
        serve_limit(&o);
    if (begun == ZT_OK)
        begun = trace_file_begin(&o, &record, &err);
    if (begun == ZT_OK)
        begun = sandbox_enter(&o, options_use_workers(&o), &err);
    if (begun == ZT_OK && o.encode.metadata == ZT_METADATA_FULL)
        begun = file_inputs_record(o.load.budget, &err);
    if (begun != ZT_OK) {
        video_finish(&o.video);
        zt_budget_destroy(o.load.budget);
        return console_finish(command_fail(&o, begun, err.message));
    }
#ifdef ZT_SANDBOX_HOLE
    if (!options_use_workers(&o)) // a worker tries
        return sandbox_hole_try();
#endif
    document_prepare(&o);
    interrupt_watch();
    if (o.renderer.cache_folder)
        interrupt_folder(o.renderer.cache_folder, 0);
    const int done = o.print_limits ? print_limits(&o) : run(&o);
    const int code = console_finish(trace_file_end(&o, &record, done));
    zt_budget_destroy(o.load.budget);
    video_finish(&o.video);
    interrupt_finish();
    return code;
}
