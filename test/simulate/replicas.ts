import type { App } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { runApp } from '../../src/run-app.ts';
import { openSpoolIds } from '../../src/inbox/spool-names.ts';
import { createApp } from '../helpers/boot-app.ts';
import { createPlace, runAt, type Place } from './world/place.ts';
import type { World } from './world/world.ts';

/** A process of Platen. */
export interface Replica {
  place: Place;
  /** Null until the process has started. */
  app: App | null;
}

/** What looks for work without a notice runs this often. */
const RARELY_MS = 4 * 86_400_000;
const POOL_SIZE = 3;
const APP_PORT = 4000;

export interface Addresses {
  home: string;
  printPort: number;
  storePort: number;
  extended: boolean;
}

/** The address at which the stand-ins reach any running process. */
export const APP_URL = `http://127.0.0.1:${APP_PORT}`;

export function createConfig(world: World, { home, printPort, storePort, extended }: Addresses) {
  return readConfig({
    PLATEN_HOME: home,
    PORT: String(APP_PORT),
    DATABASE_URL: world.databaseUrl,
    SANDBOX_PRINT_PORT: String(printPort),
    SANDBOX_STORE_PORT: String(storePort),
    SANDBOX_EXTENDED: extended ? 'on' : 'off',
    LOG_LEVEL: 'silent',
  });
}

/** Starts a process. `failed` is called if it cannot start. */
export function startReplica(world: World, addresses: Addresses, name: string, failed: () => void): Replica {
  const replica: Replica = { place: createPlace(name), app: null };
  const { clock } = world.scheduler;
  const start = async (): Promise<void> => {
    const config = createConfig(world, addresses);
    const { app } = await createApp({ clock, config, url: world.databaseUrl, destination: 2, poolSize: POOL_SIZE });
    await runApp(app, {
      databaseUrl: world.databaseUrl,
      polls: false,
      pollIntervalMs: RARELY_MS,
      replayMs: RARELY_MS,
      flushMs: RARELY_MS,
    });
    replica.app = app;
  };
  runAt(replica.place, () => void start().catch(failed));
  return replica;
}

/** Kills a process: its memory, its timers and its connections are gone. */
export async function killReplica(world: World, { place }: Replica): Promise<void> {
  world.scheduler.record(`${place.name} dies`);
  place.isAlive = false;
  for (const id of place.spoolIds) openSpoolIds.delete(id);
  world.network.disconnect(place);
  await world.database.disconnect(place);
}
