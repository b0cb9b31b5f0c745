// SPDX-License-Identifier: MIT
/// The parser: order-free, `--flag value` and `--flag=value`, `--` ends the flags. A flag that a
/// command does not know is an error with the nearest one that it knows.
#include "cli/options.h"

#include "base/nearest_name.h"
#include "base/number.h"
#include "cli/option_table.h"
#include "cli/option_value.h"
#include "cli/output_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = OPTION_COUNT_MAX }; ///< names that a misspelt word is compared with

/// The options so far.
typedef struct parser {
    options *o;
    zt_error *err;
} parser;

// ---- Values -------------------------------------------------------------------------------------

static bool in_range(option_range range, double value)
{
    if (range.max == 0)
        return true;
    return value <= range.max && (range.above_min ? value > range.min : value >= range.min);
}

static bool set_int(const option_flag *flag, const char *text, int32_t *out)
{
    const option_range range = option_range_of(flag);
    const def_field *field = option_field(flag);
    int64_t value = 0;
    if (!parse_int(text, (int64_t)range.min, (int64_t)range.max, &value) ||
        (field && field->kind == DEF_MULTIPLE && !def_is_step(field, value)))
        return false;
    *out = (int32_t)value;
    return true;
}

static bool set_text(const char *text, const char **out)
{
    *out = text;
    return text[0] != 0;
}

/// Sets the field of `flag`. Returns false when the value is wrong.
static bool set_value(options *o, const option_flag *flag, const char *text)
{
    void *field = (char *)o + flag->offset;
    int32_t *numbers = field;
    int32_t word = 0;
    switch (flag->kind) {
    case OPTION_SWITCH: return *(bool *)field = true;
    case OPTION_INT: return set_int(flag, text, field);
    case OPTION_DOUBLE:
        return parse_double(text, field) && in_range(option_range_of(flag), *(double *)field);
    case OPTION_RATE: return number_parse_rate(text, &numbers[0], &numbers[1]);
    case OPTION_SIZE: return number_parse_size(text, &numbers[0], &numbers[1]);
    case OPTION_SHARD: return parse_shard(text, &numbers[0], &numbers[1]);
    case OPTION_RECTANGLES: return number_parse_rectangles(text, field);
    case OPTION_BYTES:
        return parse_bytes(text, field) &&
               in_range(option_range_of(flag), (double)*(uint64_t *)field);
    case OPTION_HASH:
        ((option_hash *)field)->given = true;
        return parse_hash(text, &((option_hash *)field)->value);
    case OPTION_WORD:
        if (!option_word_find(flag, text, &word))
            return false;
        memcpy(field, &word, sizeof word);
        return true;
    case OPTION_NAME:
    case OPTION_FORMAT: return option_word_find(flag, text, &word) && set_text(text, field);
    case OPTION_TEXT:
    case OPTION_PLANES:
    case OPTION_FILE:
    case OPTION_FOLDER: return set_text(text, field);
    }
    return false;
}

// ---- What was meant -----------------------------------------------------------------------------

static const char *nearest_command(const char *word)
{
    const char *names[COMMAND_COUNT + 1];
    int count = 0;
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        names[count++] = command_at((command)i)->name;
    names[count++] = "help";
    names[count] = NULL;
    return nearest_word(word, names);
}

/// The flag of a command that other programs call so; NULL when the word is none of theirs.
static const char *flag_known_elsewhere(const char *word, command which)
{
    static const char *const flags[][3] = {
        {"--transparent", "--background", "--background transparent"},
        {"--wireframe", "--look", "--look wireframe"},
        {"--edges", "--look", "--look wireframe"},
        {"--camera", "--view", "--view front"},
        {"--gif", "--output", "-o NAME.apng"},
        {"--cols", "--columns"},
        {"--crop", "--trim"},
        {"--grep", "--filter"},
        {"--list", "--list-clips"},
        {"--shadow", "--ground", "--ground shadow"},
        {"--shadows", "--ground", "--ground shadow"},
        {"-j", "--jobs"},
        {"-j", "--threads"},
        {"--aa", "--samples"},
        {"--msaa", "--samples"},
        {"--antialiasing", "--samples"},
        {"--spp", "--samples"},
        {"--animation", "--clip"},
        {"--bg", "--background"},
        {"--hdr", "--environment"},
        {"--hdri", "--environment"},
        {"--ibl", "--environment"},
        {"--skybox", "--environment"},
        {"--res", "--size"},
        {"--resolution", "--size"},
        {"--width", "--size"},
        {"--height", "--size"},
        {"--jobs", "--threads"},
        {"--start", "--frames"},
        {"--end", "--frames"},
        {"--chunk", "--shard"},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(flags[i][0], word) == 0) {
            const option_flag *flag = option_at(option_find(flags[i][1], strlen(flags[i][1])));
            if (flag && flag->commands & 1u << which)
                return flags[i][2] ? flags[i][2] : flags[i][1];
        }
    return NULL;
}

