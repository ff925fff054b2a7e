import Router from '@koa/router';
import type { Faults } from './faults.ts';
import { jsonOf } from './json-body.ts';
import { refuseOtherPages } from './refuse-other-pages.ts';

interface ControlParts {
  faults: Faults;
  webhooks: { show(): unknown; change(input: unknown): void };
  /** Back to the seeded state. */
  reset: () => void;
}

/**
 * The doors under `/_control` that both stand-ins have: reset, faults and webhooks. A door that changes something answers with what
 * it changed.
 */
export function createControlRouter({ faults, webhooks, reset }: ControlParts): Router {
  const router = new Router({ prefix: '/_control' });
  router.use(refuseOtherPages);
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
