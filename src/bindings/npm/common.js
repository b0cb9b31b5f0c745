// SPDX-License-Identifier: MIT
// Errors, options and the program, for the other files.
'use strict';
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { isAnyArrayBuffer } = require('node:util/types');

const NAMES = ['DONE', 'DIFFERENT', 'USAGE', 'INPUT_MISSING', 'MALFORMED', 'LIMIT', 'OUTPUT', 'MEMORY', 'UNSUPPORTED'];

/** The program said no: `code` is its exit code, `codeName` the name of that, `messages` its warnings. */
class ZoetropeError extends Error {
  constructor(code, message, messages = []) {
    super(message);
    const codeName = NAMES[code] ?? (code === 143 ? 'CANCELLED' : 'INTERNAL');
    Object.assign(this, { name: 'ZoetropeError', code, codeName, messages });
  }
}

/** The error that Node's own functions throw for a signal. */
function abortError(signal) {
  const error = new Error('The operation was aborted', { cause: signal.reason });
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' });
}

/** The program of the package for this platform. */
function findProgram() {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return require.resolve(`@zoetrope/${platform}/bin/zoetrope`);
  } catch {
    throw new ZoetropeError(8, `@zoetrope/${platform} is missing (expected linux-x64 or linux-arm64, installed with \
optional dependencies)`);
  }
}

/** The last line that the program wrote to standard error. */
const reasonOf = (text) => String(text).trim().split('\n').pop().replace(/^zoetrope: /, '');
const pathOf = (file, base) => path.resolve(base, file instanceof URL ? fileURLToPath(file) : file);
const isBytes = (value) => ArrayBuffer.isView(value) || isAnyArrayBuffer(value); // those of another realm too

/** The files of an input that is no path, the model first. No name leads out of a folder. */
function filesOf(input) {
  const files = Object.entries(isBytes(input) ? { input } : Object(input));
  const wrong = files.find(([name, bytes]) => !isBytes(bytes) || /^([\\/]|$)|(^|[\\/])\.\.([\\/]|$)/.test(name));
  if (wrong || files.length === 0)
    throw new ZoetropeError(2, `${wrong?.[0] ?? 'the input'} is no bytes, or leads outside (expected a path, bytes or {name: bytes})`);
  return files.map(([name, bytes]) => [name, Buffer.from(bytes.buffer ?? bytes, bytes.byteOffset, bytes.byteLength)]);
}

/** Options under the names of the flags: maxMemory is max-memory. Values are texts: the program judges what is none. */
function flagsOf(options) {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null && value !== false);
  const text = (value) => (value instanceof URL ? fileURLToPath(value) : String(value));
  const flag = (value) => (value === true ? value : Array.isArray(value) ? value.map(text) : text(value));
  return Object.fromEntries(given.map(([key, value]) => [key.replace(/[A-Z]/g, (c) => '-' + c.toLowerCase()), flag(value)]));
}

module.exports = { ZoetropeError, abortError, filesOf, findProgram, flagsOf, isBytes, pathOf, reasonOf };
