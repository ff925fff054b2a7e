import { parseArgs } from 'node:util';
import { exportPersonalData } from '../orders/privacy/export-personal-data.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { UsageError } from './usage-error.ts';

/** `platen privacy export SHOP ID`: one JSON document on standard output. */
export async function privacyExport(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [domain, id = '', ...rest] = positionals;
  if (domain === undefined || !/^[1-9]\d{0,17}$/.test(id) || rest.length > 0)
    throw new UsageError('Which request? Give the shop and the id that "platen privacy list" shows.');
  await withApp(async (app) => {
    const exported = await exportPersonalData(app, await findShopArgument(app, domain), id, 'operator');
    process.stdout.write(`${JSON.stringify(exported, null, 2)}\n`);
  });
}
