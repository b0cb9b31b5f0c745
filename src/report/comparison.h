// SPDX-License-Identifier: MIT
/// Results of comparing pictures with goldens: `compare` and `test` fill lists, reports read them.
#pragma once

#include "base/error.h"

#include <zoetrope/zoetrope.h>

/// In the order in which reports show them: see comparison_class_name.
typedef enum comparison_class {
    COMPARISON_PASSED,
    COMPARISON_CHANGED, ///< a criterion is not met
    COMPARISON_NEW,     ///< there is a picture and no golden: to be accepted or removed
    COMPARISON_MISSING, ///< there is a golden and no picture
    COMPARISON_SIZE,    ///< picture and golden differ in size; what both have is measured
    COMPARISON_ERROR,   ///< one of them cannot be read, or the picture was not made
    COMPARISON_CLASS_COUNT
} comparison_class;

/// "passed", "changed", "new", "missing", "size", "error".
const char *comparison_class_name(comparison_class class);

/// The criteria for a picture: all that is given. When nothing is given, the pixels must be equal.
typedef struct comparison_criteria {
    int32_t max_diff;         ///< largest difference of a channel, 0..255; -1: not given
    double mean, rms;         ///< at most, 0..255; NaN: not given
    double psnr;              ///< at least, in decibels; NaN: not given
    int32_t pixels;           ///< at most so many above the threshold; -1: not given
    double share;             ///< at most so many above the threshold, in percent; NaN: not given
    int32_t threshold;        ///< 0..255; -1: not given, 0. Alone no pixel may be above it.
    double ssim;              ///< at least, up to 1; NaN: not given
    double flip;              ///< the mean at most, 0..1; NaN: not given
    double pixels_per_degree; ///< of FLIP; NaN: not given, as zt_default_metrics_def
    bool ignore_antialiasing, straight; ///< as in zt_metrics_def
    int64_t share_of;                   ///< pixels that `share` is a part of; 0: those compared
} comparison_criteria;

comparison_criteria comparison_criteria_none(void);
/// True when there is any, or a member that changes what is measured.
bool comparison_criteria_given(const comparison_criteria *criteria);
/// Sets what follows from the criteria in `def`; SSIM and FLIP when either asks for them.
void comparison_metrics_def(const comparison_criteria *criteria, zt_metrics_def *def);

/// Kinds of things that pixels show.
typedef enum comparison_kind {
    COMPARISON_MESH,
    COMPARISON_NODE,
    COMPARISON_MATERIAL,
    COMPARISON_BONE,
    COMPARISON_KIND_COUNT
} comparison_kind;
extern const char *const comparison_kind_names[COMPARISON_KIND_COUNT];

enum { COMPARISON_OBJECTS_MAX = 8 };

/// One picture. All texts belong to the list that it is in.
typedef struct comparison {
    const char *name;           ///< of the shot or file, below the folders: "walk/0001.png"
    const char *golden_path;    ///< where the golden is or belongs; NULL: nowhere
    const char *picture_path;   ///< NULL: nowhere
    const char *diff_path;      ///< of the picture of the differences; NULL: none was written
    const char *mask_path;      ///< of a mask of its own; NULL: that of all, if there is one
    const char *rule;           ///< what decided; NULL: the message says it
    const char *message;        ///< of an error or of sizes that differ; NULL: none
    const char *render_command; ///< NULL: not known
    const char *accept_command; ///< that makes the picture the golden; NULL: there is none
    /// Changed objects, most first, then NULL: "material helmet: 20 of 5432 pixels by up to 31".
    const char *objects[COMPARISON_OBJECTS_MAX]; ///< the last of the texts (comparison_pack.h)
    const char *document;                        ///< that it was read from; NULL: none
    comparison_class class;
    int32_t code;       ///< the exit code that it stands for: 0, 1, or that of an error
    bool measured;      ///< `metrics` holds
    zt_metrics metrics; ///< golden: a, picture: b
    uint64_t golden_hash, picture_hash; ///< zt_image_hash; 0: not read
    int32_t golden_width, golden_height, picture_width, picture_height; ///< 0: not read
    double seconds;                                                     ///< that it took
    bool blank, golden_blank; ///< all pixels are equal: it shows nothing
} comparison;

/// Grows within a budget. Used by one thread at a time.
typedef struct comparison_list {
    comparison *items; ///< in the order in which they were added
    size_t count;
    size_t capacity;
    struct comparison_texts *texts;
    zt_budget *budget; ///< NULL: none
    uint64_t charged;  ///< to the budget
    zt_result refused; ///< why it last did not grow: ZT_ERR_LIMIT or ZT_ERR_MEMORY
} comparison_list;

void comparison_list_init(comparison_list *list, zt_budget *budget);
/// Frees all items and texts.
void comparison_list_finish(comparison_list *list);
/// A new item, zeroed; valid until the next one is added. NULL: see comparison_list_refused.
comparison *comparison_list_add(comparison_list *list);
/// A text that lives as long as the list. NULL: see comparison_list_refused.
const char *comparison_text(comparison_list *list, const char *format, ...) ZT_PRINTF(2, 3);

/// The result and the message for a list that could not grow.
zt_result comparison_list_refused(const comparison_list *list, zt_error *err);

/// Sets what is known of a picture alone: hash, size, blank.
void comparison_picture(comparison *item, const zt_image *picture);
/// Compares two pictures in memory: fills class, code, metrics, rule, message, hashes, sizes,
/// blank. `def` has mask and rectangles; comparison_metrics_def is done here. `out_diff`, unless
/// NULL, gets a picture of the differences, or no pixels when there is none (zt_image_finish frees
/// it). Fails only when nothing can be compared: a mask of another size, no memory.
zt_result comparison_measure(comparison_list *list, comparison *item,
                             const comparison_criteria *criteria, const zt_metrics_def *def,
                             const zt_image *golden, const zt_image *picture, zt_image *out_diff,
                             zt_error *err);

/// zt_image_measure() of the part that pictures and mask have in common at their top left corners.
zt_result comparison_metrics(const zt_metrics_def *def, const zt_image *golden,
                             const zt_image *picture, zt_metrics *out, zt_image *out_diff,
                             zt_error *err);

/// The number of items of each class.
typedef struct comparison_counts {
    size_t of[COMPARISON_CLASS_COUNT];
    size_t failed; ///< all that did not pass
} comparison_counts;

comparison_counts comparison_list_counts(const comparison_list *list);
/// "2 of 5 differ: 1 changed, 1 new", or "all 5 pass".
void comparison_summary(const comparison_list *list, char *out, size_t size);
/// The highest code of the items.
int comparison_list_code(const comparison_list *list);
