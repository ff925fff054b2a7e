import { parseArgs } from 'node:util';
import { listShops } from '../shops/list-shops.ts';
import { describeQuiet, readQuietUntil } from '../shops/read-quiet-until.ts';
import { withApp } from './open-app.ts';
import { printJsonList } from './print-json-list.ts';
import { printTable } from './print-table.ts';

/** `platen shops list [--json]` */
export async function shopsList(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } });
  await withApp(async (app) => {
    if (values.json) return printJsonList(listShops(app));
    const rows: string[][] = [];
    for await (const shop of listShops(app)) {
      const state = shop.adminRefusedAt === null ? shop.state : `${shop.state}, refuses this server`;
      rows.push([shop.domain, state, shop.printAccount ?? 'none', shop.name ?? '']);
    }
    printTable(['SHOP', 'STATE', 'PRINT ACCOUNT', 'NAME'], rows);
    const quietUntil = await readQuietUntil(app);
    if (quietUntil) console.log(`\n${describeQuiet(quietUntil)}`);
  });
}
