#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/scene.schema.json and docs/suite.schema.json, the JSON schemas of scenes and suites of shots, from the
tables of keys in src/scene and src/suite.

usage: scene_schema.py            writes the schemas
       scene_schema.py --check    compares them with the tables, and checks every file in scenes/ with them
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "scene.schema.json"
SUITE_OUT = ROOT / "docs" / "suite.schema.json"


def ref(name):
    return {"$ref": "#/$defs/" + name}


def any_of(*kinds):
    return {"anyOf": list(kinds)}


def list_of(item):
    return {"type": "array", "items": item}


def map_of(item):
    return {"type": "object", "additionalProperties": item}


def vector(least, most):
    return {"type": "array", "items": NUMBER, "minItems": least, "maxItems": most}


NUMBER = {"type": "number"}
SIDE = {"type": "integer", "minimum": 1, "maximum": 16384}
BLADES = {"anyOf": [{"const": 0}, {"type": "integer", "minimum": 3, "maximum": 32}]}
# COMMON, below, has what these refer to.
TEXT = ref("text")
VECTOR = ref("vector")
CLIP = ref("clip")
SHAPES = ref("shapes")
SHADOW = ref("shadow")
POINT = ref("point")


def word_list(name):
    """The words of a list of the library, in its order."""
    source = (ROOT / "src" / "scene" / "scene_words.c").read_text()
    body = re.search(r"\[ZT_WORDS_" + name + r"\] = \{(.*?)\}", source, re.DOTALL).group(1)
    return {"enum": re.findall(r'"([^"]*)"', body)}


