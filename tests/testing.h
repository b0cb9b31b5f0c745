// SPDX-License-Identifier: MIT
/// Criterion, what nearly every test takes of the C library, and objects that end with their block.
#pragma once

#include "own.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

/// A call that sets `err` and must give ZT_OK.
#define MUST(call, err) cr_assert_eq((call), ZT_OK, "%s", (err).message)

static inline bool is_close(double got, double want, double within)
{
    const bool holds = fabs(got - want) < within;
    if (!holds)
        fprintf(stderr, "%.17g, not %.17g (+- %.3g):\n", got, want, within);
    return holds;
}

/// Two floats or doubles must be less than `within` apart. Before the message it prints them.
#define NEAR(got, want, within, ...)                                                               \
    cr_assert(is_close((double)(got), (double)(want), (double)(within)), __VA_ARGS__)

/// A text, such as a message, must hold this part.
#define SAYS(text, part) cr_assert_not_null(strstr((text), (part)), "%s", (text))

/// Declares a text of a format, which fits into `size` bytes: PRINTED(path, 512, "%s/a", folder);
#define PRINTED(name, size, ...)                                                                   \
    char name[size];                                                                               \
    cr_assert_lt(snprintf(name, sizeof name, __VA_ARGS__), (int)sizeof name)

/// The messages of a sink: `hear`, with a pointer to one of these as its user.
typedef struct heard {
    int warnings, notes;
    char last[512], all[4096]; ///< `all`: a line each
} heard;

static inline void hear(void *user, zt_severity severity, const char *text)
{
    heard *h = user;
    const size_t used = strlen(h->all);
    *(severity == ZT_WARNING ? &h->warnings : &h->notes) += 1;
    snprintf(h->last, sizeof h->last, "%s", text);
    snprintf(h->all + used, sizeof h->all - used, "%s\n", text);
}

/// A transparent black picture.
static inline zt_image make_image(int32_t width, int32_t height)
{
    zt_image image;
    zt_error error;
    MUST(zt_image_init(&image, width, height, NULL, &error), error);
    return image;
}
