# SPDX-License-Identifier: MIT
"""Scenes of pyrender and trimesh without OpenGL: objects are read by their attributes, neither library is imported."""
from __future__ import annotations

import io, json, struct
from typing import Any, Sequence

from ._pool import shared
from ._server import ZoetropeError

# RenderFlags of pyrender. OFFSCREEN asks for nothing here.
DEPTH_ONLY, OFFSCREEN, SKIP_CULL_FACES, RGBA, FLAT = 1, 2, 1024, 2048, 4096
KNOWN = DEPTH_ONLY | OFFSCREEN | SKIP_CULL_FACES | RGBA | FLAT
ATTRIBUTES = (("positions", "POSITION", "VEC3"), ("normals", "NORMAL", "VEC3"), ("texcoord_0", "TEXCOORD_0", "VEC2"),
              ("color_0", "COLOR_0", "VEC4"))
LENS = ("yfov", "xmag", "ymag", "znear", "zfar")


def scene_image(scene: Any, resolution: Sequence[int] | None = None, background: str = "white", **options: Any) -> bytes:
    """As trimesh's `scene.save_image(resolution)`: a PNG, through the camera of the scene."""
    _, up, back, place = (_floats(row[column] for row in scene.camera_transform[:3]) for column in range(4))
    look_at = {"position": place, "target": [p - b for p, b in zip(place, back)], "up": up}
    size = [int(n) for n in (scene.camera.resolution if resolution is None else resolution)]
    document = {"format": 1, "preset": "neutral", "models": [{"file": "scene.glb"}],
                "camera": {"fov": float(scene.camera.fov[1]), "look_at": look_at},
                "output": {"size": size, "background": background}}
    files = {"scene.json": json.dumps(document).encode(), "scene.glb": scene.export(file_type="glb")}
    return shared.render(files, **options)


class OffscreenRenderer:
    """As pyrender's. There is no context: any number of them in any threads, and `delete` has nothing to do."""

    def __init__(self, viewport_width: int, viewport_height: int, point_size: float = 1.0) -> None:
        self.viewport_width, self.viewport_height, self.point_size = viewport_width, viewport_height, point_size

    def delete(self) -> None:
        pass

    def render(self, scene: Any, flags: int = 0) -> Any:
        """Colours and depths in metres, 0 where nothing is; with DEPTH_ONLY depths alone."""
        if flags & ~KNOWN:
            raise ZoetropeError(8, f"render flags {flags & ~KNOWN} (expected some of {KNOWN})")
        background = "#" + "".join(f"{round(255 * value):02x}" for value in _floats(scene.bg_color[:3]))
        output = {"size": [int(self.viewport_width), int(self.viewport_height)], "tone_map": "linear",
                  "background": "transparent" if flags & RGBA else background, "look": "albedo" if flags & FLAT else "lit"}
        document = {"format": 1, "models": [{"file": "scene.glb"}], "camera": {"model": {}}, "light": "file",
                    "environment": {"color": _floats(scene.ambient_light[:3])}, "output": output}
        files = {"scene.json": json.dumps(document).encode(), "scene.glb": _glb(scene, flags)}
        made = shared.planes(files, ["depth"] if flags & DEPTH_ONLY else ["color", "depth"])
        depth = made["depth"]
        depth[depth == float("inf")] = 0
        return depth if flags & DEPTH_ONLY else (made["color"] if flags & RGBA else made["color"][..., :3], depth)


def _floats(values: Any) -> list[float]:
    return [float(value) for value in values]


