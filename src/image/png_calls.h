// SPDX-License-Identifier: MIT
/// Calls of libpng, which ends a call that fails by a jump: here they return. Its memory is that of
/// an arena. The state is outside of the function with setjmp: a longjmp loses nothing.
#pragma once

#include "base/arena.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>

/// Argument of png_create_*_struct_2() for errors and for memory.
typedef struct png_calls {
    arena *memory; ///< of libpng
    char reason[160];
} png_calls;

static inline void png_on_error(png_structp png, png_const_charp text)
{
    png_calls *c = png_get_error_ptr(png);
    snprintf(c->reason, sizeof c->reason, "%s", text);
    png_longjmp(png, 1);
}

/// Warnings are ignored: extra bytes after the image, an index beyond the palette.
static inline void png_on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static inline png_voidp png_on_malloc(png_structp png, png_alloc_size_t size)
{
    png_calls *c = png_get_mem_ptr(png);
    return arena_alloc_raw(c->memory, 1, size);
}

static inline void png_on_free(png_structp png, png_voidp pointer)
{
    (void)png; // the arena frees everything at once
    (void)pointer;
}

/// Runs one step; false when libpng reports an error. No local variable changes after setjmp.
static inline bool png_attempt(png_structp png, void (*step)(void *user), void *user)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    step(user);
    return true;
}
