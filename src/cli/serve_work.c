// SPDX-License-Identifier: MIT
#include "cli/serve_work.h"

#include "base/file_find.h"
#include "base/file_inputs.h"
#include "base/file_open.h"
#include "base/path.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_table.h"
#include "cli/rendering.h"
#include "cli/sandbox.h"
#include "cli/warm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

void serve_worker_begin(serve_worker *w)
{
    w->warm = warm_store_create();
    if (!w->warm)
        _exit((int)ZT_ERR_MEMORY);
    budget_init(&w->calls, (uint64_t)SERVE_LINE_MAX * 512, NULL);
}

/// Maps what the client has sent and reads its line. *out NULL: no memory for it.
static zt_result take_upload(serve_worker *w, int input, serve_upload **out, zt_error *err)
{
    struct stat status;
    serve_upload *u = *out = calloc(1, sizeof *u);
    if (!u || fstat(input, &status) != 0)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a request");
    char *line = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, input, 0);
    if (line == MAP_FAILED)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for the files of a request");
    u->bytes = (const uint8_t *)line + SERVE_LINE_MAX;
    u->size = (size_t)status.st_size - SERVE_LINE_MAX;
    u->input = "";
    const char *end = memchr(line, '\n', SERVE_LINE_MAX);
    return serve_call_parse(line, (size_t)(end - line), &w->calls, &u->call, err);
}

/// A zt_open_fn. What a model names is relative to its folder.
static bool open_file(void *user, const char *name, const void **out_bytes, size_t *out_size)
{
    const serve_upload *u = user;
    char below[PATH_SIZE];
    const int length =
        snprintf(below, sizeof below, "%.*s%s", (int)path_folder_length(u->input), u->input, name);
    const serve_file *file = length < (int)sizeof below ? serve_call_file(&u->call, below) : NULL;
    file = file ? file : serve_call_file(&u->call, name);
    if (!file)
        return false;
    *out_bytes = u->bytes + file->offset;
    *out_size = (size_t)file->size;
    return true;
}

// ---- Paths --------------------------------------------------------------------------------------

/// True unless the path, or the part of it that is there, leads out of the working directory, which
/// is --root.
static bool is_below_root(const char *path)
{
    char part[PATH_SIZE];
    if (path[0] == '/' || !path_stays_inside(path) || strlen(path) >= sizeof part)
        return false;
    snprintf(part, sizeof part, "%s", path);
    for (;;) {
        const int file = file_open_below(part, 0, 0);
        if (file >= 0)
            return close(file) == 0;
        if (errno != ENOENT)
            return errno != EXDEV && errno != ELOOP;
        const size_t length = path_folder_length(part);
        if (length == 0)
            return true;
        part[length - 1] = '\0';
    }
}

static zt_result check_path(const serve_worker *w, const char *path, zt_error *err)
{
    char other[FILE_PATH_SIZE];
    if (!w->serve->serve.root)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "%.400s: no file of the request (expected one, or serve --root)", path);
    // Nothing leads out of all files.
    if (strcmp(w->serve->serve.root, "/") == 0
            ? path[0] == '/' || !path_stays_inside(path)
            : !is_below_root(file_form(path, FILE_ANYWHERE, other)))
        return zt_fail(err, ZT_ERR_INPUT, "%.400s: leads out of --root (expected a path below it)",
                       path);
    return ZT_OK;
}

static bool takes_path(const option_flag *flag)
{
    const def_field *field = option_field(flag);
    return flag->kind == OPTION_FILE || flag->kind == OPTION_FOLDER ||
           (field && field->kind == DEF_PATH);
}

static zt_result check_paths(const serve_worker *w, const serve_upload *u, zt_error *err)
{
    const options *o = &w->o;
    const option_flag *flag = NULL;
    int32_t word; // that means no path: --light studio
    for (int i = 0; (flag = option_at(i)) != NULL; i++)
        if (o->given[i] && takes_path(flag) && strcmp(o->given[i], "-") != 0 &&
            !option_word_find(flag, o->given[i], &word))
            ZT_TRY(check_path(w, o->given[i], err));
    for (int i = 0; i < o->input_count; i++) {
        if (!serve_call_file(&u->call, o->inputs[i]))
            ZT_TRY(check_path(w, o->inputs[i], err));
        else if (is_folder(o->inputs[i])) // commands would look into it
            return zt_fail(err, ZT_ERR_ARGUMENT, "%.400s: is a folder, too (expected another name)",
                           o->inputs[i]);
    }
    return ZT_OK;
}

