// SPDX-License-Identifier: MIT
/// The table of bone names of common rigs, and the search for them.
///
/// Sources: Mixamo: the names of its exported rigs, as in pixiv's three-vrm (mixamoVRMRigMap).
/// Rigify: Blender manual, "Rigify", metarig Human; DEF- deforms, ORG- is the original.
/// VRM: vrm-c/vrm-specification, VRMC_vrm-1.0/humanoid.md, and 0.x, whose thumbs have other names.
/// VRoid: names of bones in files of VRoid Studio. Quaternius: names in its packs of characters.
/// Unreal: Epic's documentation of the mannequins of UE4 and UE5. KayKit: Adventurers 1.0. Biped:
/// 3ds Max, as in the Unreal Wiki, "Bone Names", and Autodesk's help, "Biped Fingers". Daz: Genesis
/// 1 to 9, as in the figures of Daz Studio. Character Creator: Reallusion's documentation of the CC
/// bone structure. MMD: the standard bones of MikuMikuDance models.
#include "retarget/rig_names.h"

#include "base/hash.h"

#include <string.h>

enum { MIDDLE_PARTS = RIG_LEFT, NAME_LIMIT = 64 };

typedef const char *name_row[RIG_KIND_COUNT];

static const struct {
    const char *left, *right, *prefixes;
} kinds[RIG_KIND_COUNT] = {
    [RIG_MIXAMO] = {"Left", "Right", "mixamorig"},
    [RIG_RIGIFY] = {"L", "R", "DEF-|ORG-"},
    [RIG_VRM] = {"left", "right", ""},
    [RIG_VROID] = {"L", "R", ""},
    [RIG_QUATERNIUS] = {"L", "R", ""},
    [RIG_UNREAL] = {"l", "r", ""},
    [RIG_KAYKIT] = {"l", "r", ""},
    [RIG_BIPED] = {"L", "R", "Bip01"},
    [RIG_DAZ] = {"l", "r", ""},
    [RIG_CHARACTER_CREATOR] = {"L", "R", "CC_Base_"},
    [RIG_MMD] = {"左", "右", ""},
};

// clang-format off
static const name_row middle_names[MIDDLE_PARTS] = {
    //              Mixamo    Rigify       VRM           VRoid                Quaternius  Unreal      KayKit   Biped   Daz   Character Creator   MMD
    [RIG_ROOT]       = {NULL,     "root",      NULL,         "Root",              "Root|Bone", "root",     "root", NULL, NULL, "BoneRoot", "全ての親"},
    [RIG_HIPS]       = {"Hips",   "spine",     "hips",       "J_Bip_C_Hips",      "Hips",      "pelvis",   "hips", "Pelvis", "hip", "Hip", "センター|腰|下半身"},
    [RIG_SPINE1]     = {"Spine",  "spine.001", "spine",      "J_Bip_C_Spine",     "Abdomen",   "spine_01", "spine", "Spine", "abdomenLower|abdomen|spine1", "Waist", "上半身"},
    [RIG_SPINE1 + 1] = {"Spine1", "spine.002", "chest",      "J_Bip_C_Chest",     "Torso",     "spine_02", "chest", "Spine1", "abdomenUpper|abdomen2|spine2", "Spine01", "上半身2|上半身２"},
    [RIG_SPINE1 + 2] = {"Spine2", "spine.003", "upperChest", "J_Bip_C_UpperChest", "Chest",    "spine_03", NULL, "Spine2", "chestLower|chest|spine3", "Spine02", "上半身3|上半身３"},
    [RIG_SPINE1 + 3] = {NULL,     NULL,        NULL,         NULL,                NULL,        "spine_04", NULL, "Spine3", "chestUpper|spine4", NULL, NULL},
    [RIG_SPINE5]     = {NULL,     NULL,        NULL,         NULL,                NULL,        "spine_05", NULL, NULL, NULL, NULL, NULL},
    [RIG_NECK1]      = {"Neck",   "spine.004", "neck",       "J_Bip_C_Neck",      "Neck",      "neck_01|neck", "neck", "Neck", "neckLower|neck|neck1", "NeckTwist01", "首"},
    [RIG_NECK2]      = {NULL,     "spine.005", NULL,         NULL,                NULL,        "neck_02",  NULL, NULL, "neckUpper|neck2", "NeckTwist02", NULL},
    [RIG_HEAD]       = {"Head",   "spine.006", "head",       "J_Bip_C_Head",      "Head",      "head",     "head", "Head", "head", "Head", "頭"},
};

