# SPDX-License-Identifier: MIT
"""The wheel as it was installed; python.sh runs this in a folder with model.glb."""
import concurrent.futures, io, json, os, pathlib, re, signal, subprocess, sys, threading, time
import urllib.error, urllib.request
from math import pi
from types import SimpleNamespace as Thing

import numpy, PIL.Image, pytest, zoetrope
from zoetrope import Pool, ZoetropeError, pyrender

SOURCE = pathlib.Path(os.environ["ZOETROPE_SOURCE"])
MODEL = pathlib.Path("model.glb").resolve()
DATA = MODEL.read_bytes()
SLOW = {"size": 4096, "samples": 16, "supersample": 4}
SMALL = {"size": (48, 32)}


def cli(*words):
    return subprocess.run([zoetrope.PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def render(frame):
    return cli("render", MODEL, "--frames", frame, "--size", "48x32", "-o", "-")


def leaves(session):
    """All processes of a server end within 10 s."""
    for _ in range(100):
        listed = subprocess.run(["ps", "-o", "stat=", "-s", str(session)], stdout=subprocess.PIPE, text=True).stdout
        if not listed.replace("Z", "").strip("s+l\n "):
            return True
        time.sleep(0.1)
    return False


def test_first_example():
    exec(re.search(r"```python\n(.*?)```", (SOURCE / "src/bindings/python/README.md").read_text(), re.S)[1], {})
    assert PIL.Image.open("model.png").size == (320, 240)


def test_pictures_are_those_of_the_command_line(tmp_path):
    expected = [render(frame) for frame in range(6)]
    with Pool(root=MODEL.parent, workers=1) as pool:
        assert pool.render("model.glb", **SMALL) == expected[0]
    for source in (MODEL, "model.glb", DATA, memoryview(DATA).cast("I"), {"a/b.glb": bytearray(DATA)}):
        assert zoetrope.render(source, **SMALL) == expected[0]
    assert zoetrope.render(MODEL, output=tmp_path / "a.png", **SMALL) == b""
    assert (tmp_path / "a.png").read_bytes() == expected[0]
    assert list(zoetrope.frames(MODEL, range(6), ahead=2, **SMALL)) == expected
    assert zoetrope.thumbnail(MODEL, size=40) == cli("thumbnail", MODEL, "-", "--size", "40")
    assert zoetrope.turntable(MODEL, count=2, size=16) == cli("turntable", MODEL, "--count", 2, "--size", 16, "-o", "-",
                                                              "--format", "apng")
    array = zoetrope.render_array(MODEL, size=(48, 32))
    assert (array == numpy.asarray(zoetrope.render_image(MODEL, **SMALL).convert("RGBA"))).all() and array.dtype == numpy.uint8
    assert zoetrope.render_array(MODEL, size=(8, 6), frames="0-2").shape == (3, 6, 8, 4)
    assert zoetrope.inspect(MODEL)["triangles"] == json.loads(cli("inspect", MODEL, "--json"))["triangles"]
    assert [zoetrope.compare(tmp_path / "a.png", expected[k], timeout=9, **more)["code"]
            for k, more in ((0, {}), (5, {}), (5, {"share": 99}))] == [0, 1, 0]
    assert zoetrope.compare({"a": expected[0]}, {"a": expected[5]}, diff="d.png")["code"] == 1 and os.path.exists("d.png")
    assert zoetrope.diff(MODEL, MODEL)["code"] == 0
    script = pathlib.Path(sys.executable).with_name("zoetrope")
    assert subprocess.run([script, "--version"], stdout=subprocess.PIPE).stdout == cli("--version")


@pytest.mark.parametrize("code, call", [
    (2, lambda: zoetrope.render(MODEL, size="wide")), (2, lambda: zoetrope.render(MODEL, sise=3)),
    (2, lambda: zoetrope.planes(MODEL, ["absent"])), (3, lambda: zoetrope.render("absent.glb")),
    (4, lambda: zoetrope.inspect(DATA[:999])), (5, lambda: zoetrope.render(MODEL, max_triangles=9)),
    (5, lambda: zoetrope.render(MODEL, timeout=0.2, **SLOW)), (8, lambda: zoetrope.inspect(b"BLENDER-v300")),
    (3, lambda: Pool(root="absent").render("x")), (9, lambda: Pool(program="absent").render(MODEL)),
    (5, lambda: Pool(max_request=9).render(DATA)), (3, lambda: zoetrope.diff(MODEL, "absent.glb")),
    (5, lambda: zoetrope.diff(MODEL, MODEL, timeout=0.0001)), (2, lambda: Pool(root=None).render(MODEL)),
    (2, lambda: zoetrope.render({"a/../../b": DATA})), (2, lambda: zoetrope.render("\udcff.glb")), (2, lambda: zoetrope.render({})),
    (2, lambda: zoetrope.render(MODEL, time=float("nan"))), (2, lambda: zoetrope.render(MODEL, view=[[[["top"]]]])),
    (2, lambda: zoetrope.render("\0")), (2, lambda: zoetrope.render("a" * 70000)),
    (1, lambda: zoetrope.render(MODEL, size=16, verify="0" * 16))])
def test_errors(code, call):
    start = time.monotonic()
    with pytest.raises(ZoetropeError) as caught:
        call()
    assert caught.value.code == code and re.fullmatch(r"(?!zoetrope:).{9,}", str(caught.value))
    assert time.monotonic() - start < 5


def test_cancelled_and_interrupted(caplog):
    seen = []
    with Pool(workers=1) as pool:
        slow = [pool.submit("render", MODEL, **SLOW) for _ in range(3)]
        time.sleep(0.3)
        assert slow[0].cancel() and slow[2].cancel() and slow[0].cancel()
        assert not concurrent.futures.wait([slow[0], slow[2]], 1).not_done
        signal.signal(signal.SIGINT, signal.default_int_handler)  # who started the test may ignore it
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            pool.render(MODEL, **SLOW)
        slow[1].cancel()
        start = time.monotonic()
        pool.turntable(MODEL, count=3, size=16, progress=seen.append)
        assert [one["done"] for one in seen] == [1, 2, 3] and time.monotonic() - start < 5
        assert caplog.records[-1].message.startswith("warning: the clip")
        with pytest.raises(ZeroDivisionError):
            pool.turntable(MODEL, count=30, size=16, progress=lambda _: 1 / 0)
        session = pool._server.process.pid
        with pytest.raises(SystemExit):
            pool.turntable(MODEL, count=30, size=16, progress=sys.exit)
        queue = [pool.submit("turntable", MODEL, format="apng", size=16, progress=lambda _: queue[0].cancel() / 0)]
        assert concurrent.futures.wait(queue, 5).done and pool.render(MODEL, **SMALL) and pool._server.process.pid == session
        with pytest.raises(RuntimeError), pool:  # what runs is cancelled
            pool.submit("render", MODEL, **SLOW)
            raise RuntimeError
    assert leaves(session)
    pool = Pool(workers=1)
    assert pool.submit("render", MODEL, **SMALL).result() and pool._server.process.pid != session
    session = pool._server.process.pid
    del pool
    assert leaves(session)


def test_threads_pools_forks_and_deaths():
    expected = [render(frame) for frame in range(4)]
    with Pool(workers=2, queue=3) as one, Pool(workers=1, queue=3) as two, concurrent.futures.ThreadPoolExecutor(12) as threads:
        one.render(MODEL, **SMALL)
        one._server._room = threading.Semaphore(99)  # so that the server is too busy now and then
        pictures = threads.map(lambda k: (one, two)[k % 3 == 0].render(MODEL, frames=k % 4, **SMALL), range(60))
        assert list(pictures) == [expected[k % 4] for k in range(60)]
        two._server.process.send_signal(signal.SIGSTOP)
        with pytest.raises(ZoetropeError, match="no answer"):
            two.render(MODEL, timeout=0.2)
        two._server.process.send_signal(signal.SIGCONT)
        doomed, session = one.submit("render", MODEL, **SLOW), one._server.process.pid
        child = os.fork()
        if not child:
            os._exit(one.render(MODEL, frames=1, **SMALL) != expected[1] or one._server.process.pid == session)
        assert os.waitpid(child, 0)[1] == 0 and os.getsid(session) == session
        os.kill(session, signal.SIGKILL)
        assert doomed.exception(5).code == 9 and leaves(session)
        assert one.render(MODEL, frames=2, **SMALL) == expected[2]
    parent = subprocess.run([sys.executable, "-c", """if True:
        import os, time, zoetrope
        zoetrope.render("model.glb", size=16)
        if os.fork() == 0:  # a child that lives longer, and has none of the pipes
            os.close(1)
            os._exit(time.sleep(12) or 0)
        zoetrope.submit("render", "model.glb", size=2048)
        print(zoetrope.shared._server.process.pid, flush=True)
        os.kill(os.getpid(), 9)"""], stdout=subprocess.PIPE)
    assert parent.returncode == -9 and leaves(int(parent.stdout))


def test_planes():
    def box(distance, height):
        return {"box.json": json.dumps({
            "format": 1, "models": [{"shape": "box"}], "output": {"size": [16, 8]}, "light": "none", "camera": {
                "look_at": {"position": [0, 0, distance + 0.5], "target": [0, 0, 0]}, "orthographic": height}}).encode()}
    made = zoetrope.planes(box(2.5, 4), ["color", "depth", "normal", "id", "uv", "coverage", "position"], samples=1)
    assert {name: (plane.dtype.name, plane.shape) for name, plane in made.items()} == {
        "color": ("uint8", (8, 16, 4)), "depth": ("float32", (8, 16)), "normal": ("float32", (8, 16, 3)),
        "object": ("uint32", (8, 16)), "uv": ("float32", (8, 16, 2)), "coverage": ("float32", (8, 16)),
        "position": ("float32", (8, 16, 3))}
    assert (made["color"] == zoetrope.render_array(box(2.5, 4), size=(16, 8), samples=1)).all()
    seen = numpy.zeros((8, 16), bool)
    seen[3:5, 7:9] = True
    x, y = (numpy.arange(16) - 7.5) / 2, (3.5 - numpy.arange(8)) / 2
    assert (made["object"] == seen).all() and (made["coverage"] == seen).all()
    assert (made["depth"] == numpy.where(seen, 2.5, numpy.inf)).all()
    assert (made["normal"] == numpy.where(seen[..., None], (0, 0, 1), 0)).all()
    place = numpy.stack(numpy.broadcast_arrays(x, y[:, None], 0.5), 2)
    assert abs(made["position"] - numpy.where(seen[..., None], place, 0)).max() < 1e-6
    assert abs(made["uv"][3:5, 7:9, 0] - x[7:9] - 0.5).max() < 1e-6
    light = zoetrope.planes(MODEL, "color,depth", frames=5, encoding="linear", **SMALL)
    assert light["color"].dtype == numpy.float32 and light["color"].max() > 1
    clear = zoetrope.planes(MODEL, "color,coverage", background="transparent", ground="none", samples=1, **SMALL)
    assert (clear["color"][..., 3] == 255 * clear["coverage"]).all() and not clear["color"].all()


def scene_of(**lamps):
    """For pyrender: a magenta square of 2 m, by its texture, a red one of 1 m half a metre before it, and a camera 4 m away."""
    def node(color, z, half):
        pose = numpy.eye(4)
        pose[2, 3] = z
        material = Thing(baseColorFactor=color, metallicFactor=0, roughnessFactor=1, doubleSided=False, alphaMode=None,
                         emissiveFactor=numpy.zeros(3), baseColorTexture=Thing(source=numpy.full((2, 2, 3), (255, 0, 255), "u1")))
        corners = numpy.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)])
        return Thing(pose=pose, mesh=Thing(primitives=[Thing(
            positions=corners * half, normals=[(0, 0, 1)] * 4, texcoord_0=(corners[:, :2] + 1) / 2, color_0=None,
            indices=[(0, 1, 2), (0, 2, 3)], mode=4, material=material)]))

    view = numpy.eye(4)
    view[2, 3] = 4
    lights = {f"{kind}_light_nodes": [Thing(pose=view, light=Thing(color=(1, 1, 1), range=None, **lamps[kind]))]
              if kind in lamps else [] for kind in ("directional", "point", "spot")}
    return Thing(mesh_nodes=[node((1, 1, 1, 1), 0, 1), node((1, 0, 0, 1), 0.5, 0.5)], get_pose=lambda node: node.pose,
                 bg_color=(0, 0, 1, 1), ambient_light=(0, 0, 0), **lights, main_camera_node=Thing(
                     pose=view, camera=Thing(xmag=1.25, ymag=1.25, znear=0.05, zfar=100)))


