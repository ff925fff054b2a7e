import { expect, test } from 'vitest';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { entriesOfKind, fulfillmentsOf, placeAtService, shippedOf, type OrderAtService } from './place-at-service.ts';
import { untilNoDueJobs } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const POSTER = 'POSTER-13X18';
const MUG = 'MUG-11OZ';

testPlaten({ advanceSeconds: null });

const until = (at: OrderAtService, shipped: object[]) => eventually(() => shippedOf(platen, at)).toMatchObject(shipped);
const quiet = ({ order }: OrderAtService) => untilNoDueJobs(platen, order);

test('packages that share items become one fulfillment with all their tracking codes, one carrier and one email', async () => {
  await changeSettings(platen.app, platen.shop, { gatherSeconds: 2 });
  const at = await placeAtService(platen, { [POSTER]: 2, [MUG]: 1, 'TSHIRT-M': 1 });
  await at.advance('shipped', [
    { skus: [POSTER], code: 'GROUP-1', url: 'https://www.ups.com/track?tracknum=1' },
    { skus: [POSTER, MUG], code: 'GROUP-2', url: 'https://www.ups.com/track?tracknum=2' },
    { skus: ['TSHIRT-M'], code: 'ALONE-1', url: 'https://track.example/3' },
  ]);
  // The tracking URL of `ALONE-1` names no carrier, so Platen derives the carrier from the shipping method.
  await until(at, [
    { lines: { 'TSHIRT-M': 1 }, codes: ['ALONE-1'], company: 'FedEx', mails: 1 },
    { lines: { [POSTER]: 2, [MUG]: 1 }, codes: ['GROUP-1', 'GROUP-2'], company: 'UPS', mails: 1 },
  ]);
  await changeSettings(platen.app, platen.shop, { gatherSeconds: 0 });
  await platen.untilState(at.order.id, 'fulfilled');
});

test('a corrected code and its carrier replace the old code without an email to the buyer', async () => {
  const at = await placeAtService(platen, { [POSTER]: 1 });
  await at.advance('shipped', [{ skus: [POSTER], code: 'WRONG-1', url: 'https://www.ups.com/track/1' }]);
  await until(at, [{ codes: ['WRONG-1'], company: 'UPS', mails: 1 }]);
  await platen.pass(60_000);
  await at.advance('shipped', [
    { skus: [POSTER], code: 'RIGHT-1', url: 'https://tools.usps.com/go/1', replaces: 'WRONG-1' },
  ]);
  await until(at, [{ lines: { [POSTER]: 1 }, codes: ['RIGHT-1'], company: 'USPS', mails: 1 }]);
  await quiet(at);
  const [replaced] = await entriesOfKind(platen, at, 'tracking_replaced');
  expect(replaced?.message).toMatch(/corrected the tracking code WRONG-1 .* to RIGHT-1/);
  const [corrected] = await entriesOfKind(platen, at, 'tracking_corrected');
  expect(corrected?.message).toMatch(/no longer has the tracking code WRONG-1 and now has .*RIGHT-1 instead/);
  expect(await fulfillmentsOf(platen, at)).toHaveLength(1);
});