static const name_row limb_names[RIG_LIMB_COUNT] = {
    //             Mixamo         Rigify         VRM          VRoid               Quaternius    Unreal        KayKit   Biped   Daz   Character Creator   MMD
    [RIG_SHOULDER]  = {"%Shoulder", "shoulder.%",  "%Shoulder", "J_Bip_%_Shoulder", "Shoulder.%", "clavicle_%", NULL, "% Clavicle", "%Collar|%_shoulder", "%_Clavicle", "%肩"},
    [RIG_UPPER_ARM] = {"%Arm",      "upper_arm.%", "%UpperArm", "J_Bip_%_UpperArm", "UpperArm.%", "upperarm_%", "upperarm.%", "% UpperArm", "%ShldrBend|%Shldr|%_upperarm", "%_Upperarm", "%腕"},
    [RIG_LOWER_ARM] = {"%ForeArm",  "forearm.%",   "%LowerArm", "J_Bip_%_LowerArm", "LowerArm.%", "lowerarm_%", "lowerarm.%", "% Forearm", "%ForearmBend|%ForeArm", "%_Forearm", "%ひじ"},
    [RIG_HAND]      = {"%Hand",     "hand.%",      "%Hand",     "J_Bip_%_Hand",     "Hand.%|Fist.%|Palm2.%", "hand_%", "wrist.%|hand.%", "% Hand", "%Hand", "%_Hand", "%手首"},
    [RIG_THUMB1]     = {"%HandThumb1", "thumb.01.%", "%ThumbMetacarpal|%ThumbProximal",    "J_Bip_%_Thumb1", "Thumb1.%|Thumb.%", "thumb_01_%", NULL, "% Finger0", "%Thumb1", "%_Thumb1", "%親指０|%親指0"},
    [RIG_THUMB1 + 1] = {"%HandThumb2", "thumb.02.%", "%ThumbIntermediate|%ThumbProximal",  "J_Bip_%_Thumb2", "Thumb2.%", "thumb_02_%", NULL, "% Finger01", "%Thumb2", "%_Thumb2", "%親指１|%親指1"},
    [RIG_THUMB1 + 2] = {"%HandThumb3", "thumb.03.%", "%ThumbDistal",                       "J_Bip_%_Thumb3", "Thumb3.%", "thumb_03_%", NULL, "% Finger02", "%Thumb3", "%_Thumb3", "%親指２|%親指2"},
    [RIG_INDEX1]     = {"%HandIndex1", "f_index.01.%", "%IndexProximal",     "J_Bip_%_Index1", "Index1.%|Index.%", "index_01_%", NULL, "% Finger1", "%Index1", "%_Index1", "%人指１|%人指1|%人差指１|%人差指1"},
    [RIG_INDEX1 + 1] = {"%HandIndex2", "f_index.02.%", "%IndexIntermediate", "J_Bip_%_Index2", "Index2.%", "index_02_%", NULL, "% Finger11", "%Index2", "%_Index2", "%人指２|%人指2|%人差指２|%人差指2"},
    [RIG_INDEX1 + 2] = {"%HandIndex3", "f_index.03.%", "%IndexDistal",       "J_Bip_%_Index3", "Index3.%", "index_03_%", NULL, "% Finger12", "%Index3", "%_Index3", "%人指３|%人指3|%人差指３|%人差指3"},
    [RIG_MIDDLE1]     = {"%HandMiddle1", "f_middle.01.%", "%MiddleProximal",     "J_Bip_%_Middle1", "Middle1.%", "middle_01_%", NULL, "% Finger2", "%Mid1", "%_Mid1", "%中指１|%中指1"},
    [RIG_MIDDLE1 + 1] = {"%HandMiddle2", "f_middle.02.%", "%MiddleIntermediate", "J_Bip_%_Middle2", "Middle2.%", "middle_02_%", NULL, "% Finger21", "%Mid2", "%_Mid2", "%中指２|%中指2"},
    [RIG_MIDDLE1 + 2] = {"%HandMiddle3", "f_middle.03.%", "%MiddleDistal",       "J_Bip_%_Middle3", "Middle3.%", "middle_03_%", NULL, "% Finger22", "%Mid3", "%_Mid3", "%中指３|%中指3"},
    [RIG_RING1]     = {"%HandRing1", "f_ring.01.%", "%RingProximal",     "J_Bip_%_Ring1", "Ring1.%", "ring_01_%", NULL, "% Finger3", "%Ring1", "%_Ring1", "%薬指１|%薬指1"},
    [RIG_RING1 + 1] = {"%HandRing2", "f_ring.02.%", "%RingIntermediate", "J_Bip_%_Ring2", "Ring2.%", "ring_02_%", NULL, "% Finger31", "%Ring2", "%_Ring2", "%薬指２|%薬指2"},
    [RIG_RING1 + 2] = {"%HandRing3", "f_ring.03.%", "%RingDistal",       "J_Bip_%_Ring3", "Ring3.%", "ring_03_%", NULL, "% Finger32", "%Ring3", "%_Ring3", "%薬指３|%薬指3"},
    [RIG_LITTLE1]     = {"%HandPinky1", "f_pinky.01.%", "%LittleProximal",     "J_Bip_%_Little1", "Pinky1.%", "pinky_01_%", NULL, "% Finger4", "%Pinky1", "%_Pinky1", "%小指１|%小指1"},
    [RIG_LITTLE1 + 1] = {"%HandPinky2", "f_pinky.02.%", "%LittleIntermediate", "J_Bip_%_Little2", "Pinky2.%", "pinky_02_%", NULL, "% Finger41", "%Pinky2", "%_Pinky2", "%小指２|%小指2"},
    [RIG_LITTLE1 + 2] = {"%HandPinky3", "f_pinky.03.%", "%LittleDistal",       "J_Bip_%_Little3", "Pinky3.%", "pinky_03_%", NULL, "% Finger42", "%Pinky3", "%_Pinky3", "%小指３|%小指3"},
    [RIG_UPPER_LEG] = {"%UpLeg",   "thigh.%", "%UpperLeg", "J_Bip_%_UpperLeg", "UpperLeg.%", "thigh_%",       "upperleg.%", "% Thigh", "%ThighBend|%Thigh", "%_Thigh", "%足"},
    [RIG_LOWER_LEG] = {"%Leg",     "shin.%",  "%LowerLeg", "J_Bip_%_LowerLeg", "LowerLeg.%", "calf_%",        "lowerleg.%", "% Calf", "%Shin", "%_Calf", "%ひざ"},
    [RIG_FOOT]      = {"%Foot",    "foot.%",  "%Foot",     "J_Bip_%_Foot",     "Foot.%",     "foot_%",        "foot.%", "% Foot", "%Foot", "%_Foot", "%足首"},
    [RIG_TOES]      = {"%ToeBase", "toe.%",   "%Toes",     "J_Bip_%_ToeBase",  "Toe.%|Toes.%", "ball_%|toe_%", "toes.%", "% Toe0", "%Toe|%Toes", "%_ToeBase", "%つま先|%足先EX"},
};
// clang-format on

