// SPDX-License-Identifier: MIT
/// Every glTF file of the asset collection loads or fails with one line; what is in the well-known
/// models is what their authors say. Skipped, with a line in the log, without the collection.

#include "asset_files.h"
#include "base/path.h"
#include "gltf_fixture.h"

#include <dirent.h>

typedef void visit_fn(const char *path);

/// Calls `visit` for each .gltf and .glb below a folder, or for none; returns their number.
static int walk(const char *folder, visit_fn *visit)
{
    DIR *dir = opendir(folder);
    int count = 0;
    if (!dir)
        return 0;
    for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        if (e->d_name[0] == '.')
            continue;
        PRINTED(path, 2048, "%s/%s", folder, e->d_name);
        if (has_suffix(path, ".gltf") || has_suffix(path, ".glb")) {
            visit(path);
            count++;
        } else {
            count += walk(path, visit);
        }
    }
    closedir(dir);
    return count;
}

static void must_load(const char *path)
{
    GLTF_FILE(c, .memory = (uint64_t)2 << 30, path);
    if (strstr(path, "Compatibility_04.gltf")) // asset.minVersion is 2.1
        cr_expect(c.result == ZT_ERR_UNSUPPORTED, "%s", c.err.message);
    else
        cr_expect(c.result == ZT_OK, "%s", c.err.message);
    for (uint32_t i = 0; c.result == ZT_OK && i < c.model.mesh_count; i++)
        for (uint32_t k = 0; k < c.model.meshes[i].meshlet_count; k++)
            cr_expect(c.model.meshes[i].meshlets[k].material < c.model.material_count);
}

static void must_not_crash(const char *path) { GLTF_FILE(c, .memory = (uint64_t)1 << 30, path); }

Test(gltf_files, good_files_load, .timeout = 600)
{
    static const char *const folders[] = {"skinned", "pbr",      "anim",      "geom", "texture",
                                          "alpha",   "assetgen", "scene",     "ext",  "morph",
                                          "tangent", "large",    "compressed"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *path = asset_file(folders[i]);
        cr_expect(!path || walk(path, must_load) > 0, "no files in %s", folders[i]);
    }
}

Test(gltf_files, broken_files_give_one_line, .timeout = 600)
{
    const char *path = asset_file("invalid");
    cr_expect(!path || walk(path, must_not_crash) > 0);
}

Test(gltf_files, the_fox_matches_its_documentation)
{
    const char *path = asset_file("skinned/Fox.glb");
    if (!path)
        return;
    GLTF_FILE(c, .strict = true, path);
    cr_assert(c.result == ZT_OK, "%s", c.err.message);
    cr_expect(c.model.triangle_count == 576 && c.model.vertex_count == 1728);
    cr_expect(c.model.skin_count == 1 && c.model.skins[0].joint_count == 24);
    cr_assert(c.model.clip_count == 3);
    cr_expect_str_eq(c.model.clips[1].name, "Walk");
    cr_expect(c.model.clips[1].end_s > 0.70f && c.model.clips[1].end_s < 0.71f);
    cr_expect(c.model.texture_count == 1 && c.model.textures[0].mipmap.level[0].width == 1024);
    cr_expect(c.model.note_count == 0);
}

Test(gltf_files, sparse_positions_of_the_sample_model)
{
    const char *path = asset_file("geom/SimpleSparseAccessor/SimpleSparseAccessor.gltf");
    if (!path)
        return;
    GLTF_FILE(c, .strict = true, path);
    cr_assert(c.result == ZT_OK, "%s", c.err.message);
    // Its three sparse positions lift the upper row: without them the largest y would be 1.
    cr_expect(c.model.meshes[0].bounds_max[1] == 4.0f, "%g",
              (double)c.model.meshes[0].bounds_max[1]);
}

Test(gltf_files, a_hundred_meshes_over_the_same_accessors_take_the_memory_of_few)
{
    const char *path = asset_file("large/MetalRoughSpheresNoTextures.glb");
    if (!path)
        return;
    GLTF_FILE(c, .memory = (uint64_t)16 << 20, path);
    cr_assert(c.result == ZT_OK, "%s", c.err.message);
    cr_expect(c.model.mesh_count == 102 && c.model.triangle_count == 1040409);
    // Each on its own they take 37 MB.
    cr_expect(c.model.arena.used < 3u << 20, "%llu bytes", (unsigned long long)c.model.arena.used);
}
