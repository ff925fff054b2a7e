import { readFile } from 'node:fs/promises';
import { buildSchema, graphql } from 'graphql';
import type { Reply, ReceivedCall } from './scripted-shopify.ts';

const schema = buildSchema(await readFile(new URL('../../src/shopify/admin-2026-10.graphql', import.meta.url), 'utf8'));

/** The app's installation, without a fence. */
const INSTALLATION = { id: 'gid://shopify/AppInstallation/1', metafield: null };

/**
 * Returns a handler that executes each operation against Shopify's schema. `root` contains the value of each root field, or a function that
 * returns the value from the field's arguments.
 */
export function createSchemaHandler(root: Record<string, unknown>): (call: ReceivedCall) => Promise<Reply> {
  return async ({ body }) => {
    const { query: source, variables: variableValues } = JSON.parse(body) as { query: string; variables: Variables };
    return {
      body: await graphql({
        schema,
        source,
        variableValues,
        rootValue: { currentAppInstallation: INSTALLATION, ...root },
      }),
    };
  };
}

type Variables = Record<string, unknown>;

/**
 * Returns a connection over a list, for a field of `createSchemaHandler`. The connection pages by `first` and `after`, and its cursors are
 * positions.
 */
export function connection<Node>(nodes: readonly Node[]) {
  return ({ first = nodes.length, after }: { first?: number; after?: string | null }) => {
    const start = after ? Number(after) : 0;
    const end = start + first;
    const hasNextPage = end < nodes.length;
    return {
      nodes: nodes.slice(start, end),
      pageInfo: { hasNextPage, endCursor: String(Math.min(end, nodes.length)) },
    };
  };
}

/** Creates `count` items from their numbers, starting at 1. */
export function many<Item>(count: number, make: (number: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}
