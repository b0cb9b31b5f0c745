// SPDX-License-Identifier: MIT
/// Finding textures: every detour with its note, what must not be opened, and formats by content.
#include "picture_fixture.h"
#include "test_folder.h"
#include "testing.h"
#include "texture/texture_file.h"

#include <sys/stat.h>
#include <unistd.h>

/// A folder with model.m3d (which need not exist) and textures whose width tells them apart.
typedef struct fixture {
    budget memory;
    arena a;
    zt_error err;
    picture out;
    message_sink sink;
    char base[600];
    heard said;
} fixture;

static void begin(fixture *f)
{
    memset(f, 0, sizeof *f);
    budget_init(&f->memory, (uint64_t)64 << 20, NULL);
    arena_init(&f->a, &f->memory);
    f->sink = (message_sink){.fn = hear, .user = &f->said};
    test_folder_make();
    snprintf(f->base, sizeof f->base, "%s/model.m3d", test_folder);
}

static void end(fixture *f)
{
    test_folder_remove_all();
    arena_finish(&f->a);
    cr_expect_eq(f->memory.used, 0);
}

/// Declares the fixture `f`, which begins here and ends with its block.
#define FIXTURE(f)                                                                                 \
    __attribute__((cleanup(end))) fixture f;                                                       \
    begin(&f)

/// A PNG of width x 1 pixels, in folders that are made.
static void add_png(fixture *f, const char *name, int32_t width)
{
    OWN_IMAGE image = make_image(width, 1);
    MUST(zt_image_write(test_file(name), &image, NULL, &f->err), f->err);
}

static zt_result find(fixture *f, const char *name, const char *texture_dir)
{
    f->said = (heard){0};
    const texture_origin origin = {
        .path = f->base, .root_length = path_folder_length(f->base), .texture_dir = texture_dir};
    return texture_load(&f->a, &origin, name, (picture_need){0}, &f->sink, &f->out, &f->err);
}

#define EXPECT_FOUND(f, name, dir, width_, notes_)                                                 \
    do {                                                                                           \
        cr_assert_eq(find((f), (name), (dir)), ZT_OK, "%s: %s", (name), (f)->err.message);         \
        cr_expect_eq((f)->out.width, (width_), "%s: found %d", (name), (f)->out.width);            \
        cr_expect_eq(((f)->said.warnings + (f)->said.notes), (notes_), "%s: %s", (name),           \
                     (f)->said.all);                                                               \
    } while (0)

Test(texture_find, order_of_folders)
{
    FIXTURE(f);
    PRINTED(extra, 600, "%s/extra", test_folder);
    add_png(&f, "extra/a.png", 3);
    EXPECT_FOUND(&f, "a.png", extra, 3, 1);
    cr_expect(strstr(f.said.all, "a.png") && strstr(f.said.all, "another folder"), "%s",
              f.said.all);
    cr_expect_eq(find(&f, "a.png", NULL), ZT_ERR_INPUT);
    add_png(&f, "textures/a.png", 2);
    EXPECT_FOUND(&f, "a.png", extra, 2, 1);
    add_png(&f, "a.png", 1);
    EXPECT_FOUND(&f, "a.png", extra, 1, 0);
}

Test(texture_find, case_only_when_the_exact_name_is_absent)
{
    FIXTURE(f);
    add_png(&f, "Head_Diff.PNG", 4);
    EXPECT_FOUND(&f, "head_diff.png", NULL, 4, 1);
    cr_expect(strstr(f.said.all, "another case or form"), "%s", f.said.all);
    add_png(&f, "textures/head_diff.png", 5); // exact in the second folder wins
    EXPECT_FOUND(&f, "head_diff.png", NULL, 5, 1);
    add_png(&f, "Textures2/Skin/A.png", 6);
    EXPECT_FOUND(&f, "textures2\\skin\\a.png", NULL, 6, 1);
}

Test(texture_find, folders_in_names)
{
    FIXTURE(f);
    add_png(&f, "maps/a.png", 7);
    EXPECT_FOUND(&f, "maps/a.png", NULL, 7, 0);
    EXPECT_FOUND(&f, "maps\\a.png", NULL, 7, 0);
    add_png(&f, "b.png", 8);
    EXPECT_FOUND(&f, "C:\\art\\soldier\\b.png", NULL, 8, 1);
    cr_expect(strstr(f.said.all, "without its folders"), "%s", f.said.all);
    EXPECT_FOUND(&f, "/nowhere/b.png", NULL, 8, 1);
    EXPECT_FOUND(&f, "maps/../b.png", NULL, 8, 0);
}