/// Among the flags that `which` takes.
static const char *nearest_flag(const char *word, command which)
{
    const char *names[NAMES_MAX + 1], *elsewhere = flag_known_elsewhere(word, which);
    int count = 0;
    const option_flag *flag = NULL;
    if (elsewhere || strlen(word) < 3) // one letter is too little to guess from
        return elsewhere;
    for (int i = 0; (flag = option_at(i)) != NULL && count < NAMES_MAX; i++)
        if (flag->commands & 1u << which)
            names[count++] = flag->name;
    names[count] = NULL;
    return nearest_word(word, names);
}

static const char *nearest_value(const option_flag *flag, const char *text)
{
    const char *names[NAMES_MAX + 1];
    int count = 0;
    int32_t value;
    while (count < NAMES_MAX && (names[count] = option_word_at(flag, count, &value)) != NULL)
        count++;
    names[count] = NULL;
    return nearest_word(text, names);
}

/// `name` is the flag's, or that of its variable.
static zt_result fail_value(const option_flag *flag, const char *name, const char *text,
                            zt_error *err)
{
    char metavar[64], values[96];
    option_metavar(flag, metavar, sizeof metavar);
    option_values(flag, values, sizeof values);
    return usage_error(err, "%s '%.80s' (expected %s, %s%s%s%s)", name, text, metavar, flag->help,
                       values[0] ? ": " : "", values, nearest_hint(nearest_value(flag, text)).text);
}

// ---- Flags --------------------------------------------------------------------------------------

/// The flag of this command, else that of another one.
static int find_letter(char letter, command which)
{
    int row = -1;
    const option_flag *flag = NULL;
    for (int i = 0; (flag = option_at(i)) != NULL; i++)
        if (flag->letter == letter && (row < 0 || flag->commands & 1u << which))
            row = i;
    return row;
}

static zt_result fail_flag(const char *word, size_t length, command which, zt_error *err)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), word);
    const char *nearest = nearest_flag(name, which); // -size is meant as --size
    const char letter[] = {'-', name[1], '\0'};
    const bool number = length > 2 && name[1] != '-' && name[2] >= '0' && name[2] <= '9';
    const char *numbered = number ? nearest_flag(letter, which) : NULL;
    if (numbered)
        return usage_error(err, "unknown flag '%s' (did you mean '%s %s'?)", name, numbered,
                           name + 2);
    if (nearest)
        return usage_error(err, "unknown flag '%s' (did you mean '%s'?)", name, nearest);
    return usage_error(err, "unknown flag '%s' (see zoetrope %s --help)", name,
                       command_at(which)->name);
}

static zt_result fail_letters(const char *word, command which, zt_error *err)
{
    const char *nearest = strlen(word) > 3 ? nearest_flag(word, which) : NULL;
    if (nearest)
        return usage_error(err, "unknown flag '%.60s' (did you mean '%s'?)", word, nearest);
    return usage_error(err, "'%.60s': short flags are not combined (expected -%c by itself)", word,
                       word[1]);
}

/// --accept of compare and --update of test have each other's name, too.
static const char *flag_of_command(const char *word, command which)
{
    if (which == COMMAND_COMPARE && strcmp(word, "--update") == 0)
        return "--accept";
    return which == COMMAND_TEST && strcmp(word, "--accept") == 0 ? "--update" : word;
}

/// One of other commands.
static zt_result fail_foreign_flag(const option_flag *flag, command which, zt_error *err)
{
    const bool folder = strcmp(flag->name, "--outdir") == 0 &&
                        option_at(find_letter('o', COMMAND_RENDER))->commands & 1u << which;
    const char *name = command_at(which)->name;
    return usage_error(err, "'%s' is not a flag of %s (%ssee zoetrope %s --help)", flag->name, name,
                       folder ? "expected -o DIR/; " : "", name);
}

