// SPDX-License-Identifier: MIT
/// The human bones of VRM files, 1.0 and 0.x.
#include "gltf_fixture.h"

// The child stands first in the file: the reader sorts parents first.
#define NODES "'nodes':[{'name':'thigh'},{'name':'pelvis','children':[0]}],'scenes':[{'nodes':[1]}]"
#define VRM1(bones)                                                                                \
    "{'asset':{'version':'2.0'},'extensionsUsed':['VRMC_vrm'],'extensions':{'VRMC_vrm':"           \
    "{'specVersion':'1.0','humanoid':{'humanBones':" bones "}}}," NODES "}"
#define VRM0(bones)                                                                                \
    "{'asset':{'version':'2.0'},'extensionsUsed':['VRM'],'extensions':{'VRM':"                     \
    "{'humanoid':{'humanBones':" bones "}}}," NODES "}"

static void expect_bones(const char *json, bool at_back)
{
    GLTF_TEXT(c, 0, json);
    cr_assert_eq(c.model.note_count, 0, "%s", c.messages);
    cr_assert_eq(c.model.human_bone_count, 2);
    cr_expect_eq(c.model.faces_back, at_back);
    for (int i = 0; i < 2; i++) {
        const model_human_bone *bone = &c.model.human_bones[i];
        const bool hips = strcmp(bone->name, "hips") == 0;
        cr_expect_str_eq(c.model.nodes[bone->node].name, hips ? "pelvis" : "thigh");
        cr_expect(hips || strcmp(bone->name, "leftUpperLeg") == 0);
    }
}

Test(gltf_humanoid, bones_of_both_versions)
{
    expect_bones(VRM1("{'hips':{'node':1},'leftUpperLeg':{'node':0},'jaw':{}}"), false);
    expect_bones(VRM0("[{'bone':'leftUpperLeg','node':0},{'bone':'hips','node':1},{'node':1}]"),
                 true);
}
