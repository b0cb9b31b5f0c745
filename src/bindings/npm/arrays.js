// SPDX-License-Identifier: MIT
// The arrays of NumPy's .npz as the program writes it: a ZIP without compression, one plane after another.
'use strict';

const ENTRY = 0x04034b50; // "PK\3\4"
const TYPES = { '|u1': Uint8Array, '<u4': Uint32Array, '<f4': Float32Array };

/** By the name of the plane: {data, width, height, channels}. Bytes are a Buffer. */
function arraysOf(npz) {
  const arrays = {};
  for (let at = 0; npz.readUInt32LE(at) === ENTRY; ) {
    const start = at + 30 + npz.readUInt16LE(at + 26); // of the array, behind its name
    const name = npz.toString('latin1', at + 30, start - '.npy'.length);
    const first = start + 10 + npz.readUInt16LE(start + 8);
    const [, type, shape] = /'descr': '(.*?)'.*'shape': \((.*?)\)/.exec(npz.toString('latin1', start, first));
    const [height, width, channels = 1] = shape.split(', ').map(Number);
    at = start + npz.readUInt32LE(at + 18);
    const { buffer } = new Uint8Array(npz.subarray(first, at)); // a copy, where numbers are aligned
    const data = new TYPES[type](buffer);
    arrays[name] = { data: type === '|u1' ? Buffer.from(buffer) : data, width, height, channels };
  }
  return arrays;
}

module.exports = { arraysOf };
