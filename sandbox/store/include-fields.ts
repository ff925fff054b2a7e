/**
 * Returns the body of a webhook with only the fields that its subscription includes. A name such as `variants.id` includes a field of an
 * object, or of each object in a list. Included fields that the body does not have are omitted. If `fields` is null, the body is returned
 * unchanged.
 */
export function includeFields(body: string, fields: readonly string[] | null): string {
  if (fields === null) return body;
  const paths = fields.map((field) => field.split('.'));
  return JSON.stringify(selectPaths(JSON.parse(body), paths));
}

function selectPaths(value: unknown, paths: readonly string[][]): unknown {
  if (paths.some((path) => path.length === 0)) return value;
  if (Array.isArray(value)) return value.map((one) => selectPaths(one, paths));
  if (typeof value !== 'object' || value === null) return value;
  const names = new Set(paths.map(([name]) => name));
  const included = Object.entries(value).filter(([name]) => names.has(name));
  return Object.fromEntries(
    included.map(([name, inner]) => {
      const rest = paths.filter(([first]) => first === name).map((path) => path.slice(1));
      return [name, selectPaths(inner, rest)];
    }),
  );
}
