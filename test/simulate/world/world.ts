import type pg from 'pg';
import { setReadyJobs } from '../../../src/jobs/backlogs.ts';
import type { ChaosRandom } from '../../chaos/orders/random.ts';
import { openSimulatedDatabase, type Database, type QueryFault } from './database.ts';
import { replaceGlobals } from './globals.ts';
import { openNetwork, type Call, type CallFault, type Network } from './network.ts';
import { createPlace, type Place } from './place.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';

/** Everything outside of the code under test: time, chance, the network and the database. */
export interface World {
  scheduler: Scheduler;
  network: Network;
  database: Database;
  databaseUrl: string;
  judge: Place;
  close: () => Promise<void>;
}

interface WorldOptions {
  random: ChaosRandom;
  databaseUrl: string;
  /** Open sessions of the database that no client uses. */
  sessions: pg.Client[];
  /** Sets the database's time. */
  showTime: (at: Date) => void;
  write: (line: string) => void;
  drawCallFault: (call: Call) => CallFault;
  answered: (to: Place, call: Call, status: number) => void;
  drawQueryFault: (place: Place, text: string) => QueryFault;
  arrivesAtOnce: () => boolean;
}

/** The time at which each simulation begins. It is later than any time in the template of the databases. */
const START = Date.UTC(2035, 0, 1, 8);

export async function openWorld(options: WorldOptions): Promise<World> {
  const { random, databaseUrl, write } = options;
  const scheduler = createScheduler(random.fork('order'), START, write);
  const judge = createPlace('judge', { isJudge: true });
  const network = openNetwork({ scheduler, answered: options.answered, drawFault: options.drawCallFault });
  const database = await openSimulatedDatabase({
    url: databaseUrl,
    free: options.sessions,
    showTime: () => options.showTime(scheduler.clock.now()),
    scheduler,
    drawFault: options.drawQueryFault,
    arrivesAtOnce: options.arrivesAtOnce,
  });
  replaceGlobals({ scheduler, random: random.fork('values') });
  // Shop IDs repeat in every database.
  setReadyJobs([]);
  return {
    scheduler,
    network,
    database,
    databaseUrl,
    judge,
    async close() {
      network.close();
      replaceGlobals(null);
      await database.close();
    },
  };
}
