// SPDX-License-Identifier: MIT
// Frame lists, selections from a shot, frame rates and output names.
#include "base/number.h"
#include "render/frame_job.h"
#include "scene/frame_list.h"
#include "test_memory.h"

ARENA_SUITE(frames, memory, 0);

static const char *joined(const scene_frames *frames)
{
    static char text[512];
    text[0] = 0;
    for (int64_t i = 0; i < frames->count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%lld", i ? " " : "",
                 (long long)frames->frame[i]);
    return text;
}

Test(frames, lists_are_read_in_every_form)
{
    static const struct {
        const char *text, *frames;
    } cases[] = {
        {"12", "12"},          {"-3", "-3"},           {"1-5", "1 2 3 4 5"},
        {"1..5", "1 2 3 4 5"}, {"-2..1", "-2 -1 0 1"}, {"-5..-3", "-5 -4 -3"},
        {"1-10x4", "1 5 9"},   {"-4..4x4", "-4 0 4"},  {"1,3,7-9", "1 3 7 8 9"},
        {"7-9,1", "1 7 8 9"},  {"3,3,2-4", "2 3 4"},   {"0", "0"},
        {" 1 , 2 ", "1 2"},    {"5-5", "5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zt_error err = {0};
        scene_frames frames = {0};
        cr_assert_eq(scene_parse_frames(&memory, cases[i].text, &frames, &err), ZT_OK, "'%s': %s",
                     cases[i].text, err.message);
        cr_assert_str_eq(joined(&frames), cases[i].frames, "'%s'", cases[i].text);
    }
}

Test(frames, malformed_lists_name_their_column)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "column 1"},           {"x", "column 1"},       {"1,", "column 3"},
        {"1-", "column 3"},         {"1..", "column 4"},     {"5-1", "before it starts"},
        {"-5-1", "two dots"},       {"1--3", "two dots"},    {"1-5x0", "step below 1"},
        {"1-5x", "no step"},        {"1;2", "column 2"},     {"1.5", "column 2"},
        {"+1", "column 1"},         {"1e3", "column 2"},     {"99999999999999999999", "column 1"},
        {"2000000000", "column 1"}, {"1-2x-1", "step below"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zt_error err = {0};
        scene_frames frames = {0};
        cr_assert_eq(scene_parse_frames(&memory, cases[i].text, &frames, &err), ZT_ERR_ARGUMENT,
                     "'%s'", cases[i].text);
        cr_assert(strstr(err.message, cases[i].part), "'%s': %s", cases[i].text, err.message);
    }
}

Test(frames, a_list_is_bounded)
{
    zt_error err = {0};
    scene_frames frames = {0};
    cr_assert_eq(scene_parse_frames(&memory, "0-1000000", &frames, &err), ZT_ERR_LIMIT);
    cr_assert_eq(scene_parse_frames(&memory, "1-1000000", &frames, &err), ZT_OK);
    cr_assert_eq(frames.count, 1000000);
}

