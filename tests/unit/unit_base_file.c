// SPDX-License-Identifier: MIT
/// Files: whole reads, writes that are whole or absent, names found without regard to case.
#include "base/file_find.h"
#include "base/file_group.h"
#include "base/file_inputs.h"
#include "test_folder.h"
#include "test_memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static budget test_budget;
static arena test_arena;

static void setup(void)
{
    budget_init(&test_budget, (uint64_t)256 << 20, NULL);
    arena_init(&test_arena, &test_budget);
    test_folder_make();
}

static void teardown(void)
{
    test_folder_remove_all();
    arena_finish(&test_arena);
}

TestSuite(file, .init = setup, .fini = teardown);

static const char *in_folder(const char *name) { return path_join(&test_arena, test_folder, name); }

static void expect_text(const char *name, const char *text)
{
    file_bytes bytes;
    cr_assert_eq(file_read(&test_arena, in_folder(name), &bytes, NULL), ZT_OK, "%s", name);
    cr_assert_str_eq((const char *)bytes.data, text);
}

static int entries(const char *path)
{
    int count = 0;
    DIR *d = opendir(path);
    cr_assert_not_null(d);
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return count;
}

Test(file, reads_whole_files)
{
    test_folder_write("a.txt", "hello\n");
    test_folder_write("empty", "");
    file_bytes bytes;
    zt_error err;
    memset(arena_alloc_raw(&test_arena, 4096, 1), 0xff, 4096); // memory that was used before
    arena_reset(&test_arena);
    cr_assert_eq(file_read(&test_arena, in_folder("a.txt"), &bytes, &err), ZT_OK);
    cr_assert_eq(bytes.size, 6);
    cr_assert_eq(memcmp(bytes.data, "hello\n", 7), 0, "a 0 must follow");
    cr_assert_eq(file_read(&test_arena, in_folder("empty"), &bytes, &err), ZT_OK);
    cr_assert_eq(bytes.size, 0);
    cr_assert_eq(bytes.data[0], 0);
}

/// Byte i of a large file.
static uint8_t byte_at(size_t i) { return (uint8_t)((uint32_t)i * 2654435761u >> 24); }

