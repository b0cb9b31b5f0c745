// SPDX-License-Identifier: MIT
/// Our material model in GLSL ES 3.10, for the peer that draws our scenes.
#pragma once

/// The fragment shader is the two texts of functions and then main. Both stages start with the
/// lines that say what a program has: SKINNED, MATRICES n, LIGHTS n, MAP_BASE, MAP_METAL_ROUGH,
/// MAP_NORMAL, MAP_OCCLUSION, MAP_EMISSIVE, DOUBLE_SIDED, UNLIT, ENCODE, ENVIRONMENT, CUBE_LEVELS
/// n, SHADOW.
extern const char *const llvmpipe_vertex_shader;
extern const char *const llvmpipe_fragment_functions, *const llvmpipe_light_functions,
                                                          *const llvmpipe_fragment_main;
/// The fragment shader that fills a shadow map.
extern const char *const llvmpipe_shadow_main;
