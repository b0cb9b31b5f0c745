// SPDX-License-Identifier: MIT
'use strict';
// The project's own Playwright: a second one would not know the test that runs.
const { expect, test } = require(require.resolve('@playwright/test', { paths: [process.cwd()] }));
const { toMatchModelSnapshot } = require('./snapshot.js');

exports.expect = expect.extend({
  toMatchModelSnapshot(received, options) {
    return toMatchModelSnapshot.call({ ...this, info: test.info() }, received, options);
  },
});