static const char *write_large(const char *name, size_t size)
{
    FILE *f = fopen(in_folder(name), "wb");
    OWN_BLOCK uint8_t *bytes = malloc(size);
    cr_assert(f && bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = byte_at(i);
    cr_assert_eq(fwrite(bytes, 1, size, f), size);
    fclose(f);
    return in_folder(name);
}

static void expect_large(job_pool *pool, const char *path, size_t size)
{
    file_bytes bytes;
    zt_error err = {ZT_OK, ""};
    arena a;
    arena_init(&a, &test_budget);
    const uint64_t before = test_budget.used;
    MUST(file_read_on(pool, &a, path, &bytes, &err), err);
    cr_assert_eq(bytes.size, size);
    for (size_t i = 0; i < size; i++)
        cr_assert(bytes.data[i] == byte_at(i), "byte %zu", i);
    cr_assert_eq(bytes.data[size], 0, "no 0 follows");
    cr_assert_gt(test_budget.used, before + size, "the budget was not charged");
    arena_finish(&a);
    cr_assert_eq(test_budget.used, before, "the budget was not given back");
}

#define LARGE ((size_t)8 << 20)

Test(file, large_files_are_whole)
{
    OWN_POOL *pool = make_pool(3);
    for (size_t i = 0; i < 6; i++) {
        const size_t size = LARGE - 1 + i / 2;
        expect_large(i % 2 ? pool : NULL, write_large("large", size), size);
    }
}

Test(file, what_was_read_stays_when_others_write)
{
    file_bytes bytes;
    const char *path = write_large("large", LARGE);
    cr_assert_eq(file_read(&test_arena, path, &bytes, NULL), ZT_OK);
    // Neither waits nor fails: nothing holds the file.
    const int writer = open(path, O_WRONLY | O_NONBLOCK);
    cr_assert_geq(writer, 0, "somebody holds the file");
    cr_assert_eq(ftruncate(writer, 0), 0);
    for (size_t i = 0; i < LARGE; i++)
        cr_assert(bytes.data[i] == byte_at(i), "byte %zu", i);
    close(writer);
}

Test(file, a_large_file_over_the_budget_is_a_limit)
{
    OWN_MEMORY(a, LARGE / 2);
    file_bytes bytes;
    const char *path = write_large("large", LARGE);
    cr_assert_eq(file_read(&a, path, &bytes, NULL), ZT_ERR_LIMIT);
    arena_finish(&a);
    cr_assert_eq(a_budget.used, 0u);
}

Test(file, unreadable_inputs)
{
    file_bytes bytes;
    zt_error err;
    cr_assert_eq(file_read(&test_arena, in_folder("none"), &bytes, &err), ZT_ERR_INPUT);
    cr_assert_not_null(strstr(err.message, "none"));
    cr_assert_eq(file_read(&test_arena, test_folder, &bytes, &err), ZT_ERR_INPUT);
    cr_assert_not_null(strstr(err.message, "folder"));
    cr_assert_eq(file_read(&test_arena, "", &bytes, &err), ZT_ERR_INPUT);
    cr_assert_not(file_exists(test_folder));
    cr_assert_not(file_exists(in_folder("none")));
    test_folder_write("a", "x");
    cr_assert(file_exists(in_folder("a")));
}

Test(file, too_large_is_a_limit)
{
    const char *path = in_folder("huge");
    const int fd = open(path, O_CREAT | O_WRONLY, 0600);
    cr_assert_geq(fd, 0);
    if (ftruncate(fd, (off_t)zt_default_limits().file_bytes + 1) == 0) { // sparse: takes no room
        file_bytes bytes;
        cr_assert_eq(file_read(&test_arena, path, &bytes, NULL), ZT_ERR_LIMIT);
    } else {
        fprintf(stderr, "skip: no sparse file of 4 GiB here\n");
    }
    close(fd);
    cr_assert_eq(truncate(path, (off_t)300 << 20), 0);
    file_bytes bytes;
    cr_assert_eq(file_read(&test_arena, path, &bytes, NULL), ZT_ERR_LIMIT, "above the budget");
}

Test(file, standard_input_from_a_pipe_and_a_file)
{
    enum { SIZE = 3 * 1024 * 1024 + 17 };
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        static uint8_t data[SIZE];
        for (size_t i = 0; i < SIZE; i++)
            data[i] = (uint8_t)(i * 31u >> 3);
        for (size_t at = 0; at < SIZE;) {
            const ssize_t done = write(ends[1], data + at, SIZE - at);
            if (done <= 0)
                _exit(1);
            at += (size_t)done;
        }
        _exit(0);
    }
    close(ends[1]);
    cr_assert_eq(dup2(ends[0], 0), 0);
    file_bytes bytes;
    cr_assert_eq(file_read(&test_arena, "-", &bytes, NULL), ZT_OK);
    cr_assert_eq(bytes.size, SIZE);
    for (size_t i = 0; i < SIZE; i++)
        cr_assert_eq(bytes.data[i], (uint8_t)(i * 31u >> 3), "byte %zu", i);
    cr_assert_eq(bytes.data[SIZE], 0);

    test_folder_write("in", "abcdef");
    const int fd = open(in_folder("in"), O_RDONLY);
    char skipped[2];
    cr_assert_eq(read(fd, skipped, 2), 2);
    cr_assert_eq(dup2(fd, 0), 0);
    cr_assert_eq(file_read(&test_arena, "-", &bytes, NULL), ZT_OK);
    cr_assert_eq(bytes.size, 4);
    cr_assert_str_eq((const char *)bytes.data, "cdef");
}

