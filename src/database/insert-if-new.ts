import type { EntityManager, EntitySchema, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';

/** Inserts a row unless it conflicts with an existing row. Returns whether the row was inserted. */
export async function insertIfNew<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntitySchema<Row>,
  row: QueryDeepPartialEntity<Row>,
): Promise<boolean> {
  const insert = manager.createQueryBuilder().insert().into(entity).values(row).orIgnore().returning('true');
  const { raw } = await insert.execute();
  return (raw as unknown[]).length > 0;
}