static zt_result parse_flag(parser *p, int argc, char **argv, int *at)
{
    options *o = p->o;
    const char *word = flag_of_command(argv[*at], o->command);
    const char *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const int row = word[1] == '-' ? option_find(word, length) : find_letter(word[1], o->command);
    const char *value = equals ? equals + 1 : NULL;
    if (word[1] != '-' && word[2]) // a short flag may carry its value: -oout.png
        value = word + 2;
    char dashed[32]; // "-size" with the dash that is missing
    const size_t dashed_length = (size_t)snprintf(dashed, sizeof dashed, "-%.30s", word);
    if (row < 0 || (word[1] != '-' && word[2] && option_find(dashed, dashed_length) >= 0))
        return fail_flag(word, length, o->command, p->err);
    const option_flag *flag = option_at(row);
    if (!(flag->commands & 1u << o->command))
        return flag_known_elsewhere(flag->name, o->command)
                   ? fail_flag(word, length, o->command, p->err)
                   : fail_foreign_flag(flag, o->command, p->err);
    if (flag->kind == OPTION_SWITCH && value && !equals)
        return fail_letters(word, o->command, p->err);
    if (flag->kind == OPTION_SWITCH && value)
        return usage_error(p->err, "'%s' takes no value", flag->name);
    if (flag->kind != OPTION_SWITCH && !value) {
        char metavar[64];
        option_metavar(flag, metavar, sizeof metavar);
        if (*at + 1 >= argc)
            return usage_error(p->err, "'%s' without its value (expected %s)", flag->name, metavar);
        value = argv[++*at];
    }
    const bool listed = o->command == COMMAND_SHEET && strcmp(flag->name, "--clip") == 0;
    if (listed && o->sheet.clip_count == SHEET_CLIPS_MAX)
        return usage_error(p->err, "more than %d clips of a sheet", SHEET_CLIPS_MAX);
    if (listed)
        o->sheet.clips[o->sheet.clip_count++] = value;
    if (o->given[row] && !listed && flag->kind != OPTION_SWITCH && flag->kind != OPTION_RECTANGLES)
        o->repeated = flag->name;
    o->given[row] = value ? value : "";
    if (flag->kind == OPTION_SHARD) { // its messages speak of variables of job arrays
        int32_t *shard = (int32_t *)(void *)((char *)o + flag->offset);
        return shard_parse(value, &shard[0], &shard[1], p->err);
    }
    return set_value(o, flag, value) ? ZT_OK : fail_value(flag, flag->name, value, p->err);
}

/// Variables of the environment stand for absent flags; a flag wins, whatever its variable says.
static zt_result read_environment(parser *p)
{
    const option_flag *flag = NULL;
    for (int i = 0; (flag = option_at(i)) != NULL; i++) {
        const bool known = p->o->command == COMMAND_NONE || flag->commands & 1u << p->o->command;
        const char *value =
            flag->variable && known && !p->o->given[i] ? getenv(flag->variable) : NULL;
        if (value && value[0] && !set_value(p->o, flag, value))
            return fail_value(flag, flag->variable, value, p->err);
    }
    return ZT_OK;
}

bool options_many_models(const options *o)
{
    if (o->command == COMMAND_THUMBNAIL)
        return o->outdir || o->freedesktop;
    for (int i = 0; i < o->input_count; i++)
        if (has_suffix(o->inputs[i], ".png"))
            return false;
    return o->command == COMMAND_SHEET && o->input_count > 1;
}

bool options_use_workers(const options *o)
{
    return options_many_models(o) || o->command == COMMAND_TEST || o->command == COMMAND_DIFF ||
           o->command == COMMAND_SERVE;
}

/// The limits of --untrusted that no flag sets.
static void apply_untrusted(parser *p)
{
    const option_flag *flag = NULL;
    const bool batch = p->o->command == COMMAND_TEST || options_many_models(p->o);
    p->o->load.confine_scene = true;
    for (int i = 0; (flag = option_at(i)) != NULL; i++) {
        void *field = (char *)p->o + flag->offset;
        if (p->o->given[i] || flag->untrusted <= 0 || (field == &p->o->timeout_s && batch))
            continue;
        if (flag->kind == OPTION_INT)
            *(int32_t *)field = (int32_t)flag->untrusted;
        else if (flag->kind == OPTION_BYTES)
            *(uint64_t *)field = (uint64_t)flag->untrusted;
        else if (flag->kind == OPTION_DOUBLE)
            *(double *)field = flag->untrusted;
    }
}

/// The cache's folder: $XDG_CACHE_HOME/zoetrope or ~/.cache/zoetrope; relative ones are ignored.
static void find_cache(options *o)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool named = base && base[0] == '/';
    if (o->no_cache || (!named && !(home && home[0] == '/')))
        return;
    const size_t size = sizeof o->cache_folder;
    const int length = named ? snprintf(o->cache_folder, size, "%s/zoetrope", base)
                             : snprintf(o->cache_folder, size, "%s/.cache/zoetrope", home);
    if (length > 0 && (size_t)length < size)
        o->renderer.cache_folder = o->cache_folder;
}

