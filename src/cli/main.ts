import { run } from './run.ts';

// A program that reads the output, such as `head`, may close the pipe early, and the disk of the output may be full.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2));
