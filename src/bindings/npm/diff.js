// SPDX-License-Identifier: MIT
// The differences of two models, by a process of its own: the warm one has no such command.
'use strict';
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { ZoetropeError, abortError, filesOf, flagsOf, pathOf, reasonOf } = require('./common.js');

const folders = new Set();
const remove = (folder) => fs.rmSync(folder, { recursive: true, force: true });
process.on('exit', () => folders.forEach(remove));

/** Runs the program; resolves to its standard output where it ends with 0 or 1. */
function execProgram(program, args, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortError(signal));
    execFile(program, args, { signal, maxBuffer: 1 << 30 }, (error, stdout, stderr) => {
      if (!error || error.code === 1) resolve(stdout);
      else if (signal?.aborted) reject(abortError(signal));
      else reject(new ZoetropeError(Number.isInteger(error.code) ? error.code : 9, reasonOf(stderr) || error.message));
    });
  });
}

async function diffModels(program, a, b, { signal, ...options } = {}) {
  const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'zoetrope-'));
  folders.add(folder);
  /** The path of an input, whose bytes are written below the folder. */
  const written = (input, i) => {
    if (typeof input === 'string' || input instanceof URL) return pathOf(input, process.cwd());
    const files = filesOf(input).map(([name, bytes]) => {
      const file = path.join(folder, String(i), name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, bytes);
      return file;
    });
    return files[0];
  };
  try {
    const flags = Object.entries(flagsOf(options)).map(([key, value]) => (value === true ? `--${key}` : `--${key}=${value}`));
    return JSON.parse(await execProgram(program, ['diff', ...[a, b].map(written), '--json', ...flags], signal));
  } finally {
    remove(folder);
    folders.delete(folder);
  }
}

module.exports = { diffModels };
