# SPDX-License-Identifier: MIT
"""zoetrope serve: answers against the command line, wrong frames, and clients that misbehave."""
import concurrent.futures, contextlib, json, os, pathlib, random, shutil, signal, socket, subprocess, sys, tempfile
import threading, time, unittest

PROGRAM = os.environ["ZOETROPE"]
SOURCE = pathlib.Path(os.environ["SOURCE"])
MODELS = SOURCE / "scenes/models"
SANITIZED = os.environ.get("ZT_SANITIZED", "0") == "1"
CANCELLED = 143
SLOW = {"size": 512, "quality": "final", "light-samples": 1024}
FILM = {"size": 256, "frames": "0-100", "fps": 120, "quality": "final", "light-samples": 64}
sys.path.insert(0, str(SOURCE / "docs"))
import scene_schema  # noqa: E402

SCHEMA = json.loads((SOURCE / "docs/serve.schema.json").read_text())


def connect(path):
    client = socket.socket(socket.AF_UNIX)
    client.connect(str(path))
    return client


class Server:
    """A server on standard input and output, or one client of a socket."""

    def __init__(self, *flags, path=None):
        if path:
            self.socket = connect(path)
            self.out, self.into = self.socket.makefile("rb"), self.socket.makefile("wb")
        else:
            self.process = subprocess.Popen([PROGRAM, "serve", "--stdio", *flags], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE)
            self.out, self.into = self.process.stdout, self.process.stdin
        self.frame("hello")

    def frame(self, *kinds):
        """The next one, which is of these kinds of the schema, and its bytes."""
        line = self.out.readline()
        if not line:
            return None, b""
        head = json.loads(line)
        kinds = kinds or ["answer", "progress"]
        wrong = [scene_schema.faults(head, SCHEMA["$defs"][kind], SCHEMA, kind) for kind in kinds]
        assert [] in wrong, wrong
        return head, self.out.read(head.get("bytes", 0))

    def send(self, line, *blobs):
        self.into.write((line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n") + b"".join(blobs))
        self.into.flush()

    def ask(self, command, *inputs, files=None, id=1, **more):
        line = {"id": id, "command": command, "inputs": inputs, **more}
        if files:
            line["files"] = [{"name": name, "bytes": len(data)} for name, data in files.items()]
        self.send(line, *(files or {}).values())

    def answer(self, *words, **more):
        self.ask(*words, **more)
        return self.frame()

    def code(self, *words, **more):
        return self.answer(*words, **more)[0]["code"]

    def close(self):
        self.into.close()
        self.out.close()
        self.socket.close()

    def end(self):
        """Its exit code, where its input ends."""
        self.into.close()
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()
            self.process.wait()
            self.out.close()


def command_line(*words, cwd=None):
    run = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, cwd=cwd, timeout=120)
    return run.returncode, run.stdout, run.stderr.decode()


def drawn(path, size=16):
    return command_line("thumbnail", path, "-o", "-", f"--size={size}", "-q")[1]


def children(pid):
    return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def open_files(pids):
    return [len(os.listdir(f"/proc/{pid}/fd")) for pid in pids]


def wait_until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="zt-serve-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ["walker.glb", "critter.glb", "arm.glb", "ball.glb", SOURCE / "tests/cli/models/lacking.gltf"]:
            shutil.copy(MODELS / name, self.folder)
        time.sleep(0.05)  # a worker keeps nothing of what has just been written

    def serve(self, *flags, root="", jobs="1", ends=0):
        """A server of the folder; its exit code is looked at when the test ends."""
        roots = [] if root is None else ["--root", self.folder / root]
        server = Server("--jobs", jobs, *roots, *flags)
        self.addCleanup(lambda: self.assertEqual(server.end(), ends))
        return server

    def listen(self, *flags):
        path = self.folder / "socket"
        process = subprocess.Popen([PROGRAM, "serve", "--socket", path, "--root", self.folder, *flags])
        self.addCleanup(lambda: (process.kill(), process.wait()))
        self.assertTrue(wait_until(path.exists))
        return process, path

    def begin_film(self, server, *ids):
        """Asks for films, and waits for a frame."""
        for id in ids:
            server.ask("render", "walker.glb", id=id, output=f"film{id}/f-####.png", flags=FILM)
        self.assertTrue(wait_until(lambda: any(self.folder.glob("film*/*"))))

    def works(self, server, seconds=20):
        start = time.monotonic()
        self.assertEqual(server.code("thumbnail", "ball.glb", flags={"size": 16}), 0)
        self.assertLess(time.monotonic() - start, seconds)


class Answers(Case):
    """What is answered is what the command line makes."""

    def test_pictures_are_those_of_the_command_line(self):
        rows = [("thumbnail", name, flags) for name in ["walker.glb", "critter.glb", "walker.glb"]
                for flags in [{"size": 64}, {"size": 64, "azimuth": 40.5, "samples": 1}, {"size": 64},
                              {"size": 64, "azimuth": 70}, {"size": 64, "azimuth": 10},
                              {"size": 96, "format": "webp"}, {"size": 64, "look": "normals"},
                              {"size": 64, "untrusted": True}, {"size": 64, "max-texture": 4}]]
        small = {"size": "64x48"}
        rows += [("render", "walker.glb", flags) for flags in [
            {**small, "frames": "0"}, {**small, "frames": "7"}, {**small, "frames": "3"},
            {"size": "48", "frames": "0-4", "format": "y4m"}, {**small, "frames": "0"},
            {**small, "ground": "shadow", "quality": "final", "light-samples": 16},
            {"size": 32, "light": "studio", "frames": "0"}]]
        rows += [("turntable", "arm.glb", {"size": "192", "count": 5, "format": "rgba"}),
                 ("thumbnail", "walker.glb", {"size": 64, "metadata": "full"}),
                 ("thumbnail", "walker.glb", {"size": 64}), ("thumbnail", "walker.glb", {"size": 64}),
                 ("thumbnail", "lacking.gltf", {"size": 16})]
        made = {}
        server = self.serve()
        for command, name, flags in rows + rows[::-1]:
            words = [f"--{key}" if value is True else f"--{key}={value}" for key, value in flags.items()]
            words = (command, name, "-o", "-", "--progress=none", *words)
            if words not in made:
                made[words] = command_line(*words, cwd=self.folder)
            code, data, messages = made[words]
            head, answered = server.answer(command, name, flags=flags)
            self.assertEqual((head["code"], answered == data), (code, True), (words, messages))
            self.assertEqual("".join(f"zoetrope: {line}\n" for line in head["messages"]), messages)

    def test_files_of_a_request(self):
        server = self.serve(root=None)
        walker = (MODELS / "walker.glb").read_bytes()
        self.assertEqual(command_line("convert", MODELS / "walker.glb", self.folder / "w.gltf")[0], 0)
        wanted = drawn(self.folder / "w.gltf", 64)
        for folder in ["", "in/"]:
            name = folder + "w.gltf"
            files = {folder + path.name: path.read_bytes() for path in self.folder.glob("w[.-]*")}
            files = {name: files.pop(name), **files}
            for _ in range(2):
                head, data = server.answer("thumbnail", name, files=files, flags={"size": 64})
                self.assertEqual((head["code"], head["messages"], data), (0, [], wanted))
            del files[folder + "w.bin"]
            self.assertEqual(server.code("thumbnail", name, files=files), 3)
        pictures = {"a.png": drawn(MODELS / "walker.glb", 64), "b.png": drawn(MODELS / "critter.glb", 64)}
        halves = ["0,0,64x32", "0,32,64x32"]
        for pair, code, ignored in [(["a.png", "a.png"], 0, []), (["a.png", "b.png"], 1, halves[:1]),
                                    (["a.png", "b.png"], 0, halves)]:
            head, data = server.answer("compare", *pair, files=pictures, flags={"json": True, "ignore": ignored})
            self.assertEqual((head["code"], json.loads(data)["command"]), (code, "compare"), head)
        head, data = server.answer("inspect", "x.glb", files={"x.glb": walker}, flags={"json": True})
        self.assertEqual((head["code"], len(json.loads(data)) > 4), (0, True))
        head, data = server.answer("inspect", "x.glb", files={"x.glb": walker[:999]})
        self.assertEqual((head["code"], head["message"][:6], data), (4, "x.glb:", b""))
        self.assertEqual(server.code("thumbnail", "walker.glb"), 2)  # no --root
        server = self.serve()  # an empty file of the request, not that of the disk
        self.assertEqual(server.code("thumbnail", "ball.glb", files={"ball.glb": b""}), 4)
        (self.folder / "sub").mkdir()
        self.assertEqual(server.code("thumbnail", "sub", files={"sub": walker}), 2)  # a folder, too
        sky = (MODELS / "courtyard.hdr").read_bytes()
        files = {"in/a.glb": walker, "sky.hdr": sky}
        self.assertEqual(server.code("thumbnail", "in/a.glb", files=files, flags={"light": "sky.hdr"}), 0)
        server = self.serve("--max-memory", "64M")  # the files of all requests: 16 MiB
        server.ask("render", "walker.glb", flags=SLOW, files={"a": bytes(9 << 20)})
        self.assertTrue(server.answer("thumbnail", "walker.glb", id=2, files={"a": bytes(9 << 20)})[0]["busy"])
        server.send({"cancel": 1})

    def test_a_file_that_changes_is_read_again(self):
        server = self.serve()
        model = self.folder / "model.glb"
        seen = set()
        for name in ["walker", "critter", "walker", "arm"]:
            shutil.copy(MODELS / f"{name}.glb", model)
            for _ in range(3):
                time.sleep(0.03)
                data = server.answer("thumbnail", "model.glb", flags={"size": 32})[1]
                self.assertEqual(data, drawn(model, 32))
            seen.add(data)
        self.assertEqual(len(seen), 3)

    def test_an_input_is_not_replaced(self):
        self.assertEqual(command_line("convert", MODELS / "walker.glb", self.folder / "w.gltf")[0], 0)
        time.sleep(0.05)
        server = self.serve()
        for code, name, output in [(0, "w.gltf", "a.png"), (6, "w.gltf", "w-color.png"), (0, "w.gltf", "a.png"),
                                   (0, "ball.glb", "w-color.png")]:
            self.assertEqual(server.code("thumbnail", name, output=output, flags={"size": 16}), code, (name, output))

    def test_outputs_and_progress(self):
        server = self.serve(jobs="2")
        head, data = server.answer("render", "walker.glb", output="out/f-####.png", progress=True,
                                   flags={"size": 32, "frames": "0-2"})
        steps = []
        while "progress" in head:
            steps.append(head["progress"]["done"])
            head, data = server.frame()
        self.assertEqual((head["code"], data, steps), (0, b"", [1, 2, 3]))
        self.assertEqual(sorted(os.listdir(self.folder / "out")), [f"f-000{i}.png" for i in range(3)])
        self.assertEqual(server.code("sheet", "walker.glb", output="sheet.png", flags={"size": 16, "frames": "0-3"}), 0)
        self.assertTrue((self.folder / "sheet.json").exists())


class Refusals(Case):
    """A request costs itself."""

    def test_requests_that_are_wrong(self):
        server = self.serve("--max-request", "1K", "--max-memory", "64M")
        rows = [
            (2, "'rendre' in a request", {"command": "rendre"}), (2, "'check' in a request", {"command": "check"}),
            (2, "no command", {"command": None}), (2, "inputs (", {"inputs": "walker.glb", "output": "a.png"}),
            (2, "inputs", {"inputs": ["-"]}), (2, "did you mean 'flags'", {"flag": {}}),
            (2, "progress", {"progress": 1}), (2, "output", {"output": ""}),
            (2, ".mp4", {"output": "a.mp4", "command": "render"}), (3, "cannot open", {"inputs": ["absent.glb"]}),
            (5, "expected at most 1024", {"files": 2000}), (0, "", {}), (2, "files (", {"names": ["../a"]}),
            (2, "files (", {"names": ["a", "a"]}), (2, "files (", {"names": ["b", ""]}),
            (2, "'--hashes' in", {"command": "compare", "flags": {"hashes": "x"}})]
        rows += [(code, text, {"flags": flags}) for code, text, flags in [
            (2, "unknown flag '--sise'", {"sise": 3}), (2, "--size 'x'", {"size": "x"}),
            (2, "flag 'size'", {"size": {}}), (2, "flag 'clip'", {"clip": True}), (2, "flag 'a=b'", {"a=b": 1}),
            (5, "", {"max-triangles": 10}), (0, "", {}), (5, "", {"max-joints": 1}), (5, "", {"max-memory": "200K"}),
            (5, "limit of 50331648", {"size": 4096, "max-memory": "1G"})]]
        rows += [(2, f"'--{flag}' in", {"flags": {flag: value}}) for flag, value in [
            ("trace", "t"), ("skip", "time"), ("jobs", 2), ("sandbox", "off"), ("resume", True), ("no-cache", True),
            ("follow-links", True), ("print-limits", True), ("help-all", True)]]
        for code, text, change in rows:
            line = {"id": "x", "command": "thumbnail", "inputs": ["walker.glb"], **change}
            size = change.get("files", 10)
            line["files"] = [{"name": name, "bytes": size} for name in line.pop("names", ["a"])]
            server.send({key: value for key, value in line.items() if value is not None}, b"\n" * size * len(line["files"]))
            head, _ = server.frame()
            self.assertEqual((head["id"], head["code"]), ("x", code), (head, change))
            self.assertIn(text, head.get("message", ""))
        self.works(server)

    def test_frames_that_are_wrong(self):
        good = b'{"id":1,"command":"thumbnail","inputs":["ball.glb"],"flags":{"size":16}}\n'
        rows = [b"\n", b"[]\n", b"nonsense\n", b'{"id":1\n', b'{"id":1,"files":3}\n',
                b'{"files":[{"name":"a","bytes":9007199254740992},{"name":"b","bytes":1}]}\n',
                b'{"files":[{"name":"a","bytes":-1}]}\n', b"{" * 100 + b"\n",
                b'{"id":"' + b"x" * 70000 + b'"}\n', b'{"id":1,"id":2}\n', b'{"id":"\xff"}\n']
        for row in rows:
            server = self.serve()
            server.send(good)
            server.send(row + good)
            heads = [server.frame()[0], server.frame()[0]]
            self.assertEqual(sorted((str(h["id"]), h["code"]) for h in heads), [("1", 0), ("None", 2)], row)
            self.assertEqual(server.frame()[0], None)
            self.assertEqual(server.process.wait(10), 0)
        for id in [-1, 2**54, "", "x" * 65, 1.5, None, [], True]:
            server = self.serve()
            self.assertEqual(server.code("thumbnail", "ball.glb", id=id), 2, id)
            self.works(server)

    def test_paths(self):
        root, outside = self.folder / "root", self.folder / "outside"
        for folder in (root, outside):
            folder.mkdir()
            shutil.copy(MODELS / "ball.glb", folder)
        (root / "link.glb").symlink_to("../outside/ball.glb")
        (root / "folder").symlink_to(outside)
        (root / "inside.glb").symlink_to("ball.glb")
        (root / "out.yaml").write_text("format: 1\nmodels: [{file: ../outside/ball.glb}]\n")
        size = {"size": 16}
        rows = [({3}, ("render", name), {"flags": size}) for name in [
            "../outside/ball.glb", str(outside / "ball.glb"), "link.glb", "folder/ball.glb", "out.yaml", "/etc/passwd"]]
        rows += [({0}, ("render", name), {"flags": size}) for name in ["inside.glb", "./ball.glb"]]
        rows += [({2, 3}, (command, "ball.glb", name), {"flags": {**size, "list-clips": []}})
                 for name in ["../outside/x.png", str(outside / "x.png")] for command in ["sheet", "thumbnail"]]
        rows += [({2, 3, 4}, ("compare", name, name), {"files": {name: b""}}) for name in ["link.glb", "folder"]]
        rows += [(set(range(1, 10)), ("thumbnail", "ball.glb"), {"output": name, "flags": size})
                 for name in ["../x.png", str(outside / "x.png"), "folder/x.png", "folder/new/x.png"]]
        rows += [({3}, ("render", "ball.glb"), {"flags": {**size, "environment": "/etc/hostname"}})]
        for sandbox in ["auto", "off"]:
            server = self.serve("--sandbox", sandbox, root="root")
            for codes, words, more in rows:
                self.assertIn(server.code(*words, **more), codes, (words, more, sandbox))
            self.assertEqual(os.listdir(outside), ["ball.glb"])

    def test_ids_cancelling_and_the_queue(self):
        server = self.serve("--queue", "2")
        small = {"size": 16}
        server.ask("render", "walker.glb", flags=SLOW)
        head, _ = server.answer("thumbnail", "ball.glb", flags=small)
        self.assertEqual((head["id"], "id 1 is in use" in head["message"]), (None, True))
        for line in ({"cancel": 1, "x": 1}, {"id": 1, "command": "thumbnail", "inputs": ["ball.glb"], "x": 1}):
            server.send(line)
            self.assertEqual(server.frame()[0]["id"], None)
        for id in (2, 3, 4):
            server.ask("thumbnail", "ball.glb", id=id, flags=small)
        head = server.frame()[0]
        self.assertEqual((head["id"], head["code"], head["busy"]), (4, 5, True))
        for id in (2, 99, 1):
            server.send({"cancel": id})
        codes = {head["id"]: head["code"] for head in (server.frame()[0] for _ in range(3))}
        self.assertEqual(codes, {1: CANCELLED, 2: CANCELLED, 3: 0})
        for delay in [0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1]:
            server.ask("thumbnail", "walker.glb", id="n", flags={"size": 128})
            time.sleep(delay)
            server.send({"cancel": "n"})
            self.assertIn(server.frame()[0]["code"], (0, CANCELLED))
        head, _ = server.answer("render", "walker.glb", flags={**SLOW, "timeout": 0.2})
        self.assertEqual((head["code"], head["message"]), (5, "stopped by --timeout (after 0.2 s)"))
        for id in (1, 2, 3):
            server.ask("thumbnail", "walker.glb", id=id, flags={"size": 64})
        heads = [server.frame()[0] for _ in range(3)]
        self.assertEqual([(head["id"], head["code"]) for head in heads], [(1, 0), (2, 0), (3, 0)])
        before = children(server.process.pid)
        server.ask("render", "walker.glb", flags={**FILM, "format": "y4m", "untrusted": True})
        self.assertTrue(wait_until(lambda: children(server.process.pid) not in ([], before), 20))
        server.send({"cancel": 1})
        self.assertEqual(server.frame()[0]["code"], CANCELLED)

    def test_a_worker_that_dies(self):
        server = self.serve()
        # A sanitized worker reports the second signal and ends by itself.
        for number in [signal.SIGKILL] + [signal.SIGSEGV] * (not SANITIZED):
            self.begin_film(server, 5)
            os.kill(children(server.process.pid)[0], number)
            head, _ = server.frame()
            self.assertEqual((head["code"], f"signal {int(number)}" in head["message"]), (9, True), head)
            self.assertEqual(list(self.folder.glob("film5/.*")), [], "temporary files")
            shutil.rmtree(self.folder / "film5")
        for _ in range(20):  # while nothing is to be done
            before = children(server.process.pid)
            os.kill(before[0], signal.SIGKILL)
            self.assertTrue(wait_until(lambda: children(server.process.pid) not in ([], before)))
        self.works(server)

    def test_memory_has_an_end(self):
        server = self.serve("--max-memory", "64M")
        flags = {"size": 512, "count": 90, "format": "rgba", "samples": 1}
        self.assertEqual(server.code("turntable", "ball.glb", flags=flags), 6)  # the share of a worker is 48 MiB
        head, _ = server.answer("thumbnail", "a", files={"a": b"x" * (20 << 20)})
        self.assertEqual((head["code"], "busy" in head), (5, False))

    def test_the_first_process_is_killed(self):
        for number, ends in [(signal.SIGKILL, -9), (signal.SIGTERM, CANCELLED)]:
            server = self.serve(jobs="2", ends=ends)
            self.begin_film(server, 1, 2)
            workers = children(server.process.pid)
            self.assertEqual(len(workers), 2)
            server.process.send_signal(number)
            server.process.wait()
            self.assertTrue(wait_until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in workers)))
            self.assertEqual(list(self.folder.glob("film*/.*")), [])

    def test_a_client_that_dies(self):
        server = self.serve(ends=6)
        server.ask("render", "walker.glb", output="f/f-####.png", flags={**SLOW, "frames": "0-40"})
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
        wanted = drawn(self.folder / "ball.glb")

        def take_three(_):
            client = Server(path=path)
            for _ in range(3):
                head, data = client.answer("thumbnail", "ball.glb", flags={"size": 16})
                while head.get("busy"):
                    time.sleep(0.05)
                    head, data = client.answer("thumbnail", "ball.glb", flags={"size": 16})
                self.assertEqual((head["code"], data), (0, wanted))
            client.close()

        with concurrent.futures.ThreadPoolExecutor(200) as threads:
            list(threads.map(take_three, range(200)))
        self.assertTrue(wait_until(lambda: open_files([server.pid])[0] < 20))
        crowd = [Server(path=path) for _ in range(256)]
        late = connect(path)
        late.settimeout(20)
        self.assertIn(b"too many clients", late.makefile("rb").read())
        flags = {"size": 16, "untrusted": True}
        self.assertEqual(crowd[9].code("thumbnail", "ball.glb", output="o.png", flags=flags), 0)
        self.assertTrue(wait_until(lambda: max(open_files(children(server.pid))) < 20), "workers have files of clients")
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
        greedy = Server(path=path)
        for id in range(1, 7):  # its share: the worker, and half of the queue
            greedy.ask("render", "walker.glb", id=id, flags=SLOW)
        head = greedy.frame()[0]
        self.assertEqual((head["id"], head["busy"]), (6, True))
        greedy.close()
        random.seed(7)
        line = json.dumps({"id": 1, "command": "thumbnail", "inputs": ["a.glb"], "flags": {"size": 64},
                           "files": [{"name": "a.glb", "bytes": 20000}]}).encode() + b"\n"
        for _ in range(60):  # half requests
            with connect(path) as client:
                client.sendall((line + b"x" * 20000)[:random.randrange(20000)])
        flood = connect(path)

        def send_cancels():
            with contextlib.suppress(OSError):
                while True:
                    flood.send(b'{"cancel":1}\n' * 4000)

        thread = threading.Thread(target=send_cancels)
        thread.start()
        other = Server(path=path)
        self.works(other, seconds=10)
        other.close()
        flood.shutdown(socket.SHUT_RDWR)
        thread.join()
        flood.close()
        deaf = Server(path=path)  # takes no answer
        deaf.socket.settimeout(0.5)
        with self.assertRaises(OSError):
            for id in range(1000000):
                deaf.ask("thumbnail", "ball.glb", id=id, flags={"size": 256})
        other = Server(path=path)
        self.works(other)
        other.ask("render", "walker.glb", flags=SLOW)
        time.sleep(0.2)
        other.close()
        deaf.socket.close()
        last = Server(path=path)
        self.works(last)  # the request of a client that left does not go on
        last.close()
        self.assertTrue(wait_until(lambda: open_files([server.pid])[0] < 20, 20), "files of requests are left open")
        self.assertEqual(server.poll(), None)

    def test_nothing_leaks(self):
        server = self.serve("--max-memory", "100M", jobs="2")
        models = [(MODELS / name).read_bytes() for name in ["walker.glb", "ball.glb", "arm.glb"]]

        def state():
            time.sleep(0.3)  # the last answer is closed after it is read
            pids = [server.process.pid, *children(server.process.pid)]
            memory = [pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().split("Pss:")[1] for pid in pids]
            return open_files(pids), sum(int(text.split()[0]) for text in memory)

        def some(count):
            for i in range(count):
                data = models[i % 3] if i % 7 else models[i % 3][:5000]
                code = server.code("thumbnail", "a.glb", files={"a.glb": data}, flags={"size": 32})
                self.assertEqual(code, 0 if i % 7 else 4)

        some(100)
        files, kibibytes = state()
        some(int(os.environ.get("ZT_SERVE_REQUESTS", "300")))
        files_after, kibibytes_after = state()
        self.assertEqual(files_after, files)
        if not SANITIZED:
            self.assertLess(kibibytes_after, kibibytes + 5 * 1024)


if __name__ == "__main__":
    unittest.main(verbosity=2)
