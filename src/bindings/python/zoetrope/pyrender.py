# SPDX-License-Identifier: MIT
"""Scenes of pyrender and trimesh without OpenGL: objects are read by their attributes, neither library is imported."""
from __future__ import annotations

import io, json, struct
from math import degrees
from typing import TYPE_CHECKING, Any, Sequence

from ._pool import shared
from ._server import ZoetropeError

if TYPE_CHECKING:
    import numpy

# RenderFlags of pyrender. OFFSCREEN asks for nothing here.
DEPTH_ONLY, OFFSCREEN, ALL_WIREFRAME, SHADOWS_ALL, SKIP_CULL_FACES, RGBA, FLAT = 1, 2, 8, 224, 1024, 2048, 4096
KNOWN = DEPTH_ONLY | OFFSCREEN | ALL_WIREFRAME | SHADOWS_ALL | SKIP_CULL_FACES | RGBA | FLAT
ATTRIBUTES = (("positions", "POSITION", "VEC3"), ("normals", "NORMAL", "VEC3"), ("texcoord_0", "TEXCOORD_0", "VEC2"),
              ("color_0", "COLOR_0", "VEC4"))
COMPONENTS = {"<f4": 5126, "<u4": 5125}


def scene_image(scene: Any, resolution: Sequence[int] | None = None, background: str = "white", **options: Any) -> bytes:
    """As trimesh's `scene.save_image(resolution)`: a PNG, through the camera of the scene."""
    camera = {**_camera(scene.camera_transform), "fov": float(scene.camera.fov[1])}
    size = [int(n) for n in (scene.camera.resolution if resolution is None else resolution)]
    document = {"format": 1, "preset": "neutral", "camera": camera, "models": [{"file": "scene.glb"}],
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
        files = {"scene.json": json.dumps(self._document(scene, flags)).encode(),
                 "scene.glb": _glb([(node.mesh, scene.get_pose(node)) for node in scene.mesh_nodes], flags)}
        made = shared.planes(files, ["depth"] if flags & DEPTH_ONLY else ["color", "depth"])
        made["depth"][made["depth"] == float("inf")] = 0
        return made["depth"] if flags & DEPTH_ONLY else (made["color"], made["depth"])

    def _document(self, scene: Any, flags: int) -> dict[str, Any]:
        if scene.main_camera_node is None:
            raise ZoetropeError(2, "the scene has no camera (expected scene.add(camera, pose=...))")
        lens, camera = scene.main_camera_node.camera, _camera(scene.get_pose(scene.main_camera_node))
        camera.update({key: float(value) for key, value in (("near", lens.znear), ("far", lens.zfar)) if value})
        if hasattr(lens, "ymag"):
            camera["orthographic"] = 2 * float(lens.ymag)
        elif hasattr(lens, "yfov"):
            camera["fov"] = degrees(lens.yfov)
        else:
            raise ZoetropeError(8, f"a camera {type(lens).__name__} (expected one with yfov or ymag)")
        lights = []
        for kind, unit in (("directional", "lux"), ("point", "candela"), ("spot", "candela")):
            for node in getattr(scene, f"{kind}_light_nodes"):
                light, look = node.light, _camera(scene.get_pose(node))["look_at"]
                entry = {"color": _floats(light.color[:3]), unit: float(light.intensity),
                         "shadow": "on" if flags & SHADOWS_ALL else "off"}
                if kind != "directional":
                    entry.update(position=look["position"], **({"range": float(light.range)} if light.range else {}))
                if kind != "point":
                    entry["direction"] = [t - p for t, p in zip(look["target"], look["position"])]
                if kind == "spot":
                    entry.update(inner=degrees(light.innerConeAngle), outer=degrees(light.outerConeAngle))
                lights.append({kind: entry})
        background = "#" + "".join(f"{round(255 * value):02x}" for value in _floats(scene.bg_color[:3]))
        return {"format": 1, "models": [{"file": "scene.glb"}], "camera": camera, "lights": lights,
                "environment": {"color": _floats(scene.ambient_light[:3])},
                "output": {"size": [int(self.viewport_width), int(self.viewport_height)], "tone_map": "linear",
                           "background": "transparent" if flags & RGBA else background,
                           "look": "albedo" if flags & FLAT else "wireframe" if flags & ALL_WIREFRAME else "lit"}}


def _floats(values: Any) -> list[float]:
    return [float(value) for value in values]


def _camera(pose: Any) -> dict[str, Any]:
    """A camera looks along the -z of its pose, and y is up."""
    _, up, back, place = (_floats(row[column] for row in pose[:3]) for column in range(4))
    return {"look_at": {"position": place, "target": [p - b for p, b in zip(place, back)], "up": up}}


def _glb(meshes: list[tuple[Any, Any]], flags: int) -> bytes:
    """A file with a node for each mesh and its pose."""
    import numpy
    data = bytearray()
    gltf: dict[str, Any] = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(len(meshes)))}]}

    def add(name: str, **entry: Any) -> int:
        gltf.setdefault(name, []).append(entry)
        return len(gltf[name]) - 1

    def view(raw: bytes) -> int:
        start = len(data)
        data.extend(raw + bytes(-len(raw) % 4))
        return add("bufferViews", buffer=0, byteOffset=start, byteLength=len(raw))

    def accessor(values: Any, shape: str, type: str) -> int:
        array = numpy.ascontiguousarray(values, type)
        ends = {name: numpy.atleast_1d(end(array, axis=0)).tolist() for name, end in (("min", numpy.min), ("max", numpy.max))}
        return add("accessors", bufferView=view(array.tobytes()), componentType=COMPONENTS[type], type=shape,
                   count=len(array), **ends)

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

    for mesh, pose in meshes:
        primitives: list[dict[str, Any]] = []
        for p in mesh.primitives:
            primitives.append({"mode": int(p.mode), "attributes": {
                key: accessor(getattr(p, name), shape, "<f4") for name, key, shape in ATTRIBUTES
                if getattr(p, name, None) is not None}})
            if p.indices is not None:
                primitives[-1]["indices"] = accessor(numpy.ravel(p.indices), "SCALAR", "<u4")
            if p.material is not None:
                primitives[-1]["material"] = material(p.material)
        add("nodes", mesh=add("meshes", primitives=primitives), matrix=_floats(numpy.ravel(pose, "F")))
    text = json.dumps(dict(gltf, buffers=[{"byteLength": len(data)}])).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(data), len(text), 0x4E4F534A)
    return head + text + struct.pack("<II", len(data), 0x004E4942) + data
