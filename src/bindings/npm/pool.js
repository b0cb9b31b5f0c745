// SPDX-License-Identifier: MIT
// A pool: one warm process of the program (`zoetrope serve --stdio`), and the requests that it answers.
'use strict';
const { spawn } = require('node:child_process');
const path = require('node:path');
const { clearTimeout, setTimeout } = require('node:timers'); // Jest replaces the global ones
const { arraysOf } = require('./arrays.js');
const { ZoetropeError, abortError, filesOf, findProgram, flagsOf, pathOf, reasonOf } = require('./common.js');
const { diffModels } = require('./diff.js');

const BUSY_MS = 10000; // how long a request is sent again to a full queue
const AHEAD = 4; // frames that are asked for before they are wanted
const LINE_MAX = 65000; // bytes, less than a line of the protocol has
const OUTPUT_FLAGS = ['atlas', 'diff', 'html', 'junit', 'markdown'];
const INPUT_FLAGS = ['environment', 'light', 'texture-dir', 'mask'];

const children = new Set();
process.on('exit', () => children.forEach((child) => child.kill()));

/** Calls `frame(object, bytes)` for each frame of a stream, and `fault()` for what is none. */
function readFrames(stream, frame, fault) {
  let [answer, parts, lacking] = [null, [], 0];
  stream.on('data', (chunk) => {
    while (chunk.length > 0) {
      const end = answer ? Math.min(lacking, chunk.length) : chunk.indexOf(10);
      parts.push(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) return;
      chunk = chunk.subarray(answer ? end : end + 1);
      if (answer) lacking -= end;
      else {
        try {
          answer = JSON.parse(Buffer.concat(parts));
        } catch {
          return fault();
        }
        [parts, lacking] = [[], answer.bytes ?? 0];
      }
      if (lacking > 0) continue;
      const whole = [answer, Buffer.concat(parts)];
      [answer, parts] = [null, []];
      frame(...whole);
    }
  });
}

class Pool {
  constructor({ program, workers, root = '/', queue, maxRequest, idle } = {}) {
    this.program = program ?? findProgram();
    this.root = root === null ? null : path.resolve(root);
    const flags = { root: this.root, jobs: workers, queue, 'max-request': maxRequest };
    this.flags = Object.entries(flags).flatMap(([key, value]) => (value == null ? [] : [`--${key}`, String(value)]));
    this.idle = idle;
    this.server = null;
    this.waiting = [];
    this.running = new Set(); // requests whose promise is open
    this.closed = false;
    this.lastId = 0;
  }

  /** A file as the process names it: below its root. */
  below(file) {
    if (this.root === null) throw new ZoetropeError(2, `${file}: a pool without a root takes bytes only`);
    return path.relative(this.root, pathOf(file, this.root === '/' ? process.cwd() : this.root));
  }

  /** Any command: resolves to {code, data, messages} with code 0 or 1. */
  async run(command, inputs, { signal, onProgress, output, ...options } = {}) {
    if (this.closed) throw new ZoetropeError(2, 'the pool is closed');
    if (signal?.aborted) throw abortError(signal);
    const files = [];
    const names = inputs.map((input, i) => {
      if (typeof input === 'string' || input instanceof URL) return this.below(input);
      const entries = filesOf(input);
      const folder = entries.some(([name]) => files.some((file) => file.name === name)) ? `${i}/` : '';
      files.push(...entries.map(([name, data]) => ({ name: folder + name, data })));
      return folder + entries[0][0];
    });
    const flags = flagsOf(options);
    for (const flag of [...OUTPUT_FLAGS, ...(files.length > 0 ? [] : INPUT_FLAGS)]) // with files, flags name some of them
      if (flags[flag] && !/^(studio|file|none)$/.test(flags[flag])) flags[flag] = this.below(flags[flag]);
    const sizes = files.map(({ name, data }) => ({ name, bytes: data.length }));
    const line = { command, inputs: names, flags, files: sizes, progress: !!onProgress, output: output && this.below(output) };
    const text = JSON.stringify(line).slice(1);
    if (Buffer.byteLength(text) > LINE_MAX || /\\u(0000|d[89a-f])/.test(text)) // the process would end, and with it others
      throw new ZoetropeError(2, `names or flags with NUL, half a character or ${LINE_MAX} bytes (expected none)`);
    return new Promise((resolve, reject) => {
      const request = { text, files, onProgress, since: Date.now() };
      const abort = () => this.giveUp(request, abortError(signal));
      signal?.addEventListener('abort', abort, { once: true });
      request.settle = (error, value) => {
        this.running.delete(request);
        signal?.removeEventListener('abort', abort);
        request.onProgress = null;
        error ? reject(error) : resolve(value);
      };
      this.running.add(request);
      this.waiting.push(request);
      this.pump();
    });
  }

