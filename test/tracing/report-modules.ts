import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * Loaded into a process of Platen before its own code. Writes the address of each loaded module to the file in `MODULES_FILE`, and stops
 * the process as soon as it is ready.
 */
const file = process.env['MODULES_FILE'];
if (file === undefined) throw new Error('MODULES_FILE is not set');
registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(file, `${url}\n`);
    return nextLoad(url, context);
  },
});

async function stopWhenReady(): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${process.env['PORT']}/readyz`).catch(() => null);
  if (!answer?.ok) return;
  clearInterval(timer);
  process.kill(process.pid, 'SIGTERM');
}

const timer = setInterval(() => void stopWhenReady(), 100);
