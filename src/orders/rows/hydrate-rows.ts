import type { DataSource, EntityMetadata, EntitySchema, ObjectLiteral } from 'typeorm';

/** Converts rows that PostgreSQL returned as JSON to the format in which TypeORM would return them. */
export function hydrateRows<Row extends ObjectLiteral>(
  db: DataSource,
  entity: EntitySchema<Row>,
  rows: readonly ObjectLiteral[],
): Row[] {
  const metadata = db.getMetadata(entity);
  return rows.map((row) => hydrateRow(metadata, row) as Row);
}

function hydrateRow({ columns }: EntityMetadata, row: ObjectLiteral): ObjectLiteral {
  return Object.fromEntries(
    columns.map(({ propertyName, databaseName, type }) => [
      propertyName,
      hydrateValue(String(type), row[databaseName]),
    ]),
  );
}

function hydrateValue(type: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'timestamptz') return new Date(value as string);
  return type === 'bigint' ? (value as number).toString() : value;
}