Test(texture_find, names_do_not_lead_out_of_the_folder)
{
    FIXTURE(f);
    add_png(&f, "inner/kept.png", 7);
    cr_expect_eq(find(&f, test_file("inner/kept.png"), NULL), ZT_ERR_INPUT,
                 "an absolute name is followed");
    cr_expect_eq(find(&f, "inner/../../kept.png", NULL), ZT_ERR_INPUT);
    cr_expect_eq(find(&f, "..\\inner\\kept.png", NULL), ZT_ERR_INPUT);
    add_png(&f, "kept.png", 9); // by its last part, in the folder
    EXPECT_FOUND(&f, "../../kept.png", NULL, 9, 1);
}

Test(texture_find, paths_that_stay_inside)
{
    static const char *const inside[] = {"a",    "a/b",      "./a", "a/../b",
                                         "a//b", "a/./../b", "..a", ""};
    static const char *const outside[] = {"/a",        "\\a",    "..",       "../a",
                                          "a/../../b", "./../a", "a\\..\\.."};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        cr_expect(path_stays_inside(inside[i]), "%s", inside[i]);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        cr_expect(!path_stays_inside(outside[i]), "%s", outside[i]);
}

Test(texture_find, dds_falls_back_to_png_and_jpg)
{
    FIXTURE(f);
    add_png(&f, "skin.jpg", 2); // found by content: a PNG with another suffix
    EXPECT_FOUND(&f, "skin.dds", NULL, 2, 1);
    cr_expect(strstr(f.said.all, "another format"), "%s", f.said.all);
    add_png(&f, "textures/SKIN.png", 3); // .png comes first
    EXPECT_FOUND(&f, "skin.DDS", NULL, 3, 1);
    SAYS(f.said.all, "another folder, another case or form, another format");
    cr_expect_eq(find(&f, "skin.tga", NULL), ZT_ERR_INPUT, "only .dds falls back");
}

Test(texture_find, missing_textures_are_named)
{
    FIXTURE(f);
    cr_expect_eq(find(&f, "none.dds", "/extra"), ZT_ERR_INPUT);
    cr_expect(strstr(f.err.message, "none.dds") && strstr(f.err.message, "/extra") &&
                  strstr(f.err.message, "model.m3d"),
              "%s", f.err.message);
    char long_name[9000] = "";
    memset(long_name, 'a', sizeof long_name - 1);
    const char *const names[] = {"", ".", "..", "/", long_name};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_eq(find(&f, names[i], NULL), ZT_ERR_INPUT, "%.8s", names[i]);
}

/// A pipe would block for ever, /dev/zero never ends.
Test(texture_find, only_regular_files_are_opened, .timeout = 20)
{
    FIXTURE(f);
    cr_assert_eq(mkfifo(test_file("pipe.png"), 0600), 0);
    cr_expect_eq(find(&f, "pipe.png", NULL), ZT_ERR_INPUT);
    cr_expect_eq(find(&f, "PIPE.png", NULL), ZT_ERR_INPUT);
    cr_expect_eq(find(&f, "/dev/zero", NULL), ZT_ERR_INPUT);
    cr_assert_eq(mkdir(test_file("folder.png"), 0700), 0);
    cr_expect_eq(find(&f, "folder.png", NULL), ZT_ERR_INPUT);
}

/// "-" next to a model without a folder must not become standard input.
Test(texture_find, a_dash_is_a_file_name, .timeout = 20)
{
    FIXTURE(f);
    cr_assert_eq(chdir(test_folder), 0);
    snprintf(f.base, sizeof f.base, "model.m3d");
    cr_expect_eq(find(&f, "-", NULL), ZT_ERR_INPUT);
    add_png(&f, "-", 9);
    EXPECT_FOUND(&f, "-", NULL, 9, 0);
}

Test(texture_find, broken_pictures_name_their_file)
{
    FIXTURE(f);
    test_folder_write("bad.png", "\x89PNG\r\n\x1a\nrubbish");
    cr_expect_eq(find(&f, "bad.png", NULL), ZT_ERR_FORMAT);
    cr_expect(strstr(f.err.message, test_file("bad.png")), "%s", f.err.message);
}

Test(texture_decode, foreign_formats_are_named)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *name;
    } cases[] = {
        {"\xabKTX 11\xbb\r\n\x1a\n", 12, "KTX"}, {"GIF89a", 6, "GIF"},
        {"#?RADIANCE\n", 11, "Radiance"},        {"II*\0abc", 7, "TIFF"},
        {"hello", 5, "not a picture"},           {"", 0, "not a picture"},
        {"\x89PN", 3, "not a picture"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PICTURE_CASE(f, 0);
        const file_bytes bytes = {(const uint8_t *)cases[i].bytes, cases[i].size};
        cr_expect_eq(picture_decode(&f.a, "t", bytes, (picture_need){0}, &f.out, &f.err),
                     ZT_ERR_FORMAT);
        SAYS(f.err.message, cases[i].name);
        SAYS(f.err.message, "PNG, JPEG, WebP, KTX2, DDS, BMP or TGA");
    }
}
