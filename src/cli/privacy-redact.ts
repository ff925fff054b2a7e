import { parseArgs } from 'node:util';
import { redactCustomer } from '../orders/privacy/redact-customer.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { UsageError } from './usage-error.ts';

const ORDER = /^(?:gid:\/\/shopify\/Order\/)?([1-9]\d{0,19})$/;

/** `platen privacy redact SHOP ORDER…`: erases the customer of these orders as `customers/redact` does, such as after a restore. */
export async function privacyRedact(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [domain, ...orders] = positionals;
  const numbers = orders.map((order) => ORDER.exec(order)?.[1]);
  if (domain === undefined || numbers.length === 0 || numbers.includes(undefined))
    throw new UsageError("Which orders? Give the shop and Shopify's id of each order.");
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    const named = new Set(numbers);
    const resourceIds = { orders: [...named].map((number) => `gid://shopify/Order/${number}`).join(',') };
    const known = await redactCustomer(app, shop, { resourceIds, receivedAt: app.now() });
    console.log(
      `Of ${named.size} ${named.size === 1 ? 'order' : 'orders'}, ${known} ${known === 1 ? 'is' : 'are'} known here.`,
    );
    if (known > 0) console.log('The running app erases what is known; "platen privacy list" shows when it is done.');
    if (known < named.size) console.log('What is not known is not printed and is erased should it come in later.');
  });
}
