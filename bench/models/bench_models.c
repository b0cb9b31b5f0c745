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
    if (argc == 5) {
        ball_write(argv[1], argv[2], atoi(argv[3]), atoi(argv[4]));
        return 0;
    }
    if (argc != 2) {
        fprintf(stderr, "usage: bench_models OUTDIR [NAME.glb AROUND DOWN]\n");
        return 2;
    }
    character_write(argv[1], "character.glb", 2048);
    ball_write(argv[1], "ball.glb", 1000, 501);
    globe_write(argv[1], "globe.glb", 1000, 501, true);
    globe_write(argv[1], "globe_bare.glb", 1000, 501, false);
    ball_write(argv[1], "ball.stl", 1000, 501);
    globe_write(argv[1], "globe.obj", 1000, 479, true); // 100 MB
    layers_write(argv[1], "layers.glb", 16);
    sky_write(argv[1], "sky.hdr", 1024);
    for (size_t i = 0; i < BENCH_SCENE_COUNT; i++)
        bench_scene_write(argv[1], &bench_scenes[i]);
    return 0;
}
