import type Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { jsonOf } from '../../json-body.ts';
import { parseOrRefuse } from '../../refusal.ts';
import type { StandIn } from '../stand-in.ts';
import { addStoreProduct, changeStoreProduct } from './change-store-product.ts';
import { addTemplate, changeTemplate } from './change-template.ts';
import { removeStoreProduct, removeTemplate } from './save-store-product.ts';
import { toProductBody, toTemplateBody } from './product-body.ts';
import {
  findStore,
  findStoreProduct,
  findTemplate,
  productsOf,
  type Store,
  type TemplateRecord,
} from './store-records.ts';

const newStoreSchema = z.strictObject({ key: z.string().min(1).default('sandbox-key') });

/** Adds the control endpoints for stores, their products and accounts' templates. Each change to a product or template sends an event. */
export function addStoreProductEndpoints(router: Router, standIn: StandIn): void {
  addStoreEndpoints(router, standIn);
  addProductEndpoints(router, standIn);
  addTemplateEndpoints(router, standIn);
}

function addStoreEndpoints(router: Router, { books, ids }: StandIn): void {
  router.get('/stores', (ctx) => {
    ctx.body = books.all<Store>('stores').map(toStoreBody);
  });
  router.post('/stores', (ctx) => {
    const store: Store = { id: ids.nextUuid(), account: parseOrRefuse(newStoreSchema, jsonOf(ctx)).key };
    books.put('stores', store.id, store);
    ctx.status = 201;
    ctx.body = toStoreBody(store);
  });
}

function addProductEndpoints(router: Router, standIn: StandIn): void {
  const storeOf = (ctx: Context) => findStore(standIn, null, paramOf(ctx, 'storeId'));
  const recordOf = (ctx: Context) => findStoreProduct(standIn, null, paramOf(ctx, 'productId'));
  router.get('/stores/:storeId/products', (ctx) => {
    ctx.body = productsOf(standIn, storeOf(ctx).id).map(({ product }) => toProductBody(standIn, product));
  });
  router.post('/stores/:storeId/products', (ctx) => {
    ctx.status = 201;
    ctx.body = toProductBody(standIn, addStoreProduct(standIn, storeOf(ctx), jsonOf(ctx)));
  });
  router.post('/store-products/:productId', (ctx) => {
    ctx.body = toProductBody(standIn, changeStoreProduct(standIn, recordOf(ctx), jsonOf(ctx)));
  });
  router.delete('/store-products/:productId', (ctx) => {
    const record = recordOf(ctx);
    removeStoreProduct(standIn, record);
    ctx.body = toProductBody(standIn, record.product);
  });
}

function addTemplateEndpoints(router: Router, standIn: StandIn): void {
  const recordOf = (ctx: Context) => findTemplate(standIn, null, paramOf(ctx, 'templateId'));
  router.get('/templates', (ctx) => {
    ctx.body = standIn.books.all<TemplateRecord>('templates').map((record) => toTemplateBody(standIn, record));
  });
  router.post('/templates', (ctx) => {
    ctx.status = 201;
    ctx.body = toTemplateBody(standIn, addTemplate(standIn, jsonOf(ctx)));
  });
  router.post('/templates/:templateId', (ctx) => {
    ctx.body = toTemplateBody(standIn, changeTemplate(standIn, recordOf(ctx), jsonOf(ctx)));
  });
  router.delete('/templates/:templateId', (ctx) => {
    const record = recordOf(ctx);
    removeTemplate(standIn, record);
    ctx.body = toTemplateBody(standIn, record);
  });
}

function toStoreBody({ id, account }: Store) {
  return { id, key: account };
}

function paramOf(ctx: Context, name: string): string {
  const params = ctx['params'] as Record<string, string>;
  return params[name] ?? '';
}
