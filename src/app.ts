import type { DataSource } from 'typeorm';
import type { Config } from './config.ts';
import type { enqueue } from './jobs/enqueue.ts';
import type { Log } from './log.ts';
import type { PrintClient } from './print/client.ts';
import type { Shopify } from './shopify/client.ts';

/** Everything a function with effects needs, built once in main (or in a test) and passed on as it is. */
export interface App {
  config: Config;
  db: DataSource;
  /** The connections that deliveries are taken in with: the doors' own, so that busy jobs never keep a delivery waiting. */
  intake: DataSource;
  print: PrintClient;
  shopify: Shopify;
  jobs: { enqueue: typeof enqueue };
  log: Log;
  now: () => Date;
}
