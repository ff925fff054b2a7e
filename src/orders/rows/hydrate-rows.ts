import type { DataSource, EntityMetadata, EntitySchema, ObjectLiteral } from 'typeorm';

/** Rows that PostgreSQL gave as JSON, as TypeORM would return them. */
export function hydrateRows<Row extends ObjectLiteral>(
  db: DataSource,
  entity: EntitySchema<Row>,
  rows: readonly ObjectLiteral[],
): Row[] {
  const metadata = db.getMetadata(entity);
  return rows.map((row) => hydrateRow(metadata, row) as Row);
}

/** A row as TypeORM would return it. */
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
