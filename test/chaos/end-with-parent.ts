import { flushCompileCache } from 'node:module';

// Loaded first in every process that a run starts. It ends when the run is gone, also by a SIGKILL.
process.channel?.unref();
process.once('disconnect', () => process.exit(1));
// What is killed writes no cache at its end: by then everything is loaded.
setTimeout(flushCompileCache, 5_000).unref();
