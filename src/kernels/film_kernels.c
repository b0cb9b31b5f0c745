// SPDX-License-Identifier: MIT
// The loops of the film, from linear colours to pixels, of one instruction set.
#include "film/film_loops.h"
#include "kernels/stage_table.h"
#include "simd/powers_lanes.h"
#include "simd/vec3_lanes.h"

// clang-format off
#include "environment/octahedral.inl"
#include "environment/equirectangular.inl"
#include "environment/environment.inl"
#include "shade/shade_rays.inl"
#include "film/tone_maps.inl"
#include "film/film.inl"
#include "film/display.inl"
#include "film/look.inl"
#include "film/blend_display.inl"
#include "film/blend.inl"
#include "film/backdrop.inl"
#include "film/behind.inl"
#include "film/blend_glass.inl"
#include "film/color_reduce.inl"
#include "film/blur.inl"
// clang-format on

extern const film_loops STAGE_TABLE(film);
const film_loops STAGE_TABLE(film) = {.premultiply = premultiply,
                                      .blend = blend,
                                      .backdrop = film_fill_backdrop,
                                      .look = look,
                                      .film = film,
                                      .display = display,
                                      .behind_resolve = behind_resolve,
                                      .behind_reduce = behind_reduce,
                                      .blur_tile = blur_tile,
                                      .blur_end = blur_end,
                                      .color_reduce = color_reduce};
