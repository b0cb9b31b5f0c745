// SPDX-License-Identifier: MIT
/// Draws a peer_scene with OpenGL ES, from posed matrices to 8-bit sRGB pixels in memory: what
/// zt_render does.
#pragma once

#include "peer_scene.h"

typedef struct llvmpipe_renderer llvmpipe_renderer;

/// Uploads meshes and textures and compiles programs. `encode`: sRGB codes are computed in the
/// fragment shader; otherwise the framebuffer does it (GL_SRGB8_ALPHA8). NULL and a line on stderr
/// on failure. Needs a current context.
llvmpipe_renderer *llvmpipe_renderer_create(const peer_scene *scene, bool encode);
/// Draws, waits, and reads RGBA8 rows from the top into `pixels` [width * height * 4].
void llvmpipe_render(llvmpipe_renderer *r, const peer_frame *frame, uint8_t *pixels);
void llvmpipe_renderer_destroy(llvmpipe_renderer *r);
