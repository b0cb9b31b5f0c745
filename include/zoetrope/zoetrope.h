// SPDX-License-Identifier: MIT
/// Zoetrope: a headless CPU renderer of animated 3D models.
/// Model or scene file -> zt_scene -> zt_renderer -> pictures in memory, files and streams.
/// The promise: the same scene at the same size gives the same pixels, bit for bit, on every
/// instruction set, thread count, compiler and optimisation level that this library is built for.
///
/// World space is right-handed, +Y up, metres, seconds. Cameras look down -Z. Angles are degrees.
/// Matrices are named by their spaces (clip_from_world). Fill a *_def struct by its zt_default_*()
/// function, then edit it; a def from elsewhere fails with ZT_ERR_ARGUMENT. What is not set is NULL
/// for a text, NaN for a real number, 0 for a whole one. Every `zt_error *err` may be NULL. Every
/// destroy accepts NULL. Texts and bytes that a call allocates are freed by zt_free. A list
/// `..._at(index)` gives NULL past its last entry. docs/library.md says more.
#ifndef ZOETROPE_ZOETROPE_H
#define ZOETROPE_ZOETROPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZT_VERSION_MAJOR 0
#define ZT_VERSION_MINOR 4
#define ZT_VERSION_PATCH 0
/// Raised when a program that was built with an earlier header must be built again.
#define ZT_API_VERSION 2

#if defined(ZT_BUILD_SHARED) && defined(__GNUC__)
#define ZT_API __attribute__((visibility("default")))
#else
#define ZT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The result of a call. The value is the exit code of the command line program.
typedef enum zt_result {
    ZT_OK = 0,
    ZT_ERR_DIFFERENT = 1,   ///< pictures differ, or a hash is not the expected one
    ZT_ERR_ARGUMENT = 2,    ///< a wrong argument or command line
    ZT_ERR_INPUT = 3,       ///< an input file is missing or cannot be read
    ZT_ERR_FORMAT = 4,      ///< an input file is malformed
    ZT_ERR_LIMIT = 5,       ///< a limit was exceeded (size, memory budget, time)
    ZT_ERR_OUTPUT = 6,      ///< an output file cannot be written
    ZT_ERR_MEMORY = 7,      ///< the system is out of memory
    ZT_ERR_UNSUPPORTED = 8, ///< a format is not read, or `strict` is set and a feature is missing
    ZT_ERR_INTERNAL = 9,    ///< a bug in the library
    ZT_ERR_CANCELLED = 10,  ///< the caller asked to stop
    ZT_RESULT_COUNT
} zt_result;

/// The caller's. `message` is one line: "FILE:LINE:COL: what is wrong (what was expected)".
typedef struct zt_error {
    zt_result code;
    char message[1024];
} zt_error;
ZT_API const char *zt_result_name(zt_result result);
ZT_API void zt_free(void *memory);
/// "0.3.0", before its release "0.3.0-dev"; a checkout adds the commit, and a hash of changes.
ZT_API const char *zt_version(void);
/// The ZT_API_VERSION of the library: another one than that of the header cannot be used with it.
ZT_API int32_t zt_api_version(void);
/// A format that this build may or may not read: "Draco" (compressed meshes) and "OpenEXR".
ZT_API const char *zt_optional_format_at(int32_t index, bool *out_built);

// ---- Instruction sets ---------------------------------------------------------------------------
typedef enum zt_isa {
    ZT_ISA_BEST = -1, ///< the best one that this machine can run
    ZT_ISA_SCALAR,
    ZT_ISA_SSE2,
    ZT_ISA_AVX2,
    ZT_ISA_AVX512,
    ZT_ISA_NEON,
    ZT_ISA_COUNT
} zt_isa;
ZT_API const char *zt_isa_name(zt_isa isa);
/// False unless `name` is scalar, sse2, avx2, avx512 or neon.
ZT_API bool zt_isa_from_name(const char *name, zt_isa *out_isa);
/// True when the library was built for `isa`, and when this machine can run it, too.
ZT_API bool zt_isa_built(zt_isa isa);
ZT_API bool zt_isa_available(zt_isa isa);

// ---- Memory and messages ------------------------------------------------------------------------
/// Both functions must be callable from any thread. `free` gets the size that `alloc` got.
typedef struct zt_allocator {
    void *(*alloc)(void *user, size_t size, size_t align);
    void (*free)(void *user, void *pointer, size_t size);
    void *user;
} zt_allocator;

/// A limit on memory that models, scenes, renderers and pictures share, on any number of threads:
/// the same work always fits or never does. The process takes at most 1.15 times as much.
typedef struct zt_budget zt_budget;
/// `max_memory`: bytes; 0 = 75 % of what the machine, the process's control group (a container) and
/// RLIMIT_AS allow. `allocator`: NULL for malloc. The budget must outlive everything that uses it.
ZT_API zt_result zt_budget_create(uint64_t max_memory, const zt_allocator *allocator,
                                  zt_budget **out_budget, zt_error *err);
