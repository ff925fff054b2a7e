import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLSchema,
  type FieldNode,
  type FragmentDefinitionNode,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type DocumentNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromAST,
} from 'graphql';

/** The maximum cost of a single query (shopify.dev, API rate limits). */
export const MAX_COST = 1000;

/**
 * For large pages, the real store charges as little as a quarter of the cost that the published formula gives. The stand-in therefore
 * rejects a query only if its cost by the formula exceeds four times the maximum.
 */
export const MAX_FORMULA_COST = 4 * MAX_COST;

const MUTATION_COST = 10;

interface Costing {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  variables: Readonly<Record<string, unknown>>;
}

/**
 * Returns the requested cost of an operation: 1 for an object, 10 for a mutation, 0 for scalars. A connection or list with `first` or
 * `last` costs as much as this number of items.
 */
export function requestedCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  if (!root) return 0;
  return selectionCost(
    { schema, fragments, variables },
    root,
    operation.selectionSet,
    root === schema.getMutationType(),
  );
}

function selectionCost(
  costing: Costing,
  type: GraphQLCompositeType,
  set: SelectionSetNode,
  isMutation = false,
): number {
  return set.selections.reduce((sum, node) => {
    if (node.kind === Kind.FIELD) return sum + fieldCost(costing, type, node, isMutation);
    const part = node.kind === Kind.FRAGMENT_SPREAD ? costing.fragments.get(node.name.value) : node;
    if (!part) return sum;
    const inner = part.typeCondition ? costing.schema.getType(part.typeCondition.name.value) : type;
    return sum + (isCompositeType(inner) ? selectionCost(costing, inner, part.selectionSet, isMutation) : 0);
  }, 0);
}

function fieldCost(costing: Costing, parent: GraphQLCompositeType, node: FieldNode, isMutation: boolean): number {
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
  const type = field && getNamedType(field.type);
  if (!field || !isCompositeType(type) || !node.selectionSet) return 0;
  const inside = selectionCost(costing, type, node.selectionSet);
  if (isMutation) return MUTATION_COST;
  if (type.name === 'PageInfo') return 0;
  const size = pageSize(costing, field.args, node);
  if (type.name.endsWith('Connection')) return (size ?? 1) * inside;
  if (type.name.endsWith('Edge')) return inside;
  return (size ?? 1) * (1 + inside);
}

function pageSize({ variables }: Costing, known: readonly GraphQLArgument[], node: FieldNode): number | undefined {
  for (const name of ['first', 'last']) {
    const argument = node.arguments?.find((one) => one.name.value === name);
    const type = known.find((one) => one.name === name)?.type;
    const value: unknown = argument && type ? valueFromAST(argument.value, type, variables) : undefined;
    if (typeof value === 'number') return value;
  }
  // The result is as long as the list of IDs, so the list's length is the page size.
  const ids = node.arguments?.find((one) => one.name.value === 'ids');
  const listed = known.find((one) => one.name === 'ids')?.type;
  const values: unknown = ids && listed ? valueFromAST(ids.value, listed, variables) : undefined;
  return Array.isArray(values) ? values.length : undefined;
}

/** Returns the approximate cost of a response: one point for each object. */
export function actualCost(data: unknown): number {
  if (Array.isArray(data)) return data.reduce<number>((sum, one) => sum + actualCost(one), 0);
  if (typeof data !== 'object' || data === null) return 0;
  return Object.values(data).reduce<number>((sum, one) => sum + actualCost(one), 1);
}
