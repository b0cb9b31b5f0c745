// SPDX-License-Identifier: MIT
/// Curves of FBX with the keys (1 s, 0), (2 s, 4) and (4 s, 2), against values worked out by hand.
#include "fbx/fbx_curve.h"
#include "test_memory.h"

ARENA_SUITE(fbx_curve, scratch, 0);

/// The curve of a text, as one of version 7 or the channel of a take.
static const fbx_curve *read_curve(const char *text, bool take)
{
    const fbx_curve *curve = NULL;
    zt_error err = {0};
    fbx_tree tree = {.path = "a.fbx",
                     .bytes = {(const uint8_t *)text, strlen(text)},
                     .a = &scratch,
                     .is_text = true};
    cr_assert_eq(fbx_parse_text(&tree, &err), ZT_OK, "%s", err.message);
    MUST((take ? fbx_curve_read_take : fbx_curve_read)(&tree, &tree.root, &curve, &err), err);
    cr_assert(curve && curve->key_count == 3, "%s", text);
    return curve;
}

static void expect_values(const fbx_curve *curve, const double *time_s, const double *want,
                          int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        const double got = fbx_curve_value(curve, time_s[i]);
        NEAR(got, want[i], 1e-6, "%s at %g", name, time_s[i]);
    }
}

#define HEAD "FBXHeaderExtension: { }\n"
#define ARRAYS                                                                                     \
    HEAD "KeyTime: *3 { a: 46186158000,92372316000,184744632000 }\n"                               \
         "KeyValueFloat: *3 { a: 0,4,2 }\n"

static uint32_t bits_of(double x)
{
    const float single = (float)x;
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    return word;
}

/// In the middles of the two parts. A cubic part of length h from v to w whose slopes are a and b
/// is at (v + w) / 2 + h (a - b) / 8 there; the slopes between the keys are 4 and -1.
Test(fbx_curve, keys_of_version_7)
{
    static const struct {
        uint32_t flags;
        double data[3], want[2];
    } kinds[] = {
        {0x2, {0}, {0.0, 4.0}},   // the value of the key
        {0x102, {0}, {4.0, 2.0}}, // that of the next
        {0x4, {0}, {2.0, 3.0}},
        {0x408, {1.0, 2.0}, {1.875, 2.75}},                           // slopes of the file
        {0x108, {0}, {2.0 + (4.0 - 2.0 / 3) / 8, 3.0 + 5.0 / 12}},    // as between the neighbours
        {0x108, {50.0}, {2.0 + (4.0 + 1.0 / 6) / 8, 3.0 + 5.0 / 24}}, // half way to that behind
        {0x108, {-50.0}, {2.0 + (4.0 - 7.0 / 3) / 8, 3.0 + 10.0 / 12}},
        {0x908, {50.0}, {2.0 + (4.0 - 2.0 / 3) / 8, 3.0 + 5.0 / 12}}, // broken: without a bias
        {0x1108, {0}, {2.0 - 1.0 / 12, 3.0 + 1.0 / 6}},               // flat at both ends
        {0x4108, {0}, {2.0, 3.0}},                                    // and on top
        {0x208, {0.5, 0.0, 0.0}, {2.15625, 3.3125}},                  // tension, continuity, bias
        {0x208, {0.0, 0.5, 0.0}, {2.46875, 3.9375}},
        {0x208, {0.0, 0.0, 0.5}, {2.15625, 3.9375}},
        {0x208, {0.0, 0.5, 0.5}, {2.484375, 4.28125}},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const double *d = kinds[i].data;
        PRINTED(text, 512,
                ARRAYS "KeyAttrFlags: *1 { a: %u }\nKeyAttrDataFloat: *4 { a: %u,%u,%u,0 }\n"
                       "KeyAttrRefCount: *1 { a: 3 }\n",
                kinds[i].flags, bits_of(d[0]), bits_of(d[1]), bits_of(d[2]));
        PRINTED(name, 32, "row %d", (int)i);
        expect_values(read_curve(text, false), (double[2]){1.5, 3.0}, kinds[i].want, 2, name);
    }
    expect_values(read_curve(ARRAYS, false), (double[2]){1.5, 3.0}, (double[2]){2.0, 3.0}, 2,
                  "keys without attributes");
    expect_values(read_curve(ARRAYS "KeyAttrFlags: *2 { a: 2,4 }\n"
                                    "KeyAttrRefCount: *2 { a: 1,2 }\n",
                             false),
                  (double[2]){1.5, 3.0}, (double[2]){0.0, 3.0}, 2, "attributes of their own");
}