ZT_API void zt_budget_destroy(zt_budget *budget);
ZT_API uint64_t zt_budget_limit(const zt_budget *budget);
/// Counts memory of the caller's. False: it does not fit, and is not counted. NULL: always true.
ZT_API bool zt_budget_take(zt_budget *budget, uint64_t bytes);
ZT_API void zt_budget_give(zt_budget *budget, uint64_t bytes);

/// What one input may ask for. More ends with ZT_ERR_LIMIT before memory is taken for it.
typedef struct zt_limits {
    uint64_t file_bytes;   ///< bytes of an input file
    int32_t triangles;     ///< triangles of a model, and of a frame
    int32_t joints, depth; ///< joints of a skin; levels of JSON and YAML
    int32_t texture_side;  ///< pixels; larger textures of a model are left out with a warning
    int32_t picture_side;  ///< pixels of a picture that is rendered
    int32_t frames;        ///< frames of a shot
    int32_t fragments;     ///< pixels below each triangle of a frame that blends or tests alpha
    uint64_t output_bytes; ///< bytes of all files that one conversion writes
    int32_t light_samples; ///< those of final quality
    int32_t samples;       ///< of a pixel of a frame: sub-frames, supersample squared and samples
    double rays;           ///< of a frame: pixels times light samples times kinds of light
} zt_limits;
/// The largest values; they hold without a budget.
ZT_API zt_limits zt_default_limits(void);
/// For all that is made with the budget from now on. ZT_ERR_ARGUMENT for a limit out of 1..default.
ZT_API zt_result zt_budget_set_limits(zt_budget *budget, const zt_limits *limits, zt_error *err);

/// Stops calls. They ask on any of their threads, each microsecond to some milliseconds, so it only
/// reads a flag or a clock. Soon after true they end with ZT_ERR_CANCELLED, their output absent.
typedef struct zt_cancel {
    bool (*asked)(void *user);
    void *user;
} zt_cancel;
typedef enum zt_severity { ZT_NOTE, ZT_WARNING } zt_severity;
/// Loaders call it on the calling thread. `text` is one line and is valid during the call only.
typedef void (*zt_message_fn)(void *user, zt_severity severity, const char *text);

// ---- Pictures -----------------------------------------------------------------------------------
/// An 8-bit sRGB picture with straight alpha, row 0 on top; rows are `stride` bytes apart.
typedef struct zt_image {
    uint8_t *rgba8;
    int32_t width, height;
    size_t stride;
    bool keep_alpha;   ///< PNG files have alpha even when every pixel is opaque
    zt_budget *budget; ///< charged for pixels that the library allocates and for encoding, or NULL
    const zt_cancel *cancel; ///< asked while a PNG file is made; NULL: nothing stops it
    void *memory;            ///< set by zt_image_init: zt_image_finish frees it, or `rgba8` if NULL
} zt_image;
/// Allocates `out_image->rgba8`, zeroed, within a budget (or NULL). Free it with zt_image_finish.
ZT_API zt_result zt_image_init(zt_image *out_image, int32_t width, int32_t height,
                               zt_budget *budget, zt_error *err);
ZT_API void zt_image_finish(zt_image *image);
/// FNV-1a 64 over width and height (u32, little-endian) and the RGBA8 rows from the top.
ZT_API uint64_t zt_image_hash(const zt_image *image);

/// A format of output pictures.
typedef struct zt_picture_format {
    const char *name;         ///< "png": what zt_encode_def.format takes
    const char *title;        ///< "PNG": for people
    const char *suffix;       ///< ".png"; NULL: a format of streams only
    bool stream;              ///< a file or stream holds any number of frames, one after another
    const char *other_suffix; ///< ".jpeg", which means the same; or NULL
    bool alpha;               ///< holds transparency; otherwise see zt_shot_def.opaque
    bool light;               ///< holds many planes, also of linear light
} zt_picture_format;
/// The formats, the default first.
ZT_API const zt_picture_format *zt_picture_format_at(int32_t index);
typedef enum zt_png_mode { ZT_PNG_FAST, ZT_PNG_SMALL } zt_png_mode;
/// OpenEXR files are packed one line at a time, 16 lines together, or not at all.
typedef enum zt_exr_packing { ZT_EXR_ZIPS, ZT_EXR_ZIP, ZT_EXR_NONE } zt_exr_packing;
/// The text that says what made a file (docs/planes.md). FULL adds `settings`.
typedef enum zt_metadata { ZT_METADATA_DEFAULT, ZT_METADATA_NONE, ZT_METADATA_FULL } zt_metadata;
/// A text in a PNG file (tEXt): Latin-1 letters; the keyword has 1 to 79 of them.
typedef struct zt_picture_text {
    const char *keyword, *text;
} zt_picture_text;
/// How pictures are encoded. Where a call takes one, NULL is zt_default_encode_def().
typedef struct zt_encode_def {
    const char *format; ///< name of a zt_picture_format; not set: by the suffix of the path, or PNG
    zt_png_mode png;    ///< effort for PNG and lossless WebP
    int32_t jpeg_quality;         ///< 1 to 100; default 90
    int32_t webp_quality;         ///< 1 to 100: lossy; default 0: lossless
    zt_exr_packing exr;           ///< of OpenEXR files
    bool fsync;                   ///< flush a file to the disk before it is renamed
    bool has_key;                 ///< the file of a single picture gets `key`; sequences refuse it
    uint64_t key;                 ///< see zt_scene_frame_key
    const zt_picture_text *texts; ///< texts in a PNG file; other formats have none
    int32_t text_count;
    int32_t bits;      ///< of PNG files: 8 or 16; 0: 16 for linear light and planes, 8 for colour
    int32_t linear;    ///< 1: PNG files of 16 bits hold linear light; 0: sRGB
    bool dither;       ///< GIF: noise between the colours of the palette
    const char *matte; ///< GIF: colour under half-transparent pixels; not set: white
    double depth_unit_mm; ///< of depth in PNG files, default 1; 0: they hold none
    zt_metadata metadata;
    const char *settings; ///< what renders the picture again: the program's JSON; no & < '
    uint64_t scene_hash;  ///< with `frame` and `time_s`: set by zt_scene_frame_origin
    int64_t frame;
    double time_s;
    uint32_t cookie_;
} zt_encode_def;
ZT_API zt_encode_def zt_default_encode_def(void);
/// The file is complete or absent. A PNG is RGB when every pixel is opaque, otherwise RGBA. Without
/// alpha pixels show over black. ZT_ERR_LIMIT: the format holds no picture of this size.
ZT_API zt_result zt_image_write(const char *path, const zt_image *image, const zt_encode_def *def,
                                zt_error *err);
