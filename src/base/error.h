// SPDX-License-Identifier: MIT
/// Errors: the function that detects one writes the message; callers only propagate it.
#pragma once

#include <zoetrope/zoetrope.h>

#if defined(__GNUC__)
#define ZT_PRINTF(format_index, first_argument)                                                    \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define ZT_PRINTF(format_index, first_argument)
#endif

/// Fills `err` (NULL: nothing) with a printable line, cut to fit, and returns `code`.
zt_result zt_fail(zt_error *err, zt_result code, const char *format, ...) ZT_PRINTF(3, 4);

/// Returns from the caller with a failed zt_result: the only macro that hides a return.
#define ZT_TRY(call)                                                                               \
    do {                                                                                           \
        const zt_result zt_try_result_ = (call);                                                   \
        if (zt_try_result_ != ZT_OK)                                                               \
            return zt_try_result_;                                                                 \
    } while (0)

/// A message without "PATH: " or "PATH:" in front, where it begins so.
const char *error_without_path(const char *message, const char *path);
/// For programming errors, never for errors in input.
#if defined(NDEBUG) && !defined(ZT_ASSERTS)
#define ZT_ASSERT(condition) ((void)0)
#else
#include <assert.h>
#define ZT_ASSERT(condition) assert(condition)
#endif

/// Receives notes and warnings of a loader. `fn` may be NULL.
typedef struct message_sink {
    zt_message_fn fn;
    void *user;
    bool strict; ///< an unsupported feature is an error
} message_sink;

void message_note(const message_sink *sink, const char *format, ...) ZT_PRINTF(2, 3);
void message_warn(const message_sink *sink, const char *format, ...) ZT_PRINTF(2, 3);
/// For a feature that is ignored or approximated: a warning, or ZT_ERR_UNSUPPORTED when strict.
zt_result message_unsupported(const message_sink *sink, zt_error *err, const char *format, ...)
    ZT_PRINTF(3, 4);
