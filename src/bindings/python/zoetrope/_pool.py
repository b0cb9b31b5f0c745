# SPDX-License-Identifier: MIT
"""Pools of warm processes: the commands as methods that return bytes, dictionaries, arrays and futures."""
from __future__ import annotations

import io, itertools, json, os, re, subprocess, sys, threading, weakref
from collections import deque
from concurrent.futures import Future, TimeoutError as FutureTimeout, wait
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Union

from ._server import Server, ZoetropeError, last_line

if TYPE_CHECKING:
    import numpy, PIL.Image
    Array = numpy.ndarray[Any, Any]

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program")
Path = Union[str, "os.PathLike[str]"]
# A path, the bytes of a file, or files by name: the first is the input, and finds the others by their names.
Source = Union[Path, bytes, bytearray, memoryview, Mapping[str, bytes]]
LINE_MAX = 65536
UNSENT = re.compile(rb"\\u0000|\xed[\xa0-\xbf]")
OUTPUTS = ("atlas", "diff", "html", "junit", "markdown")
_ids = itertools.count(1)
_pools: weakref.WeakSet[Pool] = weakref.WeakSet()


class Pool(AbstractContextManager["Pool"]):
    """Starts its processes at the first call, again after they died, and once more in a child that was forked.

    `workers` are the processes that draw, by default one for each core. Paths lead to files below `root`, without
    one nowhere. Other arguments are flags of `zoetrope serve`, such as `queue=200` or `max_request="256M"`.
    """

    def __init__(self, workers: int | None = None, root: Path | None = "/", program: Path = PROGRAM, **flags: Any) -> None:
        self._server: Server | None = None
        self._root = None if root is None else os.path.abspath(root)
        self._program = os.fspath(program)
        self._flags = dict(flags, root=self._root, jobs=workers)
        self._lock = threading.Lock()
        _pools.add(self)

    def __del__(self) -> None:
        if self._server:
            self._server.outbox.put(None)  # it finishes what it has and goes

    def __exit__(self, kind: object, *_: object) -> None:
        self.close(cancel=kind is not None)

    def close(self, cancel: bool = False) -> None:
        """Waits for what was asked for, or cancels it, and ends the processes. A later call starts them again."""
        with self._lock:
            server, self._server = self._server, None
        if server:
            futures = [job.future for job in list(server.jobs.values())]
            for future in futures if cancel else []:
                future.cancel()
            wait(futures)
            server.close()

    def submit(self, command: str, source: Source | list[Source], *, output: Path | None = None,
               progress: Callable[[dict[str, Any]], object] | None = None, **options: Any) -> Future[Any]:
        """A future of what the method of that name returns; its cancel() ends the request where it runs, too."""
        inputs: list[str] = []
        files: dict[str, bytes] = {}
        for one in source if isinstance(source, list) else [source]:
            one = {"input": one} if isinstance(one, (bytes, bytearray, memoryview)) else one
            if isinstance(one, Mapping):
                folder = f"{len(inputs)}/" if files.keys() & one.keys() else ""
                named = {folder + name: bytes(memoryview(data)) for name, data in one.items()}
                files.update(named)
                inputs += [*named][:1]
            else:
                inputs.append(self._path(one))
        if command == "compare":
            options.pop("timeout", None)  # it has no such flag: the wait of the caller ends
        for name, value in options.items():
            if isinstance(value, os.PathLike) or (value and name in OUTPUTS):
                options[name] = self._path(value)
        id = next(_ids)
        frame: dict[str, Any] = {"id": id, "command": command, "inputs": inputs, "progress": bool(progress),
                 "flags": dict(_flags(options), json=command in ("inspect", "compare")),
                 "files": [{"name": name, "bytes": len(data)} for name, data in files.items()]}
        if output is not None:
            frame["output"] = self._path(output)
        line = json.dumps(frame, ensure_ascii=False).encode(errors="surrogatepass") + b"\n"
        if len(line) > LINE_MAX or UNSENT.search(line):  # the server would end
            raise ZoetropeError(2, f"names with NUL, {LINE_MAX} bytes, or no UTF-8 (expected none)")
        with self._lock:
            if self._server is None or not self._server.alive:
                self._server = Server([self._program, "serve", "--stdio", *_words(self._flags)])
            server = self._server
        return server.submit(id, command, [line, *files.values()], progress)

    def render(self, source: Source, **options: Any) -> bytes:
        """A picture, by default a PNG; of all frames with `format="apng"`, `"gif"`, `"y4m"` or `"rgba"`."""
        return bytes(self._call("render", source, options))

    def thumbnail(self, source: Source, **options: Any) -> bytes:
        """A small picture with a transparent background."""
        return bytes(self._call("thumbnail", source, options))

    def turntable(self, source: Source, **options: Any) -> bytes:
        """A full circle around the model, by default an animated PNG."""
        return bytes(self._call("turntable", source, options if "output" in options else {"format": "apng", **options}))

    def inspect(self, source: Source, **options: Any) -> dict[str, Any]:
        """All that is in a model or a scene."""
        return dict(self._call("inspect", source, options))

    def compare(self, a: Source, b: Source, **options: Any) -> dict[str, Any]:
        """Differences of two pictures: `["code"]` is 1 where they do not meet the criteria among the options."""
        return dict(self._call("compare", [a, b], options))

    def diff(self, old: Path, new: Path, **options: Any) -> dict[str, Any]:
        """All that a new model changes, if anything with a `["code"]` of 1; by a process of its own."""
        words = [self._program, "diff", os.path.abspath(old), os.path.abspath(new), "--json", *_words(options)]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode not in (0, 1):
            raise ZoetropeError(abs(done.returncode), last_line(done.stderr))
        return dict(json.loads(done.stdout))

    def frames(self, source: Source, frames: Iterable[int], *, ahead: int = 4, **options: Any) -> Iterator[bytes]:
        """Pictures of these frames in order, one request each and `ahead` of them in the making."""
        futures: deque[Future[Any]] = deque()
        try:
            for frame in frames:
                futures.append(self.submit("render", source, frames=int(frame), **options))
                if len(futures) > ahead:
                    yield futures.popleft().result()
            while futures:
                yield futures.popleft().result()
        finally:
            for future in futures:
                future.cancel()

    def render_array(self, source: Source, *, size: tuple[int, int] = (640, 480), **options: Any) -> Array:
        """A picture as uint8 of height x width x 4, with straight alpha; of several `frames` with one axis more."""
        import numpy
        raw = self.render(source, **{"frames": 0, **options, "size": size, "format": "rgba"})
        pictures: Array = numpy.frombuffer(raw, numpy.uint8).reshape(-1, size[1], size[0], 4).copy()
        return pictures.squeeze(0) if len(pictures) == 1 else pictures

    def render_image(self, source: Source, **options: Any) -> PIL.Image.Image:
        """A picture for Pillow."""
        import PIL.Image
        return PIL.Image.open(io.BytesIO(self.render(source, **options)))

    def planes(self, source: Source, planes: Iterable[str], **options: Any) -> dict[str, Array]:
        """Planes of a frame by name; docs/python.md has their types."""
        import numpy
        names = planes if isinstance(planes, str) else ",".join(planes)
        raw = self.render(source, **{"frames": 0, **options, "planes": names, "format": "npz"})
        return dict(numpy.load(io.BytesIO(raw)))

    def _call(self, command: str, source: Source | list[Source], options: dict[str, Any]) -> Any:
        timeout: float | None = options.get("timeout")
        future = self.submit(command, source, **options)
        try:  # the request has the flag --timeout, and says more where it ends by itself
            return future.result(None if timeout is None else timeout + 1)
        except FutureTimeout:
            raise ZoetropeError(5, f"no answer after {timeout} s; the request is cancelled") from None
        finally:
            future.cancel()

    def _path(self, path: Path) -> str:
        """As the server takes it: below its root, without the first slash."""
        root = self._root or "/"
        return os.path.relpath(os.path.join(os.getcwd() if root == "/" else root, path), root)


def _flags(options: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Options as flags: `max_memory` is --max-memory, `size=(64, 48)` --size 64x48. Texts: nan is no JSON."""
    for name, value in options.items():
        if isinstance(value, list):
            value = [str(one) for one in value]
        elif value is not None and not isinstance(value, bool):
            value = "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
        yield name.replace("_", "-"), value


def _words(options: Mapping[str, Any]) -> list[str]:
    return [f"--{name}" if one is True else f"--{name}={one}" for name, value in _flags(options)
            for one in (value if isinstance(value, list) else [value]) if one is not None and one is not False]


def _after_fork() -> None:
    """In the child: the parent's processes are left alone, and locks that its threads may have held are new."""
    for pool in _pools:
        pool._lock = threading.Lock()
        if pool._server:
            pool._server.forget()
            pool._server = None


def main() -> None:
    """The console script: the program takes its place."""
    os.execv(PROGRAM, [PROGRAM, *sys.argv[1:]])


os.register_at_fork(after_in_child=_after_fork)
shared = Pool()