/// The same file in memory.
ZT_API zt_result zt_image_encode(const zt_image *image, const zt_encode_def *def,
                                 uint8_t **out_bytes, size_t *out_size, zt_error *err);
/// True when the file at `path` is a whole PNG, WebP, JPEG or OpenEXR of this size with this key.
ZT_API bool zt_image_has_key(const char *path, uint64_t key, int32_t width, int32_t height);
/// The first text with this keyword before the pixels of a PNG file. False: none, or too long.
ZT_API bool zt_png_read_text(const char *path, const char *keyword, char *out, size_t size);
/// `pixels`, as the text of a PNG file of a plane has it (docs/planes.md), by its rows.
ZT_API zt_result zt_png_hash(const char *path, zt_budget *budget, uint64_t *out, zt_error *err);
/// Reads a PNG, JPEG, WebP, KTX2, DDS, BMP or TGA as 8-bit RGBA within a budget (or NULL): its
/// first picture; with `single` a file of several is ZT_ERR_UNSUPPORTED. Free: zt_image_finish.
ZT_API zt_result zt_image_read(const char *path, bool single, zt_budget *budget,
                               zt_image *out_image, zt_error *err);

/// Pixels of a picture; parts outside of it are allowed.
typedef struct zt_rectangle {
    int32_t x, y, width, height;
} zt_rectangle;
/// How zt_image_measure looks at two pictures.
typedef struct zt_metrics_def {
    const zt_image *mask;        ///< pixels whose luma times alpha is below 1/2 are left out
    const zt_rectangle *ignored; ///< pixels inside of any are left out
    int32_t ignored_count;
    int32_t threshold;        ///< 0..255: `over` counts pixels with a larger difference
    bool ignore_antialiasing; ///< what looks like an antialiased edge in either counts as equal
    bool straight;            ///< colours as they are stored, not multiplied by alpha
    bool ssim, flip;          ///< measure them too: they take longer than all else
    double pixels_per_degree; ///< how closely FLIP looks, 1..1000; default 67
    bool flip_diff;           ///< the picture of the differences is FLIP's; `flip` must be set
    uint32_t cookie_;
} zt_metrics_def;
ZT_API zt_metrics_def zt_default_metrics_def(void);
/// Differences over the pixels that are not left out: absolute, of four channels, in codes 0..255.
typedef struct zt_metrics {
    int64_t compared;    ///< pixels that are not left out
    int64_t pixels;      ///< pixels that differ and are not antialiased
    int64_t over;        ///< pixels among these with a channel above the threshold
    int64_t antialiased; ///< pixels that differ and count as equal
    double share;        ///< `over` in percent of `compared`; 0 of none
    int32_t max;         ///< rounded up: what differs is never 0
    double mean, rms;
    double psnr;              ///< decibels: 20 log10(255 / rms); infinite when nothing differs
    int32_t first_x, first_y; ///< first differing pixel in reading order; -1: none
    zt_rectangle differing;   ///< the smallest with all differing pixels; empty: none
    double ssim; ///< mean structural similarity of luma, up to 1. Here and below NaN: not measured
    /// Errors of LDR-FLIP, 0..1: mean, weighted quartiles, largest. All over white and over black.
    double flip, flip_first_quartile, flip_median, flip_third_quartile, flip_max;
} zt_metrics;
/// Measures how `b` differs from `a`. ZT_ERR_DIFFERENT: other sizes. `out_diff` (or NULL) gets a
/// picture within the budget of `a`: left out is blue, antialiased teal. Free: zt_image_finish.
ZT_API zt_result zt_image_measure(const zt_image *a, const zt_image *b, const zt_metrics_def *def,
                                  zt_metrics *out_metrics, zt_image *out_diff, zt_error *err);
