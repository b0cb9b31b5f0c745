// SPDX-License-Identifier: MIT
/// Words of the command line -> options. One table says which flags exist, what they take, which
/// commands know them and what --help says.
#ifndef ZT_CLI_OPTIONS_H
#define ZT_CLI_OPTIONS_H

#include <zoetrope/zoetrope.h>

typedef enum command {
    COMMAND_NONE,
    COMMAND_RENDER,
    COMMAND_TURNTABLE,
    COMMAND_THUMBNAIL,
    COMMAND_COMPARE,
    COMMAND_INSPECT,
    COMMAND_CHECK,
    COMMAND_CONVERT,
    COMMAND_COUNT
} command;

typedef enum progress_kind {
    PROGRESS_AUTO,
    PROGRESS_BAR,
    PROGRESS_LINES,
    PROGRESS_JSON,
    PROGRESS_NONE
} progress_kind;

typedef struct options {
    command command;
    bool help, version;
    zt_load_def load;
    zt_renderer_def renderer;
    bool isa_given, threads_given; ///< by a flag, so that the environment is not asked
    zt_shot_def shot;
    zt_sequence_def sequence;
    const char *output; ///< NULL: by the input's name
    const char *outdir;
    bool list_clips, json, stats, quiet, verbose, hash_stages;
    progress_kind progress;
    const char *format; ///< a zt_picture_format; NULL: not given
    double timeout_s;   ///< 0: none
    bool verify;
    uint64_t verify_hash;
    const char *diff;
    int64_t max_diff; ///< largest channel difference that still counts as equal
    double mean;      ///< largest mean difference that does, NaN: not looked at
    int32_t count;    ///< turntable
    int input_count;
    const char **inputs; ///< into argv's array
} options;

/// Parses the words after the program's name. `argv` is reordered: the inputs stand together
/// afterwards. Fails with ZT_ERR_ARGUMENT and a message.
zt_result options_parse(int argc, char **argv, options *out, zt_error *err);

/// Prints the help of a command, or of the program for COMMAND_NONE, to standard output.
void options_help(command which);
const char *command_name(command which);

#endif
