// SPDX-License-Identifier: MIT
/// The files that the sandbox lets through: those that the command line and scenes name, the
/// folders of models, of textures, of outputs and of the cache, and what tells how many cores there
/// are.
#define _DEFAULT_SOURCE // S_IFMT
#include "cli/sandbox.h"

#include "base/file_find.h"
#include "base/file_open.h"
#include "cli/console.h"
#include "cli/option_value.h"
#include "cli/picture_names.h"
#include "cli/sandbox_kernel.h"
#include "suite/suite.h"
#include "thumbnail/desktop_cache.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, DESCRIPTORS = 256, DESCRIPTORS_OF_SERVE = 4096 };

static bool is_kind(const char *path, mode_t kind)
{
    struct stat status;
    return stat(path, &status) == 0 && (status.st_mode & (mode_t)S_IFMT) == kind;
}

/// The folder of a path; "." for a name alone.
static bool folder_of(const char *path, char out[PATH_SIZE])
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (slash == path)
        length = 1;
    if (length >= PATH_SIZE)
        return false;
    memcpy(out, path, length);
    strcpy(out + length, length ? "" : ".");
    return true;
}

/// NULL: nothing. The library finds another form by the names in the folder above.
static void allow_read(void *user, const char *path)
{
    char folder[PATH_SIZE], other[FILE_PATH_SIZE];
    if (!path)
        return;
    path = file_form(path, FILE_ANYWHERE, other);
    sandbox_allow(user, path, SANDBOX_READ);
    if (path != other)
        return;
    char *letter = other;
    while (*letter && (unsigned char)*letter < 0x80)
        letter++;
    *letter = '\0';
    if (folder_of(other, folder))
        sandbox_allow(user, folder, SANDBOX_LIST);
}

/// A model: the file, and the folder that the files which it names are in.
static void allow_input(void *user, const char *path)
{
    char folder[PATH_SIZE], other[FILE_PATH_SIZE];
    const char *found = file_form(path, FILE_ANYWHERE, other);
    if (!is_kind(found, S_IFREG))
        return;
    allow_read(user, path);
    if (folder_of(found, folder))
        allow_read(user, folder);
}

/// A link to the file that standard output or error is, as /dev/stdout: it is open already.
static bool is_standard_file(const char *path)
{
    struct stat link, target, own;
    if (lstat(path, &link) != 0 || !S_ISLNK(link.st_mode) || stat(path, &target) != 0)
        return false;
    for (int d = STDOUT_FILENO; d <= STDERR_FILENO; d++)
        if (fstat(d, &own) == 0 && own.st_dev == target.st_dev && own.st_ino == target.st_ino)
            return true;
    return false;
}

/// An output: its folder, or where that will be; a pipe or device alone, for /dev has others.
static void allow_output(sandbox_rules *rules, const char *path)
{
    char folder[PATH_SIZE];
    struct stat status;
    if (!path || strcmp(path, "-") == 0)
        return;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        sandbox_allow(rules, path, SANDBOX_WRITE);
        return;
    }
    if (is_standard_file(path) || !folder_of(path, folder))
        return;
    while (!is_kind(folder, S_IFDIR) && strcmp(folder, ".") != 0 && strcmp(folder, "/") != 0) {
        char inner[PATH_SIZE];
        memcpy(inner, folder, sizeof inner);
        folder_of(inner, folder);
    }
    sandbox_allow(rules, folder, SANDBOX_WRITE);
}

/// A scene names files anywhere. Its faults are reported on loading, except a lack of memory, now.
static zt_result allow_scene(sandbox_rules *rules, const options *o, const char *path,
                             zt_error *err)
{
    zt_load_def def = o->load;
    zt_error fault = {0};
    def.max_memory = o->max_memory;
    if (zt_scene_paths(path, &def, allow_input, rules, &fault) != ZT_ERR_MEMORY)
        return ZT_OK;
    *err = fault;
    return ZT_ERR_MEMORY;
}

/// A path that may not be there yet: what will be made in it.
static void allow_folder(sandbox_rules *rules, const char *folder)
{
    char inside[PATH_SIZE];
    if (snprintf(inside, sizeof inside, "%s/x", folder) < (int)sizeof inside)
        allow_output(rules, inside);
}

