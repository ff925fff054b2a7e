import { GraphQLError, type GraphQLSchema, isScalarType, valueFromASTUntyped } from 'graphql';

/** Parsers for the schema's custom scalars, whose formats the schema does not define. Resolvers receive times in UTC with milliseconds. */
const readers: Readonly<Record<string, (text: string) => string | undefined>> = {
  DateTime: (text) => {
    const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));
    return isTime ? new Date(text).toISOString() : undefined;
  },
  // RFC 3986 and 3987, as stated in the type's description.
  URL: (text) => (URL.canParse(text) && !/[\s\p{Cc}<>"{}|\\^`]/u.test(text) ? text : undefined),
};

/** Makes the schema reject invalid times and URLs. */
export function withScalars(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, read] of Object.entries(readers)) {
    const type = schema.getType(name);
    if (!isScalarType(type)) continue;
    type.parseValue = (value) => {
      const found = typeof value === 'string' ? read(value) : undefined;
      if (found === undefined) throw new GraphQLError(`invalid value for the type ${name}`);
      return found;
    };
    type.parseLiteral = (node, variables) => type.parseValue(valueFromASTUntyped(node, variables));
  }
  return schema;
}
