import './world/globals.ts';
import { writeFileSync, appendFileSync } from 'node:fs';
import { startTestServer } from '../helpers/global-setup.ts';
import { configureServer, openDatabases } from './databases.ts';
import { runSeed } from './run-seed.ts';

const [seed = 1, count = 1, orders = 20, traceFile = ''] = process.argv.slice(2);
const server = await startTestServer();
await configureServer(server.url);
const databases = await openDatabases(server.url);
try {
  for (let one = Number(seed); one < Number(seed) + Number(count); one += 1) {
    if (traceFile) writeFileSync(`${traceFile}.${one}`, '');
    const begun = process.hrtime.bigint();
    const outcome = await runSeed(databases, { seed: one, orders: Number(orders), limit: null, ...(traceFile && { write: (line: string) => appendFileSync(`${traceFile}.${one}`, `${line.replaceAll('\n', ' ').slice(0, 300)}\n`) }) });
    const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
    console.log(one, outcome.findings.length, outcome.hash.slice(0, 16), outcome.steps, outcome.days.toFixed(1), seconds.toFixed(2));
    if (outcome.findings.length) console.log(outcome.story.slice(-20).join('\n'), JSON.stringify(outcome.findings, null, 1).slice(0,3000));
  }
} finally {
  await databases.close();
  await server.stop();
}
