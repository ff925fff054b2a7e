import { expect, onTestFinished, test } from 'vitest';
import { PrintLinks, VariantConnections } from '../../../src/database/entities/products.ts';
import { startPlaten } from '../../helpers/platen.ts';
import { runAlongside } from '../../helpers/run-alongside.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { eventually } from '../../helpers/eventually.ts';

test('platen links reports, lists, prints and leaves orders that were placed before their product was linked', async () => {
  const platen = await startPlaten({ advanceSeconds: null });
  onTestFinished(() => platen.stop());
  const { manager } = platen.app.db;
  const { shopifyVariantId, productUid, fileUrl } = await manager.findOneByOrFail(PrintLinks, { sku: 'CARDS' });
  const variantId = shopifyVariantId ?? '';
  await manager.delete(PrintLinks, { sku: 'CARDS' });
  await manager.deleteAll(VariantConnections);
  const path = `/variants/${encodeURIComponent(variantId)}/stock`;
  await platen.control('store', 'POST', path, { location: 'own' });
  const quiet = await platen.placeSkus({ CARDS: 1 });
  await platen.untilState(quiet.id, 'nothing_to_do');
  const links = (...args: string[]) => runAlongside(platen, 'links', ...args, '--shop', 'demo');
  const set = await links('set', variantId, '--product', productUid, '--file', fileUrl ?? '');
  expect(set.stdout).toMatch(/One order placed since [\d-]+ is waiting for this link/);
  await untilIdle(platen.app);
  expect((await platen.listed(quiet.id)).state).toBe('nothing_to_do');
  expect((await links('waiting')).stdout).toMatch(/CARDS +1 +1 +[\d-]+ +linked: print or leave/);
  expect((await links('print', variantId, '--dry-run')).stdout).toContain(quiet.name);
  expect((await links('leave', variantId)).stdout).toContain('One order is left to you.');
  await eventually(async () => (await links('waiting')).stdout).toContain('No orders are waiting');
  expect((await platen.listed(quiet.id)).state).toBe('nothing_to_do');
  // A product that the merchant ships has no link.
  expect((await links('delete', variantId)).code).toBe(0);
  expect((await links('own', variantId)).code).toBe(0);
  const next = await platen.placeSkus({ CARDS: 1 });
  await platen.untilState(next.id, 'nothing_to_do');
});
