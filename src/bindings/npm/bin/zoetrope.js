#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// npx zoetrope ...: the program, with its exit code and signals.
'use strict';
const { spawn } = require('node:child_process');
const { findProgram } = require('../common.js');

const fail = ({ message, errno, code }) => {
  console.error(`zoetrope: ${message}`);
  process.exit(errno ? 9 : code);
};
try {
  const child = spawn(findProgram(), process.argv.slice(2), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', fail);
  child.on('exit', (code, signal) => process.exit(code ?? 128 + require('node:os').constants.signals[signal]));
} catch (error) {
  fail(error);
}
