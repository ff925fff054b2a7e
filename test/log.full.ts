import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';

test('a reader of the log that has stopped does not stop the process', async () => {
  const program = `
    import { countLostLines, createLog } from ${JSON.stringify(new URL('../src/log.ts', import.meta.url).href)};
    process.stdout.on('error', () => undefined);
    const log = createLog('info');
    for (let line = 0; line < 5_000; line += 1) log.warn({ text: 'x'.repeat(500) }, 'it waits');
    process.send(countLostLines());
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdout?.pause();
  expect((await once(child, 'message'))[0]).toBeGreaterThan(1_000);
});
