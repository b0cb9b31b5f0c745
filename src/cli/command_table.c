// SPDX-License-Identifier: MIT
// The commands as people read about them, and the exit codes.
#include "base/model_names.h"
#include "cli/option_table.h"

// clang-format off
static const command_row commands[COMMAND_COUNT] = {
    [COMMAND_RENDER] = {
        .name = "render",
        .usage = "INPUT [[-o] PATTERN] [flags]",
        .help = "render a scene (.yaml .yml .json) or a model file to pictures",
        .usual = "--output --size --frames --fps --clip --view --azimuth --background --samples --environment",
        .text = "Renders a scene file or a model file to pictures (PNG, WebP, JPEG) or to one film (APNG, WebP, Y4M, with "
            "ffmpeg MP4 and WebM). A bare model shows its "
            "first clip from start to end (all together, where no two of them move the same) at 30 "
            "frames a second, or one frame when it has no clip, at 1280x720. It is one picture, of frame 0, unless a "
            "pattern, `--frames`, `--shard` or a format of films asks for more. Without `-o` the files are "
            "`STEM-####.png` in the current folder, and one picture is `STEM.png`.",
        .examples =
            "zoetrope render scenes/models/walker.glb -o walker.png\n"
            "zoetrope render scenes/walk.yaml --frames 0-3 --size 320x240 -o out/walk-####.png\n"
            "zoetrope render scenes/models/walker.glb --clip run --view iso --size 160x120 -o "
            "run/####.png\n"
            "zoetrope render scenes/models/walker.glb --frames 0-59x10 --size 320x240 "
            "--background transparent -o few-%04d.png\n"
            "zoetrope render scenes/models/walker.glb --clip walk --size 160x120 -o - --format "
            "y4m >walk.y4m\n"
            "zoetrope render scenes/tests/explorer.yaml --frames 8 --verify cdc824d6b09b6261\n"
            "zoetrope render - --frames 0 -o piped.png <scenes/models/walker.glb",
        .reads_stdin = true,
    },
    [COMMAND_TURNTABLE] = {
        .name = "turntable",
        .usage = "INPUT [[-o] PATTERN] [flags]",
        .help = "render a full circle around a model or scene",
        .usual = "--output --size --count --duration --loops --clip --elevation --background --samples --look",
        .text = "Renders a full circle: frame k of N looks from azimuth 360 k/N at time k/fps. "
            "The last frame leads back to the first without repeating it. With `--loops`, and "
            "with `--duration` where they fit in that time, whole cycles of the clip end with the circle, so that the pictures repeat "
            "without a jump. Springs have then swung for a circle before frame 0, but only in models, not in scenes. "
            "A clip that is no cycle jumps all the same, and a warning names it: its last pose is farther from its "
            "first than two of its largest steps of 1/24 s, and than a hundredth of the model's size. Choose another "
            "clip, or one pose of it with `--time`; in a scene `loop: ping_pong` plays it to the end and back.",
        .examples =
            "zoetrope turntable scenes/models/walker.glb --clip walk --count 24 --size 96 -o "
            "turn/{frame:3}.png\n"
            "zoetrope turntable scenes/models/walker.glb --clip walk --duration 1.07 --size 96 -o "
            "loop/####.png",
        .reads_stdin = true,
    },
    [COMMAND_THUMBNAIL] = {
        .name = "thumbnail",
        .usage = "MODEL OUT.png | --outdir DIR MODEL... | --freedesktop MODEL... [flags]",
        .help = "render one framed picture, 256x256 by default",
        .usual = "--output --outdir --size --background --color --view --azimuth --elevation --clip --time",
        .text = "Renders one framed picture with a transparent background, 256x256 by default. "
            "With `--outdir` it renders one picture of each model; a folder stands for the models in it and below it.\n\n"
            "Without `--clip`, `--time` and `--frames` a model shows the first frame of the clip it stands "
            "idle in: the one with the shortest name that holds \"idle\"; without one, the first clip that is no bind pose "
            "by its name (\"T-Pose\", \"bind\", \"rest\"). It is seen from 30 degrees to the side of its front and "
            "10 degrees above. What lies flat, such as a tile of a floor, is seen from 35 degrees above: its height is "
            "less than a quarter of its width and of its depth.",
        .examples =
            "zoetrope thumbnail scenes/models/walker.glb explorer.png --size 128\n"
            "zoetrope thumbnail --outdir thumbs --size 96 models/*.glb\n"
            "zoetrope thumbnail --outdir thumbs --size 96 models --skip time\n"
            "zoetrope thumbnail --outdir thumbs --size 96 --name '{stem}-{hash}.webp' models",
        .more = "The models of a folder are the files in it and below it with a name in " MODEL_NAMES_TEXT ", in the order of their "
            "names byte by byte. Names that begin with a dot, links to folders and links that lead out of the "
            "folder are passed over. The picture of a model that was given by name is `DIR/STEM.png`; one of a searched "
            "folder keeps its folders: `DIR/FOLDER/STEM.png`. Where two pictures would have one name, both get so much more of the folders "
            "of their models as differs: `a/scene.gltf` and `b/scene.gltf` become `DIR/a/scene.png` and `DIR/b/scene.png`. "
            "In one folder they get the whole name of the model, `scene.glb.png` and `scene.gltf.png`, and where "
            "that is equal too a number, `scene-2.png`. The same file given twice is rendered once. With `--name` names "
            "follow the pattern, with numbers where they are equal. Pictures replace files of their "
            "name, only models never, whatever these are called: give them a folder of their own, since a texture next to its "
            "model can have the same stem.\n\n"
            "Models are made by several processes at once (`--jobs`). A model that cannot be shown, crashes, or takes longer than "
            "`--model-timeout` ends no batch: the exit code is the highest one met. `--json` has an entry for each model, "
            "`--json-lines` prints a line for each as it is done, with `input`, `file`, `hash` (of the pixels), `code`, "
            "`width`, `height`, `bytes`, `seconds`, `warnings`, `empty` (nothing is visible) and `zoetrope` (the version); "
            "instead of `hash` and what follows from a picture `skipped`, or `message` with a `code` that is not 0. Files of other "
            "formats of models in folders are counted: `passed_over`, in `--json-lines` a line with the `first` of them.\n\n"
            "`--freedesktop` writes PNG files with the names and texts of the Thumbnail Managing Standard below `$XDG_CACHE_HOME/thumbnails` "
            "(or `~/.cache/thumbnails`), for `--size` 128, 256, 512 or 1024, readable by the user alone. Models that are malformed or unsupported "
            "are noted in `fail/zoetrope-VERSION`, unless flags are the reason. With `--skip time` models whose picture or note has their time and size "
            "are passed over; files in the cache itself are refused.\n\n"
            "Thumbnails, and turntables with `--size`, load textures only as large as such "
            "a picture needs: the first mip levels of a texture are left out while both "
            "sides of the next level are at least twice the longer side of the picture. A "
            "zoom of up to 2 is therefore no more blurred than a larger picture would be. "
            "`render` always keeps every texel.",
        .reads_stdin = true,
    },
    [COMMAND_SHEET] = {
        .name = "sheet",
        .usage = "INPUT OUT.png | INPUT... -o OUT.png [flags]",
        .help = "frames and directions, or many models, in one picture with an atlas",
        .usual = "--output --size --columns --directions --frames --clip --background --trim --padding --captions",
        .text = "Of one model or scene it makes a sprite sheet: every frame of the shot, from every "
            "direction (`--directions`), 128x128 each by default, with a transparent background. "
            "The first direction is the front, unless `--azimuth` or `--view` say another one. Of several inputs it makes a "
            "contact sheet: a thumbnail of each model or scene, and each `.png` as it is. A model that fails leaves its "
            "cell crossed out, and the exit code is the highest one. With the picture it writes an atlas: the JSON that "
            "TexturePacker and Aseprite write and game engines read. Both files appear, or none.",
        .examples =
            "zoetrope sheet scenes/models/walker.glb --clip walk --directions 4 --frames 0-29x10 --size 64 -o "
            "sheet/walk.png\n"
            "zoetrope sheet scenes/models/walker.glb --clip run --directions 2 --frames 0-19x5 --size 64 --trim --padding 1 "
            "--extrude 1 --pivot root -o sheet/run.png\n"
            "zoetrope sheet --captions --size 96x96 -o sheet/models.png scenes/models/ball.glb scenes/models/walker.m3d",
        .more = "A picture of the sheet has the pixels of `render` with the same `--azimuth`, `--directions`, `--size` and "
            "`--background transparent`. Frames have the names STEM-AZIMUTH-FRAME; `frameTags` and `animations` list those "
            "of each direction. `pivot` is a part of the untrimmed picture, from its left and top edge. `duration` is in "
            "milliseconds.",
        .reads_stdin = true,
    },
    [COMMAND_COMPARE] = {
        .name = "compare",
        .usage = "A B [flags] | A B --accept NAME... | --hashes LIST [DIR] | --merge JSON...",
        .help = "compare pictures, or folders of them, with their goldens",
        .usual = "--max-diff --mean --pixels --ssim --flip --ignore-antialiasing --diff --html --accept --json",
        .text = "Compares two pictures (PNG, JPEG, WebP, DDS, KTX2, BMP, TGA), or those of two folders and of all folders in "
            "them by name. A holds the goldens, B the new pictures. Without criteria only equal "
            "pictures pass; with several all must be met, and the one that decided is printed. "
            "A picture that is only in B is new: it fails, and the command that accepts it is "
            "printed; one that is only in A is missing. The exit code is 1 when any differs. "
            "See [regression.md](regression.md#comparing-pictures).",
        .examples =
            "zoetrope compare out/walk-0000.png out/walk-0001.png --diff diff.png    # exit 1\n"
            "zoetrope compare out out --max-diff 2 --mean 0.05 --json\n"
            "zoetrope compare out/walk-0000.png out/walk-0001.png --flip 0.2 --share 50\n"
            "zoetrope compare --print-hashes out >out.txt\n"
            "zoetrope compare --hashes out.txt out",
    },
    [COMMAND_TEST] = {
        .name = "test",
        .usage = "SUITE.yaml [NAME...] [flags]",
        .help = "render the shots of a suite and compare them with their goldens",
        .usual = "--filter --update --results --html --junit --max-diff --flip --jobs --shard --json",
        .text = "Renders the shots that a suite file lists, on all cores, and compares each with its golden "
            "picture. It prints what differs, the criterion that decided and the command that accepts the new "
            "picture. Names and `--filter` select shots. A shot without a golden fails. `--update` writes goldens; it "
            "needs names or `--filter`. See [regression.md](regression.md).",
        .examples =
            "zoetrope test scenes/suite.yaml --update --filter '*'\n"
            "zoetrope test scenes/suite.yaml --html out/report.html\n"
            "zoetrope test scenes/suite.yaml --filter 'walk/*' --shard 1/2 --json",
    },
    [COMMAND_DIFF] = {
        .name = "diff",
        .usage = "OLD NEW [flags]",
        .help = "list what differs between two models, by name",
        .usual = "--html --junit --results --size --strict-names --json --up --unit --untrusted --max-memory",
        .text = "Lists what a new model changes: nodes, meshes, morph targets, skins, materials key by key, textures, "
            "clips, cameras, lights, extensions. The order in the files does not count, and their formats may differ. "
            "With `--results` or `--html` both are rendered by one camera, at rest and where each changed clip differs "
            "most. See [regression.md](regression.md#two-models).",
        .examples =
            "zoetrope diff scenes/models/walker.glb scenes/models/walker.glb\n"
            "zoetrope diff scenes/models/walker.glb scenes/models/walker_moves.glb --size 64 --html "
            "out/diff.html    # exit 1\n"
            "zoetrope diff scenes/models/lobes.glb scenes/models/materials.glb --json    # exit 1",
    },
    [COMMAND_INSPECT] = {
        .name = "inspect",
        .usage = "FILE [flags]",
        .help = "list what is in a model or scene",
        .usual = "--full --json --rig --pose-json --frames --time --clip --up --unit --strict",
        .text = "Says in some fifteen lines what is in a model or scene: format and size, bounds at rest and "
            "over the shot, geometry, skins, clips with their durations, morph targets, materials, textures, "
            "cameras, lights, extensions, and what pictures of it lack. `--full` lists each of them, one a "
            "line, and nodes, joints, `extras` and XMP metadata; `--json` does so for programs, with lengths in metres, times in "
            "seconds, angles in degrees and sizes in bytes and pixels; factors of materials are as in their glTF extension. The exit code is 0 "
            "even when features are ignored or approximated; with `--strict` it is 8.",
        .examples =
            "zoetrope inspect scenes/models/robot_arm.glb\n"
            "zoetrope inspect scenes/models/robot_arm.glb --full\n"
            "zoetrope inspect scenes/models/walker.glb --json",
        .reads_stdin = true,
    },
    [COMMAND_CHECK] = {
        .name = "check",
        .usage = "SCENE... [flags]",
        .help = "validate scenes without rendering",
        .usual = "--strict --json --quiet --verbose --variant --texture-dir --follow-links --untrusted --max-memory --timeout",
        .text = "Loads scenes and their models without rendering them. Of a suite it loads what all shots show, and sets "
            "their clips, cameras, frames and lights. It prints nothing when all are valid.",
        .examples =
            "zoetrope check scenes/*.yaml",
        .reads_stdin = true,
    },
    [COMMAND_CONVERT] = {
        .name = "convert",
        .usage = "MODEL|SCENE [-o] OUT.glb|OUT.gltf|OUT.m3d [flags]",
        .help = "write a model in another format, or a scene as a glTF file with its motion",
        .usual = "--output --frames --fps --up --unit --texture-dir --bake-error --one-clip --strict --json",
        .text = "Writes a model as `.glb`, `.gltf` or `.m3d`, by the suffix of the output. From "
            "glTF to glTF everything is kept: unknown extensions, compression, every byte "
            "that something refers to. From `.m3d` to glTF nothing is lost either: DDS "
            "textures are kept (`MSFT_texture_dds`) with a PNG for other readers. Of an FBX the "
            "glTF has all but dual quaternions of skins and extensions of materials other than "
            "clearcoat. What the output cannot hold is reported, one line each; with `--strict` it is an error "
            "(exit 8) and nothing is written.\n\n"
            "Of a scene (`.yaml`, `.yml`, `.json`) it writes the models, the camera and the lights as `.glb` or "
            "`.gltf`, and what clips, layers, bone keys, solvers, springs, parents and root motion make of them as clips of "
            "plain keys. See [Baking a scene](formats.md#baking-a-scene).",
        .examples =
            "zoetrope convert scenes/models/robot_arm.glb out/arm.m3d\n"
            "zoetrope convert out/arm.m3d arm.glb\n"
            "zoetrope convert scenes/models/walker.glb out/walker.gltf    # and walker.bin, walker-*.png\n"
            "zoetrope convert scenes/models/walker.glb out/walker.m3d     # and walker-*.dds\n"
            "zoetrope convert scenes/tests/ik_stairs.yaml out/stairs.glb  # the walk up the stairs as a clip",
        .more = "Files that belong to the output (`walker.bin`, `walker-*.png`, "
            "`walker-*.dds`) are named `STEM-NAME` and lie in its folder. They are written "
            "before the model file, all of them whole or none. In an `.m3d` every node "
            "that moves something visible is a bone, and rigid meshes are bound to theirs. "
            "Texture transforms are applied to the coordinates. Steps and keys at different "
            "times are kept, splines are sampled 60 times a second, metal becomes "
            "reflectance, and without a clip the model is shown as it was bound. A glTF faces "
            "+Z and an `.m3d` -z: between them models are turned by 180 degrees about y.",
        .reads_stdin = true,
    },
    [COMMAND_VERIFY] = {
        .name = "verify",
        .usage = "PICTURE [--inputs FOLDER] [flags]",
        .help = "render a picture again by its own texts, and compare the pixels",
        .usual = "--inputs --json --quiet --verbose --untrusted --sandbox --max-memory --timeout --max-picture --threads",
        .text = "Renders the frame of a PNG, WebP or OpenEXR file again that `--metadata full` wrote. It finds the inputs by their content in `--inputs` "
            "and below, whatever they are called; it reads nothing elsewhere and writes nothing. The exit code is 0 "
            "when all pixels are equal (of a lossy WebP or an OpenEXR the hash in its text), 1 when some differ, 3 when an input is not there as it was, 4 when the picture says nothing "
            "of itself and 8 when it lacks its settings.",
        .examples =
            "zoetrope render scenes/models/walker.glb --frames 8 --size 64 --metadata full -o walker.png\n"
            "zoetrope verify walker.png --inputs scenes/models",
    },
    [COMMAND_SERVE] = {
        .name = "serve",
        .usage = "--stdio|--socket PATH [--root DIR] [flags]",
        .help = "a warm process that answers requests of other programs",
        .usual = "--stdio --socket --root --jobs --threads --queue --max-request --max-memory --sandbox --verbose",
        .text = "Reads requests, lines of JSON with the flags of `render`, `turntable`, `thumbnail`, `sheet`, `inspect` and `compare`, and answers them. "
            "[serve.md](serve.md) has the protocol. `--jobs` workers, processes as those of batches, do them: the first process never reads a model.",
        .examples =
            "zoetrope serve --stdio --root scenes < /dev/null",
    },
};
// clang-format on

const command_row *command_at(command which) { return &commands[which]; }

// clang-format off
const exit_code exit_codes[EXIT_CODE_COUNT] = {
    {"0", "done", "done"},
    {"1", "different", "`compare`, `test` or `verify` found differences, or `--verify` failed"},
    {"2", "usage", "usage: a command, a flag or its value"},
    {"3", "input missing", "an input file is missing or cannot be read"},
    {"4", "input malformed", "an input file is malformed"},
    {"5", "limit exceeded", "a limit was exceeded: size, memory budget, time"},
    {"6", "output not written", "output could not be written"},
    {"7", "no memory", "out of memory"},
    {"8", "unsupported",
     "unsupported: a format that is not read, a feature under `--strict`, or data that cannot be shown without it"},
    {"9", "internal error", "internal error"},
    {"128 + n", "ended by signal n", "ended by signal n"},
};
// clang-format on