/// True when all pixels of a picture are equal: it shows nothing.
ZT_API bool zt_image_blank(const zt_image *image);

// ---- Models and scenes --------------------------------------------------------------------------
/// Immutable after load: scenes and threads may share it.
typedef struct zt_model zt_model;
/// Gives the bytes of a file that a model or scene in memory names, as "textures/skin.png":
/// relative to what was loaded, and never out of its folder. False: there is none. The bytes are
/// copied at once. Called on any thread, on one at a time.
typedef bool (*zt_open_fn)(void *user, const char *name, const void **out_bytes, size_t *out_size);
/// Gets one file after another in place of the disk, on the calling thread. False: ZT_ERR_OUTPUT.
typedef bool (*zt_save_fn)(void *user, const char *path, const void *bytes, size_t size);

/// `allocator`, `cancel` and the users of `message`, `open`, `save` must outlive what is loaded.
typedef struct zt_load_def {
    const char *texture_dir; ///< a further folder to search for textures; NULL for none
    const char *variant;     ///< a variant of glTF materials (KHR_materials_variants); NULL: none
    uint64_t max_memory;     ///< bytes; 0 = as zt_budget_create, or all of `budget`
    zt_budget *budget;       ///< NULL: what is loaded has a budget of its own
    int32_t picture_side;  ///< pixels: mip levels go while the next is twice as large; 0: all stay
    int32_t threads;       ///< threads that decode textures; 0 = all cores; never changes a pixel
    const char *file_up;   ///< one of ZT_WORDS_UP, of formats without axes; NULL: the usual one
    int32_t unit_um;       ///< micrometres of the unit of formats without one; 0: the usual one
    const char *color;     ///< "#RRGGBB" or a CSS colour, of what has no material; NULL: as it is
    bool first_person;     ///< VRM models are as their person sees its body, without a head
    bool package_picture;  ///< the picture of a 3MF package without a model that is read is shown
    bool no_textures;      ///< models have none: for callers who pose and do not draw
    bool strict;           ///< fail with ZT_ERR_UNSUPPORTED on a feature that is ignored
    bool confine_scene;    ///< a scene file, too, only names files in or below its own folder
    bool follow_links;     ///< links in these folders may lead anywhere
    zt_message_fn message; ///< NULL for silence
    void *message_user;
    const zt_allocator *allocator; ///< NULL for malloc
    const zt_cancel *cancel;       ///< NULL: nothing stops it
    /// Loaded in place of the file at the path, its name (with `open` NULL is an empty file); may
    /// be freed after the call. Files come from `open` alone: a scene's by their path in it, those
    /// of its models behind their folder. Without it a buffer is ZT_ERR_INPUT, a texture a warning.
    const void *bytes;
    size_t size;
    zt_open_fn open; ///< also for zt_scene_bake; NULL: there are no files
    void *open_user;
    zt_save_fn save; ///< gets what zt_convert and zt_scene_bake write; NULL: files on the disk
    void *save_user;
    uint32_t cookie_;
} zt_load_def;
ZT_API zt_load_def zt_default_load_def(void);
/// Loads any format of docs/formats.md, known by its content; "-" reads standard input.
ZT_API zt_result zt_model_load(const char *path, const zt_load_def *def, zt_model **out_model,
                               zt_error *err);
ZT_API void zt_model_destroy(zt_model *model);
ZT_API int32_t zt_model_clip_count(const zt_model *model);
/// Valid as long as the model.
ZT_API const char *zt_model_clip_name(const zt_model *model, int32_t clip);
/// The smallest and the largest time of its keys.
ZT_API void zt_model_clip_range(const zt_model *model, int32_t clip, double *out_start_s,
                                double *out_end_s);

/// Writes a model file by the suffix of `out_path`: .glb, .gltf (with a .bin and images STEM-NAME)
/// or .m3d (with DDS files STEM-NAME). From glTF to glTF all is kept. Otherwise each loss is one
/// ZT_WARNING, or with def->strict ZT_ERR_UNSUPPORTED. All files appear, the model last, or none.
ZT_API zt_result zt_convert(const char *path, const char *out_path, const zt_load_def *def,
                            zt_error *err);

/// Shows a scene file, a model (with a default camera, light and clip), or built by calls.
typedef struct zt_scene zt_scene;
typedef struct zt_instance_def {
    const zt_model *model;      ///< borrowed: must outlive the scene
    float world_from_model[12]; ///< row-major 3x4
    int32_t clip;               ///< -1 for the rest pose
    double clip_start_s;        ///< clip time at shot time 0
    uint32_t cookie_;
} zt_instance_def;
ZT_API zt_instance_def zt_default_instance_def(void);
ZT_API zt_result zt_scene_create(const zt_load_def *def, zt_scene **out_scene, zt_error *err);
/// Loads a scene (its path ends with .yaml, .yml or .json) or a model. It owns the models it loads.
ZT_API zt_result zt_scene_load(const char *path, const zt_load_def *def, zt_scene **out_scene,
                               zt_error *err);
