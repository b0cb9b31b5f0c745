// SPDX-License-Identifier: MIT
// The functions of the package zoetrope. Run by npm.sh in a folder where it is installed; MODELS has our models.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import test from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { compare, createPool, diff, frames, inspect, planes, render, thumbnail, turntable, ZoetropeError } from "zoetrope";
import { toMatchModelSnapshot } from "zoetrope/jest";

const program = createRequire(import.meta.url).resolve(`@zoetrope/linux-${process.arch}/bin/zoetrope`);
const model = path.join(process.env.MODELS, "walker.glb");
const bytes = readFileSync(model);
const [small, left, slow] = [{ size: 48 }, { size: 48, view: "left" }, { size: 2048, samples: 16, supersample: 4 }];
const endless = { count: 36000, format: "apng", size: 64 }; // of turntable
const folder = mkdtempSync(path.join(process.cwd(), "räume "));
const file = (name) => path.join(folder, name);
const fails = (promise, code, text = /./) => assert.rejects(promise, (error) => {
  assert.ok(error instanceof ZoetropeError && Array.isArray(error.messages), String(error));
  assert.equal(error.code, code, error.message);
  assert.match(error.message, text);
  return !error.message.includes("\n");
});
const aborts = (promise) => assert.rejects(promise, { name: "AbortError", code: "ABORT_ERR" });
const gone = async (pid) => {
  for (let i = 0; i < 400 && existsSync(`/proc/${pid}/exe`); i++) await sleep(50);
  assert.ok(!existsSync(`/proc/${pid}/exe`), `process ${pid} is still there`);
};

test("inputs and outputs are those of the command line, bit for bit", async () => {
  const cli = (...flags) => execFileSync(program, ["render", model, "-q", "--size", "48x40", "-o", ...flags]);
  const options = { size: "48x40", maxMemory: "900M", strict: false, clip: undefined };
  cli(file("cli.png"));
  const expected = readFileSync(file("cli.png"));
  const files = { "a/walker.glb": bytes, "b.txt": new Uint8Array(3) };
  for (const input of [model, path.relative("", model), pathToFileURL(model), bytes, new Uint8Array(bytes).buffer, files])
    assert.deepEqual(await render(input, options), expected);
  assert.equal((await render(model, { ...options, output: file("out.png") })).length, 0);
  assert.deepEqual(readFileSync(file("out.png")), expected);
  const data = cli("-", "--format", "rgba", "--frames", "0");
  const { data: raw, ...form } = await render(model, { ...options, raw: true });
  assert.deepEqual([raw.equals(data), form], [true, { width: 48, height: 40, channels: 4 }]);
  assert.equal((await turntable(model, { size: 16, raw: true })).height, 16);
  const made = await planes(model, { size: "48x40", planes: ["color", "depth", "normal", "id"] });
  const forms = Object.entries(made).map(([name, { data, ...rest }]) => [name, data.constructor.name, ...Object.values(rest)]);
  assert.deepEqual(forms, [["color", "Buffer", 48, 40, 4], ["depth", "Float32Array", 48, 40, 1],
    ["normal", "Float32Array", 48, 40, 3], ["object", "Uint32Array", 48, 40, 1]]);
  assert.ok(made.color.data.equals(data));
  made.depth.data.forEach((metres, i) => {
    assert.equal(Number.isFinite(metres), made.object.data[i] > 0);
    const length = Math.hypot(...made.normal.data.subarray(3 * i, 3 * i + 3));
    assert.ok(Math.abs(length - (metres < 9 ? 1 : 0)) < 1e-6, `${length} at ${i}, ${metres} m away`);
  });
  const sky = path.relative("", path.join(process.env.MODELS, "courtyard.hdr"));
  const lit = await render({ "a.glb": bytes, "b/sky.hdr": readFileSync(sky) }, { ...small, light: "b/sky.hdr" });
  assert.deepEqual(lit, await render(model, { ...small, light: sky }));
  assert.equal((await thumbnail(model, { format: "webp" })).toString("latin1", 8, 12), "WEBP");
});

