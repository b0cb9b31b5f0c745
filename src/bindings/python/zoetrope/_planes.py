# SPDX-License-Identifier: MIT
"""Planes as arrays, from PNG files of 16 bits: the static program writes no OpenEXR."""
from __future__ import annotations

import struct, zlib
from typing import TYPE_CHECKING, Any, Iterable

import numpy

if TYPE_CHECKING:
    from ._pool import Array, Pool, Source

WIDEST_UNIT = 1e6  # of --depth-unit, in millimetres


def planes(pool: Pool, source: Source, names: Iterable[str], options: dict[str, Any]) -> dict[str, Array]:
    """A request for each plane, all of them at once."""
    options = {"frames": 0, "format": "png", **options}
    jobs = {name: pool.submit("render", source, planes=name, encoding=None if name == "color" else "linear", **options)
            for name in names}
    made = {name: decode(job.result()) for name, job in jobs.items()}
    for name, levels in made.items():
        if name == "depth":
            # The unit becomes one by which the deepest pixel takes most of the 16 bits.
            unit, far = float(options.get("depth_unit") or 1.0), int(levels.max())
            while "depth_unit" not in options and far and not 32768 <= far < 65535 and unit < WIDEST_UNIT:
                unit = min(unit * (256 if far == 65535 else (far + 1) / 65000), WIDEST_UNIT)
                levels = decode(pool.submit("render", source, planes=name, depth_unit=unit, **options).result())
                far = int(levels.max())
            made[name] = numpy.where(levels == 0, numpy.inf, levels * (unit / 1000)).astype(numpy.float32)
        elif name == "normal":
            nothing = (levels == 0).all(axis=2, keepdims=True)
            made[name] = numpy.where(nothing, 0, levels / 32767.5 - 1).astype(numpy.float32)
        elif name not in ("color", "instance", "object", "id", "material", "bone"):
            made[name] = ((levels[..., :2] if name == "uv" else levels) / 65535).astype(numpy.float32)
    return made


def decode(png: bytes) -> Array:
    """The samples of a PNG of 8 or 16 bits without a palette: height x width, or x channels."""
    at, packed = 8, b""
    while at < len(png):
        size, kind = struct.unpack_from(">I4s", png, at)
        if kind == b"IHDR":
            width, height, bits = struct.unpack_from(">IIB", png, at + 8)
        elif kind == b"IDAT":
            packed += png[at + 8:at + 8 + size]
        at += size + 12
    rows = numpy.frombuffer(zlib.decompress(packed), numpy.uint8).reshape(height, -1)
    samples = _unfilter(rows[:, 0], rows[:, 1:].reshape(height, width, -1))
    samples = samples if bits == 8 else samples.view(">u2").astype(numpy.uint16)
    return samples[..., 0] if samples.shape[2] == 1 else samples


def _unfilter(kinds: Array, raw: Array) -> Array:
    """A pixel needs those to the left of it and above it, so that those of a diagonal are made at once.

    `done` has the pixel (x, y) at [x + y + 2, y + 1]; what is left of the picture and above it is 0.
    """
    height, width, size = raw.shape
    done = numpy.zeros((width + height + 1, height + 1, size), numpy.int16)
    y = numpy.arange(height)
    for d in range(width + height - 1):
        a, b = max(0, d - width + 1), min(height, d + 1)
        left, above, corner = done[d + 1, a + 1:b + 1], done[d + 1, a:b], done[d, a:b]
        to_left, to_above, to_corner = abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)
        paeth = numpy.where((to_left <= to_above) & (to_left <= to_corner), left,
                            numpy.where(to_above <= to_corner, above, corner))
        guess: Array = numpy.choose(kinds[a:b, None], [0, left, above, (left + above) >> 1, paeth])
        done[d + 2, a + 1:b + 1] = raw[y[a:b], d - y[a:b]] + guess & 255
    upright: Array = done[y[:, None] + numpy.arange(width) + 2, y[:, None] + 1]
    return upright.astype(numpy.uint8)
