import { expect, test } from 'vitest';
import { decideAfterCreate, decideBeforeCreate } from '../../../src/products/new-products/decide-new-product.ts';

const at = (time: string) => new Date(`2026-11-20T${time}Z`);
const candidate = (id: string, time: string | null = '10:00:00') => ({
  id,
  createdAt: time === null ? null : at(time),
});
const attempt = { idsBefore: ['old'], attemptedAt: at('10:00:00') };
const look = (ids: string[], now = '10:05:00') =>
  decideAfterCreate(
    ids.map((id) => candidate(id)),
    attempt,
    { now: at(now), quietSeconds: 900 },
  );

test('a product with the same title is ignored if it is older than the request, and is a problem if it is newer', () => {
  expect(decideBeforeCreate([candidate('old', '09:00:00'), candidate('odd', null)], at('10:00:00'))).toBeNull();
  expect(decideBeforeCreate([candidate('new', '10:00:05')], at('10:00:00'))).toMatchObject({
    code: 'already_there',
    message: expect.stringContaining('new'),
  });
});

test('after a lost response, the only new product counts as the requested product', () => {
  expect(look(['old', 'mine'])).toEqual({ storeProductId: 'mine' });
});

test('a missing product may still appear until the quiet time has passed', () => {
  expect(look(['old'])).toBeNull();
  expect(look(['old'], '10:15:00')).toBeNull();
  expect(look(['old'], '10:15:01')).toMatchObject({ problem: { code: 'not_made' } });
});

test('if several new products have the title, all are reported and none is chosen', () => {
  expect(look(['mine', 'theirs'])).toMatchObject({
    problem: { code: 'several_made', message: expect.stringContaining('mine, theirs') },
  });
});
