// SPDX-License-Identifier: MIT
/// The table of options and the parser: order-free, `--flag value` and `--flag=value`, `--` ends
/// the flags. A flag that a command does not know is an error with the nearest one it knows.
#include "cli/options.h"

#include "cli/option_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    R = 1 << COMMAND_RENDER,
    T = 1 << COMMAND_TURNTABLE,
    N = 1 << COMMAND_THUMBNAIL,
    C = 1 << COMMAND_COMPARE,
    I = 1 << COMMAND_INSPECT,
    K = 1 << COMMAND_CHECK,
    V = 1 << COMMAND_CONVERT,
    SHOT = R | T | N,
    SEQUENCE = R | T,
    LOAD = R | T | N | I | K | V,
    ALL = R | T | N | C | I | K | V,
};

typedef struct option_flag option_flag;
/// Returns false when the value is wrong; the caller names `takes`.
typedef bool (*option_fn)(options *o, const char *value);

struct option_flag {
    const char *name;  ///< "--size"
    char letter;       ///< 0: none
    const char *takes; ///< NULL: no value
    int commands;
    option_fn set;
    const char *help;
};

// ---- One function per flag --------------------------------------------------------------------

static bool set_text(const char **out, const char *value)
{
    *out = value;
    return value[0] != 0;
}

static bool set_output(options *o, const char *v)
{
    return set_text(&o->output, v);
}
static bool set_outdir(options *o, const char *v)
{
    return set_text(&o->outdir, v);
}
static bool set_frames(options *o, const char *v)
{
    return set_text(&o->shot.frames, v);
}
static bool set_clip(options *o, const char *v)
{
    return set_text(&o->shot.clip, v);
}
static bool set_camera(options *o, const char *v)
{
    return set_text(&o->shot.camera, v);
}
static bool set_view(options *o, const char *v)
{
    return set_text(&o->shot.view, v);
}
static bool set_up(options *o, const char *v)
{
    return set_text(&o->shot.up, v);
}
static bool set_background(options *o, const char *v)
{
    return set_text(&o->shot.background, v);
}
static bool set_variant(options *o, const char *v)
{
    return set_text(&o->load.variant, v);
}
static bool set_textures(options *o, const char *v)
{
    return set_text(&o->load.texture_dir, v);
}
static bool set_diff(options *o, const char *v)
{
    return set_text(&o->diff, v);
}
static bool set_azimuth(options *o, const char *v)
{
    return parse_double(v, &o->shot.azimuth_deg);
}
static bool set_elevation(options *o, const char *v)
{
    return parse_double(v, &o->shot.elevation_deg);
}
static bool set_fov(options *o, const char *v)
{
    return parse_double(v, &o->shot.fov_deg);
}
static bool set_zoom(options *o, const char *v)
{
    return parse_double(v, &o->shot.zoom);
}
static bool set_exposure(options *o, const char *v)
{
    return parse_double(v, &o->shot.exposure_ev);
}
static bool set_time(options *o, const char *v)
{
    return parse_double(v, &o->shot.time_s);
}
static bool set_verify(options *o, const char *v)
{
    o->verify = true;
    return parse_hash(v, &o->verify_hash);
}
static bool set_resume(options *o, const char *v)
{
    (void)v;
    return o->sequence.resume = true;
}
static bool set_fsync(options *o, const char *v)
{
    (void)v;
    return o->sequence.fsync = true;
}
static bool set_strict(options *o, const char *v)
{
    (void)v;
    return o->load.strict = true;
}
static bool set_list_clips(options *o, const char *v)
{
    (void)v;
    return o->list_clips = true;
}
static bool set_json(options *o, const char *v)
{
    (void)v;
    return o->json = true;
}
static bool set_hash_stages(options *o, const char *v)
{
    (void)v;
    return o->hash_stages = true;
}

static bool set_stats(options *o, const char *v)
{
    (void)v;
    return o->stats = true;
}
static bool set_quiet(options *o, const char *v)
{
    (void)v;
    return o->quiet = true;
}
static bool set_verbose(options *o, const char *v)
{
    (void)v;
    return o->verbose = true;
}
static bool set_help(options *o, const char *v)
{
    (void)v;
    return o->help = true;
}

static bool set_size(options *o, const char *value)
{
    int32_t side = 0;
    if (o->command == COMMAND_THUMBNAIL && parse_square(value, &side)) {
        o->shot.width = o->shot.height = side;
        return true;
    }
    return parse_size(value, &o->shot.width, &o->shot.height);
}