Test(file, writes_appear_whole)
{
    const char *path = in_folder("deep/er/frame.png");
    file_writer w;
    zt_error err;
    cr_assert_eq(file_writer_open(&w, path, &err), ZT_OK);
    cr_assert_not(file_exists(path));
    cr_assert_eq(entries(in_folder("deep/er")), 1);
    cr_assert_eq(file_writer_write(&w, "abc", 3, &err), ZT_OK);
    cr_assert_eq(file_writer_write(&w, "def", 3, &err), ZT_OK);
    cr_assert_eq(file_writer_write(&w, "", 0, &err), ZT_OK);
    cr_assert_not(file_exists(path));
    cr_assert_eq(file_writer_commit(&w, true, &err), ZT_OK);
    file_writer_abandon(&w);
    expect_text("deep/er/frame.png", "abcdef");
    cr_assert_eq(entries(in_folder("deep/er")), 1, "a temporary stayed");
}

Test(file, abandoned_writes_leave_the_old_file)
{
    test_folder_write("a.png", "old");
    file_writer w;
    cr_assert_eq(file_writer_open(&w, in_folder("a.png"), NULL), ZT_OK);
    cr_assert_eq(file_writer_write(&w, "new", 3, NULL), ZT_OK);
    file_writer_abandon(&w);
    file_writer_abandon(&w);
    expect_text("a.png", "old");
    cr_assert_eq(entries(test_folder), 1);
    file_writer unopened = {0};
    file_writer_abandon(&unopened);
    cr_assert_geq(fcntl(0, F_GETFD), 0, "standard input was closed");
}

/// A file that the system could not take whole must not get the name of the file.
Test(file, failed_writes_leave_the_old_file)
{
    test_folder_write("a.png", "old");
    file_writer w;
    zt_error err = {0};
    cr_assert_eq(file_writer_open(&w, in_folder("a.png"), NULL), ZT_OK);
    cr_assert_eq(file_writer_write(&w, "half", 4, NULL), ZT_OK);
    cr_assert_eq(close(w.descriptor), 0); // so that closing it fails, as on a full network folder
    cr_assert_eq(file_writer_commit(&w, false, &err), ZT_ERR_OUTPUT);
    cr_assert(err.message[0]);
    expect_text("a.png", "old");
    cr_assert_eq(entries(test_folder), 1);
}

Test(file, two_writers_of_one_name)
{
    file_writer one, two;
    const char *path = in_folder("x");
    cr_assert_eq(file_writer_open(&one, path, NULL), ZT_OK);
    cr_assert_eq(file_writer_open(&two, path, NULL), ZT_OK);
    cr_assert_str_neq(one.temporary, two.temporary);
    file_writer_write(&one, "1", 1, NULL);
    file_writer_write(&two, "2", 1, NULL);
    cr_assert_eq(file_writer_commit(&two, false, NULL), ZT_OK);
    cr_assert_eq(file_writer_commit(&one, false, NULL), ZT_OK);
    cr_assert_eq(entries(test_folder), 1);
}

Test(file, names_of_every_length)
{
    char name[300];
    memset(name, 'n', sizeof name);
    for (size_t length = 190; length <= 255; length += 13) {
        name[length] = '\0';
        file_writer w;
        cr_assert_eq(file_writer_open(&w, in_folder(name), NULL), ZT_OK, "%zu", length);
        cr_assert_eq(file_writer_commit(&w, false, NULL), ZT_OK);
        cr_assert(file_exists(in_folder(name)));
        name[length] = 'n';
    }
    // Known before anything is written: files that belong to it would have been replaced.
    name[256] = '\0';
    file_writer w;
    cr_assert_eq(file_writer_open(&w, in_folder(name), NULL), ZT_ERR_OUTPUT);
    cr_assert_eq(entries(test_folder), 6);
}

static void open_new(file_writer *w, const char *name, const char *text)
{
    cr_assert_eq(file_writer_open(w, in_folder(name), NULL), ZT_OK);
    cr_assert_eq(file_writer_write(w, text, strlen(text), NULL), ZT_OK);
    cr_assert_eq(file_writer_seal(w, false, NULL), ZT_OK);
}

Test(file, groups_appear_as_a_whole)
{
    file_writer was, none;
    test_folder_write("was", "old");
    open_new(&was, "was", "new");
    open_new(&none, "none", "new");
    cr_assert_eq(file_writer_replace(&was, NULL), ZT_OK);
    cr_assert_eq(file_writer_replace(&none, NULL), ZT_OK);
    expect_text("was", "new");
    expect_text("none", "new");
    file_writer_keep(&was);
    file_writer_keep(&none);
    expect_text("was", "new");
    expect_text("none", "new");
    cr_assert_eq(entries(test_folder), 2);
}

