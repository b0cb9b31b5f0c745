// SPDX-License-Identifier: MIT
/// One frame at a time from its number to its file.
#ifndef ZT_RENDER_FRAME_MAKER_H
#define ZT_RENDER_FRAME_MAKER_H

#include "base/file.h"
#include "image/picture_writer.h"
#include "render/renderer.h"

enum { FRAME_PATH_SIZE = 4096 };

/// A place where frames are made: a picture, memory to encode it, and how the last one went.
typedef struct frame_maker {
    zt_renderer *renderer;
    const zt_scene *scene;
    const zt_sequence_def *def;
    const picture_writer *writer;
    zt_image image;
    arena image_arena;
    arena file_arena; ///< filtered rows and encoded bytes; reset after each file
    file_bytes bytes; ///< of the file, once they are encoded
    int64_t frame;
    char path[FRAME_PATH_SIZE];
    uint64_t hash; ///< of the pixels, when asked for
    zt_stats stats;
    zt_error error;
} frame_maker;

void frame_maker_init(frame_maker *m, zt_renderer *r, const zt_scene *scene,
                      const zt_sequence_def *def, const picture_writer *writer);
void frame_maker_finish(frame_maker *m);
/// The file name of `frame` in m->path.
zt_result frame_maker_name(frame_maker *m, int64_t frame);
/// Draws the frame whose name was found.
zt_result frame_maker_draw(frame_maker *m, const frame_crew *crew);
/// Encodes it with all of the renderer's workers, in bands of rows. Only fast PNGs have bands; for
/// others nothing is done.
zt_result frame_maker_encode_bands(frame_maker *m);
/// Encodes it on the calling thread, unless that was done, and writes it.
zt_result frame_maker_write(frame_maker *m);

#endif
