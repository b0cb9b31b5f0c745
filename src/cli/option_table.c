// SPDX-License-Identifier: MIT
// The rows of the table of flags.
#include "cli/option_table.h"

#include <math.h>
#include <string.h>

enum {
    R = 1 << COMMAND_RENDER,
    T = 1 << COMMAND_TURNTABLE,
    N = 1 << COMMAND_THUMBNAIL,
    H = 1 << COMMAND_SHEET,
    C = 1 << COMMAND_COMPARE,
    E = 1 << COMMAND_TEST,
    D = 1 << COMMAND_DIFF,
    I = 1 << COMMAND_INSPECT,
    K = 1 << COMMAND_CHECK,
    V = 1 << COMMAND_CONVERT,
    Y = 1 << COMMAND_VERIFY,
    S = 1 << COMMAND_SERVE,
    SEQUENCE = R | T,
    PICTURES = R | T | N,
    SHOT = R | T | N | H,
    LOAD = R | T | N | H | E | D | I | K | V,
    READ = LOAD | Y,
    ALL = READ | C,
};

// Values of words are stored through int32_t.
_Static_assert(sizeof(zt_isa) == 4 && sizeof(zt_png_mode) == 4 && sizeof(progress_kind) == 4 &&
                   sizeof(thumbnail_skip) == 4,
               "enums have the size of int32_t");