# What the tables leave to functions: "file.map.key" without scene_ and .c. A key that is not here takes anything.
CUSTOM = {
    "read.scene.format": {"const": 1},
    "read.scene.output": ref("output.output"),
    "read.scene.environment": ref("environment.environment"),
    "read.scene.models": {"type": "array", "items": ref("read.model"), "minItems": 1},
    "read.scene.springs": ref("springs.springs"),
    "read.scene.camera": ref("camera.camera"),
    "read.scene.lights": any_of({"type": "string"}, list_of(ref("lights.light"))),
    "read.scene.ambient_occlusion": any_of({"type": ["string", "boolean"]}, ref("occlusion.ambient_occlusion")),
    "read.scene.ground": any_of(word_list("GROUND"), ref("ground.ground")),
    "ground.ground.height": any_of({"enum": ["auto", "rest", "shot"]}, {"type": "number"}),
    "read.model.name": TEXT,
    "read.model.file": {"type": "string"},
    "read.model.shape": any_of(SHAPES, ref("shape.shape")),
    "shape.shape.kind": SHAPES,
    "read.model.morphs": map_of(any_of(ref("number_track"), ref("morphs.morph"))),
    "read.model.expression": any_of(TEXT, map_of(ref("number_track"))),
    "morphs.morph.driver": ref("driver.driver"),
    "bones.bone.driver": ref("driver.driver"),
    "materials.material.driver": ref("driver.driver"),
    "read.transform.path": ref("path.path"),
    "path.path.points": {**list_of(VECTOR), "minItems": 2},
    "shape.shape.size": VECTOR,
    "read.model.nodes": map_of(ref("showing.node")),
    "read.model.handedness": {"enum": ["left", "right"]},
    "read.model.up": word_list("UP"),
    "read.model.unit": {"enum": ["mm", "cm", "m", "in", "ft"]},
    "read.model.color": TEXT,
    "read.model.transform": ref("read.transform"),
    "read.model.animation": any_of(CLIP, list_of(CLIP)),
    "read.model.instances": any_of(ref("crowd.instances"), list_of(ref("read.instance"))),
    "read.model.materials": map_of(ref("materials.material")),
    "read.model.bones": map_of(ref("bones.bone")),
    "read.model.ik": list_of(ref("ik.ik")),
    "output.output.size": any_of(SIDE, {"type": "array", "items": SIDE, "minItems": 2, "maxItems": 2},
                                 {"type": "string", "pattern": "^[0-9]+[xX][0-9]+$"}),
    "output.output.frames": TEXT,
    "output.output.fps": TEXT,
    "output.output.samples": {"enum": [1, 2, 4, 8, 16]},
    "output.output.supersample": {"enum": [1, 2, 4]},
    "output.output.anisotropy": {"enum": [1, 2, 4, 8, 16]},
    "output.output.light_samples": {"type": "integer", "minimum": 16, "maximum": 4096, "multipleOf": 16},
    "output.output.shutter": any_of(ref("number_track"), ref("blur.shutter")),
    "output.output.subframes": any_of({"const": "auto"}, {"type": "integer", "minimum": 1, "maximum": 4096}),
    "output.output.background": ref("color"),
    "output.output.planes": {"type": "array", "items": TEXT, "minItems": 1},
    "camera.camera.orbit": ref("camera.orbit"),
    "camera.camera.look_at": ref("camera.look_at"),
    "camera.camera.model": ref("camera.model_camera"),
    "camera.camera.aperture": any_of(ref("number_track"), ref("blur.aperture")),
    "camera.camera.focus": any_of({"const": "auto"}, ref("number_track"), POINT),
    "camera.camera.blades": any_of(BLADES, ref("blur.blades")),
    "blur.blades.count": BLADES,
    "camera.orbit.target": any_of({"const": "auto"}, POINT),
    "camera.look_at.position": POINT,
    "camera.look_at.target": POINT,
    "lights.light.directional": ref("lights.directional_light"),
    "lights.light.point": ref("lights.point_light"),
    "lights.light.spot": ref("lights.spot_light"),
    "lights.point_light.position": POINT,
    "lights.spot_light.position": POINT,
    "lights.spot_light.target": POINT,
    "lights.directional_light.shadow": SHADOW,
    "lights.point_light.shadow": SHADOW,
    "lights.spot_light.shadow": SHADOW,
    "environment.environment.color": ref("color"),
    "environment.environment.sky": ref("color"),
    "environment.environment.ground": ref("color"),
    "environment.environment.image": {"type": "string"},
    "crowd.instances.grid": ref("crowd.grid"),
    "crowd.instances.vary": ref("crowd.vary"),
    "animation.animation.clip": TEXT,
    "animation.blended_animation.blend": ref("blend.blend"),
    "blend.blend.clips": list_of(ref("animation.animation")),
    "ik.ik.look_at": ref("ik.look_at"),
    "ik.ik.reach": ref("ik.reach"),
    "ik.ik.aim": ref("ik.aim"),
    "ik.ik.chain": ref("ik.chain"),
    "ik.ik.twist": ref("ik.twist"),
    "ik.ik.gaze": ref("ik.gaze"),
    "ik.ik.plant": ref("ik.plant"),
    "ik.ik.copy_rotation": ref("ik.copy_rotation"),
    "ik.reach.cone": ref("ik.cone"),
}


def track_of(value):
    """A value, keys, or a map of keys."""
    return any_of(value, ref("keys"), ref("value.track"))


# What scenes and suites take, and what scenes alone do.
SHARED = {
    "text": {"type": ["string", "number"]},
    "vector": vector(3, 3),
    "color": any_of({"type": ["string", "number"], "description": "#rrggbb, #rgb or a CSS colour name"}, VECTOR),
}
COMMON = {
    **SHARED,
    "keys": list_of({"type": "array", "minItems": 2, "maxItems": 3}),
    "number_track": track_of(NUMBER),
    "vector_track": track_of(VECTOR),
    "rotation_track": track_of(vector(3, 4)),
    "scale_track": track_of(any_of(NUMBER, VECTOR)),
    "color_track": track_of(ref("color")),
    "switch_track": track_of({"type": "boolean"}),
    "point": any_of(ref("vector_track"), ref("follow.point_that_follows")),
    "clip": any_of(TEXT, ref("animation.animation"), ref("animation.blended_animation")),
    "space": {"enum": ["world", "model"]},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
    "unsigned": {"type": "number", "minimum": 0, "maximum": 1000000},
    "signed": {"type": "number", "minimum": -1000000, "maximum": 1000000},
    "pair": vector(2, 2),
    "shapes": {"enum": ["sphere", "capsule", "cylinder", "box"]},
    "shadow": any_of({"type": "boolean"}, {"enum": ["on", "off"]}, ref("lights.shadow")),
}