/// A folder of pictures, and what links in it lead to. Strangers' links lead nowhere.
static void allow_pictures(sandbox_rules *rules, const options *o, const char *folder)
{
    allow_read(rules, folder);
    if (!o->load.confine_scene && is_kind(folder, S_IFDIR))
        names_visit(folder, NULL, allow_read, rules);
}

/// A suite names scenes and models, and has two folders, but for one of another checkout (not
/// `own`). Its faults are reported when it is loaded.
static zt_result allow_suite(sandbox_rules *rules, const options *o, const char *path, bool own,
                             zt_error *err)
{
    suite s;
    zt_load_def def = o->load;
    zt_error fault = {0};
    def.max_memory = o->max_memory;
    def.message = NULL;
    zt_result result = suite_load(path, &def, o->results, &s, &fault);
    for (uint32_t i = 0; i < s.shot_count && result == ZT_OK; i++) {
        const suite_shot *shot = &s.shots[i];
        const bool again = i > 0 && strcmp(shot->file, s.shots[i - 1].file) == 0;
        if (!again)
            allow_input(rules, shot->file);
        if (!again && is_scene_name(shot->file) && !o->load.confine_scene)
            result = allow_scene(rules, o, shot->file, &fault);
        allow_read(rules, shot->mask);
        allow_read(rules, shot->load.texture_dir);
        allow_read(rules, shot->shot.environment);
        allow_read(rules, shot->shot.light);
    }
    allow_read(rules, s.hashes);
    if (result == ZT_OK && own) {
        allow_pictures(rules, o, s.goldens);
        allow_folder(rules, s.results);
        char parent[PATH_SIZE];
        if (folder_of(s.results, parent)) // an empty folder of results goes
            sandbox_allow(rules, parent, SANDBOX_REMOVE_FOLDERS);
    }
    if (result == ZT_OK && o->update && own)
        s.hashes ? allow_output(rules, s.hashes) : allow_folder(rules, s.goldens);
    suite_finish(&s);
    if (result != ZT_ERR_MEMORY)
        return ZT_OK;
    *err = fault;
    return result;
}

static zt_result allow_inputs(sandbox_rules *rules, const options *o, zt_error *err)
{
    zt_load_def def = o->load;
    def.max_memory = o->max_memory;
    def.message = NULL;
    zt_result result = ZT_OK;
    for (int i = 0; i < o->input_count && result == ZT_OK; i++) {
        char other[FILE_PATH_SIZE];
        const char *path = file_form(o->inputs[i], FILE_ANYWHERE, other);
        const bool regular = is_kind(path, S_IFREG);
        allow_input(rules, o->inputs[i]); // a confined scene names files in its folder
        if (!regular && o->command == COMMAND_COMPARE && i < 2) // names of pictures follow
            allow_pictures(rules, o, path);
        else if (!regular)
            allow_read(rules, path);
        if (o->command == COMMAND_TEST) { // names of shots follow
            char against[SUITE_PATH_SIZE];
            if (regular && o->against &&
                suite_other_path(path, o->against, against, NULL) == ZT_OK) {
                allow_read(rules, against);
                ZT_TRY(allow_suite(rules, o, against, false, err));
            }
            return regular ? allow_suite(rules, o, path, true, err) : ZT_OK;
        }
        if (regular && o->command == COMMAND_CHECK && is_scene_name(path) && suite_is(path, &def))
            result = allow_suite(rules, o, path, true, err);
        else if (regular && !o->merge && is_scene_name(path) && !o->load.confine_scene)
            result = allow_scene(rules, o, path, err);
    }
    if (o->mask)
        allow_pictures(rules, o, o->mask);
    allow_read(rules, o->hashes);
    if (o->hashes && o->input_count == 0)
        allow_read(rules, ".");
    allow_read(rules, o->inputs_folder);
    allow_read(rules, o->load.texture_dir);
    allow_read(rules, o->shot.environment);
    allow_read(rules, o->shot.light);
    return result;
}

/// A folder of the program's own, made now: otherwise all of the one around it would be open.
static void allow_made(sandbox_rules *rules, const char *folder, mode_t mode)
{
    char parent[PATH_SIZE];
    if (folder_of(folder, parent))
        (void)mkdir(parent, mode);
    (void)mkdir(folder, mode);
    sandbox_allow(rules, folder, SANDBOX_WRITE);
}

