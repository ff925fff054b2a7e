import { openEmbeddedDatabase } from '../../src/database/embedded.ts';

/**
 * A process that opens the embedded database of the home it is given, says its URL, and leaves when its input ends.
 * A test starts it to have another process beside its own, or one to kill.
 */
const [home = ''] = process.argv.slice(2);
const database = await openEmbeddedDatabase(home, { info: () => undefined });
process.stdout.write(`${database.url}\n`);
process.stdin.resume();
process.stdin.on('end', () => {
  void database.close().then(() => process.exit(0));
});
