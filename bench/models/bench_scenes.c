// SPDX-License-Identifier: MIT
// The scenes of the workloads. tests/unit/unit_bench_scenes.c draws them, too.
#include "bench_models.h"
#include "writers.h"

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

const bench_scene bench_scenes[BENCH_SCENE_COUNT] = {
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

void bench_scene_write(const char *folder, const bench_scene *scene)
{
    FILE *file = file_begin(folder, scene->name);
    fputs(scene->text, file);
    file_end(file);
}
