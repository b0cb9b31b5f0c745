# SPDX-License-Identifier: MIT
"""zoetrope serve: answers against the command line, wrong frames, and clients that misbehave."""
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PROGRAM = os.environ["ZOETROPE"]
SOURCE = pathlib.Path(os.environ["SOURCE"])
MODELS = SOURCE / "scenes/models"
CANCELLED = 143
sys.path.insert(0, str(SOURCE / "docs"))
import scene_schema  # noqa: E402

SCHEMA = json.loads((SOURCE / "docs/serve.schema.json").read_text())


def check(frame, *kinds):
    """A frame is one of these kinds of the schema."""
    wrong = [scene_schema.faults(frame, SCHEMA["$defs"][kind], SCHEMA, kind) for kind in kinds]
    assert [] in wrong, wrong


class Server:
    """A server on standard input and output, or one client of a socket."""

    def __init__(self, *flags, root=None, path=None, **popen):
        self.process = None
        if path:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(str(path))
            self.out, self.into = self.socket.makefile("rb"), self.socket.makefile("wb")
        else:
            words = [PROGRAM, "serve", "--stdio", *flags, *(["--root", str(root)] if root else [])]
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **popen)
            self.out, self.into = self.process.stdout, self.process.stdin
        check(self.frame()[0], "hello")

    def frame(self):
        line = self.out.readline()
        if not line:
            return None, b""
        head = json.loads(line)
        check(head, "hello", "answer", "progress")
        return head, self.out.read(head.get("bytes", 0))

    def send(self, line, *blobs):
        self.into.write((line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n") + b"".join(blobs))
        self.into.flush()

    def ask(self, command, inputs=(), files=None, id=1, **more):
        files = files or {}
        listed = [{"name": name, "bytes": len(data)} for name, data in files.items()]
        line = {"id": id, "command": command, "inputs": list(inputs), **more}
        self.send({**line, "files": listed} if files else line, *files.values())

    def answer(self, *words, **more):
        self.ask(*words, **more)
        return self.frame()

    def end(self):
        """Whatever it does."""
        if self.process:
            self.process.kill()
            self.process.wait()
        for file in (self.out, self.into):
            try:
                file.close()
            except OSError:
                pass

    def close(self):
        if not self.process:
            self.out.close()
            self.into.close()
            return self.socket.close()
        self.into.close()
        code = self.process.wait(20)
        self.out.close()
        return code


def command_line(*words, input=None, cwd=None):
    run = subprocess.run([PROGRAM, *map(str, words)], input=input, capture_output=True, cwd=cwd, timeout=120)
    return run.returncode, run.stdout, run.stderr.decode()


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as listed:
        return [int(child) for child in listed.read().split()]


def few_files(pids):
    return all(len(os.listdir(f"/proc/{pid}/fd")) < 20 for pid in pids)


def wait_until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="zt-serve-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ["walker.glb", "critter.glb", "arm.glb", "ball.glb"]:
            shutil.copy(MODELS / name, self.folder)
        shutil.copy(SOURCE / "tests/cli/models/lacking.gltf", self.folder)
        time.sleep(0.05)  # a worker keeps nothing of what has just been written

    def serve(self, *flags, **more):
        server = Server(*flags, **more)
        self.addCleanup(server.end)
        return server

    def listen(self, *flags):
        path = self.folder / "socket"
        process = subprocess.Popen([PROGRAM, "serve", "--socket", path, "--root", self.folder, *flags])
        self.addCleanup(lambda: (process.kill(), process.wait()))
        self.assertTrue(wait_until(path.exists))
        return process, path


class Answers(Case):
    """What is answered is what the command line makes."""

    def test_pictures_are_those_of_the_command_line(self):
        rows = [("thumbnail", name, flags) for name in ["walker.glb", "critter.glb", "walker.glb"]
                for flags in [{"size": 64}, {"size": 64, "azimuth": 40.5, "samples": 1}, {"size": 64},
                              {"size": 64, "azimuth": 70}, {"size": 64, "azimuth": 10}, {"size": 96, "format": "webp"}, {"size": 64, "look": "normals"},
                              {"size": 64, "untrusted": True}, {"size": 64, "max-texture": 4}]]
        rows += [("render", "walker.glb", {"size": "64x48", "frames": str(frame)}) for frame in (0, 7, 3)]
        rows += [("render", "walker.glb", {"size": "48", "frames": "0-4", "format": "y4m"}),
                 ("turntable", "arm.glb", {"size": "192", "count": 5, "format": "rgba"}),
                 ("render", "walker.glb", {"size": "64x48", "frames": "0"}),
                 ("render", "walker.glb", {"size": "64x48", "ground": "shadow", "quality": "final",
                                           "light-samples": 16}),
                 ("thumbnail", "walker.glb", {"size": 64, "metadata": "full"}),
                 ("render", "walker.glb", {"size": 32, "light": "studio", "frames": "0"}),
                 ("render", "walker.glb", {"size": 64, "frames": "9", "planes": "color,depth", "format": "npz"}),
                 ("thumbnail", "walker.glb", {"size": 64}), ("thumbnail", "walker.glb", {"size": 64}),
                 ("thumbnail", "lacking.gltf", {"size": 16})]
        server = self.serve("--jobs", "1", root=self.folder)
        for command, name, flags in rows + rows[::-1]:
            words = [f"--{key}" if value is True else f"--{key}={value}" for key, value in flags.items()]
            code, data, messages = command_line(command, name, "-o", "-", "--progress=none", *words, cwd=self.folder)
            head, answered = server.answer(command, [name], flags=flags)
            self.assertEqual((head["code"], answered == data), (code, True), (command, name, flags, messages))
            self.assertEqual("".join(f"zoetrope: {line}\n" for line in head["messages"]), messages)
        self.assertEqual(server.close(), 0)

    def test_files_of_a_request(self):
        server = self.serve("--jobs", "1")
        walker = (MODELS / "walker.glb").read_bytes()
        for folder in ["", "in/"]:
            self.assertEqual(command_line("convert", MODELS / "walker.glb", self.folder / "w.gltf")[0], 0)
            files = {folder + path.name: path.read_bytes() for path in sorted(self.folder.glob("w*"))
                     if path.name.startswith(("w.", "w-"))}
            wanted = command_line("thumbnail", self.folder / "w.gltf", "-o", "-", "--size=64", "-q")[1]
            for _ in range(2):
                head, data = server.answer("thumbnail", [folder + "w.gltf"], files, flags={"size": 64})
                self.assertEqual((head["code"], head["messages"], data), (0, [], wanted))
            del files[folder + "w.bin"]
            self.assertEqual(server.answer("thumbnail", [folder + "w.gltf"], files)[0]["code"], 3)
        one = command_line("thumbnail", MODELS / "walker.glb", "-o", "-", "--size=64")[1]
        other = command_line("thumbnail", MODELS / "critter.glb", "-o", "-", "--size=64")[1]
        pictures = {"a.png": one, "b.png": other}
        halves = ["0,0,64x32", "0,32,64x32"]
        for pair, code, ignored in [(["a.png", "a.png"], 0, []), (["a.png", "b.png"], 1, halves[:1]),
                                    (["a.png", "b.png"], 0, halves)]:
            head, data = server.answer("compare", pair, pictures, flags={"json": True, "ignore": ignored})
            self.assertEqual(head["code"], code, head)
            self.assertEqual(json.loads(data)["command"], "compare")
        head, data = server.answer("inspect", ["x.glb"], {"x.glb": walker}, flags={"json": True})
        self.assertEqual(head["code"], 0)
        self.assertGreater(len(json.loads(data)), 4)
        head, data = server.answer("inspect", ["x.glb"], {"x.glb": walker[:999]})
        self.assertEqual((head["code"], data), (4, b""))
        self.assertTrue(head["message"].startswith("x.glb:"), head)
        self.assertEqual(server.answer("thumbnail", ["walker.glb"])[0]["code"], 2)  # no --root
        self.assertEqual(server.close(), 0)
        server = self.serve(root=self.folder)  # an empty file of the request, not that of the disk
        self.assertEqual(server.answer("thumbnail", ["ball.glb"], {"ball.glb": b""})[0]["code"], 4)
        self.assertEqual(server.close(), 0)

    def test_a_file_that_changes_is_read_again(self):
        server = self.serve("--jobs", "1", root=self.folder)
        model = self.folder / "model.glb"
        seen = set()
        for name in ["walker", "critter", "walker", "arm"]:
            shutil.copy(MODELS / f"{name}.glb", model)
            for _ in range(3):
                time.sleep(0.03)
                data = server.answer("thumbnail", ["model.glb"], flags={"size": 32})[1]
                self.assertEqual(data, command_line("thumbnail", model, "-o", "-", "--size=32")[1])
            seen.add(data)
        self.assertEqual(len(seen), 3)
        self.assertEqual(server.close(), 0)

    def test_an_input_is_not_replaced(self):
        self.assertEqual(command_line("convert", MODELS / "walker.glb", self.folder / "w.gltf")[0], 0)
        time.sleep(0.05)
        server = self.serve("--jobs", "1", root=self.folder)
        for code, name, output in [(0, "w.gltf", "a.png"), (6, "w.gltf", "w-color.png"), (0, "w.gltf", "a.png"),
                                   (0, "ball.glb", "w-color.png")]:
            head, _ = server.answer("thumbnail", [name], output=output, flags={"size": 16})
            self.assertEqual(head["code"], code, (name, output, head))
        self.assertEqual(server.close(), 0)

    def test_outputs_and_progress(self):
        server = self.serve(root=self.folder)
        head, data = server.answer("render", ["walker.glb"], output="out/f-####.png", progress=True,
                                   flags={"size": 32, "frames": "0-2"})
        steps = []
        while "progress" in head:
            steps.append(head["progress"]["done"])
            head, data = server.frame()
        self.assertEqual((head["code"], data, steps), (0, b"", [1, 2, 3]))
        self.assertEqual(sorted(os.listdir(self.folder / "out")), [f"f-000{i}.png" for i in range(3)])
        head, _ = server.answer("sheet", ["walker.glb"], output="sheet.png", flags={"size": 16, "frames": "0-3"})
        self.assertEqual(head["code"], 0, head)
        self.assertTrue((self.folder / "sheet.json").exists())
        self.assertEqual(server.close(), 0)


class Refusals(Case):
    """A request costs itself."""

    def test_requests_that_are_wrong(self):
        server = self.serve("--max-request", "1K", "--jobs", "1", "--max-memory", "64M", root=self.folder)
        rows = [
            (2, "'rendre' in a request", {"command": "rendre"}), (2, "'check' in a request", {"command": "check"}),
            (2, "no command", {"command": None}), (2, "inputs (", {"inputs": "walker.glb", "output": "a.png"}),
            (2, "inputs", {"inputs": ["-"]}), (2, "did you mean 'flags'", {"flag": {}}),
            (2, "unknown flag '--sise'", {"flags": {"sise": 3}}), (2, "--size 'x'", {"flags": {"size": "x"}}),
            (2, "flag 'size'", {"flags": {"size": {}}}), (2, "'--trace' in", {"flags": {"trace": "t"}}),
            (2, "flag 'clip'", {"flags": {"clip": True}}), (2, "'--skip' in", {"flags": {"skip": "time"}}), (2, "flag 'a=b'", {"flags": {"a=b": 1}}),
            (2, "progress", {"progress": 1}), (2, "output", {"output": ""}), (2, ".mp4", {"output": "a.mp4",
                                                                                      "command": "render"}),
            (3, "cannot open", {"inputs": ["absent.glb"]}), (5, "expected at most 1024", {"files": 2000}),
            (5, "", {"flags": {"max-triangles": 10}}), (0, "", {}), (5, "", {"flags": {"max-joints": 1}}),
            (5, "", {"flags": {"max-memory": "200K"}}),
            (5, "limit of 50331648", {"flags": {"size": 4096, "max-memory": "1G"}}),
            (2, "'--hashes' in", {"command": "compare", "flags": {"hashes": "x"}}),
        ]
        for flag, value in [("jobs", 2), ("sandbox", "off"), ("resume", True), ("no-cache", True),
                            ("follow-links", True), ("print-limits", True), ("help-all", True)]:
            rows.append((2, f"'--{flag}' in", {"flags": {flag: value}}))
        for code, text, change in rows:
            line = {"id": "x", "command": "thumbnail", "inputs": ["walker.glb"], **change}
            size = change.get("files", 10)
            line["files"] = [{"name": "a", "bytes": size}]
            server.send({key: value for key, value in line.items() if value is not None}, b"\n" * size)
            head, _ = server.frame()
            self.assertEqual((head["id"], head["code"]), ("x", code), (head, change))
            self.assertIn(text, head.get("message", ""))
        self.assertEqual(server.answer("thumbnail", ["walker.glb"], flags={"size": 16})[0]["code"], 0)
        self.assertEqual(server.close(), 0)

    def test_frames_that_are_wrong(self):
        good = b'{"id":1,"command":"thumbnail","inputs":["ball.glb"],"flags":{"size":16}}\n'
        rows = [b"\n", b"[]\n", b"nonsense\n", b'{"id":1\n', b'{"id":1,"files":3}\n',
                b'{"files":[{"name":"../a","bytes":1}]}\n', b'{"files":[{"name":"a","bytes":-1}]}\n',
                b'{"files":[{"name":"a","bytes":1},{"name":"a","bytes":1}]}\n', b"{" * 100 + b"\n",
                b'{"id":"' + b"x" * 70000 + b'"}\n', b'{"id":1,"id":2}\n', b'{"id":"\xff"}\n']
        for row in rows:
            server = self.serve(root=self.folder)
            server.send(good)
            server.send(row + good)
            heads = [server.frame()[0], server.frame()[0]]
            self.assertEqual(sorted((str(h["id"]), h["code"]) for h in heads), [("1", 0), ("None", 2)], row)
            self.assertEqual(server.frame()[0], None)
            self.assertEqual(server.process.wait(10), 0)
            server.close()
        for id in [-1, 2**54, "", "x" * 65, 1.5, None, [], True]:
            server = self.serve(root=self.folder)
            self.assertEqual(server.answer("thumbnail", ["ball.glb"], id=id)[0]["code"], 2, id)
            self.assertEqual(server.answer("thumbnail", ["ball.glb"], flags={"size": 16})[0]["code"], 0)
            server.close()

    def test_paths(self):
        root, outside = self.folder / "root", self.folder / "outside"
        root.mkdir(), outside.mkdir()
        shutil.copy(MODELS / "ball.glb", root)
        shutil.copy(MODELS / "ball.glb", outside)
        (root / "link.glb").symlink_to("../outside/ball.glb")
        (root / "folder").symlink_to(outside)
        (root / "inside.glb").symlink_to("ball.glb")
        (root / "out.yaml").write_text("format: 1\nmodels: [{file: ../outside/ball.glb}]\n")
        for sandbox in ["auto", "off"]:
            server = self.serve("--sandbox", sandbox, root=root)
            rows = [(3, "../outside/ball.glb"), (3, str(outside / "ball.glb")), (3, "link.glb"), (3, "folder/ball.glb"),
                    (3, "out.yaml"), (3, "/etc/passwd"), (0, "inside.glb"), (0, "./ball.glb")]
            for code, name in rows:
                head, _ = server.answer("render", [name], flags={"size": 16})
                self.assertEqual(head["code"], code, (name, head, sandbox))
            for inputs in [["ball.glb", "../outside/x.png"], ["ball.glb", str(outside / "x.png")]]:
                for command in ["sheet", "thumbnail"]:
                    head, _ = server.answer(command, inputs, flags={"size": 16, "list-clips": []})
                    self.assertIn(head["code"], (2, 3), head)
            for name in ["link.glb", "folder"]:
                head, _ = server.answer("compare", [name, name], {name: b""})
                self.assertIn(head["code"], (2, 3, 4), head)
            for output in ["../x.png", str(outside / "x.png"), "folder/x.png", "folder/new/x.png"]:
                head, _ = server.answer("thumbnail", ["ball.glb"], output=output, flags={"size": 16})
                self.assertNotEqual(head["code"], 0, output)
            head, _ = server.answer("render", ["ball.glb"], flags={"size": 16, "environment": "/etc/hostname"})
            self.assertEqual(head["code"], 3)
            self.assertEqual(os.listdir(outside), ["ball.glb"])
            self.assertEqual(server.close(), 0)

    def test_ids_cancelling_and_the_queue(self):
        server = self.serve("--jobs", "1", "--queue", "2", root=self.folder)
        slow = {"size": 512, "quality": "final", "light-samples": 1024}
        server.ask("render", ["walker.glb"], id=1, flags=slow)
        server.ask("thumbnail", ["ball.glb"], id=1, flags={"size": 16})
        head = server.frame()[0]
        self.assertEqual((head["id"], "id 1 is in use" in head["message"]), (None, True))
        for line in ({"cancel": 1, "x": 1}, {"id": 1, "command": "thumbnail", "inputs": ["ball.glb"], "x": 1}):
            server.send(line)
            self.assertEqual(server.frame()[0]["id"], None)
        for id in (2, 3, 4):
            server.ask("thumbnail", ["ball.glb"], id=id, flags={"size": 16})
        head = server.frame()[0]
        self.assertEqual((head["id"], head["code"], head["busy"]), (4, 5, True))
        for id in (2, 99, 1):
            server.send({"cancel": id})
        codes = {head["id"]: head["code"] for head in (server.frame()[0] for _ in range(3))}
        self.assertEqual(codes, {1: CANCELLED, 2: CANCELLED, 3: 0})
        for delay in [0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1]:
            server.ask("thumbnail", ["walker.glb"], id="n", flags={"size": 128})
            time.sleep(delay)
            server.send({"cancel": "n"})
            self.assertIn(server.frame()[0]["code"], (0, CANCELLED))
        head, _ = server.answer("render", ["walker.glb"], flags={**slow, "timeout": 0.2})
        self.assertEqual((head["code"], head["message"]), (5, "stopped by --timeout (after 0.2 s)"))
        for id in (1, 2, 3):
            server.ask("thumbnail", ["walker.glb"], id=id, flags={"size": 64})
        heads = [server.frame()[0] for _ in range(3)]
        self.assertEqual([(head["id"], head["code"]) for head in heads], [(1, 0), (2, 0), (3, 0)])
        before = children(server.process.pid)
        slow = {**slow, "frames": "0-40", "light-samples": 64, "format": "y4m"}
        server.ask("render", ["walker.glb"], flags={**slow, "untrusted": True})
        self.assertTrue(wait_until(lambda: children(server.process.pid) not in ([], before), 20))
        server.send({"cancel": 1})
        self.assertEqual(server.frame()[0]["code"], CANCELLED)
        self.assertEqual(server.close(), 0)

    def test_a_worker_that_dies(self):
        server = self.serve("--jobs", "1", root=self.folder)
        slow = {"size": 256, "frames": "0-100", "fps": 120, "quality": "final", "light-samples": 64}
        sanitized = os.environ.get("ZT_SANITIZED", "0") == "1"  # which reports the second and ends by itself
        for number in [signal.SIGKILL] + [signal.SIGSEGV] * (not sanitized):
            server.ask("render", ["walker.glb"], id=5, output="film/f-####.png", flags=slow)
            self.assertTrue(wait_until(lambda: any(self.folder.glob("film/*"))))
            os.kill(children(server.process.pid)[0], number)
            head, _ = server.frame()
            self.assertEqual((head["code"], f"signal {int(number)}" in head["message"]), (9, True), head)
            self.assertEqual(list(self.folder.glob("film/.*")), [], "temporary files")
            shutil.rmtree(self.folder / "film")
        for _ in range(20):  # while nothing is to be done
            before = children(server.process.pid)
            os.kill(before[0], signal.SIGKILL)
            self.assertTrue(wait_until(lambda: children(server.process.pid) not in ([], before)))
        self.assertEqual(server.answer("thumbnail", ["ball.glb"], flags={"size": 16})[0]["code"], 0)
        self.assertEqual(server.close(), 0)

    def test_lines_of_progress_and_outputs_have_no_end(self):
        server = self.serve("--jobs", "1", "--max-memory", "64M", root=self.folder)
        flags = {"size": 512, "count": 90, "format": "rgba", "samples": 1}
        head, _ = server.answer("turntable", ["ball.glb"], flags=flags)
        self.assertEqual(head["code"], 6, head)  # the share of a worker is 48 MiB
        head, _ = server.answer("thumbnail", ["a"], {"a": b"x" * (20 << 20)})
        self.assertEqual((head["code"], "busy" in head), (5, False))
        self.assertEqual(server.close(), 0)

    def test_the_first_process_is_killed(self):
        for number in (signal.SIGKILL, signal.SIGTERM):
            server = self.serve("--jobs", "2", root=self.folder)
            slow = {"size": 256, "frames": "0-100", "fps": 120, "quality": "final", "light-samples": 64}
            for id in (1, 2):
                server.ask("render", ["walker.glb"], id=id, output=f"film{id}/f-####.png", flags=slow)
            self.assertTrue(wait_until(lambda: any(self.folder.glob("film*/*"))))
            workers = children(server.process.pid)
            self.assertEqual(len(workers), 2)
            server.process.send_signal(number)
            server.process.wait()
            self.assertTrue(wait_until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in workers)))
            self.assertEqual(list(self.folder.glob("film*/.*")), [])


    def test_a_client_that_dies(self):
        server = self.serve("--jobs", "1", root=self.folder)
        server.ask("render", ["walker.glb"], output="f/f-####.png",
                   flags={"size": 512, "frames": "0-40", "quality": "final", "light-samples": 1024})
        time.sleep(0.3)
        server.out.close()
        server.into.close()
        self.assertEqual(server.process.wait(5), 6)


