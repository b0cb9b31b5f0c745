// SPDX-License-Identifier: MIT
/// See test_folder.h.
#include "test_folder.h"

#include "testing.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

char test_folder[512];

void test_folder_make(void)
{
    snprintf(test_folder, sizeof test_folder, "%s/test-%ld", ZT_BINARY_DIR, (long)getpid());
    cr_assert_eq(mkdir(test_folder, 0777), 0, "%s", test_folder);
}

int test_folder_empty(void)
{
    int count = 0;
    DIR *list = opendir(test_folder);
    cr_assert(list);
    for (struct dirent *e = readdir(list); e; e = readdir(list)) {
        char path[1024];
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        cr_assert_neq(e->d_name[0], '.', "%s was left behind", e->d_name);
        snprintf(path, sizeof path, "%s/%s", test_folder, e->d_name);
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
