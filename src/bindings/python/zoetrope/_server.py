# SPDX-License-Identifier: MIT
"""One process `zoetrope serve --stdio`: a thread writes frames to it, another one reads its answers."""
from __future__ import annotations

import json, logging, os, subprocess, tempfile, threading, time
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, NamedTuple, Sequence

BUSY_SECONDS = 30.0  # for so long a request is sent again where the server has no room
_log = logging.getLogger("zoetrope")
_left_alone: list[Server] = []  # of the parent, in a forked child: nobody may close their files


class ZoetropeError(Exception):
    """`code` is the exit code of the command, `message` the reason, `messages` what it said before."""

    def __init__(self, code: int, message: str, messages: Sequence[str] = ()) -> None:
        super().__init__(code, message, messages)  # so that it can be pickled
        self.code, self.message, self.messages = code, message, list(messages)

    def __str__(self) -> str:
        return self.message


def last_line(said: bytes) -> str:
    return said.decode(errors="replace").strip().split("\n")[-1].replace("zoetrope: ", "", 1)


Job = NamedTuple("Job", [("future", "Future[Any]"), ("command", str), ("words", "list[bytes]"), ("progress", Any),
                         ("until", float)])


class Server:
    """Any thread may call its methods."""

    def __init__(self, command: list[str]) -> None:
        with tempfile.TemporaryFile() as said:
            try:  # in a session of its own: Ctrl-C reaches Python alone
                self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said,
                                                start_new_session=True)
            except OSError as error:
                raise ZoetropeError(9, f"{command[0]}: {error.strerror}") from None
            self._in: Any = self.process.stdin
            self._out: Any = self.process.stdout
            first = self._out.readline()
            if not first:
                said.seek(0)
                raise ZoetropeError(self.process.wait() or 9, last_line(said.read()))
        hello = json.loads(first)
        if hello["protocol"] != 1:
            raise ZoetropeError(8, f"a server with protocol {hello['protocol']} (expected 1)")
        self.jobs: dict[int, Job] = {}
        self.alive = True
        self._room = threading.Semaphore(hello["workers"] + hello["queue"])
        self.outbox: SimpleQueue[list[bytes] | None] = SimpleQueue()
        for run in (self._write, self._read):
            threading.Thread(target=run, name="zoetrope", daemon=True).start()

    def submit(self, id: int, command: str, words: list[bytes], progress: Any) -> Future[Any]:
        """Waits where as much is asked for as the server takes at once."""
        self._room.acquire()
        self.jobs[id] = Job(Future(), command, words, progress, time.monotonic() + BUSY_SECONDS)
        future = self.jobs[id].future
        future.add_done_callback(lambda _: self._drop(id, future))
        self.outbox.put(words)
        if not self.alive:
            self._fail("the server ended")
        return future

    def close(self) -> None:
        """Its input ends, so that it finishes what it has and goes."""
        self.outbox.put(None)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def forget(self) -> None:
        """In a forked child: no end of a pipe stays open here, or the server would outlive the parent."""
        null = os.open(os.devnull, os.O_RDWR)
        for end in (self._in, self._out):
            if not end.closed:
                os.dup2(null, end.fileno(), inheritable=False)
        os.close(null)
        _left_alone.append(self)

    def _drop(self, id: int, future: Future[Any]) -> None:
        if future.cancelled():
            future.set_running_or_notify_cancel()  # so that wait() and as_completed() see it
        if id in self.jobs:
            self.outbox.put([b'{"cancel":%d}\n' % id])

    def _write(self) -> None:
        with suppress(OSError), self._in:  # where it died the thread that reads says so
            for words in iter(self.outbox.get, None):
                self._in.writelines(words)
                self._in.flush()

    def _read(self) -> None:
        reason = ""
        try:
            for line in self._out:
                frame = json.loads(line)
                self._take(frame, self._out.read(frame.get("bytes", 0)))
        except Exception as error:
            reason = f"a wrong frame of the server: {error}"
            self.process.kill()
        code = self.process.wait()
        self.alive = False
        self.outbox.put(None)
        self._out.close()
        self._fail(reason or f"the server ended with {code}")

    def _fail(self, reason: str) -> None:
        for id in list(self.jobs):
            self._end(id, None, ZoetropeError(9, reason))

    def _end(self, id: int, result: Any, error: Exception | None = None) -> None:
        with suppress(KeyError, InvalidStateError):  # it has ended, or was cancelled
            future = self.jobs.pop(id).future
            self._room.release()
            future.set_exception(error) if error else future.set_result(result)

    def _take(self, frame: dict[str, Any], data: bytes) -> None:
        if frame["id"] is None or len(data) < frame.get("bytes", 0):
            raise ValueError(frame.get("message", "it ends early"))
        id, job = frame["id"], self.jobs[frame["id"]]
        if "progress" in frame:
            if job.progress and not job.future.done():
                try:
                    job.progress(frame["progress"])
                except BaseException as error:  # also sys.exit(): the thread goes on
                    with suppress(InvalidStateError):
                        job.future.set_exception(error)
            return
        if frame.get("busy") and time.monotonic() < job.until and not job.future.done():
            time.sleep(0.05)
            self.outbox.put(job.words)
            return
        code, messages = frame["code"], frame.get("messages", [])
        for message in messages:
            _log.log(logging.WARNING if message.startswith("warning") else logging.INFO, "%s", message)
        if code == 0 or (code == 1 and job.command == "compare" and data):
            self._end(id, json.loads(data) if job.command in ("inspect", "compare") else data)
        else:
            self._end(id, None, ZoetropeError(code, frame.get("message") or f"it ended with code {code}", messages))
