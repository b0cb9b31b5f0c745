// SPDX-License-Identifier: MIT
/// Words of the command line -> options. The flags are rows of option_table.c.
#pragma once

#include "base/number.h"
#include "cli/video.h"
#include "report/comparison.h"

#include <zoetrope/zoetrope.h>

typedef enum command {
    COMMAND_NONE,
    COMMAND_RENDER,
    COMMAND_TURNTABLE,
    COMMAND_THUMBNAIL,
    COMMAND_SHEET,
    COMMAND_COMPARE,
    COMMAND_TEST,
    COMMAND_DIFF,
    COMMAND_INSPECT,
    COMMAND_CHECK,
    COMMAND_CONVERT,
    COMMAND_VERIFY,
    COMMAND_SERVE,
    COMMAND_COUNT
} command;

typedef enum progress_kind {
    PROGRESS_AUTO,
    PROGRESS_BAR,
    PROGRESS_LINES,
    PROGRESS_JSON,
    PROGRESS_NONE
} progress_kind;

typedef enum sandbox_mode { SANDBOX_AUTO, SANDBOX_REQUIRE, SANDBOX_OFF } sandbox_mode;

/// Which thumbnails are left as they are.
typedef enum thumbnail_skip {
    THUMBNAIL_SKIP_NONE,
    THUMBNAIL_SKIP_TIME, ///< newer than the model
    THUMBNAIL_SKIP_HASH  ///< made from the same bytes
} thumbnail_skip;

/// A pixel hash, if it was given.
typedef struct option_hash {
    bool given;
    uint64_t value;
    const zt_image *picture; ///< that has it, for the command verify; or NULL
    const char *file;        ///< the name of `picture`
    bool rows;               ///< it is a hash_pixel_rows()
    zt_write_fn write;       ///< what takes the file of the frame instead; or NULL
    void *write_user;
} option_hash;

enum { SHEET_CLIPS_MAX = 256, OPTION_COUNT_MAX = 160 }; ///< rows of the table of flags

/// The flags of sheet.
typedef struct sheet_options {
    int32_t columns;   ///< 0: by the number of pictures
    int32_t max_width; ///< of the sheet in pixels; 0: that of pictures
    int32_t padding, extrude;
    bool trim, captions;
    int32_t atlas_array; ///< 1: the atlas lists its frames
    int32_t normal_down; ///< 1: y of normals points down
    const char *atlas, *pivot;
    int32_t clip_count;
    const char *clips[SHEET_CLIPS_MAX]; ///< of --clip, each; `all` of a model: its clips
} sheet_options;

/// The flags of serve.
typedef struct serve_options {
    bool stdio;
    const char *socket, *root; ///< NULL: not given
    int32_t queue;
    uint64_t max_request;
    char socket_path[4096]; ///< `socket` as an absolute path
    int listener, lock;     ///< of `socket`; -1: none
    int descriptors;        ///< at most, of this process
} serve_options;

struct options {
    command command;
    bool help, help_all, version;
    const char *given[OPTION_COUNT_MAX]; ///< by row: the value on the command line; NULL: none
    const char *repeated;                ///< a flag of one value that was given again; NULL: none
    zt_load_def load;
    zt_renderer_def renderer;
    uint64_t max_memory; ///< 0: by the machine
    zt_limits limits;
    bool untrusted, print_limits;
    sandbox_mode sandbox;
    zt_shot_def shot;
    zt_sequence_def sequence; ///< without `encode`
    zt_encode_def encode;     ///< of every command that writes pictures
    zt_bake_def bake;
    sheet_options sheet;
    serve_options serve;
    struct warm_store *warm; ///< what serve keeps of the request before; NULL: nothing
    const char *output;      ///< after parsing: see output_find(); NULL: none
    char output_path[4096];  ///< `output`, where the input names it
    bool one_picture;        ///< of a bare model: the first frame of its shot
    bool names_frames;       ///< the output that was given has a field for the frame
    const char *outdir;
    const char *name; ///< of thumbnails, a pattern; NULL: by the models
    thumbnail_skip skip;
    bool freedesktop, json_lines;
    video_process video; ///< where `output` is a video
    bool no_cache;
    char cache_folder[4096]; ///< renderer.cache_folder
    bool list_clips, json, stats, quiet, verbose, hash_stages, full, rig, pose_json;
    bool repeats; ///< a shot is applied again: its warnings have been printed
    progress_kind progress;
    double timeout_s;       ///< 0: none
    double model_timeout_s; ///< of each model of a batch; 0: none
    double shot_timeout_s;  ///< of each shot of a suite; 0: none
    int32_t jobs;           ///< models at once; 0: by threads, models and memory
    bool unordered;         ///< lines of a batch come as models are done
    option_hash verify;
    comparison_criteria criteria;
    const char *diff;
    bool flip_diff; ///< pictures of differences are those of FLIP
    const char *mask;
    rectangle_list ignored;
    bool accept;        ///< the inputs after the first two are names
    const char *hashes; ///< a list to check pictures with; NULL: none
    bool print_hashes;
    bool merge;                              ///< the inputs are result documents
    int32_t count;                           ///< turntable; 0: not given
    int32_t clockwise, eased, camera_lights; ///< 0 or 1
    bool update, list, strict_names;
    const char *filter, *results, *against, *html, *junit, *markdown, *picture_prefix, *trace,
        *inputs_folder; ///< NULL: not given
    int input_count;
    const char **inputs; ///< into argv's array
};

/// Parses the words behind the program's name; inputs come first in `argv` then. ZT_ERR_ARGUMENT.
zt_result options_parse(int argc, char **argv, options *out, zt_error *err);
/// True for commands whose models workers make: batches of thumbnails, and sheets of models.
bool options_many_models(const options *o);
/// True when other processes do the work: for many models, and for the shots of a suite.
bool options_use_workers(const options *o);
