// SPDX-License-Identifier: MIT
/// A suite: a YAML file of shots, their goldens, and allowed differences (docs/regression.md).
#pragma once

#include "base/hash.h"
#include "base/number.h"
#include "report/comparison.h"

enum { SUITE_SHOTS_MAX = 100000, SUITE_PATH_SIZE = 4096 };

/// Criteria for the pixels that show what has a name.
typedef struct suite_object {
    comparison_kind kind;
    const char *name;
    const char *place; ///< of the criteria: "FILE:LINE:COL"
    comparison_criteria criteria;
} suite_object;

/// One picture of a scene or model. Paths are from the working directory.
typedef struct suite_shot {
    const char *name;      ///< unique; folders are parted by slashes
    uint32_t line, column; ///< in the suite; 0: a JSON file
    const char *file;      ///< a scene or a model
    zt_load_def load;      ///< what it sets comes before the load def of the run
    zt_shot_def shot;      ///< `frames` is not used
    bool has_frame;
    int64_t frame;                ///< otherwise the first of the scene
    comparison_criteria criteria; ///< for pixels that show none of `objects`
    const char *plane;            ///< its picture is that of a plane; NULL: colour
    bool covered;                 ///< its share is of pixels that show anything
    suite_object *objects;        ///< [object_count]
    uint32_t object_count;
    const char *mask;              ///< a picture of the golden's size; NULL: none
    const rectangle_list *ignored; ///< left out, too; NULL: none
    const char *golden_path;       ///< GOLDENS/NAME.png
    const char *picture_path;      ///< RESULTS/NAME.png
    const char *diff_path;         ///< RESULTS/NAME.diff.png
    const char *old_path;          ///< RESULTS/NAME.old.png: the picture of the other checkout
    bool has_hash;                 ///< the suite's list of hashes has a line for it:
    uint64_t hash;                 ///< the pixel hash
    int32_t width, height;         ///< pixels
    const struct suite_shot *old;  ///< in the other checkout; NULL: it is not there
    bool gone;                     ///< it is in the other checkout alone
    const char *form;              ///< such a name on the other side, in another normal form
} suite_shot;

typedef struct suite {
    const char *path;
    const char *goldens, *results; ///< folders
    const char *hashes;            ///< the list of pixel hashes; NULL: none
    const struct suite *other;     ///< the suite in another checkout; NULL: goldens are compared
    zt_error other_fault;          ///< not ZT_OK: `other` cannot be read, and no shot be compared
    size_t root_length; ///< of paths in the suite: a folder they do not leave, or FILE_ANYWHERE
    suite_shot *shots;
    uint32_t shot_count, shot_room;
    hash_table names; ///< of the shots
    budget memory;    ///< of `texts`: a suite stays where it is
    arena texts;
} suite;

/// Reads a suite file. `results`: a folder instead of the one that the file names; NULL: none.
/// Paths of the file are relative to its folder, `results` to the working directory. Fails with
/// "FILE:LINE:COL: what (expected)". Finish the suite after a failure, too.
zt_result suite_load(const char *path, const zt_load_def *def, const char *results, suite *out,
                     zt_error *err);
void suite_finish(suite *s);
/// Pairs the shots of `s` by name with those of the same suite in another checkout, the folder
/// `folder`, which `other` gets. Shots that are there alone are appended, marked as `gone`. The
/// suite's path below its own checkout, which is the nearest folder above it with a `.git`, else
/// the working directory, is that in the other one. A suite that is not there has no shots; one
/// that cannot be read is a fault of each shot. Finish `s` and then `other`, also after a failure.
/// ZT_ERR_ARGUMENT, ZT_ERR_INPUT: `folder` is no other checkout.
zt_result suite_against(suite *s, const char *folder, const zt_load_def *def, suite *other,
                        zt_error *err);
/// The path of the suite at `path` in the checkout `folder`. ZT_ERR_ARGUMENT, ZT_ERR_INPUT.
zt_result suite_other_path(const char *path, const char *folder, char out[SUITE_PATH_SIZE],
                           zt_error *err);
/// True when a file in YAML or JSON is a suite and no scene: it has a list of shots.
bool suite_is(const char *path, const zt_load_def *def);
/// The index of a name, or -1.
int64_t suite_find(const suite *s, const char *name);
/// The name that one that is not in the suite probably means; NULL when none is near.
const char *suite_nearest(const suite *s, const char *name);

/// Gives shots what their lines in the list of hashes say: `HASH WxH NAME` for each, in the order
/// of the names byte by byte, so that changes of two branches meet in a line only where they change
/// one picture. A list that is not there has no lines. Fails with "FILE:LINE: what (expected)".
zt_result suite_hashes_read(suite *s, arena *scratch, zt_error *err);
/// Writes the list, whole or not at all: pictures that `results` has, and else what lines said.
/// Lines of names that the suite does not have go. `selected`: [results->count] indices of shots.
zt_result suite_hashes_write(suite *s, const uint32_t *selected, const comparison_list *results,
                             arena *scratch, zt_error *err);

/// Loads what all shots show, and sets their values: clips, cameras, frames, lights. Fails as the
/// first shot that `test` would refuse does.
zt_result suite_check(const suite *s, const zt_load_def *load, zt_error *err);

/// The absolute path of a folder without links and "..", also of one that is not there yet. False:
/// it cannot be reached, or has ".." behind a folder that is not there.
bool suite_folder_resolve(const char *path, char out[SUITE_PATH_SIZE]);
/// The path of `inner` below `outer`, both resolved: "" for the same folder; NULL: it is not below.
const char *suite_folder_below(const char *outer, const char *inner);