def _glb(scene: Any, flags: int) -> bytes:
    """The scene as a file: pyrender's attributes are those of glTF."""
    import numpy
    data = bytearray()
    gltf: dict[str, Any] = {"asset": {"version": "2.0"}, "scene": 0}
    lights: list[dict[str, Any]] = []

    def add(name: str, **entry: Any) -> int:
        gltf.setdefault(name, []).append(entry)
        return len(gltf[name]) - 1

    def node(of: Any, instance: Any = None, **entry: Any) -> None:
        pose = scene.get_pose(of) if instance is None else scene.get_pose(of) @ instance
        add("nodes", matrix=_floats(numpy.ravel(pose, "F")), **entry)

    def view(raw: bytes) -> int:
        start = len(data)
        data.extend(raw + bytes(-len(raw) % 4))
        return add("bufferViews", buffer=0, byteOffset=start, byteLength=len(raw))

    def accessor(array: Any, component: int, shape: str) -> int:
        return add("accessors", bufferView=view(array.tobytes()), componentType=component, type=shape, count=len(array))

    def material(m: Any) -> int:
        pbr: dict[str, Any] = {"baseColorFactor": _floats(m.baseColorFactor), "metallicFactor": float(m.metallicFactor),
                               "roughnessFactor": float(m.roughnessFactor)}
        entry = {"pbrMetallicRoughness": pbr, "doubleSided": bool(flags & SKIP_CULL_FACES or m.doubleSided),
                 "alphaMode": m.alphaMode or "OPAQUE", "emissiveFactor": _floats(m.emissiveFactor)}
        for name, place in (("baseColorTexture", pbr), ("metallicRoughnessTexture", pbr), ("normalTexture", entry),
                            ("occlusionTexture", entry), ("emissiveTexture", entry)):
            if getattr(m, name, None) is not None:
                import PIL.Image
                png = io.BytesIO()
                PIL.Image.fromarray(numpy.asarray(getattr(m, name).source)).save(png, "PNG")
                image = add("images", bufferView=view(png.getvalue()), mimeType="image/png")
                place[name] = {"index": add("textures", source=image)}
        return add("materials", **entry)

    for owner in scene.mesh_nodes:
        for p in owner.mesh.primitives:
            if getattr(p, "targets", None) is not None:
                raise ZoetropeError(8, "a primitive with targets (expected none)")
            primitive: dict[str, Any] = {"mode": int(p.mode), "attributes": {
                key: accessor(numpy.asarray(getattr(p, name), "<f4"), 5126, shape) for name, key, shape in ATTRIBUTES
                if getattr(p, name, None) is not None}}
            if p.indices is not None:
                primitive["indices"] = accessor(numpy.ravel(p.indices).astype("<u4"), 5125, "SCALAR")
            if p.material is not None:
                primitive["material"] = material(p.material)
            mesh, instances = add("meshes", primitives=[primitive]), getattr(p, "poses", None)
            for instance in [None] if instances is None else instances:
                node(owner, instance, mesh=mesh)
    for kind in ("directional", "point", "spot"):
        for owner in getattr(scene, f"{kind}_light_nodes"):
            light = owner.light
            lights.append({"type": kind, "color": _floats(light.color[:3]), "intensity": float(light.intensity)})
            if light.range:
                lights[-1]["range"] = float(light.range)
            if kind == "spot":
                lights[-1]["spot"] = {name: float(getattr(light, name)) for name in ("innerConeAngle", "outerConeAngle")}
            node(owner, extensions={"KHR_lights_punctual": {"light": len(lights) - 1}})
    lens = getattr(scene.main_camera_node, "camera", None)
    kind = "orthographic" if hasattr(lens, "ymag") else "perspective"
    if not hasattr(lens, "ymag") and not hasattr(lens, "yfov"):
        raise ZoetropeError(8, f"a camera of {type(lens).__name__} (expected one with yfov or ymag)")
    node(scene.main_camera_node, camera=add("cameras", type=kind, **{kind: {
        name: float(getattr(lens, name)) for name in LENS if getattr(lens, name, None)}}))
    gltf.update(buffers=[{"byteLength": len(data)}], scenes=[{"nodes": list(range(len(gltf["nodes"])))}],
                extensions={"KHR_lights_punctual": {"lights": lights}}, extensionsUsed=["KHR_lights_punctual"])
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(data), len(text), 0x4E4F534A)
    return head + text + struct.pack("<II", len(data), 0x004E4942) + data