// ---- The command line ---------------------------------------------------------------------------

static zt_result parse_command(const char *word, options *o, zt_error *err)
{
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        if (strcmp(word, command_at((command)i)->name) == 0) {
            o->command = (command)i;
            return ZT_OK;
        }
    }
    if (word[0] == '-') {
        static const char *const alone[] = {"--help", "--version", "--print-limits", NULL};
        return usage_error(err,
                           "no command before '%.60s' (expected COMMAND [flags], --help or "
                           "--version%s)",
                           word, nearest_hint(nearest_word(word, alone)).text);
    }
    const char *nearest = strcmp(word, "version") == 0 ? "--version" : nearest_command(word);
    if (strcmp(word, "bake") == 0)
        nearest = "convert";
    if (!nearest && strchr(word, '.'))
        return usage_error(
            err, "no command before '%.200s' (did you mean 'zoetrope render %.200s'?)", word, word);
    return usage_error(err, "unknown command '%.60s'%s%s%s", word,
                       nearest ? " (did you mean '" : " (see zoetrope --help)",
                       nearest ? nearest : "", nearest ? "'?)" : "");
}

static zt_result parse_limits(int argc, char **argv, options *out, zt_error *err)
{
    parser p = {.o = out, .err = err};
    out->command = COMMAND_RENDER; // has them all
    out->print_limits = true;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-')
            return usage_error(err, "--print-limits with '%.60s' (expected flags)", argv[i]);
        ZT_TRY(parse_flag(&p, argc, argv, &i));
    }
    if (out->untrusted)
        apply_untrusted(&p);
    return ZT_OK;
}

/// --help and the like, with all that follows. False: a command is expected.
static bool parse_alone(int argc, char **argv, options *out, zt_error *err, zt_result *out_result)
{
    const bool help = strcmp(argv[0], "help") == 0;
    out->help_all = strcmp(argv[0], "--help-all") == 0;
    out->version = strcmp(argv[0], "--version") == 0 || strcmp(argv[0], "-V") == 0;
    out->help =
        help || out->help_all || strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0;
    if (help && argc > 2)
        *out_result = usage_error(err, "help with %d words (expected help [COMMAND])", argc - 1);
    else if (help && argc == 2)
        *out_result = parse_command(argv[1], out, err);
    else if (strcmp(argv[0], "--print-limits") == 0)
        *out_result = parse_limits(argc, argv, out, err);
    return out->help || out->version || out->print_limits;
}

zt_result options_parse(int argc, char **argv, options *out, zt_error *err)
{
    *out = (options){.load = zt_default_load_def(),
                     .renderer = zt_default_renderer_def(),
                     .shot = zt_default_shot_def(),
                     .sequence = zt_default_sequence_def(),
                     .encode = zt_default_encode_def(),
                     .limits = zt_default_limits(),
                     .bake = zt_default_bake_def(),
                     .criteria = comparison_criteria_none()};
    zt_result result = ZT_OK;
    if (argc < 1)
        return usage_error(err, "no command (see zoetrope --help)");
    if (parse_alone(argc, argv, out, err, &result))
        return result;
    parser p = {.o = out, .err = err};
    result = parse_command(argv[0], out, err);
    bool flags_end = false;
    out->inputs = (const char **)(void *)argv;
    for (int i = 1; i < argc && result == ZT_OK; i++) {
        if (!flags_end && strcmp(argv[i], "--") == 0)
            flags_end = true;
        else if (!flags_end && argv[i][0] == '-' && argv[i][1])
            result = parse_flag(&p, argc, argv, &i);
        else
            out->inputs[out->input_count++] = argv[i];
    }
    out->help |= out->help_all;
    if (result == ZT_OK && !out->help)
        result = read_environment(&p);
    if (result == ZT_OK && out->untrusted && out->load.follow_links)
        result = usage_error(err, "--follow-links with --untrusted (expected one of them)");
    if (result == ZT_OK && !out->help)
        result = output_find(out, err);
    if (out->untrusted)
        apply_untrusted(&p);
    if ((out->untrusted || out->freedesktop) && out->encode.metadata == ZT_METADATA_FULL)
        out->encode.metadata = ZT_METADATA_DEFAULT; // strangers and other programs read them
    find_cache(out);
    out->shot.turntable_clockwise = out->clockwise != 0;
    out->shot.turntable_eased = out->eased != 0;
    out->shot.lights_turn = out->camera_lights != 0;
    // One flag for loading and for rendering: what a reader has turned is not turned again.
    out->shot.up = out->load.file_up;
    out->load.threads = out->renderer.threads;
    return result;
}
