import { expect, test } from 'vitest';
import { decidePublishing } from '../../../src/products/new-products/save-publishing-state.ts';

const reading = (
  status: string | null,
  externalId: string | null = null,
  publishingErrorCode: string | null = null,
) => ({ id: 'p', status, externalId, publishingErrorCode });

test('a product counts as published if it is active and has its ID in the store', () => {
  expect(decidePublishing(reading('active', '77'))).toEqual({ state: 'published', problem: null });
  expect(decidePublishing(reading('active'))).toEqual({ state: 'publishing', problem: null });
});

test.each(['created', 'publishing', null, 'of a later version'])(
  'the status %s means that the product is being published',
  (status) => {
    expect(decidePublishing(reading(status))).toEqual({ state: 'publishing', problem: null });
  },
);

test("a publishing error has the service's code, or a general code if the service names none", () => {
  expect(decidePublishing(reading('publishing_error', null, 'no_image'))).toMatchObject({
    state: 'failed',
    problem: { code: 'no_image', message: expect.stringContaining('no_image') },
  });
  expect(decidePublishing(reading('publishing_error'))).toMatchObject({ problem: { code: 'publishing_error' } });
});
