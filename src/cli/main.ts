import { writeErrorLine } from '../terminal.ts';
import { run } from './run.ts';

let isIncomplete = false;
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // A program that reads the output, such as `head`, may close the pipe early.
  if (code === 'EPIPE' || isIncomplete) return;
  isIncomplete = true;
  const why =
    code === 'ENOSPC' ? 'its disk is full. Free space' : `it could not be written (${code}). Resolve the error`;
  writeErrorLine(`The output is incomplete, because ${why}, and run the command again.`);
  process.exitCode ??= 1;
});
// Nothing is left to report a failure to.
process.stderr.on('error', () => undefined);

const exitCode = await run(process.argv.slice(2));
if (exitCode !== 0) process.exitCode = exitCode;
