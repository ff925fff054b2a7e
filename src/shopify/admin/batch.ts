import { Kind, parse, print, visit } from 'graphql';
import type { FieldNode, OperationDefinitionNode, VariableDefinitionNode } from 'graphql';
import type { AdminApi } from './admin-api.ts';
import { ShopifyError } from './errors.ts';
import type { TypedDocument } from './typed-document.ts';

type Batch = TypedDocument<Record<string, unknown>, Record<string, unknown>>;

const batches = new Map<string, Batch>();
const MAX_CACHED = 500;

/**
 * Sends many copies of an operation with one root field in one call, each with its own variables. The store runs the operations in order
 * and charges for each. Returns the result of each operation. Throws ShopifyError if the store rejects the entire call or an entire
 * operation.
 */
export async function sendBatch<Result, Variables extends object>(
  admin: AdminApi,
  document: TypedDocument<Result, Variables>,
  each: readonly Variables[],
): Promise<Result[]> {
  if (each.length === 0) return [];
  const { root, batch } = toBatch(document, each.length);
  const variables = Object.fromEntries(
    each.flatMap((one, at) => Object.entries(one).map(([name, value]) => [`${name}_${at}`, value as unknown])),
  );
  const data = await admin.request(batch, variables);
  return each.map((_, at) => ({ [root]: data[`at${at}`] }) as Result);
}

/**
 * Runs an action on many items together. If the store rejects the entire input, runs the action on each half separately, and so on, until
 * the rejected items are isolated. Returns the rejected items with their errors. Other errors are rethrown.
 */
export async function runInHalves<Item>(
  items: readonly Item[],
  act: (some: readonly Item[]) => Promise<void>,
): Promise<Map<Item, ShopifyError>> {
  if (items.length === 0) return new Map();
  try {
    await act(items);
    return new Map();
  } catch (error) {
    if (!(error instanceof ShopifyError) || !['graphql', 'user_error'].includes(error.kind)) throw error;
    const [only] = items;
    if (only !== undefined && items.length === 1) return new Map([[only, error]]);
    const middle = Math.ceil(items.length / 2);
    const first = await runInHalves(items.slice(0, middle), act);
    return new Map([...first, ...(await runInHalves(items.slice(middle), act))]);
  }
}

/** Returns the document with its field repeated, each time under its own alias and with its own variables. */
function toBatch({ name, kind, text }: TypedDocument<unknown, never>, count: number): { root: string; batch: Batch } {
  const { definitions } = parse(text);
  const [operation] = definitions;
  const [field] = operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections : [];
  if (operation?.kind !== Kind.OPERATION_DEFINITION || field?.kind !== Kind.FIELD || definitions.length > 1)
    throw new Error(`${name} does not have exactly one root field`);
  const key = `${name} ${count}`;
  const known = batches.get(key);
  const root = field.name.value;
  if (known) return { root, batch: known };
  const numbers = Array.from({ length: count }, (_, at) => at);
  const combined: OperationDefinitionNode = {
    ...operation,
    variableDefinitions: numbers.flatMap((at) =>
      (operation.variableDefinitions ?? []).map((one) => withNumberedVariables(one, at)),
    ),
    selectionSet: {
      ...operation.selectionSet,
      selections: numbers.map((at) => ({ ...withNumberedVariables<FieldNode>(field, at), alias: toName(`at${at}`) })),
    },
  };
  const batch: Batch = { name, kind, text: print(combined) };
  if (batches.size >= MAX_CACHED) batches.clear();
  batches.set(key, batch);
  return { root, batch };
}

function withNumberedVariables<Node extends FieldNode | VariableDefinitionNode>(node: Node, at: number): Node {
  return visit<Node>(node, {
    Variable: (variable) => ({ ...variable, name: toName(`${variable.name.value}_${at}`) }),
  });
}

function toName(value: string) {
  return { kind: Kind.NAME, value } as const;
}