test("frames come in order, each once, until nobody wants more", async () => {
  const progress = [];
  const all = async (options, last) => {
    const list = [];
    for await (const { frame, data } of frames(model, { size: 16, ...options })) {
      list.push(frame);
      assert.equal(data.toString("latin1", 1, 4), "PNG");
      if (frame === last) break;
    }
    return list;
  };
  assert.deepEqual(await all({ frames: "4-20x4,2" }), [2, 4, 8, 12, 16, 20]);
  assert.deepEqual(await all({ frames: [3, 1] }), [3, 1]);
  assert.deepEqual(await all({ command: "turntable", count: 5 }), [0, 1, 2, 3, 4]);
  assert.deepEqual(await all({ frames: "1-2", quality: "final" }), [1, 2]);
  assert.deepEqual(await all({ frames: "3", planes: "depth", bits: 16 }), [3]);
  await all({ onProgress: (each) => progress.push(each) }, 2);
  assert.deepEqual(progress.at(-1), { done: 3, total: 120, frame: 2 });
  for (const signal of [AbortSignal.timeout(100), AbortSignal.abort()]) await aborts(all({ ...slow, frames: [0, 1], signal }));
});

test("inspect, compare, diff, progress", async () => {
  assert.equal((await inspect(bytes)).triangles, 15808);
  const [a, b] = [await render(model, small), await render(model, left)];
  writeFileSync(file("a.png"), a);
  assert.equal((await compare(a, file("a.png"))).pass, true);
  const { pass, share, max } = await compare(file("a.png"), b);
  assert.ok(!pass && share > 1 && max > 9);
  assert.equal((await compare(a, b, { maxDiff: 255, pixels: 1e4 })).pass, true);
  assert.equal((await compare({ "a.png": a }, { "a.png": b }, { diff: path.relative("", file("difference.png")) })).pass, false);
  assert.ok(existsSync(file("difference.png")));
  assert.equal((await diff(bytes, { "new/a.glb": bytes })).code, 0);
  await fails(diff(bytes, { "../../new.glb": bytes }), 2, /outside/);
  const { results } = await diff(model, readFileSync(model.replace(".glb", "_moves.glb")), { strictNames: true });
  assert.ok(results.some(({ name }) => name === "clip/walk"));
  await fails(diff(bytes, file("none.glb")), 3, /none/);
  await aborts(diff(bytes, bytes, { signal: AbortSignal.abort() }));
  const seen = [];
  await render(model, { size: 16, format: "apng", frames: "0-3", onProgress: ({ done }) => seen.push(done) });
  assert.deepEqual(seen, [1, 2, 3, 4]);
  await assert.rejects(turntable(model, { size: 16, onProgress: () => assert.fail("mine") }), /mine/);
});

test("each error has its code, and the process goes on", async () => {
  const pool = createPool({ root: folder, workers: 1, maxRequest: 2 << 20 });
  writeFileSync(file("walker.glb"), bytes);
  symlinkSync(model, file("link.glb"));
  const { pid } = (await pool.render("walker.glb", small), pool.server.child);
  for (const [code, input, options, text] of [
    [2, bytes, { size: "wide" }, /wide/], [2, bytes, { noSuchFlag: 1 }, /no-such-flag/], [2, {}, {}, /no bytes/],
    [2, 7, {}, /no bytes/], [2, { a: "text" }, {}, /a is no bytes/], [3, "none.glb", {}, /none/],
    [4, Buffer.from("glTF\x02\0\0\0ab")], [5, bytes, { maxTriangles: 10 }, /10/], [5, bytes, { ...slow, timeout: 0.05 }],
    [5, Buffer.alloc(3 << 20)], [8, Buffer.from("BLENDER-v300")], [2, { "..": bytes }], [2, { "a\ud800": bytes }],
    [2, "a\0.glb"], [2, bytes, { view: "x".repeat(7e4) }], [2, bytes, { view: [[[[1]]]] }], [2, bytes, { time: NaN }],
  ])
    await fails(pool.render(input, options), code, text);
  for (const outside of ["../walker.glb", "/etc/passwd", "link.glb"])
    await assert.rejects(pool.render(outside), ZoetropeError);
  assert.ok((await pool.render(new DataView(new Uint8Array(bytes).buffer), { size: 48n })).length > 100);
  assert.equal(pool.server.child.pid, pid); // none of these cost the process
  assert.equal(readFileSync(`/proc/${pid}/stat`, "latin1").split(" ")[5], String(pid)); // Ctrl-C does not reach it
  await pool.close();
  await fails(pool.render(bytes), 2, /closed/);
  await fails(createPool({ root: null }).render(model), 2, /bytes only/);
  await fails(createPool({ root: file("none") }).render("a.glb"), 3, /none/);
  await fails(createPool({ program: file("none") }).render(model), 9, /cannot be started/);
});

