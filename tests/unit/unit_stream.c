// SPDX-License-Identifier: MIT
/// Output formats and streams: each format holds the pixels that zt_render gives.
#include "drawing.h"
#include "image/picture_streams.h"
#include "image/picture_writer.h"
#include "image/png_text.h"
#include "test_memory.h"

enum { FRAMES = 3, WIDTH = 33, HEIGHT = 20 };

static zt_error err;
static zt_scene *scene;
static zt_renderer *renderer;

/// Output and reports of a stream.
typedef struct sink {
    uint8_t *bytes;
    size_t size;
    int writes, fail_at; ///< the write that fails, from 1; 0: none
    int reports, stop_at;
    uint64_t hash[FRAMES];
} sink;

static void open_all(void)
{
    zt_shot_def shot = sized_shot(WIDTH, HEIGHT);
    shot.background = "transparent";
    shot.turntable_count = FRAMES;
    scene = load_scene(FIGURE_SCENE, &shot);
    renderer = make_renderer(0, ZT_ISA_BEST);
}

static void close_all(void)
{
    zt_renderer_destroy(renderer);
    zt_scene_destroy(scene);
}

TestSuite(stream, .init = open_all, .fini = close_all);

static bool on_bytes(void *user, const void *bytes, size_t size)
{
    sink *s = user;
    if (++s->writes == s->fail_at)
        return false;
    s->bytes = realloc(s->bytes, s->size + size);
    cr_assert(s->bytes);
    memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
    return true;
}

static bool on_frame(void *user, const zt_frame_report *report)
{
    sink *s = user;
    cr_assert_eq(report->done, s->reports + 1);
    cr_assert_eq(report->total, zt_scene_frame_count(scene));
    cr_assert_eq(report->frame, zt_scene_frame(scene, s->reports));
    cr_assert_str_eq(report->path, "-");
    s->hash[s->reports] = report->hash;
    return ++s->reports != s->stop_at;
}

static zt_result run(const char *format, sink *s)
{
    zt_sequence_def def = zt_default_sequence_def();
    def.encode.format = format;
    def.hash = true;
    def.write = on_bytes;
    def.write_user = s;
    def.progress = on_frame;
    def.progress_user = s;
    return zt_render_stream(renderer, scene, &def, &err);
}

static zt_image drawn(int64_t frame)
{
    zt_image image = make_image(WIDTH, HEIGHT);
    image.keep_alpha = true;
    MUST(zt_render(renderer, scene, frame, &image, &err), err);
    return image;
}

static void keep_one_frame(void)
{
    zt_shot_def shot = zt_default_shot_def();
    shot.frames = "1";
    MUST(zt_scene_apply(scene, &shot, &err), err);
    cr_assert_eq(zt_scene_frame_count(scene), 1);
}

Test(stream, every_format_has_a_name_of_its_own)
{
    const zt_picture_format *format = NULL;
    int32_t count = 0;
    for (; (format = zt_picture_format_at(count)) != NULL; count++) {
        const picture_writer *writer = NULL;
        MUST(picture_writer_find(format->name, &writer, &err), err);
        cr_assert(&writer->format == format && writer->planes && writer->encode && format->title);
        cr_assert(format->suffix || format->stream, "%s can be written nowhere", format->name);
        cr_assert(!format->suffix || format->suffix[0] == '.');
    }
    cr_assert(count >= 3 && !zt_picture_format_at(-1));
    cr_assert_str_eq(zt_picture_format_at(0)->name, "png");
    cr_assert_str_eq(picture_writer_of_path("a.b/frame.PNG")->format.name, "png");
    cr_assert_str_eq(picture_writer_of_path("frame.unknown")->format.name, "png");
}

Test(stream, rgba_is_the_pixels)
{
    sink s = {0};
    const size_t size = (size_t)WIDTH * HEIGHT * 4;
    MUST(run("rgba", &s), err);
    cr_assert(s.size == FRAMES * size && s.reports == FRAMES);
    for (int i = 0; i < FRAMES; i++) {
        OWN_IMAGE image = drawn(zt_scene_frame(scene, i));
        cr_assert_eq(image.stride, (size_t)WIDTH * 4);
        cr_assert_eq(memcmp(s.bytes + (size_t)i * size, image.rgba8, size), 0, "frame %d", i);
        cr_assert_eq(s.hash[i], zt_image_hash(&image));
    }
    free(s.bytes);
}

Test(stream, png_is_one_file)
{
    sink s = {0};
    uint8_t *bytes = NULL;
    size_t size = 0;
    cr_assert_eq(run("png", &s), ZT_ERR_ARGUMENT);
    cr_assert(strstr(err.message, "3 frames as one PNG") && strstr(err.message, "apng, y4m, rgba"),
              "%s", err.message);
    cr_assert_eq(s.writes, 0);
    keep_one_frame();
    MUST(run(NULL, &s), err);
    OWN_IMAGE image = drawn(1);
    cr_assert_eq(zt_image_encode(&image, NULL, &bytes, &size, &err), ZT_OK);
    // The same file but for key and text of the frame, behind signature, IHDR and sRGB.
    const size_t before = 8 + 25 + 13, behind = before + s.size - size;
    cr_assert_gt(s.size, size + PNG_KEY_CHUNK_BYTES);
    cr_assert_eq(memcmp(s.bytes, bytes, before), 0);
    cr_assert_eq(memcmp(s.bytes + before + 4, "tEXtZoetrope", 12), 0);
    cr_assert_eq(memcmp(s.bytes + before + PNG_KEY_CHUNK_BYTES + 4, "iTXtXML:com.adobe.xmp", 21),
                 0);
    cr_assert_eq(memcmp(s.bytes + behind, bytes + before, size - before), 0);
    zt_free(bytes);
    free(s.bytes);
}

