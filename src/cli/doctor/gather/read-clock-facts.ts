import { In } from 'typeorm';
import type { App } from '../../../app.ts';
import { systemClock } from '../../../clock.ts';
import { Shops } from '../../../database/entities/shops.ts';
import { probeAddress } from '../../../http/ops/probe-address.ts';
import type { ClockFacts } from '../find/find-clock-problems.ts';

/** A Date header omits the fraction of a second, which averages half a second. */
const HALF_SECOND_MS = 500;

/** Compares the database's clock with this server's, and with the print service's and Shopify's if they can be reached. */
export async function readClockFacts(app: App): Promise<ClockFacts> {
  const shop = await app.db.manager.findOne(Shops, {
    where: { state: In(['installed', 'leaving']) },
    order: { id: 'ASC' },
  });
  const { urls } = app.config.print;
  return {
    aheadOfServer: (app.clock.now().getTime() - systemClock.now().getTime()) / 1000,
    aheadOf: await Promise.all([
      compareWith(app, 'the print service', urls.order),
      ...(shop === null
        ? []
        : [compareWith(app, 'Shopify', app.config.shopify.adminOrigin.replace('{shop}', shop.domain))]),
    ]),
  };
}

async function compareWith(app: App, name: string, url: string): Promise<ClockFacts['aheadOf'][number]> {
  // A redirect or an error status also has a Date header.
  const answer = await probeAddress(url).catch(() => null);
  const date = answer?.date ?? null;
  return { name, seconds: date === null ? null : (app.clock.now().getTime() - date.getTime() - HALF_SECOND_MS) / 1000 };
}
