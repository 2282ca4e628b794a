#!/usr/bin/env node
// The process: what the command line asks for.

import { runCli } from './cli/cli.ts';

process.exitCode = await runCli(process.argv.slice(2));
