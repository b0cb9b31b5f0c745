// SPDX-License-Identifier: MIT
/// The models and scenes of the benchmarks. Each function writes one model into `folder`; they are
/// ours from the first vertex to the last texel, so that a benchmark needs nothing downloaded.
#pragma once

#include <stdbool.h>

typedef struct built_model built_model;

/// A scene of the workloads, and the text of its file.
typedef struct bench_scene {
    const char *name, *text;
} bench_scene;
enum { BENCH_SCENE_COUNT = 9 };
extern const bench_scene bench_scenes[BENCH_SCENE_COUNT];
void bench_scene_write(const char *folder, const bench_scene *scene);

/// A plump skinned figure of about 40,000 triangles with three maps (base colour, normal,
/// metal-rough) of `map_side` texels a side, 22 joints, four non-zero weights a vertex, and a clip
/// that moves them all.
void character_write(const char *folder, const char *name, int map_side);

/// A model of one primitive in the format that the suffix names: .glb, .stl or .obj.
void shape_write(const built_model *m, const char *folder, const char *name);

/// A smooth ball of 2 * around * (down - 1) triangles, without textures or uv.
void ball_write(const char *folder, const char *name, int around, int down);

/// A globe of 2 * around * (down - 1) triangles under a normal map of 256 x 256, with a seam and
/// texture coordinates; without `tangents` they are left to the reader.
void globe_write(const char *folder, const char *name, int around, int down, bool tangents);

/// `count` quads behind each other, the farthest first, each a colour of its own, unlit; each
/// fills the picture of layers.yaml.
void layers_write(const char *folder, const char *name, int count);

/// An environment of `width` x `width` / 2 texels: a blue gradient over grey ground, with a warm
/// sun and two white windows. Radiance RGBE without compression.
void sky_write(const char *folder, const char *name, int width);
