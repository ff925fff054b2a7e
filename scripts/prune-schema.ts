import {
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  Kind,
  parse,
  print,
  printSchema,
  typeFromAST,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { DefinitionNode, DocumentNode, GraphQLNamedType, GraphQLSchema, InputValueDefinitionNode } from 'graphql';

/** The parts of a schema to keep: types by name, fields individually. */
interface Kept {
  schema: GraphQLSchema;
  types: Set<string>;
  fields: Map<string, Set<string>>;
}

/**
 * Returns the part of a schema that some documents and some whole types need, as SDL without descriptions but with its `@deprecated`
 * marks. A whole type keeps each field whose type is a scalar, an enum, a kept type, or a connection of a kept type.
 */
export function pruneSchema(schema: GraphQLSchema, documents: readonly DocumentNode[], wholeTypes: readonly string[]) {
  const kept: Kept = { schema, types: new Set(), fields: new Map() };
  for (const document of documents) keepUsed(kept, document);
  for (const name of wholeTypes) keepObject(kept, name);
  for (const name of wholeTypes) keepWhole(kept, name);
  keepInterfaceFields(kept);
  const definitions = parse(printSchema(schema)).definitions.flatMap((definition) =>
    prunedDefinition(kept, definition),
  );
  return definitions.map((definition) => print(definition)).join('\n') + '\n';
}

function keepUsed(kept: Kept, document: DocumentNode): void {
  const info = new TypeInfo(kept.schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field() {
        const parent = info.getParentType();
        const field = info.getFieldDef();
        if (parent && field && !field.name.startsWith('__')) keepField(kept, parent.name, field.name);
      },
      InlineFragment(node) {
        if (node.typeCondition) keepObject(kept, node.typeCondition.name.value);
      },
      FragmentDefinition(node) {
        keepObject(kept, node.typeCondition.name.value);
      },
      VariableDefinition(node) {
        const type = typeFromAST(kept.schema, node.type);
        if (type) keepType(kept, getNamedType(type));
      },
    }),
  );
}

function keepObject(kept: Kept, name: string): Set<string> {
  kept.types.add(name);
  const fields = kept.fields.get(name) ?? new Set<string>();
  kept.fields.set(name, fields);
  return fields;
}

function keepField(kept: Kept, typeName: string, fieldName: string): void {
  const fields = keepObject(kept, typeName);
  if (fields.has(fieldName)) return;
  const type = kept.schema.getType(typeName);
  if (!isObjectType(type) && !isInterfaceType(type)) return;
  const field = type.getFields()[fieldName];
  if (!field) return;
  fields.add(fieldName);
  keepType(kept, getNamedType(field.type));
  for (const argument of field.args) keepType(kept, getNamedType(argument.type));
}

function keepType(kept: Kept, type: GraphQLNamedType): void {
  if (isInputObjectType(type)) {
    if (kept.types.has(type.name)) return;
    kept.types.add(type.name);
    for (const field of Object.values(type.getFields())) keepType(kept, getNamedType(field.type));
  } else if (isLeafType(type)) kept.types.add(type.name);
  else if (isConnection(type)) keepConnection(kept, type.name);
  else keepObject(kept, type.name);
}

function isConnection(type: GraphQLNamedType): boolean {
  return isObjectType(type) && type.name.endsWith('Connection') && 'pageInfo' in type.getFields();
}

function keepConnection(kept: Kept, name: string): void {
  const type = kept.schema.getType(name);
  if (!isObjectType(type) || kept.types.has(name)) return;
  kept.types.add(name);
  for (const field of ['nodes', 'edges', 'pageInfo']) if (field in type.getFields()) keepField(kept, name, field);
  const edge = type.getFields()['edges'];
  if (edge) for (const field of ['cursor', 'node']) keepField(kept, getNamedType(edge.type).name, field);
  for (const field of ['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'])
    keepField(kept, 'PageInfo', field);
}

function keepWhole(kept: Kept, typeName: string): void {
  const type = kept.schema.getType(typeName);
  if (!isObjectType(type) && !isInterfaceType(type))
    throw new Error(`${typeName} is not an object type of this schema`);
  for (const field of Object.values(type.getFields())) {
    if (isWanted(kept, getNamedType(field.type))) keepField(kept, typeName, field.name);
  }
}

function isWanted(kept: Kept, type: GraphQLNamedType): boolean {
  if (isLeafType(type) || kept.types.has(type.name)) return true;
  if (!isConnection(type) || !isObjectType(type)) return false;
  const nodes = type.getFields()['nodes'];
  return nodes !== undefined && kept.types.has(getNamedType(nodes.type).name);
}

/** An object must have every kept field of each kept interface that it implements. */
function keepInterfaceFields(kept: Kept): void {
  let before = -1;
  while (before !== kept.types.size) {
    before = kept.types.size;
    for (const name of kept.types) {
      const type = kept.schema.getType(name);
      if (!isObjectType(type) && !isInterfaceType(type)) continue;
      for (const implemented of type.getInterfaces()) {
        for (const field of kept.fields.get(implemented.name) ?? []) keepField(kept, name, field);
      }
    }
  }
}

function prunedDefinition(kept: Kept, definition: DefinitionNode): DefinitionNode[] {
  if (definition.kind === Kind.SCHEMA_DEFINITION) return [definition];
  if (definition.kind === Kind.DIRECTIVE_DEFINITION) return [withoutDescription(definition)];
  if (!('name' in definition) || !definition.name || !kept.types.has(definition.name.value)) return [];
  const name = definition.name.value;
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION: {
      const wanted = kept.fields.get(name) ?? new Set();
      const fields = (definition.fields ?? []).filter((field) => wanted.has(field.name.value));
      const interfaces = (definition.interfaces ?? []).filter((type) => kept.types.has(type.name.value));
      const bareFields = fields.map((field) => ({
        ...withoutDescription(field),
        arguments: withoutArgumentDescriptions(field.arguments),
      }));
      return [{ ...withoutDescription(definition), interfaces, fields: bareFields }];
    }
    case Kind.UNION_TYPE_DEFINITION: {
      const types = (definition.types ?? []).filter((type) => kept.types.has(type.name.value));
      return [{ ...withoutDescription(definition), types }];
    }
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return [{ ...withoutDescription(definition), fields: withoutArgumentDescriptions(definition.fields) }];
    case Kind.ENUM_TYPE_DEFINITION:
      return [{ ...withoutDescription(definition), values: (definition.values ?? []).map(withoutDescription) }];
    case Kind.SCALAR_TYPE_DEFINITION:
      return [withoutDescription(definition)];
    default:
      return [];
  }
}

function withoutDescription<T extends { description?: unknown }>(node: T): Omit<T, 'description'> {
  const { description: _, ...rest } = node;
  return rest;
}

function withoutArgumentDescriptions(
  nodes: readonly InputValueDefinitionNode[] | undefined,
): InputValueDefinitionNode[] {
  return (nodes ?? []).map(withoutDescription);
}
