// SPDX-License-Identifier: MIT
// Writes the studios as C source, when the library is built. usage: make_studio OUT.c
// Radiance is computed in double with exact operations and the functions of base/maths.h, and the
// chain by the scalar loops: every compiler and machine writes the same file.
#include "environment/environment_build.h"
#include "environment/studio.h"

#include <stdio.h>

extern const environment_loops zt_environment_scalar;

static const environment_sizes sizes[STUDIO_COUNT] = {
    [STUDIO_SOFT_BOXES] = {{256, 128, 64, 64, 32, 32, 32, 32, 32}},
    [STUDIO_PRODUCT] = {{64, 64, 64, 64, 32, 32, 32, 32, 32}},
    [STUDIO_NEUTRAL] = {{64, 64, 64, 64, 32, 32, 32, 32, 32}},
};

static void write_texels(FILE *out, studio_kind kind, const environment *e, int32_t count)
{
    fprintf(out, "static const studio_texel texels_%d[%d] = {", (int)kind, (int)count);
    for (int32_t i = 0; i < count; i++)
        fprintf(out, "%s%u,", i % 16 == 0 ? "\n" : "",
                (unsigned)studio_texel_from_float(e->chain.texels[i][0]));
    fprintf(out, "\n};\n");
}

static void write_entry(FILE *out, studio_kind kind, const environment *e)
{
    fprintf(out, "    {\n        .size = {");
    for (int i = 0; i < ENVIRONMENT_LEVELS; i++)
        fprintf(out, "%s%d", i ? ", " : "", (int)e->chain.size[i]);
    fprintf(out, "},\n        .texels = texels_%d,\n    },\n", (int)kind);
}

static zt_result write_all(FILE *out, arena *a, zt_error *err)
{
    environment made[STUDIO_COUNT];
    float *rgb;
    ZT_TRY(ARENA_TAKE_RAW(a, &rgb, (size_t)STUDIO_WIDTH * STUDIO_HEIGHT * 3, "a picture", err));
    fprintf(out, "// Made by make_studio.c.\n#include \"environment/studio.h\"\n\n");
    for (int kind = 0; kind < (int)STUDIO_COUNT; kind++) {
        octahedral_levels layout;
        studio_draw((studio_kind)kind, rgb);
        const hdr_picture picture = {.width = STUDIO_WIDTH, .height = STUDIO_HEIGHT, .rgb = rgb};
        ZT_TRY(environment_build(&zt_environment_scalar, &picture, NULL, &sizes[kind], NULL, a,
                                 &made[kind], err));
        write_texels(out, (studio_kind)kind, &made[kind],
                     environment_chain_layout(sizes[kind].size, &layout));
    }
    fprintf(out, "\nconst studio_data studio_table[STUDIO_COUNT] = {\n");
    for (int kind = 0; kind < (int)STUDIO_COUNT; kind++)
        write_entry(out, (studio_kind)kind, &made[kind]);
    fprintf(out, "};\n");
    return ZT_OK;
}

int main(int argc, char **argv)
{
    budget memory;
    arena a;
    zt_error err = {0};
    FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!out) {
        fprintf(stderr, "usage: make_studio OUT.c\n");
        return 2;
    }
    budget_init(&memory, 0, NULL);
    arena_init(&a, &memory);
    zt_result result = write_all(out, &a, &err);
    arena_finish(&a);
    if (fclose(out) != 0 && result == ZT_OK)
        result = ZT_ERR_OUTPUT;
    if (result != ZT_OK)
        fprintf(stderr, "make_studio: %s\n", err.message);
    return result == ZT_OK ? 0 : 1;
}
