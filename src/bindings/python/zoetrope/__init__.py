# SPDX-License-Identifier: MIT
"""Pictures of 3D models without a GPU, a display or OpenGL: the methods of a pool that starts at the first call."""
import atexit

from ._pool import PROGRAM, Pool, Source, shared
from ._server import ZoetropeError
from .pyrender import scene_image

render, thumbnail, turntable, frames = shared.render, shared.thumbnail, shared.turntable, shared.frames
inspect, compare, diff, submit = shared.inspect, shared.compare, shared.diff, shared.submit
render_array, render_image, planes = shared.render_array, shared.render_image, shared.planes
atexit.register(shared.close, cancel=True)

__all__ = ["PROGRAM", "Pool", "Source", "ZoetropeError", "compare", "diff", "frames", "inspect", "planes", "render",
           "render_array", "render_image", "scene_image", "submit", "thumbnail", "turntable"]
