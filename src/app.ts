import type { DataSource } from 'typeorm';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { enqueue } from './jobs/enqueue.ts';
import type { Log } from './log.ts';
import type { PrintClient } from './print/client.ts';
import type { Shopify } from './shopify/client.ts';

/**
 * The shared resources that every function with side effects needs. They are created once, in `main` or in a test, and passed on
 * unchanged.
 */
export interface App {
  config: Config;
  db: DataSource;
  /** The database connections of the endpoints that receive deliveries. They are separate so that busy jobs never delay a delivery. */
  intake: DataSource;
  print: PrintClient;
  shopify: Shopify;
  jobs: { enqueue: typeof enqueue };
  log: Log;
  clock: Clock;
}