static bool set_fps(options *o, const char *value)
{
    return parse_rate(value, &o->shot.fps_numerator, &o->shot.fps_denominator);
}

static bool set_count(options *o, const char *value)
{
    int64_t count = 0;
    if (!parse_int(value, 1, 36000, &count))
        return false;
    o->count = (int32_t)count;
    return true;
}

static bool set_samples(options *o, const char *value)
{
    int64_t samples = 0;
    if (!parse_int(value, 1, 16, &samples) || (samples & (samples - 1)) != 0)
        return false;
    o->shot.samples = (int32_t)samples;
    return true;
}

static const char *const tone_maps[] = {"neutral", "aces", "linear", NULL};
static const char *const progress_kinds[] = {"auto", "bar", "lines", "json", "none", NULL};
static const char *const formats[] = {"png", "y4m", "rgba", NULL};
static const char *const png_modes[] = {"fast", "small", NULL};
static const char *const isas[] = {"scalar", "sse2", "avx2", "avx512", "neon", NULL};

static int choose(const char *value, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(value, names[i]) == 0)
            return i;
    return -1;
}

static bool set_tone_map(options *o, const char *value)
{
    const int choice = choose(value, tone_maps);
    o->shot.tone_map = choice;
    return choice >= 0;
}

static bool set_progress(options *o, const char *value)
{
    const int choice = choose(value, progress_kinds);
    o->progress = (progress_kind)choice;
    return choice >= 0;
}

static bool set_format(options *o, const char *value)
{
    o->format = value;
    return choose(value, formats) >= 0;
}

static bool set_png(options *o, const char *value)
{
    const int choice = choose(value, png_modes);
    o->sequence.png = choice == 0 ? ZT_PNG_FAST : ZT_PNG_SMALL;
    return choice >= 0;
}

static bool set_threads(options *o, const char *value)
{
    int64_t threads = 0;
    if (!parse_int(value, 1, 1024, &threads))
        return false;
    o->threads_given = true;
    o->renderer.threads = o->load.threads = (int32_t)threads;
    return true;
}

static bool set_isa(options *o, const char *value)
{
    o->isa_given = true;
    return zt_isa_from_name(value, &o->renderer.max_isa);
}

static bool set_shard(options *o, const char *value)
{
    return parse_shard(value, &o->sequence.shard_index, &o->sequence.shard_count);
}

static bool set_memory(options *o, const char *value)
{
    const bool read = parse_bytes(value, &o->load.max_memory);
    o->renderer.max_memory = o->load.max_memory;
    return read;
}

static bool set_timeout(options *o, const char *value)
{
    return parse_double(value, &o->timeout_s) && o->timeout_s > 0.0 && o->timeout_s <= 1e7;
}

static bool set_max_diff(options *o, const char *value)
{
    return parse_int(value, 0, 255, &o->max_diff);
}

static bool set_mean(options *o, const char *value)
{
    return parse_double(value, &o->mean) && o->mean >= 0.0;
}

// ---- The table
// ------------------------------------------------------------------------------------