/// Calls `each` with each text of a scene file as a path, for programs that sandbox themselves.
ZT_API zt_result zt_scene_paths(const char *path, const zt_load_def *def,
                                void (*each)(void *user, const char *path), void *user,
                                zt_error *err);
ZT_API zt_result zt_scene_add_instance(zt_scene *scene, const zt_instance_def *def, zt_error *err);
ZT_API void zt_scene_destroy(zt_scene *scene);

/// A camera, or a point of its way.
typedef struct zt_camera_def {
    double time_s;            ///< of the shot; a camera of one point rests
    double eye[3], target[3]; ///< metres in the world
    double up[3];             ///< default +Y
    double fov_deg;           ///< vertical; default 35
    double height_m;          ///< of a parallel view, by the first point; not set: a perspective
    uint32_t cookie_;
} zt_camera_def;
typedef struct zt_light_def {
    const char *kind;            ///< "directional", "point" or "spot"
    double position[3];          ///< metres in the world, of "point" and "spot"
    double direction[3];         ///< in which light travels, of "directional" and "spot"
    double color[3];             ///< linear; default white
    double intensity;            ///< lux of "directional", otherwise candela; not set: pi
    double range_m;              ///< nothing is lit farther away; not set: no limit
    double inner_deg, outer_deg; ///< the cone of "spot", from its axis; default 0 and 45
    double size;                 ///< metres across, of "directional" degrees; default 0
    bool shadow;                 ///< a size above 0 turns it on, too
    uint32_t cookie_;
} zt_light_def;
typedef struct zt_environment_def {
    const char *image;        ///< path of a picture of light (.hdr, .exr); NULL: sky and ground
    double sky[3], ground[3]; ///< linear radiance from above and from below
    double intensity;         ///< factor; default 1
    double rotation_deg;      ///< of the picture, counter-clockwise seen from above
    double blur;              ///< of the picture as a background, 0 to 1
    uint32_t cookie_;
} zt_environment_def;
ZT_API zt_camera_def zt_default_camera_def(void);
ZT_API zt_light_def zt_default_light_def(void);
ZT_API zt_environment_def zt_default_environment_def(void);
/// Replace the camera (by points of rising times; between them all is linear), add a lamp, replace
/// the environment, as `camera`, `lights` and `environment` of a scene file do, with their ranges.
/// The camera ends a turntable (its frames stay), `directions` and `lights_turn`. The scene is
/// unchanged after an error; what a call replaces keeps its memory until zt_scene_destroy.
ZT_API zt_result zt_scene_set_camera(zt_scene *scene, const zt_camera_def *points, int32_t count,
                                     zt_error *err);
ZT_API zt_result zt_scene_add_light(zt_scene *scene, const zt_light_def *def, zt_error *err);
ZT_API zt_result zt_scene_set_environment(zt_scene *scene, const zt_environment_def *def,
                                          zt_error *err);
/// A model or scene, with all that is approximated or ignored. `form`: "json", "text", or
/// "summary".
ZT_API zt_result zt_inspect(const char *path, const zt_load_def *def, const char *form,
                            char **out_text, zt_error *err);
/// The lists of words that fields of zt_shot_def and keys of scenes take, for zt_word_at.
typedef enum zt_word_list {
    ZT_WORDS_VIEW,
    ZT_WORDS_UP,
    ZT_WORDS_TONE_MAP, ///< neutral: Khronos'; aces: Hill's fit; soft: neutral, white dimmed
    ZT_WORDS_PRESET,
    ZT_WORDS_LIGHT,
    ZT_WORDS_GROUND,
    ZT_WORDS_LOOK,
    ZT_WORDS_SPACE,
    ZT_WORDS_QUALITY,
    ZT_WORD_LIST_COUNT
} zt_word_list;
ZT_API const char *zt_word_at(zt_word_list list, int32_t index);

