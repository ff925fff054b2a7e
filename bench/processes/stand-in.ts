import { startPrintService } from '../../sandbox/print/start.ts';
import { startStore } from '../../sandbox/store/start.ts';

// Runs one stand-in in a separate process. The argument is JSON that contains the kind of stand-in and its start options.

export type StandInArguments =
  | { of: 'print'; options: Parameters<typeof startPrintService>[0] }
  | { of: 'store'; options: Parameters<typeof startStore>[0] };

const given = JSON.parse(process.argv[2] ?? '') as StandInArguments;
if (given.of === 'print') await startPrintService(given.options);
else await startStore(given.options);
