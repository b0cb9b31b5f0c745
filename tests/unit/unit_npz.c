// SPDX-License-Identifier: MIT
/// Planes as NumPy files, read again by our reader of ZIP. NumPy itself reads them in
/// tests/bindings/test_python.py.
#include "counted_cancel.h"
#include "image/picture_encoders.h"
#include "testing.h"
#include "threemf/zip.h"

enum { WIDTH = 3, HEIGHT = 2, GAP = 8, HEADER_BYTES = 128 };

/// Rows of all planes are counted through, with a gap behind each row of colours.
static picture_planes make_planes(arena *a)
{
    picture_planes planes;
    const uint32_t set =
        PICTURE_PLANE_COLOR8 | 1u << PLANE_DEPTH | 1u << PLANE_NORMAL | 1u << PLANE_OBJECT;
    cr_assert_eq(picture_planes_init(&planes, set, WIDTH, HEIGHT, a, NULL), ZT_OK);
    planes.color8.stride = 4 * WIDTH + GAP;
    planes.color8.rgba8 = ARENA_ARRAY(a, uint8_t, HEIGHT * planes.color8.stride);
    for (size_t i = 0; i < HEIGHT * planes.color8.stride; i++)
        planes.color8.rgba8[i] = (uint8_t)i;
    for (int p = 0; p < PLANE_COUNT; p++)
        for (int32_t i = 0; planes.plane[p].data && i < WIDTH * HEIGHT; i++)
            for (int32_t c = 0; c < picture_plane_table[p].kind.channels; c++) {
                float *at = picture_plane_at(&planes, (picture_plane)p, i % WIDTH, i / WIDTH) + c;
                *at = (float)(100 * p + 10 * i + c);
            }
    return planes;
}

Test(npz, arrays_hold_the_planes)
{
    static const struct {
        picture_plane plane; ///< PLANE_COUNT: colours of 8 bits
        const char *name, *header;
        size_t pixel;
    } rows[] = {
        {PLANE_COUNT, "color.npy", "'|u1', 'fortran_order': False, 'shape': (2, 3, 4), }", 4},
        {PLANE_DEPTH, "depth.npy", "'<f4', 'fortran_order': False, 'shape': (2, 3), }", 4},
        {PLANE_NORMAL, "normal.npy", "'<f4', 'fortran_order': False, 'shape': (2, 3, 3), }", 12},
        {PLANE_OBJECT, "object.npy", "'<u4', 'fortran_order': False, 'shape': (2, 3), }", 4},
    };
    OWN_MEMORY(a, 0);
    const picture_planes planes = make_planes(&a);
    zip_archive zip = {.path = "x.npz", .a = &a};
    zt_error err;
    MUST(npz_encode(&planes, NULL, &a, &zip.bytes, &err), err);
    MUST(zip_open(&zip, &err), err);
    size_t whole = 22;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool bytes = rows[i].plane == PLANE_COUNT;
        const plane_memory colors = {planes.color8.rgba8, planes.color8.stride};
        const plane_memory *memory = bytes ? &colors : &planes.plane[rows[i].plane];
        const size_t row = WIDTH * rows[i].pixel;
        const zip_entry *entry = zip_find(&zip, rows[i].name);
        file_bytes array;
        cr_assert(entry && entry == &zip.entry[i], "%s", rows[i].name);
        cr_expect_eq(entry->method, 0);
        MUST(zip_read(&zip, entry, &array, &err), err); // with its CRC-32
        cr_assert_eq(array.size, HEADER_BYTES + HEIGHT * row);
        cr_expect_eq(memcmp(array.data, "\x93NUMPY\1\0\x76\0{'descr': ", 20), 0);
        cr_expect_eq(memcmp(array.data + 20, rows[i].header, strlen(rows[i].header)), 0);
        for (size_t k = 20 + strlen(rows[i].header); k < HEADER_BYTES - 1; k++)
            cr_expect_eq(array.data[k], ' ');
        cr_expect_eq(array.data[HEADER_BYTES - 1], '\n');
        for (size_t y = 0; y < HEIGHT; y++)
            cr_expect_eq(memcmp(array.data + HEADER_BYTES + y * row,
                                (const char *)memory->data + y * memory->stride, row),
                         0, "%s, row %zu", rows[i].name, y);
        whole += 30 + 46 + 2 * strlen(rows[i].name) + array.size;
    }
    cr_assert_eq(zip.bytes.size, whole);
    cr_expect_eq(zip.bytes.data[whole - 2] | zip.bytes.data[whole - 1], 0); // no comment
}

Test(npz, faults_leave_no_file)
{
    static const zt_result results[] = {ZT_ERR_CANCELLED, ZT_ERR_LIMIT, ZT_ERR_LIMIT};
    OWN_MEMORY(pixels, 0);
    for (int i = 0; i < 3; i++) {
        OWN_MEMORY(a, i == 1 ? 512 : 0);
        counted_cancel caller = {.last = i == 0 ? 2 : 1000};
        picture_planes planes = make_planes(&pixels);
        file_bytes file = {0};
        zt_error err = {0};
        if (i == 2)
            planes.height = INT32_MAX; // 56 GiB, which are never touched
        cancel_init(&a_budget.cancel, &(zt_cancel){counted_ask, &caller});
        cr_expect_eq(npz_encode(&planes, NULL, &a, &file, &err), results[i], "%d", i);
        cr_expect_eq(strstr(err.message, "(expected at most 4 GiB)") != NULL, i == 2);
        cr_expect_null(file.data);
    }
}
