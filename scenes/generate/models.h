// SPDX-License-Identifier: MIT
// The models. Each function builds one and writes its files into `folder`.
#pragma once

#include <stdbool.h>

bool walker_write(const char *folder);
bool walker_moves_write(const char *folder);
bool robot_arm_write(const char *folder);
bool figure_write(const char *folder);
bool interpolation_write(const char *folder);
bool weights_write(const char *folder);

bool ball_write(const char *folder);
bool rod_write(const char *folder);
bool rifle_write(const char *folder);
bool door_write(const char *folder);
bool stairs_write(const char *folder);
bool face_write(const char *folder);
bool arm_write(const char *folder);
bool blobs_write(const char *folder);
bool platform_write(const char *folder);
bool relief_write(const char *folder);
bool head_write(const char *folder);
bool tentacle_write(const char *folder);
bool critter_write(const char *folder);
bool puppet_write(const char *folder);
bool strider_write(const char *folder);

bool mirror_tangent_write(const char *folder);
bool materials_write(const char *folder);
bool vertex_colors_write(const char *folder);
bool double_sided_write(const char *folder);
bool mirrored_instance_write(const char *folder);
bool reflectance_write(const char *folder);
bool lobes_write(const char *folder);
bool brushed_write(const char *folder);
bool pulse_write(const char *folder);
bool transmission_write(const char *folder);
bool unlit_glass_write(const char *folder);

bool wraps_write(const char *folder);
bool mips_write(const char *folder);
bool blind_write(const char *folder);
bool alpha_mask_write(const char *folder);
bool pavement_write(const char *folder);

bool slivers_write(const char *folder);
bool ties_write(const char *folder);
bool near_plane_write(const char *folder);
bool points_lines_write(const char *folder);

bool glass_write(const char *folder);
bool veils_write(const char *folder);
bool environment_write(const char *folder);

bool still_life_write(const char *folder);
bool courtyard_write(const char *folder);
bool casters_write(const char *folder);