test("aborts at every moment, and processes that die, cost what they are about", async () => {
  const [pool, other] = [createPool({ workers: 1 }), createPool({ workers: 1 })];
  const calls = [pool, other].flatMap((each) => Array.from({ length: 30 }, () => each.render(bytes, small)));
  assert.equal(new Set((await Promise.all(calls)).map(String)).size, 1);
  for (let ms = 0; ms < 60; ms += 3) {
    const stop = new AbortController();
    const slowly = [model, bytes, bytes, model].map((input) => pool.turntable(input, { ...endless, signal: stop.signal }));
    setTimeout(() => stop.abort(), ms);
    await Promise.all(slowly.map(aborts));
    await aborts(pool.render(model, { signal: stop.signal }));
  }
  for await (const { frame } of pool.frames(model, { size: 256 })) if (frame === 1) break;
  assert.equal(pool.running.size, 0);
  for (let i = 0; i < 100 && pool.server.pending.size > 0; i++) await sleep(50);
  assert.equal(pool.server.pending.size, 0); // they ended there too
  const { pid } = (await pool.render(model, small), pool.server.child);
  const lost = [pool.turntable(model, endless), pool.turntable(bytes, endless)];
  setTimeout(() => process.kill(pid, "SIGKILL"), 100);
  const third = pool.render(model, small); // waits here, and goes to the next process
  await Promise.all(lost.map((call) => fails(call, 9, /SIGKILL/)));
  await gone(pid);
  assert.ok((await third).length > 100);
  await Promise.all([pool.close(), other.close()]);
});

test("a program that is another one, or that is busy", async () => {
  const fake = (body) => {
    writeFileSync(file("fake"), `#!${process.execPath}\n${body}\nsetTimeout(() => {}, 1e6)`, { mode: 0o755 });
    return createPool({ program: file("fake") });
  };
  await fails(fake('console.log("hello")').render(model), 9, /no JSON/);
  await fails(fake("console.log('{\"protocol\":2}')").render(model), 9, /protocol 2/);
  const busy = (times) => fake(`let left = ${times}; console.log('{"protocol":1,"workers":1}');
    require("readline").createInterface(process.stdin).on("close", process.exit).on("line", (line) =>
      console.log(JSON.stringify({ id: JSON.parse(line).id, ...(left-- > 0 ? { busy: true, code: 5 } : { code: 0 }) })));`);
  assert.equal((await busy(3).render(model)).length, 0);
  const [{ now }, lost] = [Date, busy(1e9).render(model)];
  Date.now = () => now() + 1e4;
  await fails(lost, 5);
  Date.now = now;
  const deaf = fake(`let requests = 0; console.log('{"protocol":1,"workers":1}');
    require("readline").createInterface(process.stdin).on("close", process.exit).on("line", (line) =>
      console.log(JSON.stringify({ id: JSON.parse(line).id, progress: { frame: ++requests, total: 3 } }) + "\\n" +
        JSON.stringify({ id: JSON.parse(line).id, code: 0 })));`); // it loses progress
  assert.deepEqual(await deaf.numbers("render", model, {}), [1, 2, 3]);
  await deaf.close();
});