/// What a caller overrides in a scene: the flags of the command line. The rest is as in the scene.
typedef struct zt_shot_def {
    int32_t width, height;
    const char *frames; ///< selects from the shot: "12", "1-10x2", "1,3,7-9"
    int32_t fps_numerator, fps_denominator;
    double time_s;      ///< freezes the clips at this time
    const char *clip;   ///< name, index or "none", for every model
    const char *camera; ///< name or index of a camera in a model
    const char *view;   ///< one of ZT_WORDS_VIEW
    const char *up;     ///< the axis of the models' files that points up: one of ZT_WORDS_UP
    double azimuth_deg, elevation_deg, fov_deg;
    double zoom, margin; ///< margin: of the picture on each side of what is framed, 0 to 0.45
    double exposure_ev;
    int32_t samples;         ///< of a pixel: 1 2 4 8 16
    int32_t supersample;     ///< the picture is drawn 1, 2 or 4 times as wide and high
    int32_t anisotropy;      ///< taps of a texture: 1 2 4 8 16
    const char *tone_map;    ///< one of ZT_WORDS_TONE_MAP
    const char *background;  ///< "transparent", "environment", "#RRGGBB", "#RGB" or a CSS colour
    bool opaque;             ///< the colour of the scene replaces a transparent background
    const char *look_at;     ///< "X,Y,Z" in the world, or a bone that the camera follows
    bool orthographic;       ///< a parallel view
    bool lights_turn;        ///< lights follow the azimuth of the camera: that of 0 always shines
    int32_t directions;      ///< framed so that so many azimuths, evenly around, see all
    int32_t turntable_count; ///< N frames, frame k at azimuth + 360 k/N and time k/fps
    double turntable_duration_s;    ///< of the turn; docs/cli.md says how it ends with the clip
    int32_t turntable_loops;        ///< cycles of the clip in it
    bool turntable_clockwise;       ///< the camera moves clockwise seen from above
    bool turntable_eased;           ///< it starts and ends slowly
    double turntable_elevation_deg; ///< of the camera after half of the turn
    bool thumbnail;     ///< one frame, framed on its own; docs/cli.md says which, and the view
    const char *preset; ///< how the scene is lit: one of ZT_WORDS_PRESET
    const char *light;  ///< besides the scene's `lights`: one of ZT_WORDS_LIGHT, or a picture alone
    const char *environment; ///< a picture of light in place of that of the scene; not with `light`
    const char *look;        ///< what the picture shows: one of ZT_WORDS_LOOK
    const char *ground;      ///< what is below the models: one of ZT_WORDS_GROUND
    const char *ground_height; ///< "auto", "rest", "shot", or metres
    const char *space;         ///< of planes of normals and positions: one of ZT_WORDS_SPACE
    const char *quality;       ///< one of ZT_WORDS_QUALITY; final: light is blocked by triangles
    int32_t light_samples;     ///< of final, for a kind of light: a multiple of 16, 16 to 4096
    const char *shutter;   ///< how long it is open: degrees, 360 of which are a frame, or "0.01s"
    const char *aperture;  ///< "f/2.8", or the radius of the lens in metres
    const char *focus;     ///< "auto", metres from the eye, "X,Y,Z" in the world, or a bone
    int32_t blades;        ///< corners of the aperture: 3 to 32
    const char *subframes; ///< a frame is the mean of so many: 1 to 4096, or "auto"
    uint32_t cookie_;
} zt_shot_def;
ZT_API zt_shot_def zt_default_shot_def(void);
/// An error changes nothing, nor does what is not set; earlier values stay. Only these leave no
/// trace: size, frames, time_s, samples, supersample, anisotropy, quality, light_samples,
/// shutter, aperture, focus, blades, subframes, background, tone_map, exposure_ev, ground, view,
/// azimuth, elevation, fov, zoom, margin.
ZT_API zt_result zt_scene_apply(zt_scene *scene, const zt_shot_def *def, zt_error *err);
/// A loaded scene is as zt_scene_load made it again. What was set meanwhile still takes memory.
ZT_API void zt_scene_restore(zt_scene *scene);
/// The framing of a model file fits these clips, too, until the next zt_scene_apply.
ZT_API zt_result zt_scene_frame_clips(zt_scene *scene, const char *const *clips, int32_t count,
                                      zt_error *err);

/// The size of the pictures. NULL for a scene gives 0 here, and nothing in the calls below.
ZT_API void zt_scene_size(const zt_scene *scene, int32_t *out_width, int32_t *out_height);
/// True when the background is transparent: pictures have alpha even when every pixel is covered.
ZT_API bool zt_scene_transparent(const zt_scene *scene);
ZT_API void zt_scene_fps(const zt_scene *scene, int32_t *out_numerator, int32_t *out_denominator);
/// The number of frames selected from the shot, and the frame of each index in order.
ZT_API int64_t zt_scene_frame_count(const zt_scene *scene);
ZT_API int64_t zt_scene_frame(const zt_scene *scene, int64_t index);
/// A hash of what decides the picture of a frame: zt_version(), bytes of all files, what was
/// applied, and how it is encoded. zt_sequence_def.resume compares it with that of a file.
ZT_API uint64_t zt_scene_frame_key(const zt_scene *scene, int64_t frame, const zt_encode_def *def);
/// Sets what the file of a frame says of it: `key`, `scene_hash`, `frame`, `time_s`; no key with
/// ZT_METADATA_NONE. Sequences do so themselves.
ZT_API void zt_scene_frame_origin(const zt_scene *scene, int64_t frame, zt_encode_def *def);
/// Lines "INDEX NAME START END", one per clip of every model.
ZT_API zt_result zt_scene_list_clips(const zt_scene *scene, char **out_text, zt_error *err);
/// The bones (nodes) of every model, with places and axes, as a tree or as JSON: in the world at
/// `*frame`; NULL: of the rest pose, in the space of each model.
ZT_API zt_result zt_scene_describe_rig(const zt_scene *scene, const int64_t *frame, bool json,
                                       char **out_text, zt_error *err);
