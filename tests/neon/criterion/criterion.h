// SPDX-License-Identifier: MIT
/// Stands in for Criterion where an emulator cannot follow its processes: all tests run in one, in
/// the order of files and lines, and the first failure ends it with status 1. Only what kernel
/// tests use is here. run_tests.c holds the list and main().
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_register(const char *suite, const char *name, void (*run)(void));
/// Prints the message and ends the program with status 1.
_Noreturn void test_fail(const char *file, int line, const char *condition, const char *format,
                         ...);

// Options follow the name or not: the 0 at the end makes sure that something does.
#define Test(...) TEST_NAMED(__VA_ARGS__, 0)
#define TEST_NAMED(suite, name, ...)                                                               \
    static void suite##_##name##_run(void);                                                        \
    __attribute__((constructor)) static void suite##_##name##_register(void)                       \
    {                                                                                              \
        test_register(#suite, #name, suite##_##name##_run);                                        \
    }                                                                                              \
    static void suite##_##name##_run(void)

// A message follows the condition or not: the blank at the end makes sure that something does.
#define TEST_CHECK(condition, text, ...)                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            test_fail(__FILE__, __LINE__, text, __VA_ARGS__);                                      \
    } while (0)
#define TEST_CHECK_ONE(condition, ...) TEST_CHECK(condition, #condition, __VA_ARGS__)
#define TEST_CHECK_TWO(operator, a, b, ...)                                                        \
    TEST_CHECK((a) operator(b), #a " " #operator" " #b, __VA_ARGS__)

#define cr_assert(...)      TEST_CHECK_ONE(__VA_ARGS__, " ")
#define cr_assert_eq(...)   TEST_CHECK_TWO(==, __VA_ARGS__, " ")
#define cr_assert_lt(...)   TEST_CHECK_TWO(<, __VA_ARGS__, " ")
#define cr_assert_leq(...)  TEST_CHECK_TWO(<=, __VA_ARGS__, " ")
#define cr_assert_gt(...)   TEST_CHECK_TWO(>, __VA_ARGS__, " ")
#define cr_assert_geq(...)  TEST_CHECK_TWO(>=, __VA_ARGS__, " ")
#define cr_expect           cr_assert
#define cr_expect_eq        cr_assert_eq
#define cr_expect_lt        cr_assert_lt
#define cr_expect_leq       cr_assert_leq
#define cr_expect_gt        cr_assert_gt
#define cr_expect_geq       cr_assert_geq
#define cr_assert_fail(...) test_fail(__FILE__, __LINE__, "reaching this line", __VA_ARGS__)
#define cr_log_info(...)    (printf(__VA_ARGS__), fputc('\n', stdout))
