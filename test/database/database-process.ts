import { openEmbeddedDatabase } from '../../src/database/embedded.ts';

/**
 * Opens the embedded database of the given home, prints its URL, and exits when its input ends. Tests start it as a second process or as
 * a process to kill.
 */
const [home = ''] = process.argv.slice(2);
const database = await openEmbeddedDatabase(home, { info: () => undefined });
process.stdout.write(`${database.url}\n`);
process.stdin.resume();
process.stdin.on('end', () => {
  void database.close().then(() => process.exit(0));
});
