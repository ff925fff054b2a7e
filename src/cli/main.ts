#!/usr/bin/env node
import { run } from './run.ts';

// Whoever reads the output may leave before its end.
process.stdout.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2));