// clang-format off
static const option_flag flags[] = {
    {"--output", 'o', "PATTERN", SEQUENCE, set_output,
     "output files: #### or %04d or {frame:4} is the frame; - is standard output"},
    {"--outdir", 0, "DIR", N, set_outdir, "one thumbnail per input, DIR/STEM.png"},
    {"--size", 0, "WxH", SHOT, set_size, "picture size, 1 to 16384 pixels a side (thumbnail: N for N x N)"},
    {"--count", 0, "N", T, set_count, "frames of the full turn, 36 unless told"},
    {"--frames", 0, "LIST", SHOT, set_frames, "which frames of the shot: 12, 1-10, -5..5, 1-100x5, 1,3,7-9"},
    {"--fps", 0, "F", SHOT, set_fps, "frame rate, like 30 or 30000/1001"},
    {"--time", 0, "SECONDS", SHOT, set_time, "freeze the clips at this time"},
    {"--clip", 0, "NAME|INDEX|none", SHOT, set_clip, "the clip to play"},
    {"--list-clips", 0, NULL, SHOT, set_list_clips, "list the clips, one per line, and stop"},
    {"--camera", 0, "NAME", SHOT, set_camera, "a camera of the model, by name or index"},
    {"--azimuth", 0, "D", SHOT, set_azimuth, "camera around the model in degrees, 0 is the front"},
    {"--elevation", 0, "D", SHOT, set_elevation, "camera above the model in degrees"},
    {"--fov", 0, "D", SHOT, set_fov, "vertical field of view in degrees"},
    {"--zoom", 0, "F", SHOT, set_zoom, "size of the framed model, 2 is twice as large"},
    {"--view", 0, "VIEW", SHOT, set_view, "front, back, left, right, top or iso"},
    {"--up", 0, "AXIS", SHOT, set_up, "the model's up axis: x y z -x -y -z"},
    {"--samples", 0, "1|2|4|8|16", SHOT, set_samples, "samples per pixel"},
    {"--background", 0, "COLOR", SHOT, set_background, "transparent, RRGGBB or #RRGGBB"},
    {"--tone-map", 0, "NAME", SHOT, set_tone_map, "neutral, aces or linear"},
    {"--exposure", 0, "EV", SHOT, set_exposure, "exposure in stops"},
    {"--variant", 0, "NAME", LOAD, set_variant, "show this variant of a glTF's materials"},
    {"--texture-dir", 0, "DIR", LOAD, set_textures, "look for textures there too"},
    {"--threads", 0, "N", SHOT | V, set_threads, "threads, 1 to 1024, all cores unless told (ZT_THREADS)"},
    {"--isa", 0, "NAME", SHOT, set_isa, "cap the instruction set: scalar sse2 avx2 avx512 neon (ZT_ISA)"},
    {"--shard", 0, "I/N", SHOT, set_shard, "every N-th frame (thumbnail: model) from the I-th, I from 1"},
    {"--resume", 0, NULL, SHOT, set_resume, "skip pictures whose file is there already"},
    {"--strict", 0, NULL, LOAD, set_strict, "fail when a feature would be ignored (exit 8)"},
    {"--max-memory", 0, "BYTES", LOAD, set_memory, "memory budget; suffixes K, M, G"},
    {"--timeout", 0, "SECONDS", LOAD, set_timeout, "give up after this time (exit 5)"},
    {"--fsync", 0, NULL, SHOT, set_fsync, "flush each file to the disk"},
    {"--png", 0, "fast|small", SHOT, set_png, "speed or size of the PNG files"},
    {"--format", 0, "png|y4m|rgba", SEQUENCE, set_format, "what -o - writes: one PNG or a stream of frames"},
    {"--verify", 0, "HASH", SHOT, set_verify, "render one frame, compare its pixel hash (16 digits), write nothing"},
    {"--json", 0, NULL, ALL, set_json, "one result document on standard output"},
    {"--progress", 0, "KIND", SHOT, set_progress, "auto, bar, lines, json or none"},
    {"--stats", 0, NULL, SHOT, set_stats, "a table of stage times"},
    {"--hash-stages", 0, NULL, R, set_hash_stages, "print a hash of what each stage of the last frame made"},
    {"--max-diff", 0, "N", C, set_max_diff, "largest channel difference (0-255) that still passes, 0 unless told"},
    {"--mean", 0, "X", C, set_mean, "largest mean difference that still passes"},
    {"--diff", 0, "OUT.png", C, set_diff, "write a picture of the differences (a folder for folders)"},
    {"--quiet", 'q', NULL, ALL, set_quiet, "no warnings, no progress"},
    {"--verbose", 'v', NULL, ALL, set_verbose, "notes too"},
    {"--help", 'h', NULL, ALL, set_help, "this text"},
};
// clang-format on
enum { FLAG_COUNT = sizeof flags / sizeof *flags };

static const struct {
    const char *name, *usage, *help;
} commands[COMMAND_COUNT] = {
    [COMMAND_NONE] = {NULL,        NULL,                                                    NULL                               },
    [COMMAND_RENDER] = {"render",    "INPUT [-o PATTERN] [flags]",
                      "render a scene (.yaml .yml .json) or a model file to PNG frames"                                        },
    [COMMAND_TURNTABLE] = {"turntable", "INPUT [-o PATTERN] [flags]",
                      "render a full turn around a model or scene"                                                             },
    [COMMAND_THUMBNAIL] = {"thumbnail", "MODEL OUT.png [flags] | --outdir DIR MODEL... [flags]",
                      "render one framed picture, 256 x 256 unless told"                                                       },
    [COMMAND_COMPARE] = {"compare",   "A B [flags]",
                      "compare two PNG files, or the PNG files of two folders"                                                 },
    [COMMAND_INSPECT] = {"inspect",   "FILE [flags]",                                          "tell what is in a model or scene" },
    [COMMAND_CHECK] = {"check",     "SCENE... [flags]",                                      "validate scenes without rendering"},
    [COMMAND_CONVERT] = {"convert",   "MODEL OUT.glb|OUT.gltf|OUT.m3d [flags]",
                      "write a model in another format, telling what that cannot hold"                                         },
};