def arguments(text):
    """The arguments of a macro, whose text begins after the parenthesis."""
    depth, start, found = 0, 0, []
    for at, c in enumerate(text):
        if c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                return found + [text[start:at].strip()]
            depth -= 1
        elif c == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    raise ValueError(text[:60])


def limits(low, high):
    kind = {}
    for name, text in ("minimum", low), ("maximum", high):
        try:
            kind[name] = float(text) if not float(text).is_integer() else int(float(text))
        except ValueError:
            pass  # a constant
    return kind


def words(source, name):
    """The words of an array of this file, or of another one that it includes."""
    pattern = r"\b%s\[\d*\] = \{([^}]*)\}" % re.escape(name)
    found = re.search(pattern, source) or \
        re.search(pattern, "".join(file.read_text() for file in sorted((ROOT / "src" / "scene").glob("*.c"))))
    return re.findall(r'"([^"]*)"', found.group(1))


def kind_of(macro, row, source, path):
    if path in CUSTOM:
        return CUSTOM[path]
    if macro == "BOOL":
        return {"type": "boolean"}
    if macro == "CHOICE":
        return {"enum": words(source, row[4])}
    if macro == "WORD":
        return word_list(row[4].replace("ZT_WORDS_", ""))
    if macro == "TEXT":
        return dict(TEXT)
    if macro in ("NUMBER", "INTEGER"):
        return {"type": macro.lower(), **limits(row[4], row[5])}
    if macro in ("VECTOR", "DIRECTION"):
        return VECTOR
    if macro == "PAIR":
        return vector(2, 2)
    if macro == "TRACK":
        return ref(row[4].replace("TRACK_", "").lower() + "_track")
    return {}


def tables(folder="scene"):
    """Every map of a reader: its name, and its schema."""
    common = COMMON if folder == "scene" else SHARED
    for file in sorted((ROOT / "src" / folder).glob("*.c")):
        source = file.read_text()
        stem = file.stem.replace(folder + "_", "", 1).removesuffix("_layer")
        stem = re.sub("^ik_.*|^terrain$", "ik", stem)  # a file for each solver
        for table in re.finditer(r"static const map_key \w+\[\] = \{\n(.*?)\n    *\};", source, re.S):
            called = re.search(r'value_map\(\s*r,\s*[^,]+,\s*"([^"]+)"', source[table.end():])
            name = stem + "." + called.group(1).replace(" ", "_")
            properties, required = {}, []
            for macro in re.finditer(r"KEY_([A-Z_]+)\(", table.group(1)):
                row = arguments(table.group(1)[macro.end():])
                if not row[0].startswith('"'):
                    continue
                key = row[0].strip('"')
                kind = kind_of(macro.group(1), row, source, name + "." + key)
                properties[key] = next((ref(other) for other in common if common[other] == kind), kind)
                if row[1] == "KEY_REQUIRED":
                    required.append(key)
            schema = {"type": "object", "properties": properties, "additionalProperties": False}
            if required:
                schema["required"] = required
            yield name, schema


# A word of a list, by the key that has it.
SUITE_WORDS = {"tone_map": "TONE_MAP", "look": "LOOK", "space": "SPACE", "quality": "QUALITY", "preset": "PRESET",
               "ground": "GROUND", "view": "VIEW", "up": "UP"}
SUITE_OUTPUTS = ("size", "samples", "supersample", "anisotropy", "light_samples", "background", "fps")
SUITE_NUMBERS = ("time", "exposure", "azimuth", "elevation", "fov", "zoom", "margin")
SUITE_KINDS = {"frame": {"type": "integer"}, "ignore": {"type": ["string", "array"]},
               "directions": {"type": "integer", "minimum": 1, "maximum": 360},
               "criteria": ref("criteria"), "ortho": {"type": "boolean"}, "package_picture": {"type": "boolean"},
               "lights": {"enum": ["world", "camera"]}, "look_at": any_of(TEXT, VECTOR), "focus": any_of(TEXT, VECTOR),
               "blades": {"type": "integer", "minimum": 3, "maximum": 32},
               "ground_height": CUSTOM["ground.ground.height"], "unit": CUSTOM["read.model.unit"]}