/// Y'CbCr of a pixel over black, from the definition in ITU-R BT.709 with 219 and 224 steps.
static double component(const uint8_t *pixel, int plane)
{
    double rgb[3];
    for (int c = 0; c < 3; c++)
        rgb[c] = floor(pixel[c] * pixel[3] / 255.0 + 0.5) / 255.0;
    const double y = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    if (plane == 0)
        return 16.0 + 219.0 * y;
    const double difference = plane == 1 ? (rgb[2] - y) / 1.8556 : (rgb[0] - y) / 1.5748;
    return 128.0 + 224.0 * difference;
}

Test(stream, y4m_is_bt709_over_black)
{
    static const char header[] = "YUV4MPEG2 W33 H20 F30:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n",
                      mark[] = "FRAME\n";
    const size_t pixels = (size_t)WIDTH * HEIGHT;
    const size_t first = sizeof header - 1, line = sizeof mark - 1;
    sink s = {0};
    MUST(run("y4m", &s), err);
    cr_assert_eq(s.size, first + FRAMES * (line + 3 * pixels));
    cr_assert_eq(memcmp(s.bytes, header, first), 0);
    const uint8_t *next = s.bytes + first;
    for (int i = 0; i < FRAMES; i++, next += line + 3 * pixels) {
        OWN_IMAGE image = drawn(zt_scene_frame(scene, i));
        cr_assert_eq(memcmp(next, mark, line), 0);
        // Half a step of rounding, and weights of 16 bits.
        for (size_t k = 0; k < 3 * pixels; k++) {
            const double want = component(image.rgba8 + 4 * (k % pixels), (int)(k / pixels));
            NEAR(next[line + k], want, 0.51, "frame %d, %zu", i, k);
        }
    }
    free(s.bytes);
}

Test(stream, rows_may_be_apart)
{
    uint8_t pixels[3 * 20], want[3 * 8];
    const zt_image image = {.rgba8 = pixels, .width = 2, .height = 3, .stride = 20};
    const picture_planes planes = {.color8 = image};
    file_bytes bytes;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * 7);
    for (size_t y = 0; y < 3; y++)
        memcpy(want + 8 * y, pixels + 20 * y, 8);
    OWN_MEMORY(a, 0);
    cr_assert_eq(rgba_encode(&planes, &(zt_encode_def){0}, &a, &bytes, &err), ZT_OK);
    cr_assert(bytes.size == sizeof want && memcmp(bytes.data, want, sizeof want) == 0);
}

Test(stream, failures)
{
    for (int at = 1; at <= 1 + FRAMES; at++) {
        sink s = {.fail_at = at};
        cr_assert_eq(run("y4m", &s), ZT_ERR_OUTPUT, "write %d", at);
        cr_assert(s.writes == at && s.reports == (at > 2 ? at - 2 : 0));
        free(s.bytes);
    }
    sink stopped = {.stop_at = 2};
    cr_assert_eq(run("rgba", &stopped), ZT_ERR_CANCELLED);
    cr_assert(stopped.reports == 2 && stopped.writes == 2);
    free(stopped.bytes);
    sink unknown = {0};
    cr_assert_eq(run("tga", &unknown), ZT_ERR_ARGUMENT);
    SAYS(err.message, "expected one of png, webp, jpeg, exr, npz, apng, y4m, rgba");
    const zt_sequence_def silent = zt_default_sequence_def();
    cr_assert_eq(zt_render_stream(renderer, scene, &silent, &err), ZT_ERR_ARGUMENT);
    zt_sequence_def unmade = {.write = on_bytes};
    cr_assert_eq(zt_render_stream(renderer, scene, &unmade, &err), ZT_ERR_ARGUMENT);
    zt_sequence_def files = zt_default_sequence_def();
    files.pattern = ZT_BINARY_DIR "/stream-####.png";
    files.encode.format = "y4m";
    cr_assert_eq(zt_render_sequence(renderer, scene, &files, &err), ZT_ERR_ARGUMENT);
    files.encode = zt_default_encode_def();
    files.encode.has_key = true;
    cr_assert_eq(zt_render_sequence(renderer, scene, &files, &err), ZT_ERR_ARGUMENT);
    cr_assert(strstr(err.message, "a key or texts for many frames"), "%s", err.message);
    files.encode = (zt_encode_def){0};
    cr_assert_eq(zt_render_sequence(renderer, scene, &files, &err), ZT_ERR_ARGUMENT);
    files.encode = zt_default_encode_def();
    files.write = on_bytes;
    cr_assert_eq(zt_render_sequence(renderer, scene, &files, &err), ZT_ERR_ARGUMENT);
    cr_assert(strstr(err.message, "only in zt_render_stream"), "%s", err.message);
}
