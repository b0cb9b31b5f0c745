// SPDX-License-Identifier: MIT
/// Bones of human rigs: the part of a body of each bone, by names of rigs or by a VRM file.
#pragma once

#include "model/model.h"

/// Parts of one side of a body, from its root to its tips.
typedef enum rig_limb {
    RIG_SHOULDER,
    RIG_UPPER_ARM,
    RIG_LOWER_ARM,
    RIG_HAND,
    RIG_THUMB1,
    RIG_INDEX1 = RIG_THUMB1 + 3,
    RIG_MIDDLE1 = RIG_INDEX1 + 3,
    RIG_RING1 = RIG_MIDDLE1 + 3,
    RIG_LITTLE1 = RIG_RING1 + 3,
    RIG_UPPER_LEG = RIG_LITTLE1 + 3,
    RIG_LOWER_LEG,
    RIG_FOOT,
    RIG_TOES,
    RIG_LIMB_COUNT
} rig_limb;

/// Parts of a body: those in its middle, then those of the left, then those of the right.
enum {
    RIG_ROOT, ///< on the ground, above the hips in the hierarchy
    RIG_HIPS,
    RIG_SPINE1, ///< up to RIG_SPINE5, a rig has the first of them
    RIG_SPINE5 = RIG_SPINE1 + 4,
    RIG_NECK1,
    RIG_NECK2,
    RIG_HEAD,
    RIG_LEFT,
    RIG_RIGHT = RIG_LEFT + RIG_LIMB_COUNT,
    RIG_PART_COUNT = RIG_RIGHT + RIG_LIMB_COUNT,
    RIG_NONE = RIG_PART_COUNT ///< no part of a body
};

/// The rigs whose names are known.
enum {
    RIG_MIXAMO,
    RIG_RIGIFY,
    RIG_VRM, ///< also Unity's names of human bones
    RIG_VROID,
    RIG_QUATERNIUS,
    RIG_UNREAL,
    RIG_KAYKIT,
    RIG_BIPED,
    RIG_DAZ,
    RIG_CHARACTER_CREATOR,
    RIG_MMD,
    RIG_KIND_COUNT
};

/// A rig of a model.
typedef struct rig {
    int32_t kind; ///< whose names it has; RIG_KIND_COUNT: those of several; -1: not a human rig
                  ///< that is known
    int32_t node[RIG_PART_COUNT]; ///< -1: none
} rig;

/// A part's name in rigs of a kind, or NULL. "A|B": one of them. '%': the side, rig_side().
const char *rig_name(int32_t kind, int32_t part);
const char *rig_side(int32_t kind, bool right);
/// Prefixes of all names of a kind besides none, with | between them: "DEF-|ORG-". "": none.
const char *rig_prefixes(int32_t kind);

/// Finds the rig of a model. Case, spaces and . _ - in names do not count, nor zeros before a
/// number, nor what precedes a colon. The kind with most parts wins, then mixed names count; a rig
/// has hips and two thighs. VRM bones come first, and a rig of them may lack any. False: no memory
/// in `scratch`.
bool rig_find(const zt_model *model, arena *scratch, rig *out);
