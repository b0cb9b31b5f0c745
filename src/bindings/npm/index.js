// SPDX-License-Identifier: MIT
'use strict';
const { ZoetropeError } = require('./common.js');
const { Pool } = require('./pool.js');

let shared;
/** A function of the pool that all calls share. Its process ends after ten seconds without a request. */
const call = (name) => async (...args) => (shared ??= new Pool({ idle: 10000 }))[name](...args);

// One line each: so `import` finds the names.
exports.render = call('render');
exports.turntable = call('turntable');
exports.thumbnail = call('thumbnail');
exports.planes = call('planes');
exports.inspect = call('inspect');
exports.compare = call('compare');
exports.diff = call('diff');
exports.run = call('run');
exports.frames = async function* (...args) {
  yield* await call('frames')(...args);
};
exports.createPool = (options) => new Pool(options);
exports.ZoetropeError = ZoetropeError;
