// SPDX-License-Identifier: MIT
/// Comparisons as bytes come back as they were, and bytes of a broken process are refused.
#include "report/comparison_pack.h"
#include "testing.h"

static char *pack(const comparison *c, size_t *out_size)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, out_size);
    cr_assert_not_null(out);
    comparison_pack(c, out);
    cr_assert_eq(fclose(out), 0);
    return bytes;
}

static const comparison sample = {.name = "walk/front",
                                  .golden_path = "goldens/walk/front.png",
                                  .picture_path = "",
                                  .class = COMPARISON_CHANGED,
                                  .code = 1,
                                  .measured = true,
                                  .metrics = {.max = 7, .rms = 1.25},
                                  .rule = "rms 1.25 is above 1",
                                  .picture_hash = 0x123456789abcdef0u,
                                  .seconds = 0.5,
                                  .blank = true};

Test(comparison_pack, comes_back_as_it_was)
{
    size_t size = 0;
    char *packed = pack(&sample, &size);
    comparison_list texts;
    comparison_list_init(&texts, NULL);
    comparison got;
    const char *at = packed;
    size_t left = size;
    cr_assert(comparison_unpack(&at, &left, &texts, &got));
    cr_expect(left == 0 && at == packed + size);
    free(packed);
    cr_expect_str_eq(got.name, sample.name);
    cr_expect_str_eq(got.golden_path, sample.golden_path);
    cr_expect_str_eq(got.picture_path, "");
    cr_expect(!got.diff_path && !got.mask_path && !got.message && !got.render_command);
    cr_expect_str_eq(got.rule, sample.rule);
    cr_expect(got.class == COMPARISON_CHANGED && got.code == 1 && got.measured && got.blank);
    cr_expect(got.metrics.max == 7 && got.metrics.rms == 1.25 && got.seconds == 0.5);
    cr_expect_eq(got.picture_hash, sample.picture_hash);
    comparison_list_finish(&texts);
}

Test(comparison_pack, broken_bytes_are_refused)
{
    size_t size = 0;
    OWN_BLOCK char *packed = pack(&sample, &size);
    comparison_list texts;
    comparison_list_init(&texts, NULL);
    comparison got;
    for (size_t left = 0; left < size; left++) {
        OWN_BLOCK char *cut = malloc(left + 1); // a read behind its end is seen
        cr_assert(cut);
        memcpy(cut, packed, left);
        const char *at = cut;
        size_t rest = left;
        cr_expect_not(comparison_unpack(&at, &rest, &texts, &got), "%zu bytes", left);
    }
    static const size_t broken[] = {offsetof(comparison, class), offsetof(comparison, measured),
                                    offsetof(comparison, blank), sizeof(comparison) + 2};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        const char was = packed[broken[i]];
        const char *at = packed;
        size_t left = size;
        packed[broken[i]] = 99;
        cr_expect_not(comparison_unpack(&at, &left, &texts, &got), "case %zu", i);
        packed[broken[i]] = was;
    }
    comparison_list_finish(&texts);
}
