import { createInterface } from 'node:readline/promises';
import { PlatenError } from '../errors.ts';

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/**
 * Asks before a command does what cannot be undone; `isGiven` is its option --yes. Standard output stays free for what the command
 * prints. Throws PlatenError `not_confirmed` for any answer but yes, and where nobody can be asked.
 */
export async function confirm(
  warning: string,
  isGiven: boolean,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (isGiven) return;
  if (!input.isTTY) throw new PlatenError('not_confirmed', `${warning} Nothing was changed: add --yes to do it.`);
  const terminal = createInterface({ input, output });
  try {
    // A terminal that is closed, as by Ctrl+D, gives no answer at all.
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const answer = await Promise.race([terminal.question(`${warning} Continue? [y/N] `), closed]);
    if (!/^\s*y(es)?\s*$/i.test(answer)) throw new PlatenError('not_confirmed', 'Nothing was changed.');
  } finally {
    terminal.close();
  }
}