Test(file, groups_come_back_as_they_were)
{
    file_writer was, none, link_now, folder_now;
    zt_error err;
    test_folder_write("was", "old");
    cr_assert_eq(symlink("was", in_folder("link")), 0);
    open_new(&was, "was", "new");
    open_new(&link_now, "link", "new");
    open_new(&none, "none", "new");
    open_new(&folder_now, "folder", "new");
    cr_assert_eq(mkdir(in_folder("folder"), 0777), 0);
    test_folder_write("folder/in_it", "x"); // a file cannot replace it
    cr_assert_eq(file_writer_replace(&was, &err), ZT_OK);
    cr_assert_eq(file_writer_replace(&none, &err), ZT_OK);
    cr_assert_eq(file_writer_replace(&link_now, &err), ZT_OK);
    cr_assert_eq(file_writer_replace(&folder_now, &err), ZT_ERR_OUTPUT);
    cr_assert(strstr(err.message, "cannot rename into place"), "%s", err.message);
    file_writer_undo(&was);
    file_writer_undo(&none);
    file_writer_undo(&link_now);
    file_writer_abandon(&folder_now);
    expect_text("was", "old");
    expect_text("link", "old");
    cr_assert_not(file_exists(in_folder("none")));
    cr_assert_eq(entries(test_folder), 3);
}

static const char *refused; ///< part of the names that no file gets; NULL: none

/// In place of libc's: the library in this program calls it.
int rename(const char *from, const char *to)
{
    if (refused && strstr(to, refused)) {
        errno = EIO;
        return -1;
    }
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

/// Three files; a folder has the second's name, known before any renaming; then renaming fails.
Test(file, a_group_is_written_as_one)
{
    char path[3][600];
    zt_error err;
    static const char *const names[3] = {"first", "second", "third"};
    group_file files[3];
    for (int i = 0; i < 3; i++) {
        snprintf(path[i], sizeof path[i], "%s", in_folder(names[i]));
        files[i] = (group_file){path[i], "new", 3};
    }
    MUST(file_group_write(files, 3, true, &err), err);
    for (int i = 0; i < 3; i++)
        expect_text(names[i], "new");
    cr_assert_eq(entries(test_folder), 3);
    test_folder_write("first", "old");
    cr_assert_eq(remove(path[1]), 0);
    cr_assert_eq(remove(path[2]), 0);
    cr_assert_eq(mkdir(path[1], 0777), 0);
    test_folder_write("second/in_it", "x");
    cr_assert_eq(file_group_write(files, 3, false, &err), ZT_ERR_OUTPUT);
    expect_text("first", "old");
    cr_assert_not(file_exists(path[2]));
    cr_assert_eq(entries(test_folder), 2, "a temporary was left");
    cr_assert_eq(unlink(in_folder("second/in_it")) | rmdir(path[1]), 0);
    refused = "second";
    cr_assert_eq(file_group_write(files, 3, false, &err), ZT_ERR_OUTPUT);
    refused = NULL;
    cr_assert(strstr(err.message, "cannot rename into place"), "%s", err.message);
    expect_text("first", "old");
    cr_assert_eq(entries(test_folder), 1, "a temporary, or one of the others, was left");
    cr_assert_eq(file_group_write(files, 0, false, &err), ZT_ERR_ARGUMENT);
    cr_assert_eq(file_group_write(files, FILE_GROUP_MAX + 1, false, &err), ZT_ERR_ARGUMENT);
    files[0].bytes = NULL;
    cr_assert_eq(file_group_write(files, 1, false, &err), ZT_ERR_ARGUMENT);
    expect_text("first", "old");
}

Test(file, links_to_what_is_open_are_written_through)
{
    file_writer w;
    const int fd = open(in_folder("out"), O_RDWR | O_CREAT, 0666);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, "head ", 5), 5);
    PRINTED(link, 64, "/proc/self/fd/%d", fd);
    cr_assert_eq(symlink(link, in_folder("link")), 0);
    cr_assert_eq(file_writer_open(&w, in_folder("link"), NULL), ZT_OK);
    cr_assert_eq(file_writer_write(&w, "xyz", 3, NULL), ZT_OK);
    cr_assert_eq(file_writer_write_first(&w, "X", 1, NULL), ZT_OK);
    cr_assert_eq(file_writer_commit(&w, true, NULL), ZT_OK);
    expect_text("out", "head Xyz");
    cr_assert_eq(write(fd, " tail", 5), 5);
    expect_text("out", "head Xyz tail");
    close(fd);
    cr_assert_eq(entries(test_folder), 2, "the link was replaced");
    // A link to a file that nobody writes to is replaced, as by rename(2).
    cr_assert_eq(unlink(in_folder("link")), 0);
    cr_assert_eq(symlink("out", in_folder("link")), 0);
    open_new(&w, "link", "other");
    cr_assert_eq(file_writer_commit(&w, false, NULL), ZT_OK);
    expect_text("out", "head Xyz tail");
    expect_text("link", "other");
}