const char *command_name(command which)
{
    return commands[which].name;
}

// ---- Help
// -----------------------------------------------------------------------------------------

static void print_flag(const option_flag *flag)
{
    char left[64];
    const char letter[] = {'-', flag->letter, ',', ' ', 0};
    snprintf(left, sizeof left, "%s%s%s%s", flag->letter ? letter : "    ", flag->name,
             flag->takes ? " " : "", flag->takes ? flag->takes : "");
    printf("  %-30s %s\n", left, flag->help);
}

void options_help(command which)
{
    if (which != COMMAND_NONE) {
        printf("zoetrope %s %s\n%s\n\n", commands[which].name, commands[which].usage,
               commands[which].help);
        for (int i = 0; i < FLAG_COUNT; i++)
            if (flags[i].commands & 1 << which)
                print_flag(&flags[i]);
        printf("\n%s-- ends the flags.\n",
               which == COMMAND_COMPARE ? "" : "A - as input reads a model from standard input; ");
        return;
    }
    printf("zoetrope: a headless renderer of animated 3D models\n\n"
           "usage: zoetrope COMMAND [flags]\n\n");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        printf("  %-10s %s\n             %s\n", commands[i].name, commands[i].usage,
               commands[i].help);
    printf("\n  --help, --version, COMMAND --help, help [COMMAND]\n\n"
           "exit codes: 0 done, 1 different, 2 usage, 3 input missing, 4 input malformed,\n"
           "5 limit exceeded, 6 output not written, 7 no memory, 8 unsupported (--strict),\n"
           "9 internal error, 128+n ended by signal n\n");
}

// ---- Parser
// ---------------------------------------------------------------------------------------

static const char *nearest_command(const char *word)
{
    const char *names[COMMAND_COUNT + 1];
    int count = 0;
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        names[count++] = commands[i].name;
    names[count++] = "help";
    names[count] = NULL;
    return nearest_word(word, names);
}

/// Among the flags that `which` takes.
static const char *nearest_flag(const char *word, command which)
{
    const char *names[FLAG_COUNT + 1];
    int count = 0;
    for (int i = 0; i < FLAG_COUNT; i++)
        if (flags[i].commands & 1 << which)
            names[count++] = flags[i].name;
    names[count] = NULL;
    return nearest_word(word, names);
}

/// The words that a flag takes, or NULL when it takes something else.
static const char *const *words_of(option_fn set)
{
    static const struct {
        option_fn set;
        const char *const *words;
    } known[] = {
        {set_tone_map, tone_maps     },
        {set_progress, progress_kinds},
        {set_format,   formats       },
        {set_png,      png_modes     },
        {set_isa,      isas          },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].set == set)
            return known[i].words;
    return NULL;
}

static zt_result fail_value(const char *name, const char *value, const char *expected,
                            const char *const *words, zt_error *err)
{
    const char *nearest = words ? nearest_word(value, words) : NULL;
    return usage_error(err, "%s '%.80s' (expected %s%s%s%s)", name, value, expected,
                       nearest ? "; did you mean '" : "", nearest ? nearest : "",
                       nearest ? "'?" : "");
}

static const option_flag *find_flag(const char *name, size_t length)
{
    for (int i = 0; i < FLAG_COUNT; i++)
        if (strlen(flags[i].name) == length && strncmp(flags[i].name, name, length) == 0)
            return &flags[i];
    return NULL;
}

static const option_flag *find_letter(char letter)
{
    for (int i = 0; i < FLAG_COUNT; i++)
        if (flags[i].letter == letter)
            return &flags[i];
    return NULL;
}

static zt_result fail_flag(const char *word, size_t length, command which, zt_error *err)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), word);
    // One letter is too little to guess from; -size is meant as --size.
    const char *nearest = strlen(name) > 2 ? nearest_flag(name, which) : NULL;
    return usage_error(err, "unknown flag '%s'%s%s%s", name, nearest ? " (did you mean '" : "",
                       nearest ? nearest : "", nearest ? "'?)" : "");
}

/// "-size" with the dash that is missing.
static bool is_long_flag(const char *word)
{
    char name[32];
    const size_t length = (size_t)snprintf(name, sizeof name, "-%.30s", word);
    return word[2] && find_flag(name, length) != NULL;
}

static zt_result fail_letters(const char *word, command which, zt_error *err)
{
    const char *nearest = strlen(word) > 3 ? nearest_flag(word, which) : NULL;
    if (nearest)
        return usage_error(err, "unknown flag '%.60s' (did you mean '%s'?)", word, nearest);
    return usage_error(err, "'%.60s': short flags are not combined (expected -%c by itself)", word,
                       word[1]);
}

