import type { App } from '../../app.ts';
import { NewProducts } from '../../database/entities/new-products.ts';
import { PlatenError } from '../../errors.ts';
import { countRunners } from '../../jobs/runner/count-runners.ts';
import { requestNewProduct } from '../../products/new-products/request-new-product.ts';
import { parseProductRequest } from '../../products/new-products/fill-template.ts';
import { toShownNewProduct, type ShownNewProduct } from '../../products/new-products/list-new-products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { writeLine, writeErrorLine, writeJson } from '../../terminal.ts';
import type { GivenArguments } from '../command.ts';
import { NO_WORKER } from '../wait-for-variant-sync.ts';

const POLL_MS = 500;

interface Options {
  store: string | undefined;
  title: string;
  description: string | undefined;
  tag: string[];
  visible: boolean;
  image: Record<string, string>;
  text: Record<string, string>;
  'no-wait': boolean;
  json: boolean;
}

/** `platen products create`: uses the same images and texts for all variants, and waits until the product is published or fails. */
export async function productsCreate(
  { args: [templateId], options }: Pick<GivenArguments, 'args'> & { options: Options },
  app: App,
  shop: Shop,
): Promise<void> {
  const { store, title, description, tag, visible } = options;
  const asked = await parseProductRequest({
    templateId,
    title,
    storeId: store,
    description,
    tags: tag.length === 0 ? undefined : tag,
    isVisibleInTheOnlineStore: visible ? true : undefined,
    imagePlaceholders: Object.entries(options.image).map(([name, fileUrl]) => ({ name, fileUrl })),
    textPlaceholders: Object.entries(options.text).map(([name, text]) => ({ name, text })),
  });
  const { id } = await requestNewProduct(app, shop, { asked, by: 'cli' });
  const made = options['no-wait'] ? await readNewProduct(app, id) : await waitUntilFinished(app, id);
  if (options.json) writeJson(made);
  else if (made.state === 'published')
    writeLine(`"${made.title}" is published as product ${made.productId} in the store.`);
  else if (made.finishedAt === null) writeLine(`"${made.title}" is being created.`);
  if (made.problem !== null) throw new PlatenError(made.problem.code, made.problem.message);
}

/**
 * Waits until the running app has created the product. If no worker is running, returns immediately. No timeout is needed, because a
 * product that takes too long fails.
 */
async function waitUntilFinished(app: App, id: string): Promise<ShownNewProduct> {
  for (;;) {
    const shown = await readNewProduct(app, id);
    if (shown.finishedAt !== null) return shown;
    if ((await countRunners(app.db)) === 0) {
      writeErrorLine(NO_WORKER);
      return shown;
    }
    await app.clock.sleep(POLL_MS);
  }
}

async function readNewProduct(app: App, id: string): Promise<ShownNewProduct> {
  return toShownNewProduct(await app.db.manager.findOneByOrFail(NewProducts, { id }));
}
