// SPDX-License-Identifier: MIT
/// Code that the rendering commands share.
#pragma once

#include "cli/console.h"
#include "cli/options.h"

/// --metadata full: JSON of the command, its flags that decide pictures, and the inputs read so far
/// as "FNV-1A-64 SIZE NAME", that of the command line first. Free out->settings.
zt_result settings_make(const options *o, zt_encode_def *out, zt_error *err);
/// Loads the scene and applies the shot.
zt_result open_scene(const options *o, const char *input, zt_scene **out_scene, zt_error *err);
/// What the command thumbnail adds to its flags.
void thumbnail_shot(options *o);
bool is_folder(const char *path);
/// Longer side of the pictures asked for, for zt_load_def.picture_side; 0 when the scene decides.
int32_t longer_side(const zt_shot_def *shot);
/// A picture of the scene's size; ZT_ERR_LIMIT when it does not fit into --max-memory.
zt_result init_picture(const options *o, const zt_scene *scene, zt_image *out, zt_error *err);

/// What `renderer` has drawn so far, which warn_empty() compares with.
drawn_stats drawn_so_far(const zt_renderer *renderer);
/// Adds `times` of `one`, 1 or -1; the memory of a frame is the larger one.
void drawn_add(drawn_stats *sum, const drawn_stats *one, int times);
/// Adds the time since then to a stage that the command does itself: "encode" or "write".
void drawn_add_stage(drawn_stats *sum, const char *stage, double start_s);
/// Warns when pictures were drawn since `before` and no model is visible in any of them.
void warn_empty(const options *o, const zt_renderer *renderer, const drawn_stats *before,
                const char *input);
/// A zt_write_fn to standard output.
bool write_stdout(void *user, const void *bytes, size_t size);
/// --list-clips. Returns an exit code.
int list_clips(const options *o, const zt_scene *scene);
/// --hash-stages: a member of a result document; nothing without the flag.
void stage_hashes_json(json_stream *document, const options *o, const zt_renderer *renderer);
/// --verify: renders the only frame and compares its hash. Returns an exit code.
int verify_frame(const options *o, zt_renderer *renderer, const zt_scene *scene);
