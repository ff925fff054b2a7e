import { startPrintService } from '../../sandbox/print/start.ts';
import { startStore } from '../../sandbox/store/start.ts';

// One stand-in in a process of its own. Its one argument is JSON: which one, and the options of its start.

export type StandInArguments =
  | { of: 'print'; options: Parameters<typeof startPrintService>[0] }
  | { of: 'store'; options: Parameters<typeof startStore>[0] };

const given = JSON.parse(process.argv[2] ?? '') as StandInArguments;
if (given.of === 'print') await startPrintService(given.options);
else await startStore(given.options);
