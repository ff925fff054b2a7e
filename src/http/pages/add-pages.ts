import type Router from '@koa/router';
import type { App } from '../../app.ts';
import { limitUnidentified } from '../limits/admit.ts';
import type { Limits } from '../limits/limits.ts';
import { allowExtensions, respondToPreflight } from '../sign-in/allow-extensions.ts';
import { beginSignIn, finishSignIn } from '../sign-in/authorize.ts';
import { refuseWithoutKey } from '../sign-in/refuse-without-key.ts';
import { ADMIN_PATHS } from './admin/render-admin-page.ts';
import { showBouncePage } from './bounce.ts';
import { respondWithErrorPage } from './page-errors.ts';
import { showAsset } from './show-asset.ts';
import { showPackingSlips } from './show-packing-slips.ts';
import { showPage } from './show-page.ts';

/** Adds the endpoints that a browser opens as a page, and their files. */
export function addPages(
  app: App,
  router: Router,
  { limits, keyProblem }: { limits: Limits; keyProblem: string | null },
): void {
  const asPages = respondWithErrorPage(app);
  const limitByAddress = limitUnidentified(limits.unidentified);
  const withKey = refuseWithoutKey(keyProblem);
  for (const path of ADMIN_PATHS) router.get(path, asPages, withKey, showPage(app, limits));
  router.options('/packing-slips', respondToPreflight);
  router.get('/packing-slips', allowExtensions, asPages, withKey, showPackingSlips(app, limits));
  router.get('/auth/bounce', asPages, limitByAddress, showBouncePage(app));
  router.get('/auth', asPages, limitByAddress, withKey, beginSignIn(app));
  router.get('/auth/callback', asPages, limitByAddress, withKey, finishSignIn(app));
  router.get('/assets/:file', limitByAddress, showAsset);
}
