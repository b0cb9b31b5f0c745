// SPDX-License-Identifier: MIT
/// The planes of a sheet next to its colour: further pictures of equal layout.
#include "cli/option_value.h"
#include "cli/sheet.h"

#include <string.h>

/// Adds a picture called by `output`, where {plane} is the plane, or else STEM_PLANE.png.
static zt_result add_file(sheet *s, const char *output, const char *plane, zt_error *err)
{
    int32_t kind = 0;
    const char *field = strstr(path_name(output), "{plane}");
    const bool plain = !field && s->file_count == 0;
    const size_t stem = field ? (size_t)(field - output) : strlen(output) - strlen(".png");
    sheet_file *file = &s->files[s->file_count];
    if (s->file_count == FILE_GROUP_MAX - 1)
        return usage_error(err, "--planes of more than %d names", FILE_GROUP_MAX - 2);
    while (strcmp(zt_plane_at(kind)->name, plane) != 0)
        kind++;
    file->kind = zt_plane_at(kind);
    file->begin = s->plane_bytes;
    if (s->file_count++ > 0)
        s->plane_bytes += (size_t)file->kind->channels * sizeof(float);
    const int length = snprintf(file->path, sizeof file->path, "%.*s%s%s%s", (int)stem, output,
                                field || plain ? "" : "_", plain ? "" : plane,
                                output + stem + (field ? strlen("{plane}") : 0));
    return length < (int)sizeof file->path ? ZT_OK : usage_error(err, "a path that is too long");
}

static zt_result encode(const sheet *s, const char *name, void *pixels, const zt_image *size,
                        uint8_t **out, size_t *out_size, zt_error *err)
{
    const zt_plane list = {name, pixels, 0};
    zt_planes planes = zt_default_planes();
    planes.width = size->width;
    planes.height = size->height;
    planes.list = &list;
    planes.count = 1;
    planes.image = size;
    return zt_planes_encode(&planes, &s->o->encode, out, out_size, err);
}

zt_result sheet_name_files(sheet *s, zt_error *err)
{
    const char *output = s->o->output, *at = s->o->sequence.planes;
    ZT_TRY(add_file(s, output, "color", err));
    for (size_t length; at; at = at[length] ? at + length + 1 : NULL) {
        float nothing[ZT_PLANE_CHANNELS_MAX] = {0};
        uint8_t *png = NULL;
        size_t size = 0;
        char name[64];
        length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (strcmp(name, "color") == 0)
            continue; // it is always there
        // A pixel alone says before rendering what files do not hold.
        ZT_TRY(encode(s, name, nothing, &(zt_image){.width = 1, .height = 1}, &png, &size, err));
        zt_free(png);
        ZT_TRY(add_file(s, output, strcmp(name, "id") == 0 ? "object" : name, err));
    }
    return ZT_OK;
}

/// In the camera's space nothing faces the viewer: filters of 2D engines mix it with edges.
static void orient_normals(const sheet *s, float *n, int32_t count)
{
    const bool flat = strcmp(s->o->shot.space, "camera") == 0;
    for (const float *end = n + (ptrdiff_t)count * 3; n < end; n += 3) {
        if (flat && n[0] == 0.0f && n[1] == 0.0f && n[2] == 0.0f)
            n[2] = 1.0f;
        n[1] = s->o->sheet.normal_down ? -n[1] : n[1];
    }
}

zt_result sheet_render_planes(sheet *s, const zt_scene *scene, sheet_cell *cell, zt_error *err)
{
    zt_plane list[FILE_GROUP_MAX];
    zt_planes planes = zt_default_planes();
    const size_t pixels = (size_t)s->cell_width * (size_t)s->cell_height;
    zt_scene_size(scene, &planes.width, &planes.height);
    planes.list = list;
    planes.image = &cell->image;
    if (s->file_count > 1)
        ZT_TRY(ARENA_TAKE_RAW(&s->memory, &cell->planes, s->plane_bytes * pixels,
                              "the planes of a sheet", err));
    for (const sheet_file *f = s->files + 1; f < s->files + s->file_count; f++)
        list[planes.count++] = (zt_plane){f->kind->name, cell->planes + f->begin * pixels, 0};
    ZT_TRY(zt_render_planes(s->renderer, scene, cell->frame, &planes, err));
    for (int32_t i = 0; i < planes.count; i++)
        if (strcmp(list[i].name, "normal") == 0)
            orient_normals(s, list[i].pixels, (int32_t)pixels);
    return ZT_OK;
}

zt_result sheet_encode_plane(sheet *s, const sheet_file *file, const zt_image *color, uint8_t **out,
                             size_t *out_size, zt_error *err)
{
    arena a;
    uint8_t *to = NULL;
    const size_t cell = (size_t)s->cell_width, pixel = (size_t)file->kind->channels * sizeof(float);
    const size_t row = pixel * (size_t)s->width,
                 begin = file->begin * cell * (size_t)s->cell_height;
    arena_init(&a, &s->o->load.budget->bytes);
    zt_result result = ARENA_TAKE(&a, &to, row * (size_t)s->height, "the planes of a sheet", err);
    for (int32_t i = 0; i < s->count && result == ZT_OK; i++)
        sheet_draw_cell(s, &s->cells[i], s->cells[i].planes + begin, pixel * cell, to, row, pixel);
    if (result == ZT_OK)
        result = encode(s, file->kind->name, to, color, out, out_size, err);
    arena_finish(&a);
    return result;
}
