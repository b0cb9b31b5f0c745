// SPDX-License-Identifier: MIT
// The matcher toMatchModelSnapshot, for Jest, Vitest and Playwright.
'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const zoetrope = require('./index.js');
const { isBytes } = require('./common.js');

/** The test that runs, and which goldens may be written: all, new or none. */
function contextOf({ info, snapshotState, testPath, currentTestName }) {
  if (!info) return { file: testPath, title: currentTestName, update: snapshotState._updateSnapshot };
  const update = { all: 'all', changed: 'all', none: 'none' }[info.config.updateSnapshots];
  return { file: info.file, title: info.titlePath.slice(1).join(' '), update: update ?? (process.env.CI ? 'none' : 'new') };
}

/** Received is a model, or a picture as PNG. Options are those of thumbnail; `compare` has limits, as {pixels: 9}. */
async function toMatchModelSnapshot(received, { name = '', command = 'thumbnail', compare, ...options } = {}) {
  if (this.isNot) throw new Error('toMatchModelSnapshot with .not (expected a snapshot that is equal)');
  const { file, title, update } = contextOf(this);
  const whole = `${path.basename(file)} ${title} ${name}`.trim();
  const hash = whole.length > 80 ? createHash('sha256').update(whole).digest('hex').slice(0, 8) : '';
  const words = whole.replace(/[^\p{L}\p{N}._]+/gu, '-').slice(0, 80 - hash.length) + hash;
  const stem = path.join(path.dirname(file), '__model_snapshots__', words);
  const [golden, actual, difference] = ['png', 'received.png', 'diff.png'].map((suffix) => `${stem}.${suffix}`);
  const result = (pass, text) => ({ pass, message: () => text });
  const isPng = isBytes(received) && Buffer.from(received).toString('latin1', 1, 4) === 'PNG';
  const picture = isPng ? received : await zoetrope[command](received, options);
  [actual, difference].forEach((old) => fs.rmSync(old, { force: true }));
  const exists = fs.existsSync(golden);
  const measures = exists ? await zoetrope.compare(golden, picture, compare) : null;
  if (measures?.pass) return result(true, `${golden} is matched`);
  if (update === 'all' || (update === 'new' && !exists)) {
    fs.mkdirSync(path.dirname(golden), { recursive: true });
    fs.writeFileSync(golden, picture);
    return result(true, `${golden} is written`);
  }
  if (!exists) return result(false, `${golden} is missing (expected a snapshot, since this run writes none)`);
  fs.writeFileSync(actual, picture);
  await zoetrope.compare(golden, actual, { diff: difference });
  const share = measures.class === 'size' ? 'the size differs' : `${measures.share.toPrecision(3)} % of the pixels differ`;
  return result(false, `${share}\n  expected:   ${golden}\n  received:   ${actual}\n  difference: ${difference}`);
}

module.exports = { toMatchModelSnapshot };