def build_suite():
    """One table has the keys of a shot; those of `defaults` are the same but for its name."""
    maps = dict(tables("suite"))
    shot, criteria, suite = (maps["file." + name] for name in ("shot", "criteria", "suite"))
    output = dict(tables())["output.output"]["properties"]
    shot["properties"] = {
        key: word_list(SUITE_WORDS[key]) if key in SUITE_WORDS else
        NUMBER if key in SUITE_NUMBERS else
        output[key] if key in SUITE_OUTPUTS else
        SUITE_KINDS.get(key, TEXT) for key in shot["properties"]}
    criteria["properties"].update(dict.fromkeys(("mesh", "node", "material", "bone"), TEXT))
    keys = {key: kind for key, kind in shot.items() if key != "required"}
    suite["properties"].update(format={"const": 1}, goldens=TEXT, results=TEXT, hashes=TEXT, criteria=ref("criteria"),
                               defaults=ref("defaults"),
                               shots={"type": "array", "items": ref("shot"), "minItems": 1})
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Zoetrope suite of shots, format 1",
            **suite, "$defs": {**SHARED, "keys": keys, "entry": criteria, "criteria": any_of(ref("entry"), list_of(ref("entry"))),
                               "shot": {"allOf": [ref("keys")], "required": shot["required"]},
                               "defaults": {"allOf": [ref("keys")], "properties": {"name": False}}}}


def build():
    maps = dict(tables())
    paths = {name + "." + key for name, schema in maps.items() for key in schema["properties"]}
    unknown = sorted(path for path in CUSTOM if path not in paths)
    assert not unknown, f"no table has {unknown}"
    assert len(paths) > 150, "the search for tables is broken"
    model = maps["read.model"]
    model["oneOf"] = [{"required": ["file"]}, {"required": ["shape"]}]
    instance = maps["read.instance"]["properties"]
    for key, kind in instance.items():  # as that of its model
        assert kind in ({}, model["properties"][key]), f"{key} of an instance is not that of a model"
        instance[key] = ref("read.model/properties/" + key)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Zoetrope scene, format 1",
            **maps.pop("read.scene"), "$defs": {**COMMON, **maps}}


def text_of(value, indent=""):
    """JSON with a line for what fits into one, so that a key and what it takes stand side by side. An object with one
    long member begins and ends in the lines of that."""
    short = json.dumps(value)
    if len(indent + short) <= 100 or not isinstance(value, (dict, list)):
        return short
    inner = indent + " "
    names = [json.dumps(name) + ": " for name in value] if isinstance(value, dict) else [""] * len(value)
    items = list(value.values() if isinstance(value, dict) else value)
    texts = [text_of(item, inner) for item in items]
    spread = [i for i, text in enumerate(texts) if "\n" in text]
    order = sorted(range(len(items)), key=lambda i: i in spread)
    begun = ", ".join(names[i] + texts[i] for i in order[:-1])
    if isinstance(value, dict) and len(spread) == 1 and len(begun) <= 72:
        last = names[spread[0]] + text_of(items[spread[0]], indent)
        return "{" + begun + (", " if begun else "") + last + "}"
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return begin + "\n" + ",\n".join(inner + name + text for name, text in zip(names, texts)) + "\n" + indent + end


# ---- Checking -----------------------------------------------------------------------------------

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float), "integer": int}