/// Gets the next bytes of a stream, on the calling thread. False ends it with ZT_ERR_OUTPUT.
typedef bool (*zt_write_fn)(void *user, const void *bytes, size_t size);
/// Writes a JSON document: names and parents of the nodes of every instance, and for each selected
/// frame world_from_node of each node, 16 numbers, column-major, metres, +Y up.
ZT_API zt_result zt_scene_write_poses(const zt_scene *scene, zt_write_fn write, void *user,
                                      zt_error *err);
typedef struct zt_bake_def {
    double error;  ///< how far keys may move a point, in sizes of its model: 0 to 1; default 1e-4
    bool one_clip; ///< one clip for all instead of one for each model, the camera and the lights
    uint32_t cookie_;
} zt_bake_def;
ZT_API zt_bake_def zt_default_bake_def(void);
/// Writes the models of a scene with the pose of every selected frame, as linear keys, to a .glb or
/// .gltf file. Losses and files are as those of zt_convert, with the load def of the scene. A model
/// of its own in memory is ZT_ERR_UNSUPPORTED; one of a scene in memory is asked for again.
ZT_API zt_result zt_scene_bake(const zt_scene *scene, const char *out_path, const zt_bake_def *def,
                               zt_error *err);

// ---- Rendering ----------------------------------------------------------------------------------
/// Owns threads and frame memory. A second call, also of `progress`, fails with ZT_ERR_ARGUMENT.
typedef struct zt_renderer zt_renderer;
typedef struct zt_renderer_def {
    int32_t threads;     ///< 0 = all cores
    zt_isa max_isa;      ///< caps the instruction set; never changes a pixel
    uint64_t max_memory; ///< bytes for frames; 0 = as zt_budget_create, or all of `budget`
    zt_budget *budget;   ///< NULL: the renderer has a budget of its own
    const zt_allocator *allocator; ///< NULL for malloc; must outlive the renderer
    const char *cache_folder;      ///< keeps filtered environments in files here; NULL: nowhere
    const zt_cancel *cancel;       ///< NULL: only zt_renderer_cancel; must outlive the renderer
    void (*progress)(void *user, double share); ///< what zt_render and zt_render_planes have drawn
    void *progress_user;
    uint32_t cookie_;
} zt_renderer_def;
ZT_API zt_renderer_def zt_default_renderer_def(void);
ZT_API zt_result zt_renderer_create(const zt_renderer_def *def, zt_renderer **out_renderer,
                                    zt_error *err);
ZT_API void zt_renderer_destroy(zt_renderer *renderer);
/// From any thread or a signal handler: this and all later renders soon end with ZT_ERR_CANCELLED.
ZT_API void zt_renderer_cancel(zt_renderer *renderer);
ZT_API zt_isa zt_renderer_isa(const zt_renderer *renderer);

/// Renders frame `frame` (time frame / fps) into `target`, whose size must be the scene's. The
/// bytes are the same alone and within a sequence. `target` is unspecified after an error.
ZT_API zt_result zt_render(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                           const zt_image *target, zt_error *err);

enum { ZT_PLANE_CHANNELS_MAX = 12 };
/// A kind of planes; see docs/planes.md. "color" is linear Rec. 709 light times exposure and alpha,
/// before the tone map, without the background; "depth" metres along the view axis, or infinite.
typedef struct zt_plane_kind {
    const char *name;
    int32_t channels; ///< 32-bit numbers of a pixel
    bool integer;     ///< of uint32_t, not float
    bool nearest;     ///< of the nearest surface that does not blend; else a mean over the pixel
    bool half;        ///< light: OpenEXR files have it as 16-bit floats
    const char *channel[ZT_PLANE_CHANNELS_MAX]; ///< their names in OpenEXR files
} zt_plane_kind;
/// The kinds in order; NULL past the last.
ZT_API const zt_plane_kind *zt_plane_at(int32_t index);
/// A plane of a frame, row 0 on top.
typedef struct zt_plane {
    const char *name;
    void *pixels;  ///< owned by the caller
    size_t stride; ///< bytes from row to row; 0: rows have no gaps
} zt_plane;
typedef struct zt_planes {
    int32_t width, height; ///< those of the scene
    const zt_plane *list;  ///< [count], each name at most once
    int32_t count;
    const zt_image *image; ///< the 8-bit picture of the same frame, drawn with them; NULL: none
    uint32_t cookie_;
} zt_planes;
ZT_API zt_planes zt_default_planes(void);
/// zt_render for planes; the same promise. Depth alone takes no materials or lights.
ZT_API zt_result zt_render_planes(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                                  const zt_planes *target, zt_error *err);
/// The file of planes, in PNG of one: as zt_image_encode, by the budget of `image` where it is set.
ZT_API zt_result zt_planes_encode(const zt_planes *planes, const zt_encode_def *def,
                                  uint8_t **out_bytes, size_t *out_size, zt_error *err);

