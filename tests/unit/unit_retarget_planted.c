// SPDX-License-Identifier: MIT
/// Planted feet of retargeted clips slide as little as the source's, whatever the hips do above
/// them: on each clip of the walker and of a knight of another maker. Models of other makers are in
/// a folder next to the repository, or in ZT_ASSETS.
#include "base/maths.h"
#include "posed_scene.h"

TestSuite(retarget_planted, .init = posed_setup, .fini = posed_teardown);

enum { FPS = 30, FRAMES_LIMIT = 512, CLIPS_LIMIT = 128, AT_ONCE = 12 };
/// A foot that stands stays within this of where it was, in metres of the target.
#define PLANTED 0.01

typedef struct legs {
    const char *file;
    const char *leg[2][3]; ///< thigh, shin, foot; left, right
} legs;

static const legs walker = {"../models/walker.glb",
                            {{"thigh_l", "calf_l", "foot_l"}, {"thigh_r", "calf_r", "foot_r"}}};
static const legs figure = {"../models/figure.glb",
                            {{"thigh_l", "shin_l", "foot_l"}, {"thigh_r", "shin_r", "foot_r"}}};
static const legs knight = {
    "skinned/Knight.glb",
    {{"upperleg.l", "lowerleg.l", "foot.l"}, {"upperleg.r", "lowerleg.r", "foot.r"}}};
static const legs woman = {
    "skinned/quaternius_modular_women_Soldier.glb",
    {{"UpperLeg.L", "LowerLeg.L", "Foot.L"}, {"UpperLeg.R", "LowerLeg.R", "Foot.R"}}};

/// The path of a file of other makers; without the folder the test ends.
static const char *file_of(const legs *l, char out[600])
{
    return l->file[0] == '.' ? l->file : asset_path(l->file, out);
}

static double leg_length(uint32_t instance, const char *const leg[3])
{
    // Bones keep their lengths, whatever the pose.
    return dvec3_length(dvec3_sub(joint(instance, leg[1]), joint(instance, leg[0]))) +
           dvec3_length(dvec3_sub(joint(instance, leg[2]), joint(instance, leg[1])));
}

/// The longest way between two points of frames `first` to before `end`.
static double widest(const dvec3 *path, int first, int end)
{
    double most = 0.0;
    for (int i = first; i < end; i++)
        for (int k = i + 1; k < end; k++)
            most = maths_max(most, dvec3_length(dvec3_sub(path[k], path[i])));
    return most;
}

/// True when a point is near all of those of frames `first` to before `end`.
static bool is_near(const dvec3 *path, int first, int end, dvec3 at)
{
    for (int i = first; i < end; i++)
        if (!(dvec3_length(dvec3_sub(path[i], at)) < PLANTED))
            return false;
    return true;
}

/// The slide of a foot beyond that of its source, scaled, while that stands.
static double most_slide(const dvec3 *source, const dvec3 *target, int count)
{
    double worst = 0.0;
    for (int begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && is_near(source, begin, end, source[end]);)
            end++;
        worst = maths_max(worst, widest(target, begin, end) - widest(source, begin, end));
    }
    return worst;
}

/// Instances 2 * i and 2 * i + 1: the source and the target with a clip.
static void check_clip(const legs *from, const legs *to, uint32_t i)
{
    static dvec3 source[2][FRAMES_LIMIT], target[2][FRAMES_LIMIT];
    const scene_instance *own = &posed_scene.instances[2 * i];
    const model_clip *clip = &own->model->clips[own->layers[0].clip];
    const int frames = (int)(((double)clip->end_s - (double)clip->start_s) * FPS);
    const int count = frames < FRAMES_LIMIT ? frames : FRAMES_LIMIT;
    for (int k = 0; k < count; k++) {
        pose((double)clip->start_s + (double)k / FPS);
        for (int side = 0; side < 2; side++) {
            const double scale =
                leg_length(2 * i + 1, to->leg[side]) / leg_length(2 * i, from->leg[side]);
            source[side][k] = dvec3_scale(joint(2 * i, from->leg[side][2]), scale);
            target[side][k] = joint(2 * i + 1, to->leg[side][2]);
        }
    }
    for (int side = 0; side < 2; side++) {
        const double slide = most_slide(source[side], target[side], count);
        cr_expect(slide <= 0.002, "%s of %s on %s: foot %d slides by %.1f mm", clip->name,
                  from->file, to->file, side, 1000.0 * slide);
    }
}

static void check(const legs *from, const legs *to)
{
    static char names[CLIPS_LIMIT][64];
    char from_room[600], to_room[600], models[8000];
    const char *from_file = file_of(from, from_room);
    const char *to_file = file_of(to, to_room);
    load_text("  - { file: \"%s\", animation: \"0\" }\n", from_file);
    const zt_model *model = posed_scene.instances[0].model;
    const uint32_t count = model->clip_count < CLIPS_LIMIT ? model->clip_count : CLIPS_LIMIT;
    cr_expect(count >= 3);
    for (uint32_t i = 0; i < count; i++)
        snprintf(names[i], sizeof names[i], "%s", model->clips[i].name);
    for (uint32_t first = 0; first < count; first += AT_ONCE) {
        const uint32_t end = first + AT_ONCE < count ? first + AT_ONCE : count;
        size_t length = 0;
        for (uint32_t i = first; i < end; i++)
            length += (size_t)snprintf(models + length, sizeof models - length,
                                       "  - { file: \"%s\", animation: \"%s\" }\n"
                                       "  - { file: \"%s\", animation: \"%s\", clips_from: "
                                       "{ file: \"%s\" } }\n",
                                       from_file, names[i], to_file, names[i], from_file);
        load(models);
        for (uint32_t i = first; i < end; i++)
            check_clip(from, to, i - first);
    }
}

Test(retarget_planted, of_the_walker_on_a_figure) { check(&walker, &figure); }
Test(retarget_planted, of_the_walker_on_a_woman) { check(&walker, &woman); }
Test(retarget_planted, of_the_walker_on_a_knight) { check(&walker, &knight); }
Test(retarget_planted, of_a_knight_on_the_walker) { check(&knight, &walker); }
Test(retarget_planted, of_a_knight_on_a_woman) { check(&knight, &woman); }
