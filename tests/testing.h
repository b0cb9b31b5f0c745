// SPDX-License-Identifier: MIT
/// Criterion, what nearly every test takes of the C library, and objects of the library that end
/// with their block.
#pragma once

#include <zoetrope/zoetrope.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/// A transparent black picture.
static inline zt_image make_image(int32_t width, int32_t height)
{
    zt_image image;
    zt_error error;
    MUST(zt_image_init(&image, width, height, NULL, &error), error);
    return image;
}

static inline void own_block_end(void *own)
{
    void *block;
    memcpy(&block, own, sizeof block);
    free(block);
}

static inline void own_model_end(zt_model **own) { zt_model_destroy(*own); }
static inline void own_renderer_end(zt_renderer **own) { zt_renderer_destroy(*own); }
static inline void own_scene_end(zt_scene **own) { zt_scene_destroy(*own); }

/// OWN_SCENE *scene = ...; OWN_IMAGE image = ...; OWN_BLOCK uint8_t *bytes = malloc(size);
#define OWN_BLOCK    __attribute__((cleanup(own_block_end)))
#define OWN_IMAGE    __attribute__((cleanup(zt_image_finish))) zt_image
#define OWN_MODEL    __attribute__((cleanup(own_model_end))) zt_model
#define OWN_RENDERER __attribute__((cleanup(own_renderer_end))) zt_renderer
#define OWN_SCENE    __attribute__((cleanup(own_scene_end))) zt_scene
