import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { App } from '../app.ts';
import { NewProducts } from '../database/new-products.ts';
import { PlatenError } from '../errors.ts';
import { countRunners } from '../jobs/count-runners.ts';
import { askNewProduct } from '../products/new-products/ask-new-product.ts';
import { parseAskedProduct } from '../products/new-products/fill-template.ts';
import { toShownNewProduct, type ShownNewProduct } from '../products/new-products/list-new-products.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { toPairs } from './to-pairs.ts';
import { UsageError } from './usage-error.ts';

const LOOK_MS = 500;

const OPTIONS = {
  shop: { type: 'string' },
  store: { type: 'string' },
  title: { type: 'string' },
  description: { type: 'string' },
  tag: { type: 'string', multiple: true },
  visible: { type: 'boolean' },
  image: { type: 'string', multiple: true, default: [] as string[] },
  text: { type: 'string', multiple: true, default: [] as string[] },
  'no-wait': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/**
 * `platen products create TEMPLATE --shop SHOP --title TITLE [--image PLACEHOLDER=URL]… [--text PLACEHOLDER=TEXT]… [--description HTML] [--tag TAG]…
 * [--visible] [--store STORE] [--no-wait] [--json]`: images and texts are for all variants; waits until it is published or fails.
 */
export async function productsCreate(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const { shop: domain, store, title, description, tag: tags, visible } = values;
  const [templateId, ...rest] = positionals;
  if (templateId === undefined || rest.length > 0) throw new UsageError('Which template? Give its id once.');
  if (domain === undefined) throw new UsageError('Which shop? Give --shop and its domain.');
  if (title === undefined) throw new UsageError('What is it called? Give --title.');
  const images = toPairs('image', values.image);
  const texts = toPairs('text', values.text);
  const asked = parseAskedProduct({
    templateId,
    title,
    storeId: store,
    description,
    tags,
    isVisibleInTheOnlineStore: visible,
    imagePlaceholders: Object.entries(images).map(([name, fileUrl]) => ({ name, fileUrl })),
    textPlaceholders: Object.entries(texts).map(([name, text]) => ({ name, text })),
  });
  await withApp(async (app) => {
    const { id } = await askNewProduct(app, await findShopArgument(app, domain), { asked, by: 'cli' });
    const made = values['no-wait'] ? await read(app, id) : await untilFinished(app, id);
    if (values.json) console.log(JSON.stringify(made));
    else if (made.state === 'published')
      console.log(`"${made.title}" is published: product ${made.productId} of the store.`);
    else if (made.finishedAt === null) console.log(`"${made.title}" is under way.`);
    if (made.problem !== null) throw new PlatenError(made.problem.code, made.problem.message);
  });
}

/** The app that runs does the work: without one it begins later, and nobody waits for that. What takes too long fails by itself. */
async function untilFinished(app: App, id: string): Promise<ShownNewProduct> {
  for (;;) {
    const shown = await read(app, id);
    if (shown.finishedAt !== null) return shown;
    if ((await countRunners(app.db)) === 0) {
      console.error('No worker of Platen runs on this database: it goes on when one does.');
      return shown;
    }
    await delay(LOOK_MS);
  }
}

async function read(app: App, id: string): Promise<ShownNewProduct> {
  return toShownNewProduct(await app.db.manager.findOneByOrFail(NewProducts, { id }));
}
