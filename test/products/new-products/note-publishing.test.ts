import { expect, test } from 'vitest';
import { decidePublishing } from '../../../src/products/new-products/note-publishing.ts';

const reading = (
  status: string | null,
  externalId: string | null = null,
  publishingErrorCode: string | null = null,
) => ({
  id: 'p',
  status,
  externalId,
  publishingErrorCode,
});

test('a product is published if it is active and has its id in the store', () => {
  expect(decidePublishing(reading('active', '77'))).toEqual({ state: 'published', problem: null });
  expect(decidePublishing(reading('active'))).toEqual({ state: 'publishing', problem: null });
});

test.each(['created', 'publishing', null, 'of a later version'])('the status %s means publishing', (status) => {
  expect(decidePublishing(reading(status))).toEqual({ state: 'publishing', problem: null });
});

test('an error has the code of the service, or a general one if the service names none', () => {
  expect(decidePublishing(reading('publishing_error', null, 'no_image'))).toMatchObject({
    state: 'failed',
    problem: { code: 'no_image', message: expect.stringContaining('no_image') },
  });
  expect(decidePublishing(reading('publishing_error'))).toMatchObject({ problem: { code: 'publishing_error' } });
});