Test(file, outputs_that_cannot_be)
{
    file_writer w;
    zt_error err;
    test_folder_write("plain", "x");
    cr_assert_eq(file_writer_open(&w, test_folder, &err), ZT_ERR_OUTPUT);
    cr_assert_eq(file_writer_open(&w, in_folder("plain/below"), &err), ZT_ERR_OUTPUT);
    cr_assert_not_null(strstr(err.message, "below"));
    cr_assert_eq(file_writer_open(&w, in_folder("new/"), &err), ZT_ERR_OUTPUT);
    cr_assert_eq(file_writer_open(&w, "", &err), ZT_ERR_OUTPUT);
    cr_assert_eq(entries(test_folder), 1);
    cr_assert_eq(file_writer_open(&w, "/dev/null", &err), ZT_OK);
    cr_assert_eq(file_writer_write(&w, "abc", 3, &err), ZT_OK);
    cr_assert_eq(file_writer_commit(&w, true, &err), ZT_OK);
    struct stat status;
    cr_assert_eq(stat("/dev/null", &status), 0);
    cr_assert(S_ISCHR(status.st_mode), "the device was replaced");
    if (file_writer_open(&w, "/dev/full", &err) == ZT_OK) {
        cr_assert_eq(file_writer_write(&w, "abc", 3, &err), ZT_ERR_OUTPUT);
        file_writer_abandon(&w);
    }
}

Test(file, paths_as_text)
{
    arena *a = &test_arena;
    cr_assert_str_eq(path_sibling(a, "models/x.m3d", "y.png"), "models/y.png");
    cr_assert_str_eq(path_sibling(a, "x.m3d", "y.png"), "y.png");
    cr_assert_str_eq(path_sibling(a, "/x.m3d", "y.png"), "/y.png");
    cr_assert_str_eq(path_sibling(a, "models/x.m3d", "/abs/y.png"), "/abs/y.png");
    cr_assert_str_eq(path_join(a, "a", "b"), "a/b");
    cr_assert_str_eq(path_join(a, "a/", "b"), "a/b");
    cr_assert_str_eq(path_join(a, "", "b"), "b");
    cr_assert_str_eq(path_join(a, "/", "b"), "/b");
    cr_assert_str_eq(path_name("a/b/c.png"), "c.png");
    cr_assert_str_eq(path_name("c.png"), "c.png");
    cr_assert_str_eq(path_name("a/"), "");
    static const char *const extensions[][2] = {
        {"a/b.PNG", "png"},
        {"a.tar.GZ", "gz"},
        {"a.b/c", ""},
        {".png", ""},
        {"noext", ""},
        {"x.", ""},
        {"x.1234567", "1234567"},
        {"x.12345678", ""},
    };
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++) {
        char out[8];
        path_extension(extensions[i][0], out);
        cr_assert_str_eq(out, extensions[i][1], "%s", extensions[i][0]);
    }
}

