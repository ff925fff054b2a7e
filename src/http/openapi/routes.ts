import { z } from 'zod';
import { describeRoute, type ApiRoute } from './route.ts';
import { activityRoutes } from './routes/activity.ts';
import { catalogRoutes } from './routes/catalog.ts';
import { costsRoutes } from './routes/costs.ts';
import { homeRoutes } from './routes/home.ts';
import { orderChangesRoutes } from './routes/order-changes.ts';
import { ordersRoutes } from './routes/orders.ts';
import { printLinksRoutes } from './routes/print-links.ts';
import { productsRoutes } from './routes/products.ts';
import { backfillAndPrivacyRoutes } from './routes/backfills-and-privacy.ts';
import { settingsRoutes } from './routes/settings.ts';

/** All routes of the API. A test fails if the router has other routes. */
export const apiRoutes: readonly ApiRoute[] = [
  ...homeRoutes,
  ...ordersRoutes,
  ...orderChangesRoutes,
  ...costsRoutes,
  ...backfillAndPrivacyRoutes,
  ...activityRoutes,
  ...printLinksRoutes,
  ...productsRoutes,
  ...catalogRoutes,
  ...settingsRoutes,
  describeRoute('GET /api/openapi.json', {
    answers: { 200: { type: 'application/json', schema: z.looseObject({ openapi: z.string() }) } },
    isPublic: true,
  }),
];