def test_pyrender():
    renderer, places = pyrender.OffscreenRenderer(40, 40), ((1, 1), (6, 6), (20, 20))
    color, depth = renderer.render(scene_of(directional={"intensity": pi}))
    assert (color.shape, color.dtype.name, depth.shape, depth.dtype.name) == ((40, 40, 3), "uint8", (40, 40), "float32")
    assert [(color[at] // 200).tolist() for at in places] == [[0, 0, 1], [1, 0, 1], [1, 0, 0]]
    assert all(abs(depth[at] - metres) < 1e-4 for at, metres in zip(places, (0, 4, 3.5)))
    flat = renderer.render(scene_of(), pyrender.RGBA | pyrender.FLAT)[0]
    assert [flat[at].tolist() for at in places] == [[0, 0, 0, 0], [255, 0, 255, 255], [255, 0, 0, 255]]
    cone = {"intensity": 2, "innerConeAngle": 0.1, "outerConeAngle": 0.2}
    point, spot = (renderer.render(scene_of(**lamp))[0] for lamp in ({"point": {"intensity": 20}}, {"spot": cone}))
    assert 50 < point[6, 6, 0] < point[11, 20, 0] and spot[6, 6, 0] == 0 < spot[20, 20, 0]
    scene = scene_of()
    small = scene.mesh_nodes[1].mesh.primitives[0]
    small.poses = numpy.stack([numpy.eye(4)] * 2)
    small.poses[1, :2, 3] = -0.75
    twice = renderer.render(scene, pyrender.FLAT)[0]
    assert [twice[at].tolist() for at in ((20, 20), (32, 8), (8, 8))] == [[255, 0, 0], [255, 0, 0], [255, 0, 255]]
    small.targets = []
    with pytest.raises(ZoetropeError, match="targets"):
        renderer.render(scene)
    scene = scene_of()
    scene.main_camera_node.camera = Thing(yfov=2 * numpy.arctan(0.5), znear=0.05, zfar=None)
    depth = renderer.render(scene, pyrender.DEPTH_ONLY)
    assert depth[9, 20] == 0 and abs(depth[11, 20] - 4) < 1e-4
    scene.main_camera_node.camera = Thing(fx=1, znear=1, zfar=2)
    for scene, flags, said in ((scene, 0, "camera of Simple"), (scene, 256, "flags"),
                               (Thing(**{**vars(scene), "main_camera_node": None}), 0, "camera of None")):
        with pytest.raises(ZoetropeError, match=said):
            renderer.render(scene, flags)


def test_trimesh():
    pose = numpy.eye(4)
    pose[:3, 3] = 0, 1, 4
    scene = Thing(camera_transform=pose, camera=Thing(fov=(60, 40), resolution=(64, 48)),
                  export=lambda file_type: {"glb": DATA}[file_type])
    document = {"format": 1, "preset": "neutral", "models": [{"file": "model.glb"}],
                "output": {"size": [30, 20], "background": "white"},
                "camera": {"fov": 40, "look_at": {"position": [0, 1, 4], "target": [0, 1, 3]}}}
    expected = zoetrope.render({"a.json": json.dumps(document).encode(), "model.glb": DATA})
    assert zoetrope.compare(zoetrope.scene_image(scene, resolution=[30, 20]), expected)["code"] == 0
    made = PIL.Image.open(io.BytesIO(zoetrope.scene_image(scene, background="transparent")))
    assert (made.mode, made.size) == ("RGBA", (64, 48))


def test_snapshots(tmp_path):
    def run(frame, *words):
        (tmp_path / "test_it.py").write_text(f"""def test_it(model_snapshot):
            model_snapshot({str(MODEL)!r}, name="loose", criteria=dict(share=90), size=32, frames={frame})
            for k in 1, 2:
                model_snapshot({str(MODEL)!r}, size=32, frames={frame} * k)""")
        done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", tmp_path, *words],
                              stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        return done.returncode, sorted(path.name for path in (tmp_path / "model_snapshots").iterdir()), done.stdout

    goldens = ["loose.png", "test_it-test_it-2.png", "test_it-test_it.png"]
    assert run(1)[:2] == (1, ["loose.received.png"])
    assert run(1, "--model-snapshot-update")[:2] == run(1)[:2] == (0, goldens)
    code, files, said = run(20)
    assert code == 1 and re.search(r"test_it-test_it.png: [0-9.]+ % of the pixels differ", said)
    assert files == sorted([*goldens, "test_it-test_it.diff.png", "test_it-test_it.received.png"])
    assert run(20, "--model-snapshot-update")[:2] == run(20)[:2] == (0, goldens)


def test_upload_service():
    service = subprocess.Popen([sys.executable, SOURCE / "docs/examples/upload_service.py", "0"], stdout=subprocess.PIPE)
    address, answers = "http://localhost:%d/" % int(service.stdout.readline().split()[1]), []
    for body in (DATA, DATA[:999], b"BLENDER-v300", b"../../etc/passwd"):
        try:
            with urllib.request.urlopen(address, body, 30) as answer:
                answers.append((answer.status, answer.read()[8:12]))
        except urllib.error.HTTPError as error:
            answers.append((error.code, error.read()[:6]))
    service.terminate()
    assert answers == [(200, b"WEBP"), (422, b"input:"), (415, b"input:"), (422, b"input:")] and service.wait(9)
