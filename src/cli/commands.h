// SPDX-License-Identifier: MIT
/// The commands. Each gets parsed options, prints its own messages, and returns an exit code.
#ifndef ZT_CLI_COMMANDS_H
#define ZT_CLI_COMMANDS_H

#include "cli/options.h"

int command_render(options *o);
int command_thumbnail(options *o);
int command_compare(const options *o);
int command_inspect(const options *o);
int command_check(const options *o);
int command_convert(options *o);

/// Loads the scene and applies the shot, the way all rendering commands do.
zt_result open_scene(const options *o, const char *input, zt_scene **out_scene, zt_error *err);
/// Longer side of the pictures that the flags ask for, for zt_load_def.picture_side; 0 when they
/// leave the size to the scene.
int32_t longer_side(const zt_shot_def *shot);
/// A picture of the scene's size; ZT_ERR_LIMIT when it alone would pass --max-memory.
zt_result init_picture(const options *o, const zt_scene *scene, zt_image *out, zt_error *err);
/// --verify: renders the only frame and compares its hash. Returns an exit code.
int verify_frame(const options *o, zt_renderer *renderer, const zt_scene *scene);
/// Every frame as one stream (or one PNG) on standard output. Returns an exit code.
int stream_frames(const options *o, zt_renderer *renderer, const zt_scene *scene);
/// File name without folders and suffix, written into `out`; "stdin" for "-".
void stem_of(const char *path, char *out, size_t size);

#endif
