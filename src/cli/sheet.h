// SPDX-License-Identifier: MIT
/// Sheets: pictures side by side in one, and an atlas that says where each is.
#pragma once

#include "base/arena.h"
#include "base/file_group.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/progress.h"

#include <stdio.h>

enum { SHEET_NAME_SIZE = 320, SHEET_CELLS_MAX = 16384 };

typedef struct sheet_rect {
    int32_t x, y, width, height;
} sheet_rect;

/// One picture of a sheet.
typedef struct sheet_cell {
    char name[SHEET_NAME_SIZE]; ///< in the atlas, of no other cell
    int32_t copies;             ///< how many other inputs have had this name
    char caption[SHEET_NAME_SIZE];
    int32_t direction; ///< number of its direction
    int64_t frame;
    int32_t duration_ms;
    double pivot[2]; ///< in pixels of the whole picture
    zt_image image;  ///< without pixels: it could not be made
    uint8_t *planes; ///< one after another, each without gaps; NULL: none
    bool from_file;  ///< a picture that was given, nothing rendered
    sheet_rect kept; ///< the part of the picture that the sheet shows
    sheet_rect slot; ///< in the sheet, with extruded edges and the caption
} sheet_cell;

/// Cells in a row of time: the frames of a clip from a direction.
typedef struct sheet_run {
    char name[SHEET_NAME_SIZE]; ///< of its cells, without the frame
    size_t stem;                ///< its letters before those of clip and direction
    int32_t first, count;
} sheet_run;

typedef struct sheet_file {
    const zt_plane_kind *kind; ///< NULL: the atlas
    size_t begin;              ///< bytes of a pixel in the planes before
    char path[4096];
} sheet_file;

typedef struct sheet {
    options *o;
    int32_t file_count;               ///< pictures
    sheet_file files[FILE_GROUP_MAX]; ///< 8-bit colour, its planes, and the atlas
    size_t plane_bytes;               ///< of a pixel in all planes
    arena memory;                     ///< for planes
    zt_renderer *renderer;            ///< NULL: workers have theirs
    drawn_stats stats;                ///< what was drawn for all cells
    zt_isa isa;                       ///< by that
    int32_t count, columns, directions;
    int32_t run_count;
    sheet_run *runs;                        ///< [run_count] owned; NULL: pictures of several inputs
    sheet_cell *cells;                      ///< [count] owned
    char clip_names[SHEET_CLIPS_MAX][128];  ///< of --clip in the atlas, each of no other clip
    char clip_indices[SHEET_CLIPS_MAX][16]; ///< of `all`, as texts
    int32_t cell_width, cell_height;
    int32_t caption_scale; ///< pixels of the sheet for a pixel of a letter; 0: no captions
    int32_t width, height; ///< of the sheet
    bool animated;         ///< the cells are frames of one input
    int code;              ///< the highest exit code of pictures that could not be made
} sheet;

/// Renders or reads all cells; places those of a grid before. A failed input ends a grid only.
zt_result sheet_make_cells(sheet *s, zt_error *err);
/// True when two names are one in JSON, where all bytes that are not UTF-8 are alike.
bool sheet_is_one_name(const char *a, const char *b);
/// The cells of several inputs.
zt_result sheet_make_inputs(sheet *s, progress *bar, zt_error *err);
/// `frames`: of each direction, or 0. A grid that is too large fails before anything is rendered.
zt_result sheet_begin_cells(sheet *s, int64_t count, int64_t frames, zt_error *err);
zt_result sheet_render_cell(sheet *s, const zt_scene *scene, sheet_cell *cell, zt_error *err);
void sheet_report_cell(progress *bar, const sheet *s, int32_t index);
void sheet_free_cells(sheet *s);

/// Before cells have pictures: equal cells get their slots, and the sheet its size. ZT_ERR_LIMIT.
zt_result sheet_place_grid(sheet *s, zt_error *err);
/// Afterwards: sets what is kept of each, with --trim its slot, and the sheet's size. ZT_ERR_LIMIT.
zt_result sheet_place(sheet *s, zt_error *err);
/// Places rectangles without overlap in rows of falling height, in an area that is small and at
/// most as wide and high as given; `order`: room for [count]. Returns the width of the area, 0:
/// none.
int32_t sheet_pack(sheet_rect *rects, int32_t count, int32_t max_width, int32_t max_height,
                   int32_t *order, int32_t *out_height);
/// The height of a caption with the space above it, in pixels of the sheet.
int32_t sheet_caption_height(const sheet *s);

enum { SHEET_LETTER_WIDTH = 6, SHEET_LETTER_HEIGHT = 8 }; ///< with the gap to the next

bool sheet_font_pixel(char letter, int32_t x, int32_t y);
/// As many whole letters of a text as fit in `columns`: its start and its end.
void sheet_font_fit(const char *text, int32_t columns, char *out, size_t size);

/// Names the pictures by -o and --planes. ZT_ERR_ARGUMENT: PNG does not hold a plane, or not so.
zt_result sheet_name_files(sheet *s, zt_error *err);
/// Draws the picture and the planes of a cell.
zt_result sheet_render_planes(sheet *s, const zt_scene *scene, sheet_cell *cell, zt_error *err);
/// The file of a plane in memory, for zt_free; `color`: the picture of the sheet.
zt_result sheet_encode_plane(sheet *s, const sheet_file *file, const zt_image *color, uint8_t **out,
                             size_t *out_size, zt_error *err);
/// A member of a document: the files of planes by name, with their folders or without.
void sheet_write_planes(json_stream *out, const sheet *s, bool folders);

/// Copies the kept part of a cell, and its outermost pixels again around it; sizes in bytes.
void sheet_draw_cell(const sheet *s, const sheet_cell *cell, const uint8_t *from,
                     size_t from_stride, uint8_t *to, size_t to_stride, size_t pixel);
/// Draws all cells into a picture, which the caller finishes.
zt_result sheet_draw(const sheet *s, zt_image *out, zt_error *err);
/// Writes the atlas as JSON; `image_name`: how it names the picture.
void sheet_write_atlas(const sheet *s, const char *image_name, FILE *file);
