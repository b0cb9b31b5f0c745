// SPDX-License-Identifier: MIT
// Joins pictures of one size in a grid, for the documentation:
//
//     contact_sheet COLUMNS OUT.png IN.png...
//
// Row by row; empty cells are transparent. docs/sheets.sh makes the sheets of
// docs/animation.md.
#include <zoetrope/zoetrope.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Copies `one` to its cell of the sheet. The first one allocates the sheet. Returns the exit code.
static zt_result add_picture(zt_image *sheet, int32_t columns, int32_t count, int32_t place,
                             const zt_image *one, zt_error *err)
{
    const int32_t rows = (count + columns - 1) / columns;
    if (place == 0) {
        const zt_result result =
            zt_image_init(sheet, one->width * columns, one->height * rows, NULL, err);
        if (result != ZT_OK)
            return result;
    }
    if (one->width * columns != sheet->width || one->height * rows != sheet->height) {
        snprintf(err->message, sizeof err->message, "picture %d has another size", place + 1);
        return ZT_ERR_ARGUMENT;
    }
    const size_t row = (size_t)one->width * 4;
    const size_t left = (size_t)(place % columns) * row;
    const size_t top = (size_t)(place / columns) * (size_t)one->height;
    for (size_t y = 0; y < (size_t)one->height; y++)
        memcpy(sheet->rgba8 + (top + y) * sheet->stride + left, one->rgba8 + y * one->stride, row);
    return ZT_OK;
}

int main(int argc, char **argv)
{
    const int32_t columns = argc > 3 ? (int32_t)strtol(argv[1], NULL, 10) : 0;
    if (columns < 1 || columns > 64 || argc - 3 > 1024) {
        fprintf(stderr, "usage: contact_sheet COLUMNS OUT.png IN.png...\n");
        return ZT_ERR_ARGUMENT;
    }
    zt_error err = {0};
    zt_image sheet = {0};
    zt_encode_def small = zt_default_encode_def();
    small.png = ZT_PNG_SMALL;
    zt_result result = ZT_OK;
    for (int32_t i = 0; i < argc - 3 && result == ZT_OK; i++) {
        zt_image one = {0};
        result = zt_image_read(argv[i + 3], true, NULL, &one, &err);
        if (result == ZT_OK)
            result = add_picture(&sheet, columns, argc - 3, i, &one, &err);
        zt_image_finish(&one);
    }
    if (result == ZT_OK)
        result = zt_image_write(argv[2], &sheet, &small, &err);
    if (result != ZT_OK)
        fprintf(stderr, "contact_sheet: %s\n", err.message);
    zt_image_finish(&sheet);
    return (int)result;
}