  start() {
    // In a session of its own: Ctrl-C reaches Node alone.
    const child = spawn(this.program, ['serve', '--stdio', ...this.flags], { stdio: 'pipe', detached: true });
    const server = { child, pending: new Map(), hello: null, fault: null }; // pending by id, until the answer
    let complaint = '';
    children.add(child);
    const kill = (fault) => {
      server.fault ??= fault;
      child.kill('SIGKILL');
    };
    const frame = (answer, bytes) => {
      const request = server.pending.get(answer.id);
      if (!server.hello) {
        if (answer.protocol !== 1) return kill(`protocol ${answer.protocol} of zoetrope (expected 1)`);
        server.hello = answer;
        this.pump();
      } else if (request && answer.progress) {
        try { request.onProgress?.(answer.progress); } catch (error) { this.giveUp(request, error); }
      } else if (request) {
        server.pending.delete(answer.id);
        this.answered(request, answer, bytes);
      } else if (answer.id === null) server.fault = answer.message; // the process ends after this
    };
    server.gone = new Promise((resolve) => {
      const end = (code, text) => {
        if (children.delete(child)) this.ended(server, new ZoetropeError(code, text));
        resolve();
      };
      child.once('error', (error) => end(9, `${this.program} cannot be started: ${error.message}`));
      child.once('close', (code, signal) => {
        const way = signal ? `by ${signal}` : `with exit code ${code}`;
        end(code || 9, server.fault ?? (reasonOf(complaint) || `the process of zoetrope ended ${way}`));
      });
    });
    if (!child.stdin) return server; // no file descriptor was free
    readFrames(child.stdout, frame, () => kill('the process of zoetrope sent no JSON (expected a frame)'));
    child.stdin.on('error', () => {}); // the end of the process says it
    child.stderr.on('data', (text) => (complaint = (complaint + text).slice(-4096)));
    return server;
  }

  /** Starts the process where there is none, sends it what keeps all workers at work, and lets it rest after the last. */
  pump() {
    clearTimeout(this.timer);
    if (this.waiting.length > 0) this.server ??= this.start();
    const { server } = this;
    if (!server) return;
    while (this.waiting.length > 0 && server.hello && server.pending.size < 2 * server.hello.workers) {
      const request = this.waiting.shift();
      request.id = ++this.lastId;
      server.pending.set(request.id, request);
      server.child.stdin.cork();
      server.child.stdin.write(`{"id":${request.id},${request.text}\n`);
      for (const { data } of request.files) server.child.stdin.write(data);
      server.child.stdin.uncork();
    }
    // The process and its pipes keep Node alive only while somebody waits.
    const wanted = this.running.size > 0;
    for (const handle of [server.child, ...(server.child.stdio ?? [])]) handle[wanted || this.closed ? 'ref' : 'unref']?.();
    if (wanted) return;
    if (this.closed) server.child.stdin.end();
    else if (this.idle)
      this.timer = setTimeout(() => {
        server.child.stdin.end();
        this.server = null;
      }, this.idle).unref();
  }

