// SPDX-License-Identifier: MIT
#include "walker.h"
void walker_clips(built_model *model, int first_node, const walker_bone bones[BONE_COUNT])
{
    (void)model; (void)first_node; (void)bones;
}