static void expect_found(const char *name, const char *want)
{
    const char *found =
        file_find_ignoring_case(&test_arena, test_folder, strlen(test_folder), name);
    if (!want) {
        cr_assert_null(found, "%s found as %s", name, found);
        return;
    }
    cr_assert_not_null(found, "%s", name);
    cr_assert_str_eq(found, in_folder(want));
}

Test(file, finds_names_without_regard_to_case)
{
    mkdir(in_folder("Textures"), 0700);
    mkdir(in_folder("textures"), 0700);
    test_folder_write("Textures/Body.PNG", "1");
    test_folder_write("textures/HEAD.dds", "2");
    test_folder_write("skin_D.Dds", "3");
    test_folder_write("skin_d.dds", "4");
    mkdir(in_folder("folder.png"), 0700);
    expect_found("SKIN_D.DDS", "skin_D.Dds"); // the smaller by bytes
    expect_found("textures/body.png", "Textures/Body.PNG");
    expect_found("TEXTURES\\head.DDS", "textures/HEAD.dds");
    expect_found("./skin_d.dds", "skin_D.Dds");
    expect_found("textures/../skin_d.dds", "Textures/../skin_D.Dds");
    expect_found("folder.png", NULL);
    expect_found("skin_d.dd", NULL);
    expect_found("skin_d.ddsx", NULL);
    expect_found("", NULL);
    expect_found("..", NULL);
    expect_found("textures/", NULL);
    char deep[4000] = "";
    for (int i = 0; i < 200; i++)
        strcat(deep, "textures/../");
    strcat(deep, "none");
    expect_found(deep, NULL); // and soon
    cr_assert_null(file_find_ignoring_case(&test_arena, in_folder("nowhere"), 0, "x"));
    memset(deep, 'x', sizeof deep - 1);
    expect_found(deep, NULL);
}

Test(file, finds_names_in_the_other_normal_form)
{
    static const char *const forms[][2] = {
        {"T\u00FCr", "Tu\u0308r"},
        {"\u0219\u015F", "s\u0326s\u0327"},
        {"\u1EC7\u01B0", "e\u0323\u0302u\u031B"},
        {"\u0390\u0439", "\u03B9\u0308\u0301\u0438\u0306"},
        {"\u304C\u30D1", "\u304B\u3099\u30CF\u309A"},
        {"\uD55C\uAE00", "\u1112\u1161\u11AB\u1100\u1173\u11AF"},
    };
    char stored[64], asked[64];
    file_bytes bytes;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (int k = 0; k < 2; k++) {
            snprintf(stored, sizeof stored, "%zu%d%s", i, k, forms[i][k]);
            snprintf(asked, sizeof asked, "%zu%d%s", i, k, forms[i][1 - k]);
            test_folder_write(stored, "x");
            expect_text(asked, "x");
            cr_expect_eq(file_read_below(NULL, &test_arena, in_folder(asked), strlen(test_folder),
                                         &bytes, NULL),
                         ZT_OK, "%s", asked);
        }
}

// ---- Names that must stay in a folder -----------------------------------------------------------

static int open_twice(const char *name)
{
    PRINTED(path, 4800, "%s/%s", test_folder, name);
    const int root = open(test_folder, O_RDONLY | O_DIRECTORY);
    const int walked = file_walk_below(root, name, O_RDONLY | O_NONBLOCK);
    const int walk_error = errno;
    const int opened = file_open_below(path, strlen(test_folder), 0);
    const int open_error = errno;
    struct stat a = {0}, b = {0};
    cr_assert_eq(opened < 0, walked < 0, "%s: %s, by parts %s", name, strerror(open_error),
                 strerror(walk_error));
    if (opened >= 0) {
        cr_assert_eq(fstat(opened, &a) | fstat(walked, &b), 0);
        cr_expect(a.st_ino == b.st_ino && a.st_dev == b.st_dev, "%s: two files", name);
        close(opened);
        close(walked);
    } else {
        cr_expect_eq(open_error, walk_error, "%s: %s, by parts %s", name, strerror(open_error),
                     strerror(walk_error));
    }
    close(root);
    errno = open_error;
    return opened < 0 ? open_error : 0;
}