/// A handle as long as the way to the next key: half the value is there after three quarters of it.
Test(fbx_curve, weights_are_lengths_of_handles)
{
    for (int k = 0; k < 2; k++) {
        PRINTED(text, 512,
                ARRAYS "KeyAttrFlags: *1 { a: %u }\nKeyAttrDataFloat: *4 { a: 0,0,%u,0 }\n"
                       "KeyAttrRefCount: *1 { a: 3 }\n",
                0x408u | (k ? 0x2000000u : 0x1000000u), k ? 9999u << 16 : 9999u);
        expect_values(read_curve(text, false), k ? (double[2]){1.25, 2.5} : (double[2]){1.75, 3.5},
                      (double[2]){2.0, 3.0}, 2, k ? "left" : "right");
    }
}

/// Keys by letters, as the takes of version 6 have them.
Test(fbx_curve, keys_of_version_6)
{
    static const struct {
        const char *key;
        double want[2];
    } kinds[] = {
        {"C,s", {0.0, 4.0}},
        {"C,n", {4.0, 2.0}},
        {"L", {2.0, 3.0}},
        {"U,s,1,2,n", {1.875, 2.75}},
        {"U,b,1,2,n", {1.875, 2.75}},
        {"U,t,0.5,0,0,n", {2.15625, 3.3125}},
        {"U,t,0,0.5,0.5,n", {2.484375, 4.28125}},
        {"U,a,n", {2.0, 3.0}},
        {"U,p,n,n", {2.0, 3.0}},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *key = kinds[i].key;
        PRINTED(text, 512, HEAD "Key: 46186158000,0,%s,92372316000,4,%s,184744632000,2,%s\n", key,
                key, key);
        expect_values(read_curve(text, true), (double[2]){1.5, 3.0}, kinds[i].want, 2, key);
    }
    static const char *const weighted[2] = {"U,s,0,0,r,1", "U,s,0,0,a,1,0.33333333333333333"};
    for (int i = 0; i < 2; i++) {
        PRINTED(text, 512, HEAD "Key: 46186158000,0,%s,92372316000,4,%s,184744632000,2,L\n",
                weighted[i], weighted[i]);
        expect_values(read_curve(text, true), (double[2]){1.75, 3.5}, (double[2]){2.0, 3.0}, 2,
                      weighted[i]);
    }
}

/// Straight keys, before the first and behind the last: constant, repeated, mirrored, along the
/// slope, repeated on top of each other; without an end, once, never.
Test(fbx_curve, extrapolation)
{
    static const struct {
        char kind;
        int count;
        double want[4]; ///< at -0.5 s, 4.5 s, 8.5 s and -3.5 s; a repetition takes 3 s
    } kinds[] = {
        {'C', -1, {0.0, 2.0, 2.0, 0.0}},  {'R', -1, {3.5, 2.0, 3.5, 3.5}},
        {'M', -1, {3.5, 2.5, 3.5, 3.5}},  {'K', -1, {-6.0, 1.5, -2.5, -18.0}},
        {'A', -1, {1.5, 4.0, 7.5, -0.5}}, {'R', 1, {3.5, 2.0, 2.0, 0.0}},
        {'M', 1, {3.5, 2.5, 0.0, 2.0}},   {'A', 1, {1.5, 4.0, 4.0, -2.0}},
        {'R', 0, {0.0, 2.0, 2.0, 0.0}},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        PRINTED(text, 512,
                ARRAYS "Pre-Extrapolation: { Type: \"%c\"\nRepetition: %d }\n"
                       "Post-Extrapolation: { Type: \"%c\"\nRepetition: %d }\n",
                kinds[i].kind, kinds[i].count, kinds[i].kind, kinds[i].count);
        expect_values(read_curve(text, false), (double[4]){-0.5, 4.5, 8.5, -3.5}, kinds[i].want, 4,
                      (char[2]){kinds[i].kind, '\0'});
    }
}