static void allow_outputs(sandbox_rules *rules, const options *o)
{
    if (o->accept && o->input_count > 0) {
        allow_output(rules, o->inputs[0]);
        if (is_kind(o->inputs[0], S_IFDIR))
            sandbox_allow(rules, o->inputs[0], SANDBOX_WRITE);
    }
    allow_output(rules, o->output);
    allow_output(rules, o->sheet.atlas);
    allow_output(rules, o->diff);
    allow_output(rules, o->html);
    allow_output(rules, o->junit);
    allow_output(rules, o->markdown);
    allow_output(rules, o->trace);
    if (o->diff && is_kind(o->diff, S_IFDIR))
        sandbox_allow(rules, o->diff, SANDBOX_WRITE);
    if (o->outdir)
        allow_folder(rules, o->outdir);
    if (o->results)
        allow_folder(rules, o->results);
    char thumbnails[PATH_SIZE];
    if (o->freedesktop && desktop_cache_folder(thumbnails))
        allow_made(rules, thumbnails, 0700);
    if (o->renderer.cache_folder)
        allow_made(rules, o->renderer.cache_folder, 0777);
}

/// Files that libc and the library read about cores and containers.
static void allow_machine(sandbox_rules *rules)
{
    static const char *const paths[] = {"/proc/self/cgroup", "/proc/self/status",
                                        "/proc/meminfo",     "/proc/stat",
                                        "/sys/fs/cgroup",    "/sys/devices/system/cpu"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        sandbox_allow(rules, paths[i], SANDBOX_READ);
}

/// The working directory is --root by now.
static void allow_serve(sandbox_rules *rules, const options *o, bool first_process)
{
    char folder[PATH_SIZE];
    if (o->serve.root)
        sandbox_allow(rules, ".", SANDBOX_WRITE);
    if (first_process && o->serve.socket && folder_of(o->serve.socket_path, folder))
        sandbox_allow(rules, folder, SANDBOX_REMOVE_FILES);
}

static void lower_limit(int resource, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_max <= most)
        return;
    limit.rlim_max = most;
    limit.rlim_cur = limit.rlim_cur < most ? limit.rlim_cur : most;
    (void)setrlimit(resource, &limit);
}

void sandbox_describe(char *out, size_t size)
{
    const int landlock = sandbox_landlock_version();
    const bool filter = sandbox_has_filter();
    if (landlock > 0)
        snprintf(out, size, "files (Landlock %d)%s", landlock,
                 filter ? ", system calls (seccomp)" : "; no filter of system calls");
    else
        snprintf(out, size, "%s; no Landlock, which closes off files",
                 filter ? "system calls (seccomp)" : "none");
}

bool sandbox_worker(const options *o)
{
    return o->sandbox == SANDBOX_OFF || sandbox_filter_calls(false) ||
           o->sandbox != SANDBOX_REQUIRE;
}

zt_result sandbox_enter(const options *o, bool makes_workers, zt_error *err)
{
    char text[128];
    sandbox_rules rules;
    if (o->sandbox == SANDBOX_OFF)
        return ZT_OK;
    const bool begun = sandbox_rules_begin(&rules);
    if (begun) {
        ZT_TRY(allow_inputs(&rules, o, err));
        if (o->load.follow_links)
            sandbox_allow(&rules, "/", SANDBOX_READ);
        allow_outputs(&rules, o);
        if (o->command == COMMAND_SERVE)
            allow_serve(&rules, o, makes_workers);
        allow_machine(&rules);
    }
    lower_limit(RLIMIT_CORE, 0); // it would hold the memory of a fault
    lower_limit(RLIMIT_NOFILE, o->command == COMMAND_SERVE ? DESCRIPTORS_OF_SERVE : DESCRIPTORS);
    const bool files = begun && sandbox_rules_enforce(&rules);
    const bool calls = sandbox_filter_calls(makes_workers);
    if (files && calls)
        return ZT_OK;
    sandbox_describe(text, sizeof text);
    if (o->sandbox == SANDBOX_REQUIRE)
        return zt_fail(err, ZT_ERR_UNSUPPORTED,
                       "the sandbox is not whole: this system offers %s (expected both, see "
                       "--sandbox)",
                       text);
    console_say(o, ZT_NOTE, "the sandbox is not whole: this system offers %s", text);
    return ZT_OK;
}