Test(file, opens_below_a_folder_only)
{
    static const struct {
        const char *link, *target;
    } links[] = {
        {"environment", "/proc/self/environ"},
        {"magic", "/proc/self/fd/0"},
        {"up", ".."},
        {"in/up", ".."},
        {"in/up2", "../.."},
        {"in/near", "../a"},
        {"folder", "in"},
        {"self", "self"},
        {"chain", "folder/near"},
    };
    static const struct {
        const char *name;
        int error_number;
    } cases[] = {
        {"a", 0},
        {"./a", 0},
        {"in/../a", 0},
        {"in/near", 0},
        {"folder/near", 0},
        {"chain", 0},
        {"in/up/a", 0},
        {"folder/up/in/near", 0},
        {"folder", 0},
        {"pipe", 0},
        {"environment", EXDEV},
        {"magic", EXDEV},
        {"up/x", EXDEV},
        {"up", EXDEV},
        {"in/up2/x", EXDEV},
        {"in/up/../x", EXDEV},
        {"../x", EXDEV},
        {"in/../../x", EXDEV},
        {"self", ELOOP},
        {"a/b", ENOTDIR},
        {"in/none", ENOENT},
        {"none/a", ENOENT},
    };
    test_folder_write("a", "1");
    mkdir(in_folder("in"), 0700);
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        cr_assert_eq(symlink(links[i].target, in_folder(links[i].link)), 0, "%s", links[i].link);
    cr_assert_eq(mkfifo(in_folder("pipe"), 0600), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int got = open_twice(cases[i].name);
        cr_expect_eq(got, cases[i].error_number, "%s: %s", cases[i].name, strerror(got));
    }
    char deep[4000] = "";
    for (int i = 0; i < 1300; i++)
        strcat(deep, "in/");
    cr_expect_eq(open_twice(deep), ENOENT);
}

Test(file, reads_regular_files_that_others_name)
{
    file_bytes bytes;
    zt_error err = {0};
    test_folder_write("a", "text");
    mkfifo(in_folder("pipe"), 0600);
    cr_assert_eq(symlink("/etc/passwd", in_folder("link")), 0);
    MUST(file_read_below(NULL, &test_arena, in_folder("a"), strlen(test_folder), &bytes, &err),
         err);
    cr_assert_eq(bytes.size, 4);
    cr_assert_eq(file_read_below(NULL, &test_arena, in_folder("pipe"), FILE_ANYWHERE, &bytes, &err),
                 ZT_ERR_INPUT); // at once
    cr_expect(strstr(err.message, "is a pipe or device"), "%s", err.message);
    cr_assert_eq(
        file_read_below(NULL, &test_arena, in_folder("link"), strlen(test_folder), &bytes, &err),
        ZT_ERR_INPUT);
    cr_expect(strstr(err.message, "leads out of its folder"), "%s", err.message);
    MUST(file_read_below(NULL, &test_arena, in_folder("link"), FILE_ANYWHERE, &bytes, &err),
         err); // the user's own name
}

/// A budget knows many inputs, whatever order they come in, and nothing else.
Test(file, a_budget_knows_thousands_of_inputs)
{
    enum { COUNT = 3000 };
    zt_budget *whole = NULL;
    cr_assert_eq(zt_budget_create(0, NULL, &whole, NULL), ZT_OK);
    for (int i = 0; i < COUNT; i++) {
        PRINTED(path, 600, "%s/in-%d", test_folder, i);
        const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        cr_assert(file >= 0);
        if (i % 3 != 0)
            cr_assert_eq(file_input_add(&whole->bytes, file, "file", NULL), ZT_OK);
        if (i % 3 == 1)
            cr_assert_eq(file_input_add(&whole->bytes, file, "file", NULL), ZT_OK);
        close(file);
    }
    for (int i = 0; i < COUNT; i++) {
        PRINTED(path, 600, "%s/in-%d", test_folder, i);
        cr_expect_eq(file_is_input(&whole->bytes, path), i % 3 != 0, "%d", i);
    }
    cr_expect_eq(whole->inputs.count, COUNT - COUNT / 3);
    zt_budget_destroy(whole);
}