static zt_result parse_flag(options *o, int argc, char **argv, int *at, zt_error *err)
{
    const char *word = argv[*at];
    const char *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const option_flag *flag = word[1] == '-' ? find_flag(word, length) : find_letter(word[1]);
    // A short flag may carry its value: -oout.png.
    const char *value = equals ? equals + 1 : word[1] != '-' && word[2] ? word + 2 : NULL;
    if (!flag || (word[1] != '-' && is_long_flag(word)))
        return fail_flag(word, length, o->command, err);
    if (!(flag->commands & 1 << o->command))
        return usage_error(err, "'%s' is not a flag of %s (see zoetrope %s --help)", flag->name,
                           commands[o->command].name, commands[o->command].name);
    if (!flag->takes) {
        if (value && !equals)
            return fail_letters(word, o->command, err);
        if (value)
            return usage_error(err, "'%s' takes no value", flag->name);
        flag->set(o, "");
        return ZT_OK;
    }
    if (!value) {
        if (*at + 1 >= argc)
            return usage_error(err, "'%s' without its value (expected %s)", flag->name,
                               flag->takes);
        value = argv[++*at];
    }
    char expected[160];
    snprintf(expected, sizeof expected, "%s: %s", flag->takes, flag->help);
    if (!flag->set(o, value))
        return fail_value(flag->name, value, expected, words_of(flag->set), err);
    return ZT_OK;
}

static zt_result read_environment(options *o, zt_error *err)
{
    // A flag wins, whatever the variable says.
    const char *isa = o->isa_given ? NULL : getenv("ZT_ISA");
    const char *threads = o->threads_given ? NULL : getenv("ZT_THREADS");
    if (isa && isa[0] && !set_isa(o, isa))
        return fail_value("ZT_ISA", isa, "scalar, sse2, avx2, avx512 or neon", isas, err);
    if (threads && threads[0] && !set_threads(o, threads))
        return fail_value("ZT_THREADS", threads, "1 to 1024", NULL, err);
    return ZT_OK;
}

static zt_result parse_command(const char *word, options *o, zt_error *err)
{
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        if (strcmp(word, commands[i].name) == 0) {
            o->command = (command)i;
            return ZT_OK;
        }
    }
    if (word[0] == '-') {
        static const char *const alone[] = {"--help", "--version", NULL};
        const char *meant = nearest_word(word, alone);
        return usage_error(err,
                           "no command before '%.60s' (expected COMMAND [flags], --help or "
                           "--version%s%s%s)",
                           word, meant ? "; did you mean '" : "", meant ? meant : "",
                           meant ? "'?" : "");
    }
    const char *nearest = nearest_command(word);
    return usage_error(err, "unknown command '%.60s'%s%s%s", word,
                       nearest ? " (did you mean '" : " (see zoetrope --help)",
                       nearest ? nearest : "", nearest ? "'?)" : "");
}

static void set_defaults(options *o)
{
    *o = (options){.load = zt_default_load_def(),
                   .renderer = zt_default_renderer_def(),
                   .shot = zt_default_shot_def(),
                   .sequence = zt_default_sequence_def(),
                   .mean = (double)NAN,
                   .max_diff = -1,
                   .count = 36};
}

zt_result options_parse(int argc, char **argv, options *out, zt_error *err)
{
    set_defaults(out);
    if (argc < 1)
        return usage_error(err, "no command (see zoetrope --help)");
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        out->help = true;
        return ZT_OK;
    }
    if (strcmp(argv[0], "--version") == 0) {
        out->version = true;
        return ZT_OK;
    }
    if (strcmp(argv[0], "help") == 0) {
        out->help = true;
        if (argc > 2)
            return usage_error(err, "help with %d words (expected help [COMMAND])", argc - 1);
        return argc == 2 ? parse_command(argv[1], out, err) : ZT_OK;
    }
    zt_result result = parse_command(argv[0], out, err);
    bool flags_end = false;
    out->inputs = (const char **)(void *)argv;
    for (int i = 1; i < argc && result == ZT_OK; i++) {
        if (!flags_end && strcmp(argv[i], "--") == 0)
            flags_end = true;
        else if (!flags_end && argv[i][0] == '-' && argv[i][1])
            result = parse_flag(out, argc, argv, &i, err);
        else
            out->inputs[out->input_count++] = argv[i];
    }
    return result == ZT_OK && !out->help ? read_environment(out, err) : result;
}
