// SPDX-License-Identifier: MIT
/// Blocks of memory and objects of the library that end with their block, for tests and benchmarks.
#pragma once

#include "base/arena.h"
#include "base/jobs.h"

#include <zoetrope/zoetrope.h>

#include <stdlib.h>
#include <string.h>

static inline void own_block_end(void *own)
{
    void *block;
    memcpy(&block, own, sizeof block);
    free(block);
}

static inline void own_pool_end(job_pool **own) { job_pool_destroy(*own); }
static inline void own_model_end(zt_model **own) { zt_model_destroy(*own); }
static inline void own_renderer_end(zt_renderer **own) { zt_renderer_destroy(*own); }
static inline void own_scene_end(zt_scene **own) { zt_scene_destroy(*own); }

/// OWN_SCENE *scene = ...; OWN_IMAGE image = ...; OWN_BLOCK uint8_t *bytes = malloc(size);
#define OWN_ARENA    __attribute__((cleanup(arena_finish))) arena
#define OWN_BLOCK    __attribute__((cleanup(own_block_end)))
#define OWN_IMAGE    __attribute__((cleanup(zt_image_finish))) zt_image
#define OWN_MODEL    __attribute__((cleanup(own_model_end))) zt_model
#define OWN_POOL     __attribute__((cleanup(own_pool_end))) job_pool
#define OWN_RENDERER __attribute__((cleanup(own_renderer_end))) zt_renderer
#define OWN_SCENE    __attribute__((cleanup(own_scene_end))) zt_scene

/// Declares the arena `a` with a budget of its own of `limit` bytes; 0: as many as a program gets.
#define OWN_MEMORY(a, limit)                                                                       \
    budget a##_budget;                                                                             \
    OWN_ARENA a;                                                                                   \
    budget_init(&a##_budget, (limit), NULL);                                                       \
    arena_init(&a, &a##_budget)
