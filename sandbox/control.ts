import Router from '@koa/router';
import type { Faults } from './faults.ts';
import { jsonOf } from './json-body.ts';
import { refuseOtherOrigins } from './refuse-other-origins.ts';

interface ControlParts {
  faults: Faults;
  webhooks: { show(): unknown; change(input: unknown): void };
  /** Resets the stand-in to its seeded state. */
  reset: () => void;
}

/**
 * Creates the endpoints under `/_control` that both stand-ins have: reset, faults and webhooks. An endpoint that changes something
 * returns the new state.
 */
export function createControlRouter({ faults, webhooks, reset }: ControlParts): Router {
  const router = new Router({ prefix: '/_control' });
  router.use(refuseOtherOrigins);
  router.post('/reset', (ctx) => {
    reset();
    ctx.body = { reset: true };
  });
  router.get('/faults', (ctx) => {
    ctx.body = faults.state();
  });
  router.post('/faults', (ctx) => {
    faults.set(jsonOf(ctx));
    ctx.body = faults.state();
  });
  router.post('/faults/late', async (ctx) => {
    ctx.body = { ran: await faults.runLate() };
  });
  router.get('/webhooks', (ctx) => {
    ctx.body = webhooks.show();
  });
  router.post('/webhooks', (ctx) => {
    webhooks.change(jsonOf(ctx));
    ctx.body = webhooks.show();
  });
  return router;
}