  answered(request, { code, message, messages = [], busy }, data) {
    if (busy && this.running.has(request) && Date.now() - request.since < BUSY_MS)
      setTimeout(() => this.running.has(request) && (this.waiting.push(request), this.pump()), 50);
    else if (code <= 1) request.settle(null, { code, data, messages });
    else request.settle(new ZoetropeError(code, message ?? `exit code ${code}`, messages));
    this.pump();
  }

  giveUp(request, error) {
    this.waiting = this.waiting.filter((other) => other !== request);
    if (this.server?.pending.has(request.id))
      this.server.child.stdin.write(JSON.stringify({ cancel: request.id }) + '\n');
    request.settle(error);
    this.pump();
  }

  ended(server, error) {
    if (this.server === server) this.server = null;
    const lost = [...server.pending.values(), ...(server.hello ? [] : this.waiting.splice(0))];
    for (const request of lost) request.settle(error);
    this.pump();
  }

  /** Resolves when the requests are answered and the process is gone. */
  async close() {
    this.closed = true;
    this.pump();
    while (this.server) await this.server.gone;
  }

  async picture(command, input, { raw, ...options } = {}) {
    if (raw) return (await this.planes(input, { command, ...options, planes: 'color' })).color;
    return (await this.run(command, [input], options)).data;
  }

  async planes(input, { command = 'render', planes, ...options }) {
    const flags = { frames: 0, ...options, planes: String(planes), format: 'npz' };
    return arraysOf((await this.run(command, [input], flags)).data);
  }

  /** The numbers of the frames, which only the program knows: it says them while it makes tiny ones. */
  async numbers(command, input, { raw, output, planes, bits, encoding, ...options }) {
    if (Array.isArray(options.frames)) return options.frames;
    const numbers = new Set();
    let count = 0; // who does not read for a while loses some of the progress
    const onProgress = ({ frame, total }) => (numbers.add(frame), (count = total));
    const tiny = { size: 1, samples: 1, quality: 'fast', format: 'rgba', onProgress };
    do await this.run(command, [input], { ...options, ...tiny });
    while (numbers.size < count);
    if (numbers.size === 0) numbers.add(Number.parseInt(options.frames ?? 0)); // of one picture there is none
    return [...numbers].sort((a, b) => a - b);
  }

  async *frames(input, { command = 'render', onProgress, signal, ...options } = {}) {
    const numbers = await this.numbers(command, input, { ...options, signal });
    const [ahead, stop] = [[], new AbortController()];
    const abort = () => stop.abort(signal.reason);
    signal?.addEventListener('abort', abort);
    try {
      for (let done = 0; done < numbers.length; done++) {
        if (signal?.aborted) throw abortError(signal);
        for (let i = done + ahead.length; i < Math.min(done + AHEAD, numbers.length); i++) {
          ahead.push(this.picture(command, input, { ...options, frames: numbers[i], signal: stop.signal }));
          ahead.at(-1).catch(() => {}); // it is thrown when its turn comes
        }
        const data = await ahead.shift();
        onProgress?.({ done: done + 1, total: numbers.length, frame: numbers[done] });
        yield { frame: numbers[done], data };
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      stop.abort(); // who takes no more wants none of those ahead
    }
  }

  async inspect(input, options) {
    return JSON.parse((await this.run('inspect', [input], { ...options, json: true })).data);
  }

  async compare(a, b, options) {
    return JSON.parse((await this.run('compare', [a, b], { ...options, json: true })).data).pairs[0];
  }

  diff = (a, b, options) => diffModels(this.program, a, b, options);
  render = (input, options) => this.picture('render', input, options);
  turntable = (input, options = {}) =>
    this.picture('turntable', input, options.frames ?? options.output ? options : { format: 'apng', ...options });
  thumbnail = (input, options) => this.picture('thumbnail', input, options);
}

module.exports = { Pool };
