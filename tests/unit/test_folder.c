// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // nftw
#include "test_folder.h"

#include "glb.h"
#include "testing.h"

#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

char test_folder[512];

void test_folder_make(void)
{
    snprintf(test_folder, sizeof test_folder, "%s/test-XXXXXX", ZT_BINARY_DIR);
    cr_assert(mkdtemp(test_folder), "%s", test_folder);
}

const char *test_file(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", test_folder, name);
    return path;
}

void test_folder_write(const char *name, const char *text)
{
    PRINTED(path, 1024, "%s/%s", test_folder, name);
    for (char *end = path + strlen(test_folder) + 1; (end = strchr(end, '/')); *end++ = '/') {
        *end = 0;
        (void)mkdir(path, 0700);
    }
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file, "%s", path);
    fputs(text, file);
    cr_assert_eq(fclose(file), 0);
}

const char *test_folder_glb(const char *name, const char *json, const void *bin, size_t bin_size)
{
    size_t size;
    OWN_BLOCK uint8_t *glb = glb_make(json, bin, bin_size, &size);
    const char *path = test_file(name);
    FILE *file = fopen(path, "wb");
    cr_assert(file && fwrite(glb, 1, size, file) == size && fclose(file) == 0, "%s", path);
    return path;
}

int test_folder_empty(void)
{
    int count = 0;
    DIR *list = opendir(test_folder);
    cr_assert(list);
    for (struct dirent *e = readdir(list); e; e = readdir(list)) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        cr_assert_neq(e->d_name[0], '.', "%s was left behind", e->d_name);
        PRINTED(path, 1024, "%s/%s", test_folder, e->d_name);
        if (unlink(path) != 0)
            cr_assert_eq(rmdir(path), 0);
        count++;
    }
    closedir(list);
    return count;
}

void test_folder_remove(void)
{
    test_folder_empty();
    rmdir(test_folder);
}

/// Links are not followed.
static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status, (void)kind, (void)at;
    return remove(path);
}

void test_folder_remove_all(void)
{
    cr_assert_eq(nftw(test_folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}