const char *rig_name(int32_t kind, int32_t part)
{
    if (part < RIG_LEFT)
        return middle_names[part][kind];
    return limb_names[part < RIG_RIGHT ? part - RIG_LEFT : part - RIG_RIGHT][kind];
}

const char *rig_side(int32_t kind, bool right)
{
    return right ? kinds[kind].right : kinds[kind].left;
}

const char *rig_prefixes(int32_t kind) { return kinds[kind].prefixes; }

/// A name without what does not count, cut to NAME_LIMIT - 1 letters.
typedef struct plain_name {
    size_t length;
    char text[NAME_LIMIT];
} plain_name;

/// Appends up to `end`; '%' becomes `side`.
static void append(plain_name *out, const char *from, const char *end, const char *side)
{
    for (; from < end && out->length + 1 < NAME_LIMIT; from++) {
        const char c = *from;
        const char before = out->length ? out->text[out->length - 1] : '\0';
        const bool digit = c >= '0' && c <= '9', digit_before = before >= '0' && before <= '9';
        // "Finger01" of a Biped is not its "Finger1".
        const bool finger =
            out->length >= 6 && memcmp(out->text + out->length - 6, "finger", 6) == 0;
        if (c == '%' && side)
            append(out, side, side + strlen(side), NULL);
        else if (!(c == '.' || c == '_' || c == '-' || c == ' ') &&
                 !(c == '0' && !digit_before && !finger && digit && from + 1 < end &&
                   from[1] >= '0' && from[1] <= '9'))
            out->text[out->length++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    out->text[out->length] = '\0';
}

static plain_name plain_node_name(const char *name)
{
    plain_name out = {.length = 0};
    const char *colon = strrchr(name, ':');
    const char *from = colon ? colon + 1 : name;
    append(&out, from, from + strlen(from), NULL);
    return out;
}

/// Names of a model's bones: its nodes, or the VRM bones of its file.
typedef struct bone_names {
    hash_table slots;
    const plain_name *name;
    const int32_t *node;
} bone_names;

static uint32_t *find_slot(const bone_names *names, const char *text)
{
    uint32_t *slot = hash_table_first(&names->slots, hash_text(HASH_START, text));
    while (*slot && strcmp(names->name[*slot - 1].text, text) != 0)
        slot = hash_table_next(&names->slots, slot);
    return slot;
}

/// The first bone of a name counts. Nodes with shear and of skinned meshes are no bones.
static bool fill_names(bone_names *out, const zt_model *model, bool vrm, arena *scratch)
{
    const uint32_t count = vrm ? model->human_bone_count : model->node_count;
    plain_name *name = ARENA_ARRAY_RAW(scratch, plain_name, count);
    int32_t *node = ARENA_ARRAY_RAW(scratch, int32_t, count);
    if (!name || !node || !hash_table_init(&out->slots, scratch, count))
        return false;
    out->name = name;
    out->node = node;
    for (uint32_t i = 0; i < count; i++) {
        node[i] = vrm ? model->human_bones[i].node : (int32_t)i;
        name[i] = plain_node_name(vrm ? model->human_bones[i].name : model->nodes[i].name);
        const model_node *bone = &model->nodes[node[i]];
        if (bone->has_matrix || bone->skin >= 0 || name[i].length == 0)
            continue;
        uint32_t *slot = find_slot(out, name[i].text);
        if (!*slot)
            *slot = i + 1;
    }
    return true;
}

/// The bone of one of the names "A|B" after a prefix, or -1.
static int32_t find_bone(const bone_names *names, const char *prefix, size_t prefix_length,
                         const char *alternatives, const char *side)
{
    while (alternatives && *alternatives) {
        const char *end = strchr(alternatives, '|');
        plain_name wanted = {.length = 0};
        append(&wanted, prefix, prefix + prefix_length, NULL);
        append(&wanted, alternatives, end ? end : alternatives + strlen(alternatives), side);
        const uint32_t slot = *find_slot(names, wanted.text);
        if (slot)
            return names->node[slot - 1];
        alternatives = end ? end + 1 : NULL;
    }
    return -1;
}

/// Fills the rig of a kind; returns how many of its parts there are.
static uint32_t fill_rig(const bone_names *names, int32_t kind, const char *prefix,
                         size_t prefix_length, rig *out)
{
    uint32_t count = 0;
    out->kind = kind;
    for (int32_t part = 0; part < RIG_PART_COUNT; part++) {
        out->node[part] = find_bone(names, prefix, prefix_length, rig_name(kind, part),
                                    rig_side(kind, part >= RIG_RIGHT));
        count += out->node[part] >= 0;
    }
    return count;
}

/// The rig of a model that mixes names: for each part the first kind's name that is free.
static void fill_mixed_rig(const bone_names *names, rig *out)
{
    out->kind = RIG_KIND_COUNT;
    for (int32_t part = 0; part < RIG_PART_COUNT; part++) {
        int32_t node = -1;
        for (int32_t kind = 0; kind < RIG_KIND_COUNT && node < 0; kind++) {
            node = find_bone(names, "", 0, rig_name(kind, part), rig_side(kind, part >= RIG_RIGHT));
            for (int32_t other = 0; other < part; other++)
                node = out->node[other] == node ? -1 : node;
        }
        out->node[part] = node;
    }
}

static bool is_whole(const rig *r)
{
    return r->node[RIG_HIPS] >= 0 && r->node[RIG_LEFT + RIG_UPPER_LEG] >= 0 &&
           r->node[RIG_RIGHT + RIG_UPPER_LEG] >= 0;
}

static bool has_torso(const rig *r)
{
    return r->kind >= 0 && r->node[RIG_SPINE1] >= 0 && r->node[RIG_HEAD] >= 0;
}

/// The nearest node that is above both, or one of them; -1: none. Parents have smaller indices.
static int32_t common_ancestor(const zt_model *model, int32_t a, int32_t b)
{
    while (a != b) {
        if (a > b)
            a = model->nodes[a].parent;
        else
            b = model->nodes[b].parent;
    }
    return a;
}

/// Hips carry the legs: in some rigs a bone between them and the spine has their name.
static void find_hips(const zt_model *model, rig *r)
{
    int32_t hips = r->node[RIG_HIPS];
    hips = common_ancestor(model, hips, r->node[RIG_LEFT + RIG_UPPER_LEG]);
    hips = hips < 0 ? hips : common_ancestor(model, hips, r->node[RIG_RIGHT + RIG_UPPER_LEG]);
    if (hips >= 0 && hips != r->node[RIG_ROOT] && !model->nodes[hips].has_matrix)
        r->node[RIG_HIPS] = hips;
}

bool rig_find(const zt_model *model, arena *scratch, rig *out)
{
    uint32_t best = 0;
    bone_names names;
    *out = (rig){.kind = -1};
    for (int32_t part = 0; part < RIG_PART_COUNT; part++)
        out->node[part] = -1;
    const bool vrm = model->human_bone_count > 0;
    if (!fill_names(&names, model, vrm, scratch))
        return false;
    for (int32_t kind = 0; kind < RIG_KIND_COUNT; kind++) {
        const char *prefix = vrm ? "" : rig_prefixes(kind);
        for (bool last = false; !last && (!vrm || kind == RIG_VRM);) {
            rig found;
            const char *end = strchr(prefix, '|');
            const size_t length = end ? (size_t)(end - prefix) : strlen(prefix);
            const uint32_t count = fill_rig(&names, kind, prefix, length, &found);
            if ((vrm || is_whole(&found)) && count > best) {
                best = count;
                *out = found;
            }
            last = length == 0;
            prefix = end ? end + 1 : prefix + length;
        }
    }
    if (!vrm && !has_torso(out)) { // as where Rigify's limbs have a spine of another habit
        rig found;
        fill_mixed_rig(&names, &found);
        if (is_whole(&found) && (out->kind < 0 || has_torso(&found)))
            *out = found;
    }
    if (out->kind >= 0)
        find_hips(model, out);
    return true;
}
