import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeApiRoutes } from '../../../scripts/generate-reference.ts';
import { listRoutes } from '../list-routes.ts';
import { addShop, openTestEndpoints, createTestSessionToken, type TestEndpoints } from '../test-app.ts';

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; summary: string; security?: object[] }>>;
}

let endpoints: TestEndpoints;
let document: Document;
let served: Response;

beforeAll(async () => {
  endpoints = await openTestEndpoints();
  served = await fetch(`${endpoints.url}/api/openapi.json`);
  document = (await served.json()) as Document;
});
afterAll(() => endpoints.close());

const listOperations = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, ...operation })),
  );

test('the document is served without a session token and may be cached', () => {
  expect([served.status, served.headers.get('Content-Type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(served.headers.get('Cache-Control')).toBe('public, max-age=3600');
  expect(served.headers.get('Access-Control-Allow-Origin')).toBe('*');
});

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(
    structuredClone(document) as unknown as Record<string, unknown>,
  );
  expect(errors ?? []).toEqual([]);
  expect([valid, document.openapi]).toEqual([true, '3.1.1']);
});

test('the document describes exactly the API routes of the router', async () => {
  const routes = await listRoutes(endpoints.app);
  const routed = routes
    .filter((route) => route.includes(' /api/') && !route.startsWith('OPTIONS'))
    .map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
  expect(
    listOperations(document)
      .map(({ route }) => route)
      .toSorted(),
  ).toEqual(routed.toSorted());
});

test('each operation has a unique name and a summary, and needs a session token unless it is public', () => {
  const operations = listOperations(document);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(operations.filter(({ summary }) => !summary)).toEqual([]);
  expect(operations.filter(({ security }) => security !== undefined).map(({ route }) => route)).toEqual([
    'GET /api/openapi.json',
  ]);
});

test('the descriptions of the routes match the comments of the handlers', () => {
  const saved = readFileSync(new URL('../../../src/http/openapi/endpoints.json', import.meta.url), 'utf8');
  expect(saved, 'run npm run generate:reference').toBe(describeApiRoutes());
});

test('requests that tests send to the API are checked, and one with an undocumented query parameter is rejected', async () => {
  const shop = await addShop(endpoints.app.db);
  const headers = { Authorization: `Bearer ${createTestSessionToken(shop.domain)}` };
  await expect(fetch(`${endpoints.url}/api/print-links?page=1`, { headers })).rejects.toThrow(
    'GET /api/print-links differs from the OpenAPI document',
  );
});
