import { createInterface } from 'node:readline/promises';
import { PlatenError } from '../errors.ts';

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/**
 * Requires confirmation before a command does something irreversible. `isGiven` is the command's option --yes. The question is written to
 * standard error, so that standard output contains only the command's output. Throws PlatenError `not_confirmed` for any answer other than
 * yes, or if there is no terminal.
 */
export async function confirm(
  warning: string,
  isGiven: boolean,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (isGiven) return;
  if (!input.isTTY) throw new PlatenError('not_confirmed', `${warning} Nothing was changed. To proceed, add --yes.`);
  const terminal = createInterface({ input, output });
  try {
    // If the terminal's input is closed, for example with Ctrl+D, the question gets no answer.
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const answer = await Promise.race([terminal.question(`${warning} Continue? [y/N] `), closed]);
    if (!/^\s*y(es)?\s*$/i.test(answer)) throw new PlatenError('not_confirmed', 'Nothing was changed.');
  } finally {
    terminal.close();
  }
}
