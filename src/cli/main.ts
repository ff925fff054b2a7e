import { run } from './run.ts';

// A program that reads the output, such as `head`, may close the pipe early, which is not an error.
process.stdout.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2));
