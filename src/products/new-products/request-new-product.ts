import { IsNull } from 'typeorm';
import { createHash } from 'node:crypto';
import type { App } from '../../app.ts';
import { NewProducts, type NewProduct } from '../../database/entities/new-products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { insertIfNew } from '../../database/insert-if-new.ts';
import { requireExtendedCalls, openService } from '../print-service/open-service.ts';
import { readTemplate } from '../templates/read-template.ts';
import { chooseStore } from './choose-store.ts';
import { fillTemplate, type ProductRequest } from './fill-template.ts';
import { enqueueCreateProduct } from './enqueue-create-product.ts';

/**
 * Requests a product from a template: validates the request against the current template, saves it and enqueues the job that creates the
 * product. If an identical request is unfinished, returns that request instead. Throws an InvalidInputError that names the field,
 * NotPossibleError `extended_calls_off` and `no_print_account`, and the errors of `readTemplate`.
 */
export async function requestNewProduct(
  app: App,
  shop: Shop,
  { asked, by }: { asked: ProductRequest; by: NewProduct['askedBy'] },
): Promise<NewProduct> {
  const { accountId, service } = await openService(app, shop);
  requireExtendedCalls(service, 'Creating a product from a template');
  const storeId = await chooseStore(app, { ...shop, printAccountId: accountId }, asked.storeId);
  const request = fillTemplate(await readTemplate(app, shop, asked.templateId), asked);
  const requestSha256 = createHash('sha256')
    .update(JSON.stringify([storeId, request]))
    .digest('hex');
  return app.db.transaction(async (manager) => {
    const row = {
      shopId: shop.id,
      printAccountId: accountId,
      storeId,
      templateId: asked.templateId,
      request,
      requestSha256,
      askedBy: by,
      askedAt: app.clock.now(),
    };
    await insertIfNew(manager, NewProducts, row);
    const unfinished = { shopId: shop.id, requestSha256, finishedAt: IsNull() };
    const underWay = await manager.findOneByOrFail(NewProducts, unfinished);
    await enqueueCreateProduct(manager, underWay.id);
    return underWay;
  });
}
