#!/usr/bin/env node
// The process: runs the command of the command line.

import { runCli } from './cli/cli.ts';

process.exitCode = await runCli(process.argv.slice(2));
