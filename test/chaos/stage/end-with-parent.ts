import { flushCompileCache } from 'node:module';

// Loaded first in every process that a run starts. The process ends when the run ends, even by SIGKILL.
process.channel?.unref();
process.once('disconnect', () => process.exit(1));
// A killed process does not write its compile cache, so it is written once everything is loaded.
setTimeout(flushCompileCache, 5_000).unref();
