import { flushCompileCache } from 'node:module';

// Every process that a run starts loads this module first. The process then ends when the run ends, even if the run is ended by SIGKILL.
process.channel?.unref();
process.once('disconnect', () => process.exit(1));
// A killed process does not write its compile cache, so the cache is flushed once everything has been loaded.
setTimeout(flushCompileCache, 5_000).unref();