/// The pixel of a bone, from the top left, also outside. `bone`: name, path or index in the first
/// model that has it; NULL: the world's origin. ZT_ERR_ARGUMENT: none, or behind the camera.
ZT_API zt_result zt_renderer_project(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                                     const char *bone, double out_pixel[2], zt_error *err);

/// A ray in the world, whose direction has any length. It hits what is near_m to far_m away.
typedef struct zt_ray {
    double origin[3], direction[3], near_m, far_m;
} zt_ray;
typedef struct zt_ray_hit {
    float distance_m;                    ///< infinite where nothing is hit; all else is then 0
    float barycentric[2];                ///< shares of corners 1 and 2 of the triangle
    uint32_t instance, object, material; ///< as in the planes of these names
    uint32_t triangle;                   ///< in its mesh, from 0, in the order of the file
} zt_ray_hit;

/// The nearest hits of `count` rays in a frame that is posed and not drawn, and whether there is
/// any (faster alone); one of both may be NULL. docs/library.md says what rays hit.
ZT_API zt_result zt_trace(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                          const zt_ray *rays, int64_t count, zt_ray_hit *out_hits,
                          bool *out_blocked, zt_error *err);

/// Sums over all frames of a renderer.
typedef struct zt_stats {
    int64_t frames, vertices, triangles, triangles_drawn, pixels_shaded;
    int64_t model_pixels;  ///< of pixels_shaded, those of models; without them only ground is seen
    uint64_t frame_memory; ///< bytes for the frames that are rendered at the same time
} zt_stats;
/// These take NULL for a renderer, too: for the names.
ZT_API void zt_renderer_stats(const zt_renderer *renderer, zt_stats *out_stats);
/// The name of a stage of a frame, from "framing" to "write"; and nanoseconds, over all threads.
ZT_API const char *zt_renderer_stage(const zt_renderer *renderer, int32_t index, uint64_t *out_ns);
/// The product of a stage, and its hash in the last frame; 0 without zt_renderer_hash_stages.
ZT_API const char *zt_renderer_product(const zt_renderer *renderer, int32_t index,
                                       uint64_t *out_hash);
ZT_API void zt_renderer_hash_stages(zt_renderer *renderer, bool enable);

/// A file of a frame that is done. `path` is valid during the call only.
typedef struct zt_frame_report {
    int64_t done, total; ///< files of this call, this one included
    int64_t frame;
    const char *path;
    bool skipped;      ///< its file was there already (zt_sequence_def.resume)
    uint64_t hash;     ///< pixel hash of colour; 0 without `hash` in the def, or when skipped
    const char *plane; ///< what {plane} in the pattern became; NULL without it
    int64_t samples, samples_total; ///< light samples, within a frame; 0 for a file
    double share;                   ///< with them: what is drawn of all frames of this call
} zt_frame_report;
/// Called for each file, in order, on the calling thread; false ends with ZT_ERR_CANCELLED.
typedef bool (*zt_progress_fn)(void *user, const zt_frame_report *report);
typedef struct zt_sequence_def {
    const char *pattern; ///< of files: "####", "%04d" or "{frame:4}"; "{plane}"; makes folders
    zt_encode_def encode;
    int32_t shard_index, shard_count; ///< renders part I/N, I from 1; count 0 = all
    bool resume; ///< skips frames whose file is whole and has the same zt_scene_frame_key
    bool hash;   ///< report pixel hashes
    zt_progress_fn progress; ///< NULL for none
    void *progress_user;
    bool samples; ///< `progress` hears of samples within frames, too; without path, returns nothing
    zt_write_fn write; ///< of zt_render_stream alone, which refuses pattern, shards, resume
    void *write_user;
    const char *planes; ///< "color,depth" or "all"; NULL: those of the scene, or color alone
    uint32_t cookie_;
} zt_sequence_def;
ZT_API zt_sequence_def zt_default_sequence_def(void);
/// Renders the selected frames and writes one file each, complete or absent. Fails with
/// ZT_ERR_OUTPUT when, with `resume`, a file that was reported is gone at the end.
ZT_API zt_result zt_render_sequence(zt_renderer *renderer, const zt_scene *scene,
                                    const zt_sequence_def *def, zt_error *err);
/// Renders the selected frames in order and passes the bytes of one stream to `def->write`. PNG,
/// the default, holds one frame. zt_frame_report.path is "-".
ZT_API zt_result zt_render_stream(zt_renderer *renderer, const zt_scene *scene,
                                  const zt_sequence_def *def, zt_error *err);
/// The file name of `frame`, and of colour, by `pattern`; `single`: the only frame of its sequence.
/// ZT_ERR_ARGUMENT when it does not fit or the pattern is malformed.
ZT_API zt_result zt_frame_path(const char *pattern, int64_t frame, bool single, char *out_path,
                               size_t out_size, zt_error *err);

#ifdef __cplusplus
}
#endif

#endif
