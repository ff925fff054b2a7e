import { InstanceChecker, type FindOperator, type ObjectLiteral } from 'typeorm';

/** Thrown for a condition that only the database can evaluate. */
export class UnknownConditionError extends Error {}

/** The condition of a `find` in TypeORM's format: an object, or several objects, at least one of which must match. */
export type Where = ObjectLiteral | readonly ObjectLiteral[];

/** Returns whether a row meets a condition, as PostgreSQL would evaluate it. Throws UnknownConditionError. */
export function matchesWhere(row: ObjectLiteral, where: Where): boolean {
  const alternatives = Array.isArray(where) ? (where as readonly ObjectLiteral[]) : [where];
  return alternatives.some((one) =>
    Object.entries(one).every(([property, condition]) => matchesCondition(row[property], condition)),
  );
}

function matchesCondition(value: unknown, condition: unknown): boolean {
  if (condition === undefined || condition === null)
    throw new UnknownConditionError('a condition is neither a value nor an operator');
  return InstanceChecker.isFindOperator(condition)
    ? matchesOperator(value, condition)
    : hasValue(value) && compareValues(value, condition) === 0;
}

/** Evaluates an operator. A null column meets only the condition `isNull`. */
function matchesOperator(value: unknown, operator: FindOperator<unknown>): boolean {
  const { type, child } = operator;
  if (type === 'isNull') return !hasValue(value);
  if (type === 'not') {
    if (child?.type === 'isNull') return hasValue(value);
    return hasValue(value) && !matchesCondition(value, child ?? operator.value);
  }
  if (!hasValue(value)) return false;
  switch (type) {
    case 'equal':
      return compareValues(value, operator.value) === 0;
    case 'in':
      return (operator.value as readonly unknown[]).some((one) => compareValues(value, one) === 0);
    case 'moreThan':
      return compareValues(value, operator.value) > 0;
    case 'moreThanOrEqual':
      return compareValues(value, operator.value) >= 0;
    case 'lessThan':
      return compareValues(value, operator.value) < 0;
    case 'lessThanOrEqual':
      return compareValues(value, operator.value) <= 0;
    default:
      throw new UnknownConditionError(`the operator ${type} cannot be evaluated in memory`);
  }
}

function hasValue(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/**
 * Returns a negative number, 0 or a positive number, like a sort function. IDs may be strings or numbers, and dates are compared by time.
 */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime();
  if (a instanceof Date || b instanceof Date) return new Date(String(a)).getTime() - new Date(String(b)).getTime();
  const [left, right] = [String(a), String(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Returns whether a condition can match only the given IDs. */
export function canMatchOnlyIds(condition: unknown, ids: ReadonlySet<string>): boolean {
  if (typeof condition === 'string' || typeof condition === 'number') return ids.has(String(condition));
  if (!InstanceChecker.isFindOperator(condition) || condition.type !== 'in') return false;
  return (condition.value as readonly unknown[]).every((one) => ids.has(String(one)));
}