test("Node ends by itself, leaves no process, and close waits", async () => {
  const begin = `const { createPool, diff } = require("zoetrope"), pool = createPool({ workers: 1 });
    const tell = () => console.log(pool.server.child.pid), m = ${JSON.stringify(model)}, endless = ${JSON.stringify(endless)};`;
  for (const [rest, code] of [
    ["pool.render(m, { size: 16 }).then(tell)", 0],
    ["pool.turntable(m, endless); tell(); setTimeout(() => process.exit(3), 200)", 3],
    ["pool.render(m, { size: 512 }); tell(); setTimeout(() => process.kill(process.pid, 9), 200)", null],
    ["process.nextTick = () => {}; pool.render(m, { size: 16 }).then(() => process.exit(5)); tell()", 5],
    ["pool.render(m); tell(); diff(m, require('fs').readFileSync(m)); process.exit(4)", 4],
  ]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", begin + rest], { timeout: 60000 });
    assert.equal(status, code, String(stderr));
    await gone(Number(stdout));
  }
  const full = `const { render } = require("zoetrope"); try { for (;;) require("fs").openSync("/"); } catch {}
    render("a.glb").catch(({ code }) => process.exit(code))`;
  assert.equal(spawnSync("sh", ["-c", 'ulimit -n 60; exec "$0" -e "$1"', process.execPath, full]).status, 9);
  const [pool, idle] = [createPool(), createPool({ idle: 50 })];
  const call = pool.render(bytes, { size: 512 });
  const { pid } = pool.server.child;
  await pool.close();
  assert.ok(!existsSync(`/proc/${pid}/exe`) && (await call).length > 100);
  const { pid: resting } = (await idle.render(bytes, small), idle.server.child);
  await gone(resting);
  assert.ok((await idle.render(bytes, small)).length > 100);
});

test("npx zoetrope passes on exit codes and signals", async () => {
  const npx = () => spawnSync("npx", ["zoetrope", "inspect", "none.glb"]);
  assert.equal(npx().status, 3);
  chmodSync(program, 0o644);
  const { status, stderr } = npx();
  chmodSync(program, 0o755);
  assert.ok(status === 9 && /^zoetrope: .*EACCES$/m.test(stderr), String(stderr));
  const endlessly = ["turntable", model, "--count", "36000", "--size", "64", "--progress", "json", "-o", file("long.apng")];
  const child = spawn("node_modules/.bin/zoetrope", endlessly);
  await once(child.stderr, "data"); // it has begun
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [143, null]);
});

test("snapshots are written, matched, and explained", async () => {
  const match = (update, ...rest) => toMatchModelSnapshot.call(
    { snapshotState: { _updateSnapshot: update }, testPath: file("hero.test.js"), currentTestName: "höhe / one" }, ...rest);
  const kept = () => readdirSync(file("__model_snapshots__")).join().replaceAll("hero.test.js-höhe-one", "");
  for (const [update, input, options, pass, files, text] of [
    ["none", model, small, false, null, /one\.png is missing/], ["new", model, small, true, ".png"],
    ["none", bytes, small, true, ".png"], ["new", model, left, false, ".diff.png,.png,.received.png", /^[\d.]+ % of/],
    ["new", await thumbnail(model, small), {}, true, ".png"],
    ["new", await thumbnail(model, left), {}, false, ".diff.png,.png,.received.png", /^[\d.]+ % of/],
    ["none", model, { size: 64 }, false, ".diff.png,.png,.received.png", /^the size differs.*received\.png.*\.diff\.png$/s],
    ["new", model, { ...left, compare: { maxDiff: 255, pixels: 1e4 } }, true, ".png"], ["all", model, left, true, ".png"],
    ["none", model, left, true, ".png"], ["none", model, { ...left, name: "side" }, false, ".png", /one-side\.png/],
  ]) {
    const result = await match(update, input, options);
    assert.equal(result.pass, pass, result.message());
    if (files) assert.equal(kept(), files);
    assert.match(result.message(), text ?? /./);
  }
  for (const [k, options] of [small, left].entries()) // names that begin the same
    assert.ok((await match("new", model, { ...options, name: "long".repeat(30) + k })).pass);
  await assert.rejects(toMatchModelSnapshot.call({ isNot: true }, model), /\.not/);
});

test("the service for uploads", async () => {
  const server = spawn(process.execPath, ["upload_service.mjs", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(server.stdout, "data");
  for (const [status, text, name, body] of [
    [200, /^RIFF....WEBP/s, "walker.glb", bytes], [200, /WEBP/, "../../etc/passwd", bytes],
    [422, /^half\.glb.*\n$/, "half.glb", bytes.subarray(0, 999)], [415, /Blender/, "", "BLENDER-v300"],
    [413, /at most/, "large.glb", Buffer.alloc(33 << 20)],
  ]) {
    const answer = await fetch(`http://127.0.0.1:${String(port).trim()}/?name=${name}`, { method: "POST", body });
    assert.equal(answer.status, status);
    assert.match(Buffer.from(await answer.arrayBuffer()).toString("latin1"), text);
  }
  server.kill("SIGTERM");
  assert.deepEqual(await once(server, "exit"), [0, null]);
});