def is_type(value, name):
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def faults(value, schema, root, at):
    """What is wrong with a value, as a list of lines."""
    if schema is False:
        return [at + ": not allowed"]
    if "$ref" in schema:
        for name in schema["$ref"].split("/"):
            schema = root if name == "#" else schema[name]
        return faults(value, schema, root, at)
    if "anyOf" in schema:
        tried = [faults(value, kind, root, at) for kind in schema["anyOf"]]
        return [] if [] in tried else min(tried, key=len)
    found = [fault for part in schema.get("allOf", []) for fault in faults(value, part, root, at)]
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names and not any(is_type(value, name) for name in names):
        return [f"{at}: {value!r} is not of type {names}"]
    if "enum" in schema and value not in schema["enum"] or "const" in schema and value != schema["const"]:
        found.append(f"{at}: {value!r}")
    if is_type(value, "number") and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{at}: {value} is out of range")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{at}: {len(value)} items")
        for i, item in enumerate(value):
            found += faults(item, schema.get("items", {}), root, f"{at}/{i}")
    if isinstance(value, dict):
        found += [f"{at}: no {key}" for key in schema.get("required", []) if key not in value]
        whole = [kind["required"] for kind in schema.get("oneOf", []) if set(kind["required"]) <= set(value)]
        if "oneOf" in schema and len(whole) != 1:
            found.append(f"{at}: {len(whole)} of {schema['oneOf']}")
        for key, item in value.items():
            kind = schema.get("properties", {}).get(key, schema.get("additionalProperties", {}))
            found += faults(item, kind, root, f"{at}/{key}")
    return found


def check(schema, of_suites):
    for path, made in (OUT, schema), (SUITE_OUT, of_suites):
        if not path.exists() or json.loads(path.read_text()) != made:
            sys.exit(f"scene_schema: docs/{path.name} is not what the tables say: run docs/scene_schema.py")
    try:
        import yaml
    except ImportError:
        print("scene_schema: as the tables; scenes are not checked (no PyYAML)")
        return

    class Loader(yaml.SafeLoader):
        """Numbers as in YAML 1.2: 1e-3 is one, 12:30 and yes are none."""

    Loader.yaml_implicit_resolvers = {}
    Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(true|false)$"), list("tf"))
    Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?(0|[1-9][0-9]*)$"), list("-+0123456789"))
    Loader.add_implicit_resolver("tag:yaml.org,2002:float",
                                 re.compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$"),
                                 list("-+.0123456789"))
    scenes, wrong = 0, []
    for file in sorted((ROOT / "scenes").rglob("*.yaml")):
        scene = yaml.load(file.read_text(), Loader)
        if "models" not in scene:
            wrong += faults(scene, of_suites, of_suites, str(file.relative_to(ROOT)))
            continue
        scenes += 1
        wrong += faults(scene, schema, schema, str(file.relative_to(ROOT)))
    # A key that is misspelt or missing is a fault.
    for text in ("{format: 1, models: [{file: a.glb}], output: {samples: 3}}", "{format: 1, model: []}",
                 "{format: 1, models: [{file: a.glb, transform: {scael: 2}}]}", "{format: 1, models: [{name: a}]}",
                 "{format: 1, models: [{file: a.glb, shape: box}]}",
                 "{format: 1, models: [{file: a.glb}], camera: {orbit: {elevation: up}}}"):
        if not faults(yaml.load(text, Loader), schema, schema, ""):
            wrong.append(f"no fault in {text}")
    for text in ("{format: 1, shots: [{file: a.glb}]}", "{format: 1, shots: [{name: a, look: nice}]}",
                 "{format: 1, shots: [{name: a}], criteria: {flipp: 0.1}}", "{format: 1, defaults: {name: a}, shots: []}"):
        if not faults(yaml.load(text, Loader), of_suites, of_suites, ""):
            wrong.append(f"no fault in {text}")
    if wrong or scenes < 50:
        sys.exit("\n".join(wrong[:20]) or f"scene_schema: only {scenes} scenes")
    print(f"scene_schema: as the tables, and {scenes} scenes are valid")


if __name__ == "__main__":
    made, made_of_suites = build(), build_suite()
    if "--check" in sys.argv[1:]:
        check(made, made_of_suites)
    else:
        OUT.write_text(text_of(made) + "\n")
        SUITE_OUT.write_text(text_of(made_of_suites) + "\n")
