// SPDX-License-Identifier: MIT
/// An OpenGL ES 3.1 context on Mesa's llvmpipe without a window or a display.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Makes a context current for this process. `threads` 1 rasterises on the calling thread
/// (LP_NUM_THREADS=0); more start that many rasteriser threads, while vertices, set-up and binning
/// stay on the calling thread, as llvmpipe has it. Must be called once, before any other use of GL;
/// prints one line and returns false when there is no llvmpipe.
bool llvmpipe_start(int32_t threads);
void llvmpipe_stop(void);
/// GL_RENDERER and GL_VERSION in one line.
const char *llvmpipe_name(void);