// Kinds with two numbers store the second one after the first.
#define FOLLOWS(second, first)                                                                     \
    _Static_assert(offsetof(options, second) == offsetof(options, first) + sizeof(int32_t),        \
                   #second " follows " #first)
FOLLOWS(shot.height, shot.width);
FOLLOWS(shot.fps_denominator, shot.fps_numerator);
FOLLOWS(sequence.shard_count, sequence.shard_index);

/// Members of every row, then kind and field. Comparing the pointers makes the compiler check the
/// field's type.
#define FIELD(type, member)                                                                        \
    (offsetof(options, member) + 0 * sizeof(&((options *)0)->member == (type *)0))
#define FLAG(group_, name_, metavar_, commands_)                                                   \
    .name = name_, .metavar = metavar_, .group = OPTION_GROUP_##group_, .commands = commands_
#define SWITCH(member)      .kind = OPTION_SWITCH, .offset = FIELD(bool, member)
#define DOUBLE(member)      .kind = OPTION_DOUBLE, .offset = FIELD(double, member)
#define INT(member)         .kind = OPTION_INT, .offset = FIELD(int32_t, member)
#define PAIR(kind_, member) .kind = kind_, .offset = FIELD(int32_t, member)
#define TEXT(kind_, member) .kind = kind_, .offset = FIELD(const char *, member)
#define WORD(type, member)  .kind = OPTION_WORD, .offset = FIELD(type, member)

static const option_word sandbox_modes[] = {
    {"auto", SANDBOX_AUTO},
    {"require", SANDBOX_REQUIRE},
    {"off", SANDBOX_OFF},
    {NULL, 0},
};
static const option_word turn_directions[] = {{"ccw", 0}, {"cw", 1}, {NULL, 0}};
static const option_word easings[] = {{"linear", 0}, {"smooth", 1}, {NULL, 0}};
static const option_word normal_ys[] = {{"up", 0}, {"down", 1}, {NULL, 0}};
static const option_word atlas_formats[] = {{"hash", 0}, {"array", 1}, {NULL, 0}};
static const option_word skips[] = {
    {"time", THUMBNAIL_SKIP_TIME}, {"hash", THUMBNAIL_SKIP_HASH}, {NULL, 0}};
static const option_word png_modes[] = {{"fast", ZT_PNG_FAST}, {"small", ZT_PNG_SMALL}, {NULL, 0}};
static const option_word exr_packings[] = {
    {"zips", ZT_EXR_ZIPS}, {"zip", ZT_EXR_ZIP}, {"none", ZT_EXR_NONE}, {NULL, 0}};
static const option_word bits[] = {{"8", 8}, {"16", 16}, {NULL, 0}};
static const option_word encodings[] = {{"srgb", 0}, {"linear", 1}, {NULL, 0}};
static const option_word metadata_kinds[] = {{"none", ZT_METADATA_NONE},
                                             {"default", ZT_METADATA_DEFAULT},
                                             {"full", ZT_METADATA_FULL},
                                             {NULL, 0}};
static const option_word isas[] = {{"scalar", ZT_ISA_SCALAR}, {"sse2", ZT_ISA_SSE2},
                                   {"avx2", ZT_ISA_AVX2},     {"avx512", ZT_ISA_AVX512},
                                   {"neon", ZT_ISA_NEON},     {NULL, 0}};
static const option_word progress_kinds[] = {{"auto", PROGRESS_AUTO},   {"bar", PROGRESS_BAR},
                                             {"lines", PROGRESS_LINES}, {"json", PROGRESS_JSON},
                                             {"none", PROGRESS_NONE},   {NULL, 0}};

// clang-format off
static const option_flag flags[] = {
    {FLAG(OUTPUT, "--output", "PATTERN", SHOT | V), .letter = 'o', TEXT(OPTION_FILE, output),
     .help = "output, also as a last name: ####, %04d or {frame:4} is the frame, {plane} the plane, DIR/ a folder, - standard output",
     .standard = "STEM.png or STEM-####.png", .detail = "Thumbnails, sheets and conversions must be given one. The suffix says the format: `.png`, `.webp`, `.jpg`, `.apng` or `.y4m`; with ffmpeg also `.mp4` or `.webm`. See [Output files](#output-files)."},
    {FLAG(OUTPUT, "--outdir", "DIR", N), TEXT(OPTION_FOLDER, outdir),
     .help = "write one thumbnail per input, DIR/STEM.png",
     .detail = "Inputs that are folders are searched. See [thumbnail](#thumbnail)."},
    {FLAG(OUTPUT, "--name", "PATTERN", N), TEXT(OPTION_TEXT, name),
     .help = "names below --outdir, of {dir}, {stem}, {hash} and {ext}",
     .detail = "`{hash}` is 16 digits, of the bytes of the model file. The suffix of the pattern is that of the "
               "format, PNG where it has none: `{stem}` of `a.jpg.glb` is a PNG called `a.jpg`. `--format` goes first."},
    {FLAG(OUTPUT, "--freedesktop", NULL, N), SWITCH(freedesktop),
     .help = "write to the cache of thumbnails that desktops share",
     .detail = "`--size` is 128, 256, 512 or 1024. See [thumbnail](#thumbnail)."},
    {FLAG(OUTPUT, "--skip", NULL, N), WORD(thumbnail_skip, skip), .words = skips,
     .help = "leave pictures that are newer than their model, or made from the same bytes",
     .detail = "`time` opens no model, and looks at the time of the model file alone. `hash` reads the model and all files that it names, and compares a "
               "hash in the picture: that of the same bytes, flags and program, as `zoetrope --version` names it: a picture is "
               "made again after each commit from which the program was built, and after a change that is in none."},
    {FLAG(OUTPUT, "--format", NULL, PICTURES), TEXT(OPTION_FORMAT, encode.format),
     .help = "output format, whatever the suffix; rgba needs -o -", .standard = "png",
     .detail = "Three formats hold all frames: `apng`, `y4m` (YUV4MPEG2) and `rgba`, the bare pixels."},
    {FLAG(OUTPUT, "--planes", "LIST", SEQUENCE | H), TEXT(OPTION_PLANES, sequence.planes),
     .help = "what each frame is written as: names with commas, as color,depth; or all",
     .standard = "as in the scene, or color",
     .detail = "A format that holds one plane a file needs `{plane}` in the name: `-o shot-{plane}-####.png`. `id` is "
               "another name of `object`. A sheet has a further picture for each, `STEM_PLANE.png` or by `{plane}`; see [recipes.md](recipes.md#a-sprite-sheet)."},
    {FLAG(OUTPUT, "--png", NULL, SHOT), WORD(zt_png_mode, encode.png), .words = png_modes,
     .help = "prefer the speed or the size of PNG and WebP files", .standard = "fast"},
    {FLAG(OUTPUT, "--bits", NULL, SEQUENCE | H), WORD(int32_t, encode.bits), .words = bits,
     .help = "bits of a channel in PNG files", .standard = "8; 16 for linear light and planes"},
    {FLAG(OUTPUT, "--encoding", NULL, SEQUENCE), WORD(int32_t, encode.linear), .words = encodings,
     .help = "encoding of colours in PNG files of 16 bits", .standard = "srgb"},
    {FLAG(OUTPUT, "--depth-unit", "MM", SEQUENCE | H), DOUBLE(encode.depth_unit_mm),
     .help = "unit of depth in PNG files; 0: they hold none", .standard = "1"},
    {FLAG(OUTPUT, "--dither", NULL, SEQUENCE), SWITCH(encode.dither),
     .help = "mix the colours of a GIF by noise, which stands still"},
    {FLAG(OUTPUT, "--matte", "COLOR", SEQUENCE), TEXT(OPTION_TEXT, encode.matte),
     .help = "colour under half-transparent pixels of a GIF", .standard = "white"},
    {FLAG(OUTPUT, "--jpeg-quality", "N", PICTURES), INT(encode.jpeg_quality),
     .help = "quality of JPEG files", .standard = "90"},
    {FLAG(OUTPUT, "--lossy", "N", PICTURES), INT(encode.webp_quality),
     .help = "quality of WebP files, which lose something for their size then", .standard = "lossless",
     .detail = "Pictures and animations. Alpha stays as it is."},
    {FLAG(OUTPUT, "--exr", NULL, R | T), WORD(zt_exr_packing, encode.exr), .words = exr_packings,
     .help = "pack OpenEXR files by the line, by 16 lines, or not", .standard = "zips"},
    {FLAG(OUTPUT, "--shard", "I/N|slurm", PICTURES | E), PAIR(OPTION_SHARD, sequence.shard_index),
     .help = "render every N-th frame (thumbnail: model, test: shot), starting at the I-th",
     .detail = "`slurm` reads I and N from the variables of a Slurm job array, which may count from 0 and in steps; "
               "`kubernetes/N` and `aws/N` take I from `JOB_COMPLETION_INDEX` and `AWS_BATCH_JOB_ARRAY_INDEX`. See "
               "[farm.md](farm.md)."},
    {FLAG(OUTPUT, "--resume", NULL, PICTURES), SWITCH(sequence.resume),
     .help = "skip pictures that are there and whole",
     .detail = "A frame also must have been made from the same scene, inputs, size and frame by the same program (`--version`), "
               "which a hash in its text says; a thumbnail must have the same size. Temporaries of dead processes "
               "are removed."},
    {FLAG(OUTPUT, "--metadata", NULL, PICTURES), WORD(zt_metadata, encode.metadata), .words = metadata_kinds,
     .help = "what PNG, WebP and OpenEXR files say about themselves", .standard = "default",
     .detail = "`default`: version, hashes of the scene and the pixels, frame and time. `full`: also the settings, for [verify](#verify); "
               "not with `--untrusted` and `--freedesktop`. `none`: nothing, and `--resume` draws such a frame again. See [planes.md](planes.md)."},
    {FLAG(OUTPUT, "--fsync", NULL, SHOT), SWITCH(encode.fsync),
     .help = "flush each file to the disk",
     .detail = "It is flushed before it gets its name."},

    {FLAG(SHOT, "--frames", "LIST", SHOT | I | V), TEXT(OPTION_TEXT, shot.frames),
     .help = "frames of the shot: 12, 1-10, -5..5, 1-100x5 or 1,3,7-9",
     .standard = "the whole shot"},
    {FLAG(SHOT, "--fps", "F", SHOT | I | V), PAIR(OPTION_RATE, shot.fps_numerator),
     .help = "frame rate", .standard = "30"},
    {FLAG(SHOT, "--time", "SECONDS", SHOT | I), DOUBLE(shot.time_s),
     .help = "freeze the clips at this time, and frame that pose",
     .detail = "Cameras and transforms continue to move."},
    {FLAG(SHOT, "--clip", "NAME|INDEX|all|none", SHOT | I), TEXT(OPTION_TEXT, shot.clip),
     .help = "clip to play", .standard = "all if no two of them move the same, else the first",
     .detail = "The name of an armature before a bar may be left out if one clip ends so. `all` plays those that move nothing which one before them moves. `none` shows the pose as authored. A sheet of a model takes several: --clip walk --clip run. Each begins "
               "a row, and all have one scale; `all` is a row for each clip there."},
    {FLAG(SHOT, "--list-clips", NULL, PICTURES), SWITCH(list_clips),
     .help = "list the clips, one per line, and stop",
     .detail = "A line is `INDEX NAME START END`, in seconds."},
    {FLAG(SHOT, "--count", "N", T), INT(count), .range = {1, 36000, false},
     .help = "frames of the full circle", .standard = "36",
     .detail = "It warns when the clip and the turn do not end together."},
    {FLAG(SHOT, "--duration", "SECONDS", T), DOUBLE(shot.turntable_duration_s), .range = {0, 1e6, true},
     .help = "time of the full circle, to a frame",
     .detail = "The clip plays up to 10 % faster or slower where whole cycles of it then end with the turn. Where this does not suffice it "
               "keeps its speed, repeats and is cut at the end; a warning says which `--loops` closes it."},
    {FLAG(SHOT, "--loops", "N", T), INT(shot.turntable_loops), .range = {1, 36000, false},
     .help = "cycles of the clip in the full circle", .standard = "those that --duration has room for",
     .detail = "The clip plays as fast as that takes. Without `--duration` and `--count` the turn lasts as long as they do."},
    {FLAG(SHOT, "--direction", NULL, T), WORD(int32_t, clockwise), .words = turn_directions,
     .help = "the way around that the camera goes, seen from above", .standard = "ccw"},
    {FLAG(SHOT, "--easing", NULL, T), WORD(int32_t, eased), .words = easings,
     .help = "speed of the turn", .standard = "linear",
     .detail = "`smooth` starts and ends at rest."},

    {FLAG(CAMERA, "--camera", "NAME", SHOT & ~T), TEXT(OPTION_TEXT, shot.camera),
     .help = "use a camera of the model, by name or index",
     .detail = "It cannot be combined with `--view`, `--azimuth` and `--elevation`."},
    {FLAG(CAMERA, "--view", "VIEW", SHOT), TEXT(OPTION_NAME, shot.view),
     .help = "look from this side", .detail = "`iso` is orthographic."},
    {FLAG(CAMERA, "--azimuth", "D", SHOT), DOUBLE(shot.azimuth_deg),
     .help = "angle of the camera around the model in degrees; 0 is the front",
     .standard = "30, turntable 0; or as in the scene",
     .detail = "The front is +Z. The angle grows counter-clockwise seen from above. A turntable starts there."},
    {FLAG(CAMERA, "--elevation", "D", SHOT), DOUBLE(shot.elevation_deg),
     .help = "angle of the camera above the model in degrees", .standard = "10, or as in the scene"},
    {FLAG(CAMERA, "--elevation-to", "D", T), DOUBLE(shot.turntable_elevation_deg), .range = {-90, 90, false},
     .help = "elevation after half of the turn; the camera comes back to that of its start"},
    {FLAG(CAMERA, "--look-at", "X,Y,Z|BONE", SHOT), TEXT(OPTION_TEXT, shot.look_at),
     .help = "look at a point of the world, or follow a bone", .standard = "the middle of what is framed",
     .detail = "It is the middle of the picture. The first model that has a bone of that name is followed."},
    {FLAG(CAMERA, "--margin", "F", SHOT), DOUBLE(shot.margin),
     .help = "part of the picture that stays free on each side", .standard = "0.05"},
    {FLAG(CAMERA, "--ortho", NULL, SHOT), SWITCH(shot.orthographic),
     .help = "look in parallel, without perspective"},
    {FLAG(CAMERA, "--directions", "N", SHOT), INT(shot.directions),
     .help = "directions, evenly around, that the framing has in common; a sheet shows them", .standard = "1",
     .detail = "With 8 a model has the same size and place at the azimuths 0, 45, 90 and so on."},
    {FLAG(CAMERA, "--fov", "D", SHOT), DOUBLE(shot.fov_deg),
     .help = "vertical field of view in degrees", .standard = "35, or as in the scene"},
    {FLAG(CAMERA, "--aperture", "f/N|METRES", SHOT), TEXT(OPTION_TEXT, shot.aperture), .standard = "none, or as in the scene",
     .help = "blur what is out of focus: an f-stop, or the radius of the lens", .detail = "See [camera.md](camera.md)."},
    {FLAG(CAMERA, "--focus", "auto|METRES|BONE|X,Y,Z", SHOT), TEXT(OPTION_TEXT, shot.focus), .standard = "auto, or as in the scene",
     .help = "what is sharp: the surface in the middle, a distance, a bone or a point"},
    {FLAG(CAMERA, "--blades", "N", SHOT), INT(shot.blades), .help = "corners of the aperture", .standard = "a circle, or as in the scene"},
    {FLAG(CAMERA, "--zoom", "F", SHOT), DOUBLE(shot.zoom),
     .help = "size of the framed model; 2 is twice as large", .standard = "1"},

    {FLAG(PICTURE, "--size", "WxH|N", SHOT | D), PAIR(OPTION_SIZE, shot.width),
     .help = "picture size in pixels",
     .standard = "1280x720, thumbnail 256, diff 512, sheet 128, or 256 of many; or as in the scene"},
    {FLAG(PICTURE, "--samples", NULL, SHOT), WORD(int32_t, shot.samples),
     .help = "samples per pixel", .standard = "4; thumbnails of at most 64 pixels 1"},
    {FLAG(PICTURE, "--supersample", NULL, SHOT), WORD(int32_t, shot.supersample),
     .help = "the picture is drawn so many times as wide and high, and reduced",
     .standard = "1; thumbnails of at most 320 pixels 2, of at most 64 4"},
    {FLAG(PICTURE, "--anisotropy", NULL, SHOT), WORD(int32_t, shot.anisotropy),
     .help = "taps of a texture along the longer axis of a pixel, at most", .standard = "1"},
    {FLAG(PICTURE, "--quality", "NAME", SHOT), TEXT(OPTION_NAME, shot.quality),
     .help = "how blocked light is found; final does so by rays", .standard = "fast, or as in the scene",
     .detail = "See [scenes.md](scenes.md#output)."},
    {FLAG(PICTURE, "--light-samples", "N", SHOT), INT(shot.light_samples),
     .help = "rays of a pixel for each lamp and for occlusion, with --quality final",
     .standard = "64, or as in the scene"},
    {FLAG(PICTURE, "--shutter", "DEGREES|SECONDSs", SHOT), TEXT(OPTION_TEXT, shot.shutter), .standard = "0, or as in the scene",
     .help = "blur what moves while it is open: degrees, 360 of which are a frame, or seconds as 0.02s", .detail = "See [camera.md](camera.md)."},
    {FLAG(PICTURE, "--subframes", "N|auto", SHOT), TEXT(OPTION_TEXT, shot.subframes),
     .help = "a frame is the mean of so many, 1 to 4096", .standard = "auto, or as in the scene"},
    {FLAG(PICTURE, "--background", "COLOR", SHOT), TEXT(OPTION_TEXT, shot.background),
     .help = "background: transparent, environment, #RRGGBB, #RGB or a CSS colour name",
     .standard = "#303338; thumbnail and turntable transparent",
     .detail = "Turntables and thumbnails of a model are transparent by default."},
    {FLAG(PICTURE, "--tone-map", "NAME", SHOT), TEXT(OPTION_NAME, shot.tone_map),
     .help = "tone mapping", .standard = "soft; with another light than the studio neutral"},
    {FLAG(PICTURE, "--exposure", "EV", SHOT), DOUBLE(shot.exposure_ev),
     .help = "exposure in stops", .standard = "0"},

    {FLAG(PICTURE, "--look", "NAME", SHOT), TEXT(OPTION_NAME, shot.look),
     .help = "what the picture shows", .standard = "lit",
     .detail = "See [light.md](light.md#looks)."},
    {FLAG(PICTURE, "--space", "NAME", SHOT), TEXT(OPTION_NAME, shot.space),
     .help = "space of planes of normals and positions", .standard = "world, sheet camera"},

    {FLAG(LIGHT, "--preset", "NAME", SHOT), TEXT(OPTION_NAME, shot.preset),
     .help = "how the scene is lit", .standard = "as in the scene, or studio",
     .detail = "It replaces `preset` and `ground` of the scene; its `lights` remain. See [light.md](light.md)."},

    {FLAG(LIGHT, "--light", "studio|file|none|FILE", SHOT), TEXT(OPTION_TEXT, shot.light),
     .help = "light by the studio, by the lamps of the file, by nothing or by a picture, alone",
     .standard = "as in the scene or preset",
     .detail = "`lights` of the scene remain. A picture is a file as `--environment` takes it."},
    {FLAG(LIGHT, "--environment", "FILE", SHOT), TEXT(OPTION_FILE, shot.environment),
     .help = "light by this picture (.hdr or .exr); lamps of the file stay on",
     .detail = "The picture is equirectangular. See [scenes.md](scenes.md#environment)."},

    {FLAG(LIGHT, "--lights", NULL, SHOT), WORD(int32_t, camera_lights), .words = light_spaces,
     .help = "whether lights stay in the world or go around with the camera", .standard = "world",
     .detail = "`camera`: a model has the light of azimuth 0 at any azimuth, as if it turned on a plate. Lamps of models "
               "stay with their models."},
    {FLAG(LIGHT, "--ground", NULL, SHOT), TEXT(OPTION_NAME, shot.ground),
     .help = "what is below the models", .standard = "as in the scene or preset",
     .detail = "See [scenes.md](scenes.md#ground)."},
    {FLAG(LIGHT, "--ground-height", "auto|rest|shot|METRES", SHOT), TEXT(OPTION_TEXT, shot.ground_height),
     .help = "where the ground is: by the first pose, the pose at rest, or the lowest point of the shot",
     .standard = "as in the scene, or auto", .detail = "See [scenes.md](scenes.md#ground)."},

    {FLAG(MODEL, "--variant", "NAME", LOAD), TEXT(OPTION_TEXT, load.variant),
     .help = "show this variant of a glTF's materials",
     .detail = "The extension is `KHR_materials_variants`."},
    {FLAG(MODEL, "--texture-dir", "DIR", LOAD), TEXT(OPTION_FOLDER, load.texture_dir),
     .help = "search this folder for textures too"},
    {FLAG(MODEL, "--up", "AXIS", LOAD & ~K), TEXT(OPTION_NAME, load.file_up),
     .help = "the axis of the file that points up",
     .standard = "z in STL and 3MF, else y; or as the file says",
     .detail = "`test`, `inspect` and `convert` take it for all but glTF and `.m3d`."},
    {FLAG(MODEL, "--unit", NULL, LOAD), WORD(int32_t, load.unit_um), .words = length_units,
     .help = "what 1 is in the file, unless it is glTF or .m3d", .standard = "that of the file; else m, in STL mm"},
    {FLAG(MODEL, "--color", "COLOR", SHOT), TEXT(OPTION_TEXT, load.color),
     .help = "colour of what has no material: #RRGGBB, #RGB or a CSS colour name",
     .standard = "grey; glTF white",
     .detail = "Materials, textures and colours of vertices of the file stay, and a warning says where there is nothing "
               "else. Models of scenes have the key `color`."},
    {FLAG(MODEL, "--package-picture", NULL, LOAD), SWITCH(load.package_picture),
     .help = "show the picture of a 3MF package whose model is empty or cannot be read"},
    {FLAG(MODEL, "--strict", NULL, LOAD), SWITCH(load.strict),
     .help = "fail when a feature would be ignored (exit 8)"},
    {FLAG(MODEL, "--bake-error", "X", V), DOUBLE(bake.error), .range = {0, 1, false},
     .help = "how far keys of a baked scene may be off, as a part of each model's size",
     .standard = "1e-4",
     .detail = "See [formats.md](formats.md#baking-a-scene)."},
    {FLAG(MODEL, "--one-clip", NULL, V), SWITCH(bake.one_clip),
     .help = "bake a scene into one clip for all that moves"},

    {FLAG(SHEET, "--columns", "N", H), INT(sheet.columns), .range = {1, 16384, false},
     .help = "pictures side by side", .standard = "the frames of a direction, or as many as rows"},
    {FLAG(SHEET, "--max-width", "PIXELS", H), INT(sheet.max_width), .range = {1, 16384, false},
     .help = "width at which rows go on below", .standard = "that of pictures"},
    {FLAG(SHEET, "--trim", NULL, H), SWITCH(sheet.trim),
     .help = "leave out transparent edges, and pack what remains"},
    {FLAG(SHEET, "--padding", "PIXELS", H), INT(sheet.padding), .range = {0, 256, false},
     .help = "space between pictures", .standard = "0"},
    {FLAG(SHEET, "--extrude", "PIXELS", H), INT(sheet.extrude), .range = {0, 64, false},
     .help = "how often the outermost pixels of each picture are repeated around it", .standard = "0",
     .detail = "Filters of textures then see no neighbour."},
    {FLAG(SHEET, "--pivot", "BONE", H), TEXT(OPTION_TEXT, sheet.pivot),
     .help = "bone whose place in each picture is its pivot", .standard = "the origin of the world"},
    {FLAG(SHEET, "--captions", NULL, H), SWITCH(sheet.captions),
     .help = "write the name or the frame below each picture",
     .detail = "Letters beyond ASCII are written as their code points, as U+00FC. A long name keeps whole letters of "
               "its start and its end."},
    {FLAG(SHEET, "--normal-y", NULL, H), WORD(int32_t, sheet.normal_down), .words = normal_ys,
     .help = "where y of normals points: up for Godot and Unity, down for Unreal", .standard = "up"},
    {FLAG(SHEET, "--atlas", "OUT.json", H), TEXT(OPTION_FILE, sheet.atlas),
     .help = "where the atlas is written", .standard = "the name of the sheet with .json"},
    {FLAG(SHEET, "--atlas-format", NULL, H), WORD(int32_t, sheet.atlas_array), .words = atlas_formats,
     .help = "whether the atlas has its frames by name or in a list", .standard = "hash"},

    {FLAG(COMPARISON, "--max-diff", "N", C | E), INT(criteria.max_diff), .range = {0, 255, false},
     .help = "largest difference of a channel that passes",
     .standard = "0 without other criteria"},
    {FLAG(COMPARISON, "--mean", "X", C | E), DOUBLE(criteria.mean), .range = {0, HUGE_VAL, false},
     .help = "largest mean difference that passes",
     .detail = "Channels are 0 to 255. Alone it does not limit the largest difference."},
    {FLAG(COMPARISON, "--rms", "X", C | E), DOUBLE(criteria.rms), .range = {0, HUGE_VAL, false},
     .help = "largest root of the mean square that passes"},
    {FLAG(COMPARISON, "--psnr", "DB", C | E), DOUBLE(criteria.psnr), .range = {0, HUGE_VAL, false},
     .help = "smallest ratio of signal to noise in decibels that passes"},
    {FLAG(COMPARISON, "--pixels", "N", C | E), INT(criteria.pixels), .range = {0, 1 << 28, false},
     .help = "how many pixels may differ by more than the threshold"},
    {FLAG(COMPARISON, "--share", "PERCENT", C | E), DOUBLE(criteria.share), .range = {0, 100, false},
     .help = "how many percent of the pixels may"},
    {FLAG(COMPARISON, "--threshold", "N", C | E), INT(criteria.threshold), .range = {0, 255, false},
     .help = "largest difference of a channel in pixels that do not count",
     .standard = "0", .detail = "Pixels count when a channel differs by more. Without `--pixels` and `--share` none may."},
    {FLAG(COMPARISON, "--ssim", "X", C | E), DOUBLE(criteria.ssim), .range = {-1, 1, false},
     .help = "smallest structural similarity that passes; 1 is equal"},
    {FLAG(COMPARISON, "--flip", "X", C | E), DOUBLE(criteria.flip), .range = {0, 1, false},
     .help = "largest mean error of FLIP that passes"},
    {FLAG(COMPARISON, "--ppd", "X", C | E), DOUBLE(criteria.pixels_per_degree), .range = {1, 1000, false},
     .help = "pixels per degree of the eye for FLIP", .standard = "67"},
    {FLAG(COMPARISON, "--ignore-antialiasing", NULL, C | E), SWITCH(criteria.ignore_antialiasing),
     .help = "antialiased edges may differ"},
    {FLAG(COMPARISON, "--straight", NULL, C | E), SWITCH(criteria.straight),
     .help = "compare colours as stored, not multiplied by alpha"},
    {FLAG(COMPARISON, "--mask", "FILE", C), TEXT(OPTION_FILE, mask),
     .help = "compare only where this picture is white; a folder: by name",
     .detail = "In a folder `masks` the mask of the picture `walk/front.png` is `masks/walk/front.png`. A picture "
               "without one counts as a whole; a mask of no picture is a warning."},
    {FLAG(COMPARISON, "--ignore", "X,Y,WxH", C), .kind = OPTION_RECTANGLES, .offset = FIELD(rectangle_list, ignored),
     .help = "leave out a rectangle; may be given again",
     .detail = "In pixels from the top left. Several in one: `0,0,64x16;0,240,64x16`."},
    {FLAG(COMPARISON, "--diff", "OUT.png", C), TEXT(OPTION_FILE, diff),
     .help = "write a picture of the differences (a folder for folders)"},
    {FLAG(COMPARISON, "--flip-diff", NULL, C), SWITCH(flip_diff),
     .help = "pictures of differences show the errors of FLIP"},
    {FLAG(COMPARISON, "--accept", NULL, C), SWITCH(accept),
     .help = "make the named pictures of B the goldens in A",
     .detail = "The names follow the two folders, and may have `*`, `?` and `[...]`; `all` is all of them, `missing` those that A "
               "lacks. Two files need no name. `--update` is the same."},
    {FLAG(COMPARISON, "--hashes", "LIST", C), TEXT(OPTION_FILE, hashes),
     .help = "check pictures with a list of their pixel hashes",
     .detail = "Lines are `HASH  NAME`; the input is the folder that the names are in, by default the current one."},
    {FLAG(COMPARISON, "--print-hashes", NULL, C), SWITCH(print_hashes),
     .help = "print such a list for a folder, and stop"},
    {FLAG(COMPARISON, "--merge", NULL, C), SWITCH(merge),
     .help = "report what several runs of test --json have printed as one: the inputs"},

    {FLAG(COMPARISON, "--update", NULL, E), SWITCH(update),
     .help = "make the new pictures of the named shots the goldens",
     .detail = "Names or `--filter` say which; `all` is all of them, `missing` those without a golden. `--accept` is the same."},
    {FLAG(COMPARISON, "--filter", "PATTERN", E), TEXT(OPTION_TEXT, filter),
     .help = "only shots whose names match: * is any text, ? one character"},
    {FLAG(COMPARISON, "--list", NULL, E), SWITCH(list),
     .help = "print the names of the shots that would be rendered, one a line, and stop"},
    {FLAG(COMPARISON, "--against", "DIR", E), TEXT(OPTION_FOLDER, against),
     .help = "compare with the pictures of the same suite in another checkout",
     .detail = "Such as a `git worktree`. No golden is read or written. See [regression.md](regression.md#two-checkouts)."},
    {FLAG(COMPARISON, "--strict-names", NULL, D), SWITCH(strict_names),
     .help = "things of other names are others, though their shapes are the same"},
    {FLAG(COMPARISON, "--results", "DIR", E | D), TEXT(OPTION_FOLDER, results),
     .help = "folder for pictures that differ", .standard = "as in the suite, or results in its folder; diff: none"},

    {FLAG(COMPARISON, "--inputs", "FOLDER", Y), TEXT(OPTION_FOLDER, inputs_folder),
     .help = "where the inputs of the picture are, by whatever names", .standard = "the folder of the picture"},

    {FLAG(RESOURCES, "--threads", "N", SHOT | E | D | V | Y | S), INT(renderer.threads), .range = {1, 1024, false}, .variable = "ZT_THREADS",
     .help = "number of threads", .standard = "all cores"},
    {FLAG(RESOURCES, "--jobs", "N", N | H | E | S), INT(jobs), .range = {1, 64, false},
     .help = "models or shots at once, each in a process of its own with its share of threads and memory",
     .standard = "as many as threads, models, and 256 MiB of --max-memory for each",
     .detail = "For `--outdir`, `--freedesktop`, sheets of models and suites. What ends its process costs its own picture. Pictures and lines "
               "are the same with any number."},
    {FLAG(RESOURCES, "--unordered", NULL, N), SWITCH(unordered),
     .help = "print lines as models are done, not in the order of the inputs"},
    {FLAG(RESOURCES, "--isa", "NAME", SHOT | E | D | Y), WORD(zt_isa, renderer.max_isa), .words = isas, .variable = "ZT_ISA",
     .help = "highest instruction set to use", .standard = "the best of the machine",
     .detail = "It never changes a pixel."},
    {FLAG(RESOURCES, "--no-cache", NULL, SHOT | E | D | Y), SWITCH(no_cache),
     .help = "neither read nor write the cache",
     .detail = "Pictures of light are filtered once and kept in `zoetrope` below `$XDG_CACHE_HOME`, or "
               "`~/.cache`. The cache never changes a pixel."},

    {FLAG(RESOURCES, "--stdio", NULL, S), SWITCH(serve.stdio),
     .help = "answer requests on standard input and output"},
    {FLAG(RESOURCES, "--socket", "PATH", S), TEXT(OPTION_FILE, serve.socket),
     .help = "answer requests of many clients on a Unix socket, for its owner alone"},
    {FLAG(RESOURCES, "--root", "DIR", S), TEXT(OPTION_FOLDER, serve.root),
     .help = "the folder that paths of requests are in", .standard = "none: requests bring their files"},
    {FLAG(RESOURCES, "--queue", "N", S), INT(serve.queue), .range = {1, 4096, false},
     .help = "requests that wait for a worker; more are refused", .standard = "64"},
    {FLAG(LIMITS, "--max-request", "BYTES", S), .kind = OPTION_BYTES, .offset = FIELD(uint64_t, serve.max_request),
     .range = {1, 4294967296.0, false},
     .help = "size of all files that come with a request (code 5)", .standard = "64M"},

    {FLAG(LIMITS, "--untrusted", NULL, ALL), SWITCH(untrusted),
     .help = "strict limits for files of strangers; scenes name files in their own folder only",
     .detail = "Flags that you give yourself win. See [security.md](security.md#limits)."},
    {FLAG(LIMITS, "--follow-links", NULL, LOAD), SWITCH(load.follow_links),
     .help = "links in the folder of a model may lead anywhere: checkouts of Bazel, DVC and git-annex are links",
     .detail = "`thumbnail` tells how many links in a folder it left out without it. For files of your own; not with `--untrusted`. The sandbox then lets the program read everything."},
    {FLAG(LIMITS, "--sandbox", NULL, ALL | S), WORD(sandbox_mode, sandbox), .words = sandbox_modes,
     .help = "whether the program closes itself in", .standard = "auto",
     .detail = "`auto`: as far as the system offers it; `-v` says what is missing. `require`: completely, or exit 8. "
               "See [security.md](security.md#sandbox)."},
    {FLAG(LIMITS, "--print-limits", NULL, ALL), SWITCH(print_limits),
     .help = "print the limits that hold, and stop"},
    {FLAG(LIMITS, "--max-memory", "BYTES", ALL | S), .kind = OPTION_BYTES, .offset = FIELD(uint64_t, max_memory),
     .help = "memory that the process may take (exit 5)",
     .untrusted = 1 << 30, .standard = "75 % of what machine, container and ulimit allow",
     .detail = "See [security.md](security.md#memory)."},
    {FLAG(LIMITS, "--timeout", "SECONDS", READ), DOUBLE(timeout_s), .range = {0, 1e7, true}, .untrusted = 60,
     .help = "give up after this time (exit 5)",
     .detail = "As after SIGINT, SIGTERM, SIGHUP and the signals of batch systems (SIGXCPU, SIGUSR1, SIGUSR2, "
               "SIGALRM), which exit with 128 + n: the program ends within half a second, "
               "what it was writing does not appear, finished files stay, and `--resume` goes on."},

    {FLAG(LIMITS, "--model-timeout", "SECONDS", N | H), DOUBLE(model_timeout_s), .range = {0, 1e7, true}, .untrusted = 60,
     .help = "give up a model of a batch after this time (exit 5), and go on with the others",
     .detail = "`--untrusted` sets it in place of `--timeout` where there are many models."},
    {FLAG(LIMITS, "--shot-timeout", "SECONDS", E), DOUBLE(shot_timeout_s), .range = {0, 1e7, true}, .untrusted = 60,
     .help = "give up a shot after this time (code 5), and go on with the others",
     .detail = "`--untrusted` sets it in place of `--timeout`."},

    {FLAG(LIMITS, "--max-file", "BYTES", READ), .kind = OPTION_BYTES, .offset = FIELD(uint64_t, limits.file_bytes),
     .range = {1, 4294967296.0, false}, .untrusted = 64 << 20,
     .help = "size of an input file (exit 5)", .standard = "4G"},
    {FLAG(LIMITS, "--max-triangles", "N", READ), INT(limits.triangles), .range = {1, 50000000, false}, .untrusted = 5000000,
     .help = "triangles of a model or frame (exit 5)", .standard = "50000000"},
    {FLAG(LIMITS, "--max-joints", "N", READ), INT(limits.joints), .range = {1, 65536, false}, .untrusted = 4096,
     .help = "joints of a skin (exit 5)", .standard = "65536"},
    {FLAG(LIMITS, "--max-depth", "N", READ), INT(limits.depth), .range = {1, 512, false}, .untrusted = 64,
     .help = "levels of JSON and YAML (exit 5)", .standard = "512"},
    {FLAG(LIMITS, "--max-texture", "PIXELS", READ), INT(limits.texture_side), .range = {1, 16384, false}, .untrusted = 8192,
     .help = "side of a texture or environment; a larger texture is left out (exit 5 with --strict)",
     .standard = "16384"},
    {FLAG(LIMITS, "--max-picture", "PIXELS", READ), INT(limits.picture_side), .range = {1, 16384, false}, .untrusted = 4096,
     .help = "side of a picture that is rendered (exit 5)", .standard = "16384"},
    {FLAG(LIMITS, "--max-frames", "N", READ), INT(limits.frames), .range = {1, 1000000, false}, .untrusted = 10000,
     .help = "frames of a shot (exit 5)", .standard = "1000000"},
    {FLAG(LIMITS, "--max-fragments", "N", READ), INT(limits.fragments), .range = {1, 2000000000, false}, .untrusted = 200000000,
     .help = "pixels of a frame below triangles that blend or test alpha (exit 5)", .standard = "2000000000"},
    {FLAG(LIMITS, "--max-light-samples", "N", READ), INT(limits.light_samples), .range = {1, 4096, false}, .untrusted = 64,
     .help = "light samples of final quality (exit 5)", .standard = "4096"},
    {FLAG(LIMITS, "--max-samples", "N", READ), INT(limits.samples), .range = {1, 4096, false}, .untrusted = 64,
     .help = "samples of a pixel: sub-frames x supersample x supersample x samples (exit 5)", .standard = "4096"},
    {FLAG(LIMITS, "--max-rays", "N", READ), DOUBLE(limits.rays), .range = {1, 1e12, false}, .untrusted = 2e9,
     .help = "rays of a frame: pixels x light samples x kinds of light (exit 5)",
     .standard = "1000000000000"},
    {FLAG(LIMITS, "--max-output", "BYTES", READ), .kind = OPTION_BYTES, .offset = FIELD(uint64_t, limits.output_bytes),
     .range = {1, 4294967296.0, false}, .untrusted = 256 << 20,
     .help = "size of all files that a conversion writes (exit 5)", .standard = "4G"},

    {FLAG(REPORTS, "--verify", "HASH", PICTURES), .kind = OPTION_HASH, .offset = FIELD(option_hash, verify),
     .help = "render one frame, compare its pixel hash and write nothing",
     .detail = "The exit code is 1 when the hash differs. `--json` reports hashes."},
    {FLAG(REPORTS, "--json", NULL, ALL), SWITCH(json),
     .help = "print one result document on standard output"},
    {FLAG(REPORTS, "--json-lines", NULL, N), SWITCH(json_lines),
     .help = "print a line of JSON for each thumbnail as it is done"},
    {FLAG(REPORTS, "--html", "FILE", C | E | D), .letter = 'o', TEXT(OPTION_FILE, html),
     .help = "write a page with pictures, differences and commands",
     .detail = "It is one file, read without network and scripts. See [regression.md](regression.md#reports)."},
    {FLAG(REPORTS, "--junit", "FILE", C | E | D), TEXT(OPTION_FILE, junit),
     .help = "write JUnit XML, which CI systems read"},
    {FLAG(REPORTS, "--markdown", "FILE", C | E | D), TEXT(OPTION_FILE, markdown),
     .help = "write what failed as Markdown, in less than 60,000 bytes, for a pull request"},
    {FLAG(REPORTS, "--picture-prefix", "URL", C | E | D), TEXT(OPTION_TEXT, picture_prefix),
     .help = "show pictures in --markdown: their addresses are this and their paths"},
    {FLAG(REPORTS, "--full", NULL, I), SWITCH(full),
     .help = "list every node, mesh, material, texture and note, one a line"},
    {FLAG(REPORTS, "--rig", NULL, I), SWITCH(rig),
     .help = "print the bones: index, position and axes, at rest or posed",
     .detail = "With `--frames`, `--time`, `--clip` or `--fps` at the first frame, in the world. A scene names a "
               "bone by its name, path or index."},
    {FLAG(REPORTS, "--pose-json", NULL, I), SWITCH(pose_json),
     .help = "print the world matrices of all bones at every frame, as JSON"},
    {FLAG(REPORTS, "--progress", "KIND", SHOT | E), WORD(progress_kind, progress), .words = progress_kinds,
     .help = "progress on standard error", .standard = "auto",
     .detail = "`auto` is a bar on a terminal and lines elsewhere: the first frame, the last, and one a second between "
               "them, every ten seconds after the first minute. Bar and lines end with how long it took. `json` is a line for each frame, and with `--quality final` lines with `samples` of `samples_total` in it."},
    {FLAG(REPORTS, "--stats", NULL, SHOT), SWITCH(stats),
     .help = "print the time of each stage on standard error"},
    {FLAG(REPORTS, "--trace", "FILE", SHOT), TEXT(OPTION_FILE, trace),
     .help = "write a record of what each thread did and when, for chrome://tracing and Perfetto",
     .detail = "Up to a million pieces of work, of a command that succeeds. Not with batches of thumbnails and sheets of models, which are made by several "
               "processes."},
    {FLAG(REPORTS, "--hash-stages", NULL, R), SWITCH(hash_stages),
     .help = "print a hash of what each stage of the last frame made",
     .detail = "The first line that differs shows where the results of two machines part. With "
               "`--json` they are a member `stage_hashes` of the document."},
    {FLAG(REPORTS, "--quiet", NULL, ALL | S), .letter = 'q', SWITCH(quiet), .help = "no warnings, no progress"},
    {FLAG(REPORTS, "--verbose", NULL, ALL | S), .letter = 'v', SWITCH(verbose), .help = "notes too",
     .detail = "For example textures that were found under another name."},
    {FLAG(REPORTS, "--help", NULL, ALL | S), .letter = 'h', SWITCH(help), .help = "print the flags of the command that are used most"},
    {FLAG(REPORTS, "--help-all", NULL, ALL | S), SWITCH(help_all), .help = "print all flags of the command"},
};
// clang-format on
enum { FLAG_COUNT = sizeof flags / sizeof *flags };
_Static_assert((int)FLAG_COUNT <= (int)OPTION_COUNT_MAX, "raise OPTION_COUNT_MAX");

const option_flag *option_at(int index)
{
    return index >= 0 && index < FLAG_COUNT ? &flags[index] : NULL;
}

const char *option_group_title(option_group group)
{
    static const char *const titles[OPTION_GROUP_COUNT] = {
        [OPTION_GROUP_OUTPUT] = "Output",       [OPTION_GROUP_SHOT] = "Shot",
        [OPTION_GROUP_CAMERA] = "Camera",       [OPTION_GROUP_PICTURE] = "Picture",
        [OPTION_GROUP_LIGHT] = "Light",         [OPTION_GROUP_MODEL] = "Model",
        [OPTION_GROUP_SHEET] = "Sheet",         [OPTION_GROUP_COMPARISON] = "Comparison",
        [OPTION_GROUP_RESOURCES] = "Resources", [OPTION_GROUP_LIMITS] = "Limits",
        [OPTION_GROUP_REPORTS] = "Reports",
    };
    return titles[group];
}

int option_find(const char *name, size_t length)
{
    const option_flag *flag = NULL;
    for (int i = 0; (flag = option_at(i)) != NULL; i++)
        if (strlen(flag->name) == length && strncmp(flag->name, name, length) == 0)
            return i;
    return -1;
}
