// SPDX-License-Identifier: MIT
/// The list behind criterion/criterion.h: runs registered tests. 1: one fails, or none is there.
#include <criterion/criterion.h>
#include <stdarg.h>

enum { TEST_LIMIT = 64 };

typedef struct test {
    const char *suite, *name;
    void (*run)(void);
} test;

static test tests[TEST_LIMIT];
static int test_count;

void test_register(const char *suite, const char *name, void (*run)(void))
{
    cr_assert(test_count < TEST_LIMIT, "raise TEST_LIMIT");
    tests[test_count++] = (test){suite, name, run};
}

_Noreturn void test_fail(const char *file, int line, const char *condition, const char *format, ...)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    for (int i = 0; i < test_count; i++) {
        printf("%s/%s\n", tests[i].suite, tests[i].name);
        tests[i].run();
    }
    printf("%d tests passed\n", test_count);
    return test_count > 0 ? 0 : 1;
}
