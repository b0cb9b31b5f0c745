// SPDX-License-Identifier: MIT
// Writes the models and scenes that the benchmarks draw:
//
//     bench_models OUTDIR                       all of them
//     bench_models OUTDIR NAME.glb AROUND DOWN  one ball of 2 * AROUND * (DOWN - 1) triangles
#include "bench_models.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc == 5)
        return ball_write(argv[1], argv[2], atoi(argv[3]), atoi(argv[4])) ? 0 : 6;
    if (argc != 2) {
        fprintf(stderr, "usage: bench_models OUTDIR [NAME.glb AROUND DOWN]\n");
        return 2;
    }
    bool ok = character_write(argv[1], "character.glb", 2048);
    ok = ball_write(argv[1], "ball.glb", 1000, 501) && ok;
    ok = globe_write(argv[1], "globe.glb", 1000, 501, true) && ok;
    ok = globe_write(argv[1], "globe_bare.glb", 1000, 501, false) && ok;
    ok = ball_write(argv[1], "ball.stl", 1000, 501) && ok;
    ok = globe_write(argv[1], "globe.obj", 1000, 479, true) && ok; // 100 MB
    ok = layers_write(argv[1], "layers.glb", 16) && ok;
    ok = sky_write(argv[1], "sky.hdr", 1024) && ok;
    for (size_t i = 0; i < BENCH_SCENE_COUNT; i++)
        ok = bench_scene_write(argv[1], &bench_scenes[i]) && ok;
    return ok ? 0 : 6; // 6: output could not be written, as the renderer's exit codes have it
}
