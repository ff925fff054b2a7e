import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type DocumentNode,
  execute,
  getOperationAST,
  GraphQLError,
  type GraphQLFieldResolver,
  parse,
  validate,
} from 'graphql';
import { type Denials, findDenied, refuseDeniedField, refuseMissingScope } from '../access/access.ts';
import { accessMutations } from '../access/access-mutations.ts';
import { carrierMutations } from '../shipping/carrier-mutations.ts';
import { catalogQueries } from '../products/catalog-queries.ts';
import { actualCost, MAX_COST, MAX_FORMULA_COST, requestedCost } from './cost.ts';
import { createViews } from './create-views.ts';
import { definitionMutations } from '../metafields/definition-mutations.ts';
import { deliveryQueries } from '../shipping/delivery-queries.ts';
import { fulfillmentMutations } from '../fulfillment/fulfillment-mutations.ts';
import { inventoryMutations } from '../products/inventory-mutations.ts';
import { metafieldMutations } from '../metafields/metafield-mutations.ts';
import { nodeQueries } from './node-queries.ts';
import { orderMutations } from '../orders/order-mutations.ts';
import { orderQueries } from '../orders/order-queries.ts';
import { requestedEditMutations } from '../orders/requested-edits.ts';
import { placementMutations } from '../products/placement-mutations.ts';
import { productMutations } from '../products/product-mutations.ts';
import { flowMutations } from '../flow/flow-mutations.ts';
import { requestMutations } from '../fulfillment/request-mutations.ts';
import { withScalars } from './scalars.ts';
import { serviceMutations } from '../fulfillment/service-mutations.ts';
import { shopQueries } from '../shop/shop-queries.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';
import { hidesProtectedData } from '../access/protected-data.ts';
import type { Throttle } from './throttle.ts';
import { notModeledError, type View } from './view.ts';
import type { Views } from './views.ts';

export interface QueryBody {
  query: string;
  variables?: Record<string, unknown> | null;
  operationName?: string | null;
}

const schema = withScalars(
  buildSchema(readFileSync(new URL('../../../src/shopify/admin-2026-10.graphql', import.meta.url), 'utf8')),
);
const checked = new Map<string, DocumentNode>();
const CHECKED_LIMIT = 500;

/** Responds to a GraphQL request as Shopify does: document errors have status 200, and each response includes its cost. */
export async function executeQuery(store: Store, throttle: Throttle, shop: Shop, body: QueryBody): Promise<unknown> {
  try {
    const document = checkQuery(body.query);
    const operation = getOperationAST(document, body.operationName);
    if (!operation) throw new GraphQLError('An operation name is required');
    const variables = body.variables ?? {};
    const requestedQueryCost = requestedCost(schema, document, operation, variables);
    if (requestedQueryCost > MAX_FORMULA_COST) return { errors: [toCostError(requestedQueryCost)] };
    const { granted, status } = throttle.take(shop.domain, requestedQueryCost);
    if (!granted) return toThrottledError(requestedQueryCost, status);
    const views = createViews(store, shop);
    const result = await execute({
      schema,
      document,
      contextValue: {
        fields: findDenied(schema, views.scopes),
        hidesProtectedData: hidesProtectedData(store),
      } satisfies Denials,
      operationName: body.operationName ?? null,
      variableValues: variables,
      rootValue: operation.operation === 'mutation' ? mutations(views) : queries(views),
      fieldResolver,
    });
    const actualQueryCost = Math.min(requestedQueryCost, actualCost(result.data));
    const throttleStatus = throttle.giveBack(shop.domain, requestedQueryCost - actualQueryCost);
    return { ...result, extensions: { cost: { requestedQueryCost, actualQueryCost, throttleStatus } } };
  } catch (error) {
    if (error instanceof DocumentErrors) return { errors: error.errors };
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

/** Resolves a field from its view. A field that the view lacks returns an error instead of null. */
const fieldResolver: GraphQLFieldResolver<unknown, Denials> = (source, input, denials, info) => {
  refuseDeniedField(denials, info.parentType.name, info.fieldName);
  const value = (source as View)[info.fieldName];
  if (value === undefined) throw notModeledError(`${info.parentType.name}.${info.fieldName}`);
  return typeof value === 'function' ? (value as (...all: unknown[]) => unknown)(input, info) : value;
};

function queries(views: Views): View {
  const known = { ...shopQueries(views), ...orderQueries(views), ...catalogQueries(views), ...deliveryQueries(views) };
  return { ...known, ...nodeQueries(known) };
}

function mutations(views: Views): View {
  const known: View = {
    ...accessMutations(views),
    ...serviceMutations(views),
    ...requestMutations(views),
    ...placementMutations(views),
    ...fulfillmentMutations(views),
    ...orderMutations(views),
    ...requestedEditMutations(views),
    ...productMutations(views),
    ...inventoryMutations(views),
    ...metafieldMutations(views),
    ...definitionMutations(views),
    ...carrierMutations(views),
    ...flowMutations(views),
  };
  return Object.fromEntries(Object.entries(known).map(([name, run]) => [name, withScopeCheck(views, name, run)]));
}

/** Wraps a mutation. Rejects a target that the granted scopes do not cover, before the mutation runs. */
function withScopeCheck(views: Views, name: string, run: unknown): unknown {
  if (typeof run !== 'function') return run;
  return (input: unknown, info: unknown) => {
    refuseMissingScope(views, name, input);
    return (run as (...all: unknown[]) => unknown)(input, info);
  };
}

class DocumentErrors extends Error {
  readonly errors: readonly GraphQLError[];
  constructor(errors: readonly GraphQLError[]) {
    super('the document is invalid');
    this.errors = errors;
  }
}

/** Parses and validates a query's document once, and returns it. */
function checkQuery(query: string): DocumentNode {
  const known = checked.get(query);
  if (known) return known;
  const document = parse(query);
  const errors = validate(schema, document);
  if (errors.length > 0) throw new DocumentErrors(errors);
  if (checked.size >= CHECKED_LIMIT) checked.clear();
  checked.set(query, document);
  return document;
}

function toCostError(cost: number) {
  return {
    message: `Query cost is ${cost}, which exceeds the single query max cost limit (${MAX_COST}).`,
    extensions: {
      code: 'MAX_COST_EXCEEDED',
      cost,
      maxCost: MAX_COST,
      documentation: 'https://shopify.dev/api/usage/rate-limits',
    },
  };
}

function toThrottledError(requestedQueryCost: number, throttleStatus: unknown) {
  return {
    errors: [
      {
        message: 'Throttled',
        extensions: { code: 'THROTTLED', documentation: 'https://shopify.dev/api/usage/rate-limits' },
      },
    ],
    extensions: { cost: { requestedQueryCost, actualQueryCost: null, throttleStatus } },
  };
}