// ---- A request ----------------------------------------------------------------------------------

/// Gives the command the files of the request: a model, and what it names. Its limits are at most
/// the worker's share.
static void prepare(serve_worker *w, serve_upload *u)
{
    options *o = &w->o;
    const options *serve = w->serve;
    const serve_file *first = o->input_count > 0 ? serve_call_file(&u->call, o->inputs[0]) : NULL;
    if (o->max_memory == 0 || o->max_memory > serve->max_memory)
        o->max_memory = serve->max_memory;
    if (!o->renderer.threads || o->renderer.threads > serve->renderer.threads)
        o->load.threads = o->renderer.threads = serve->renderer.threads;
    o->timeout_s = 0.0; // the server's watch ends the worker
    o->sandbox = serve->sandbox;
    o->load.confine_scene |= serve->load.confine_scene;
    o->load.message = console_message;
    o->load.message_user = o;
    o->load.cancel = o->renderer.cancel = interrupt_cancel();
    if (!first)
        return;
    u->input = o->inputs[0];
    o->load.bytes = u->bytes + first->offset;
    o->load.size = (size_t)first->size;
    o->load.open = open_file;
    o->load.open_user = u;
}

static zt_result begin(serve_worker *w, serve_upload *u, zt_error *err)
{
    options *o = &w->o;
    ZT_TRY(serve_call_options(&u->call, o, err));
    ZT_TRY(check_paths(w, u, err));
    prepare(w, u);
    if (w->closed)
        return ZT_OK;
    options own = o->untrusted ? *o : *w->serve;
    if (o->untrusted && o->load.open) // its input is no file of the disk, whatever its name
        own.input_count = 0;
    const zt_result closed = sandbox_enter(&own, false, err);
    w->closed = closed == ZT_OK;
#ifdef ZT_SANDBOX_HOLE
    (void)dup2(STDERR_FILENO, STDOUT_FILENO); // messages, not the answer
    const int open_ways = sandbox_hole_try();
    fflush(stdout);
    _exit(open_ways);
#endif
    return closed;
}

/// Runs the command of the request. *out_used: with something of the one before.
static int run(serve_worker *w, int input, bool *out_used)
{
    zt_error err = {0};
    serve_upload *u;
    w->o.warm = NULL;
    zt_result result = take_upload(w, input, &u, &err);
    if (result == ZT_OK)
        result = begin(w, u, &err);
    if (result == ZT_OK)
        result = warm_store_begin(w->warm, &w->o, u, &err);
    if (result == ZT_OK && u->call.file_count > 0)
        file_inputs_supply(w->o.load.budget, open_file, u);
    if (result == ZT_OK && w->o.encode.metadata == ZT_METADATA_FULL)
        result = file_inputs_record(w->o.load.budget, &err);
    interrupt_again();
    const int code =
        console_finish(result == ZT_OK ? w->run(&w->o) : console_fail(result, err.message));
    const bool begun = w->o.warm != NULL;
    *out_used = begun && warm_store_end(w->warm, code <= (int)ZT_ERR_DIFFERENT);
    if (!begun)
        serve_upload_destroy(u);
    return code;
}

int serve_work_do(serve_worker *w, const int files[2])
{
    const int input = files[0], output = files[1];
    int code = 0;
    if (dup2(output, STDOUT_FILENO) < 0)
        _exit((int)ZT_ERR_OUTPUT);
    for (bool again = true; again;) {
        code = run(w, input, &again);
        // A process of its own would have had the memory that kept things take.
        again = again && (code == (int)ZT_ERR_LIMIT || code == (int)ZT_ERR_MEMORY) &&
                ftruncate(output, 0) == 0 && lseek(output, 0, SEEK_SET) == 0;
        if (again)
            fputc(SERVE_AGAIN, stderr);
    }
    close(output);
    close(input);
    (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    return code;
}