class Clients(Case):
    def test_many_clients(self):
        server, path = self.listen("--jobs", "2")
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        for taken in (path, self.folder / "ball.glb"):
            self.assertEqual(command_line("serve", "--socket", taken)[0], 6)
        wanted = command_line("thumbnail", self.folder / "ball.glb", "-o", "-", "--size=16")[1]
        wrong = []

        def one():
            client = Server(path=path)
            for _ in range(3):
                head, data = client.answer("thumbnail", ["ball.glb"], flags={"size": 16})
                while head.get("busy"):
                    time.sleep(0.05)
                    head, data = client.answer("thumbnail", ["ball.glb"], flags={"size": 16})
                if head["code"] != 0 or data != wanted:
                    wrong.append(head)
            client.close()

        threads = [threading.Thread(target=one) for _ in range(200)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertTrue(wait_until(lambda: few_files([server.pid])))
        crowd = [Server(path=path) for _ in range(256)]
        late = socket.socket(socket.AF_UNIX)
        late.settimeout(20)
        late.connect(str(path))
        self.assertIn(b"too many clients", late.makefile("rb").read())
        head, _ = crowd[9].answer("thumbnail", ["ball.glb"], output="o.png", flags={"size": 16, "untrusted": True})
        self.assertEqual(head["code"], 0, head)
        self.assertTrue(wait_until(lambda: few_files(children(server.pid))), "workers have files of clients")
        (self.folder / "mode").touch()
        self.assertEqual((self.folder / "o.png").stat().st_mode, (self.folder / "mode").stat().st_mode)
        for client in crowd:
            client.close()
        server.kill()
        server.wait()
        again, _ = self.listen()  # the socket is left over
        self.assertTrue(wait_until(lambda: len(children(again.pid)) > 0))
        again.terminate()
        again.wait()
        self.assertFalse(path.exists())

    def test_clients_that_misbehave(self):
        server, path = self.listen("--jobs", "1", "--queue", "8")
        random.seed(7)
        line = json.dumps({"id": 1, "command": "thumbnail", "inputs": ["a.glb"], "flags": {"size": 64},
                           "files": [{"name": "a.glb", "bytes": 20000}]}).encode() + b"\n"
        for _ in range(60):  # half requests
            client = socket.socket(socket.AF_UNIX)
            client.connect(str(path))
            client.sendall((line + b"x" * 20000)[:random.randrange(20000)])
            client.close()
        flood = socket.socket(socket.AF_UNIX)
        flood.connect(str(path))
        ended = threading.Event()

        def send_cancels():
            while not ended.is_set():
                flood.send(b'{"cancel":1}\n' * 4000)

        thread = threading.Thread(target=send_cancels)
        thread.start()
        other = Server(path=path)
        start = time.monotonic()
        self.assertEqual(other.answer("thumbnail", ["ball.glb"], flags={"size": 16})[0]["code"], 0)
        self.assertLess(time.monotonic() - start, 10)
        other.close()
        ended.set()
        thread.join()
        flood.close()
        deaf = Server(path=path)  # takes no answer
        deaf.socket.settimeout(0.5)
        with self.assertRaises(OSError):
            for id in range(1000000):
                deaf.ask("thumbnail", ["ball.glb"], id=id, flags={"size": 256})
        other = Server(path=path)
        self.assertEqual(other.answer("thumbnail", ["ball.glb"], flags={"size": 16})[0]["code"], 0)
        other.ask("render", ["walker.glb"], flags={"size": 512, "quality": "final", "light-samples": 1024})
        time.sleep(0.2)
        other.close()
        deaf.socket.close()
        last = Server(path=path)
        start = time.monotonic()
        self.assertEqual(last.answer("thumbnail", ["ball.glb"], flags={"size": 16})[0]["code"], 0)
        self.assertLess(time.monotonic() - start, 20, "the request of a client that left goes on")
        last.close()
        self.assertEqual(server.poll(), None)

    def test_nothing_leaks(self):
        server = self.serve("--jobs", "2", "--max-memory", "100M", root=self.folder)
        names = ["walker.glb", "ball.glb", "arm.glb"]

        def state():
            time.sleep(0.3)  # the last answer is closed after it is read
            pids = [server.process.pid, *children(server.process.pid)]
            return [len(os.listdir(f"/proc/{pid}/fd")) for pid in pids], sum(
                int(open(f"/proc/{pid}/smaps_rollup", encoding="ascii").read().split("Pss:")[1].split()[0])
                for pid in pids)

        def some(count):
            for i in range(count):
                data = (MODELS / names[i % 3]).read_bytes()
                code = server.answer("thumbnail", ["a.glb"], {"a.glb": data if i % 7 else data[:5000]},
                                     flags={"size": 32})[0]["code"]
                self.assertEqual(code, 0 if i % 7 else 4)

        some(100)
        files, kibibytes = state()
        some(int(os.environ.get("ZT_SERVE_REQUESTS", "300")))
        self.assertEqual(state()[0], files)
        if os.environ.get("ZT_SANITIZED", "0") != "1":
            self.assertLess(state()[1], kibibytes + 5 * 1024)
        self.assertEqual(server.close(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