Test(frames, a_selection_stays_in_the_shot)
{
    static const int64_t shot_frames[] = {0, 2, 4, 6, 8};
    const scene_frames shot = {5, shot_frames};
    static const struct {
        const char *text, *frames;
        bool clamped;
    } cases[] = {
        {"0-8x2", "0 2 4 6 8", false}, {"2", "2", false},      {"2,2", "2", false},
        {"6-1000000000", "6 8", true}, {"-5..2", "0 2", true}, {"1-4", "2 4", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zt_error err = {0};
        scene_frames frames = {0};
        bool clamped = false;
        cr_assert_eq(frame_list_select(&memory, cases[i].text, &shot, &frames, &clamped, &err),
                     ZT_OK, "'%s': %s", cases[i].text, err.message);
        cr_assert_str_eq(joined(&frames), cases[i].frames, "'%s'", cases[i].text);
        cr_assert_eq(clamped, cases[i].clamped, "'%s'", cases[i].text);
    }
    zt_error err = {0};
    scene_frames frames;
    bool clamped;
    cr_assert_eq(frame_list_select(&memory, "9-20", &shot, &frames, &clamped, &err),
                 ZT_ERR_ARGUMENT);
    cr_assert_eq(frame_list_select(&memory, "3", &shot, &frames, &clamped, &err), ZT_ERR_ARGUMENT);
}

Test(frames, rates_are_rational)
{
    static const struct {
        const char *text;
        int32_t numerator, denominator;
    } good[] = {{"30", 30, 1},   {"30000/1001", 30000, 1001}, {"23.976", 2997, 125}, {"0.5", 1, 2},
                {"60/2", 30, 1}, {"1000", 1000, 1},           {"1/1000", 1, 1000}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        int32_t n = 0, d = 0;
        cr_assert(number_parse_rate(good[i].text, &n, &d), "%s", good[i].text);
        cr_assert_eq(n, good[i].numerator, "%s", good[i].text);
        cr_assert_eq(d, good[i].denominator, "%s", good[i].text);
    }
    static const char *const bad[] = {"0",   "-30", "1001", "30/0",  "0/1",    "nan",   "inf",
                                      "30/", "/30", "",     "30fps", "1/1001", "2001/2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int32_t n = 0, d = 0;
        cr_assert_not(number_parse_rate(bad[i], &n, &d), "%s", bad[i]);
    }
}

Test(frames, frame_times_are_one_division)
{
    const zt_scene scene = {.fps_numerator = 30000, .fps_denominator = 1001};
    cr_assert_eq(scene_frame_time(&scene, 0).shot_s, 0.0);
    cr_assert_eq(scene_frame_time(&scene, 30000).shot_s, 1001.0);
    cr_assert_eq(scene_frame_time(&scene, -7).shot_s, -7.0 * 1001.0 / 30000.0);
}

Test(frames, patterns_give_names)
{
    static const struct {
        const char *pattern;
        int64_t frame;
        bool single;
        const char *path;
    } cases[] = {
        {"a-####.png", 7, false, "a-0007.png"},
        {"a-####.png", 12345, true, "a-12345.png"},
        {"a-####.png", -7, false, "a--0007.png"},
        {"a%04d.png", 7, false, "a0007.png"},
        {"a%d.png", 7, false, "a7.png"},
        {"a{frame:4}.png", 7, false, "a0007.png"},
        {"a{frame}.png", 7, false, "a7.png"},
        {"a%09d", 7, false, "a000000007"},
        {"a{frame:9}", 7, false, "a000000007"},
        {"a{frame:19}", 12345678, false, "a0000000000012345678"},
        {"out/a.png", 7, false, "out/a-0007.png"},
        {"out.d/a", 7, false, "out.d/a-0007"},
        {"a.b.png", 7, false, "a.b-0007.png"},
        {"a.png", 7, true, "a.png"},
        {".png", 7, false, ".png-0007"},
        {"##", 3, true, "03"},
        {"#", 3, true, "#"},
        {"Chair #2.png", 5, true, "Chair #2.png"},
        {"Chair #2.png", 5, false, "Chair #2-0005.png"},
        {"Shot #3/pic.png", 5, true, "Shot #3/pic.png"},
        {"Shot ##/{frame:x}/50%d/t-####.png", 5, true, "Shot ##/{frame:x}/50%d/t-0005.png"},
        {"50%/pic.png", 0, true, "50%/pic.png"},
        {"50%.png", 0, true, "50%.png"},
        {"a%s.png", 0, true, "a%s.png"},
        {"a\\#\\#-##.png", 5, true, "a##-05.png"},
        {"100%%d.png", 5, true, "100%d.png"},
        {"100%%%d.png", 5, true, "100%5.png"},
        {"a\\b\\\\#.png", 5, true, "a\\b\\#.png"},
        {"\\#/%%/a\\#.png", 5, true, "\\#/%%/a#.png"},
        {"a.png", -12, false, "a--0012.png"},
        {"{plane}-##.png", 5, true, "color-05.png"},
        {"##-{plane}.png", 5, true, "05-color.png"},
        {"a-{plane}.png", 5, false, "a-color-0005.png"},
        {"a.{plane}", 5, false, "a-0005.color"},
        {"{plane}/{plane}{frame}", 5, true, "{plane}/color5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[64];
        zt_error err = {0};
        cr_assert_eq(zt_frame_path(cases[i].pattern, cases[i].frame, cases[i].single, path,
                                   sizeof path, &err),
                     ZT_OK, "%s: %s", cases[i].pattern, err.message);
        cr_assert_str_eq(path, cases[i].path, "%s", cases[i].pattern);
    }
}

Test(frames, bad_patterns_fail)
{
    static const char *const bad[] = {"",          "##-##.png", "%d%d",          "{frame:}x",
                                      "{frame:x}", "{frame",    "##-%04d",       "{plane",
                                      "{plane:3}", "{planes}",  "{plane}{plane}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char path[64];
        cr_assert_eq(zt_frame_path(bad[i], 1, false, path, sizeof path, NULL), ZT_ERR_ARGUMENT,
                     "%s", bad[i]);
    }
    char small[8];
    cr_assert_eq(zt_frame_path("abcd-####.png", 1, false, small, sizeof small, NULL),
                 ZT_ERR_ARGUMENT);
}

Test(frames, names_of_planes_are_told_apart)
{
    static const char *const better[][2] = {{"a/b-##.png", "a/b-{plane}-##.png"},
                                            {"%03d.png", "{plane}-%03d.png"},
                                            {"{plane}/a.b.png", "{plane}/a.b-{plane}.png"},
                                            {"a", "a-{plane}"}};
    for (size_t i = 0; i < sizeof better / sizeof *better; i++) {
        char path[64], depth[64];
        cr_expect_not(frame_path_has_field(better[i][0], true), "%s", better[i][0]);
        frame_path_with_plane(better[i][0], path, sizeof path);
        cr_expect_str_eq(path, better[i][1]);
        cr_expect(frame_path_has_field(path, true), "%s", path);
        cr_expect_eq(frame_path(path, 2, "depth", true, depth, sizeof depth, NULL), ZT_OK);
        cr_expect(strstr(path_name(depth), "depth") != NULL, "%s", depth);
    }
}

Test(frames, sets_of_planes_are_read)
{
    enum { COLOR = 1u << PLANE_COLOR, DEPTH = 1u << PLANE_DEPTH, OBJECT = 1u << PLANE_OBJECT };
    static const struct {
        const char *text;
        uint32_t set;
        const char *message;
    } cases[] = {{"depth,color", DEPTH | COLOR, NULL},
                 {"id", OBJECT, NULL},
                 {"id,object", 0, "plane 'object' twice (expected once)"},
                 {"depth,nromal", 0, "; did you mean 'normal'?)"},
                 {"uv_step", 0, "unknown plane 'uv_step' (expected one of color, "},
                 {"depth,", 0, "unknown plane ''"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zt_error err = {0};
        uint32_t set = 0;
        const zt_result result = picture_planes_read(cases[i].text, &set, &err);
        cr_expect_eq(result, cases[i].message ? ZT_ERR_ARGUMENT : ZT_OK, "%s", cases[i].text);
        cr_expect(cases[i].message ? strstr(err.message, cases[i].message) != NULL
                                   : set == cases[i].set,
                  "%s: %s", cases[i].text, err.message);
    }
    for (int i = 0; i < 2; i++) {
        uint32_t all = 0;
        cr_expect_eq(picture_planes_read(i ? "depth,all" : "all,depth", &all, NULL), ZT_OK);
        for (int p = 0; p < PLANE_COUNT; p++)
            cr_expect_eq(all >> p & 1u, picture_plane_table[p].listed, "plane %d", p);
    }
}
