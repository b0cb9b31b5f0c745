// SPDX-License-Identifier: MIT
/// Calls of libjpeg, which ends a call that fails by a jump: here they return.
#pragma once

#include "base/arena.h"

#include <jpeglib.h>
#include <setjmp.h>
#include <stdio.h> // jpeglib.h needs FILE

/// For jpeg_decompress_struct.err or jpeg_compress_struct.err.
typedef struct jpeg_errors {
    struct jpeg_error_mgr manager; ///< first: libjpeg hands it back
    jmp_buf begin;                 ///< of the attempt
    int code;                      ///< J_MESSAGE_CODE of the error; 0: none
    int warning;                   ///< of the last warning; 0: none
    char text[JMSG_LENGTH_MAX];    ///< of the error
} jpeg_errors;

/// For `err` of a libjpeg object; it must not move.
struct jpeg_error_mgr *jpeg_errors_init(jpeg_errors *errors);

/// Runs step(user), which calls libjpeg with these errors. False: it failed, and why is in them.
bool jpeg_attempt(jpeg_errors *errors, void (*step)(void *user), void *user);

/// True when the last attempt failed because libjpeg got no memory.
bool jpeg_lacks_memory(const jpeg_errors *errors);
