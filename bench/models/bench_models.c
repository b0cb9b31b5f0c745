// SPDX-License-Identifier: MIT
// Writes the models and scenes that the benchmarks draw:
//
//     bench_models OUTDIR                       all of them
//     bench_models OUTDIR NAME.glb AROUND DOWN  one ball of 2 * AROUND * (DOWN - 1) triangles
#include "bench_models.h"

#include "writers.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct scene_text {
    const char *name, *text;
} scene_text;

// The character and the camera of all its workloads.
#define CHARACTER                                                                                  \
    "format: 1\n"                                                                                  \
    "output: { size: [1920, 1080], frames: 0-59, fps: 30, samples: 1, background: \"#303338\" }\n" \
    "models:\n"                                                                                    \
    "  - { file: character.glb, animation: { clip: dance } }\n"                                    \
    "camera: { look_at: { position: [0.45, 1.25, 3.6], target: [0, 0.93, 0] }, fov: 28.05 }\n"
#define KEY_LIGHT "direction: [-0.5, -0.8, -0.9], color: [1, 0.97, 0.92], lux: 3"

// No scene has the studio of the default look: the peer has no such light.
// One directional light and a two-coloured ambient light, which is what the workloads are defined
// by; sizes and samples are set by the programs that load these.
#define SKY_AND_GROUND "environment: { sky: [0.5, 0.54, 0.6], ground: [0.22, 0.2, 0.18] }\n"
#define LIGHT                                                                                      \
    SKY_AND_GROUND                                                                                 \
    "lights:\n"                                                                                    \
    "  - { directional: { direction: [-0.5, -0.8, -0.9], color: [1, 0.97, 0.92], lux: 3 } }\n"

static const scene_text scenes[] = {
    {"character.yaml", CHARACTER LIGHT},
    {"character_environment.yaml", CHARACTER "environment: { image: sky.hdr }\n"
                                             "lights:\n"
                                             "  - { directional: { " KEY_LIGHT " } }\n"},
    {"character_shadow.yaml",
     CHARACTER SKY_AND_GROUND "lights:\n"
                              "  - { directional: { " KEY_LIGHT ", shadow: { size: 2048 } } }\n"},
    {"character_all.yaml",
     CHARACTER "environment: { image: sky.hdr }\n"
               "ambient_occlusion: auto\n"
               "lights:\n"
               "  - { directional: { " KEY_LIGHT ", size: 3, shadow: { size: 2048 } } }\n"},
    {"character_soft.yaml", CHARACTER SKY_AND_GROUND "lights:\n"
                                                     "  - { directional: { " KEY_LIGHT
                                                     ", size: 3, shadow: { size: 2048 } } }\n"},
    {"character_occlusion.yaml", CHARACTER "environment: { image: sky.hdr }\n"
                                           "ambient_occlusion: auto\n"
                                           "lights:\n"
                                           "  - { directional: { " KEY_LIGHT " } }\n"},
    {"character_contact.yaml", CHARACTER LIGHT "ground: shadow\n"},
    {"ball.yaml",
     "format: 1\n"
     "output: { size: [1920, 1080], frames: 0-7, fps: 30, samples: 1, background: \"#303338\" }\n"
     "models:\n"
     "  - { file: ball.glb }\n"
     "camera: { look_at: { position: [0, 0.6, 4], target: [0, 0, 0] }, fov: 28.6 }\n" LIGHT},
    {"layers.yaml",
     "format: 1\n"
     "output: { size: [1920, 1080], frames: 0-7, fps: 30, samples: 1, background: \"#303338\" }\n"
     "models:\n"
     "  - { file: layers.glb }\n"
     "camera: { look_at: { position: [0, 0, 4], target: [0, 0, 0] }, fov: 30 }\n"
     "environment: { color: [0, 0, 0] }\n"
     "lights: []\n"},
};

static bool scene_write(const char *folder, const scene_text *scene)
{
    byte_buffer text = {0};
    buffer_text(&text, "%s", scene->text);
    const bool ok = buffer_save(&text, folder, scene->name);
    free(text.data);
    return ok;
}

int main(int argc, char **argv)
{
    if (argc == 5)
        return ball_write(argv[1], argv[2], atoi(argv[3]), atoi(argv[4])) ? 0 : 6;
    if (argc != 2) {
        fprintf(stderr, "usage: bench_models OUTDIR [NAME.glb AROUND DOWN]\n");
        return 2;
    }
    bool ok = character_write(argv[1], "character.glb");
    ok = ball_write(argv[1], "ball.glb", 1000, 501) && ok;
    ok = globe_write(argv[1], "globe.glb", 1000, 501, true) && ok;
    ok = globe_write(argv[1], "globe_bare.glb", 1000, 501, false) && ok;
    ok = ball_write(argv[1], "ball.stl", 1000, 501) && ok;
    ok = globe_write(argv[1], "globe.obj", 1000, 479, true) && ok; // 100 MB
    ok = layers_write(argv[1], "layers.glb", 16) && ok;
    ok = sky_write(argv[1], "sky.hdr", 1024) && ok;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        ok = scene_write(argv[1], &scenes[i]) && ok;
    return ok ? 0 : 6; // 6: output could not be written, as the renderer's exit codes have it
}
