/** Problems of a whole shop, as opposed to those of a single order. */
const conditionNames = [
  'key_refused',
  'payment_refused',
  'signed_out',
  'server_refused',
  'fenced_off',
  'other_app',
  'store_silent',
  'print_silent',
] as const;
export type ConditionName = (typeof conditionNames)[number];

/** Conditions, each with the time at which it began, in seconds since 1970. */
export type Conditions = Partial<Record<ConditionName, number>>;

/** A shop's current problems, and those that have been reported in one channel. */
export interface ReportState {
  conditions: Conditions;
  /** The conditions that the last alert reported. */
  reported: Conditions;
  /** Whether a hold that no alert has reported has been open for at least 5 minutes. */
  hasNewHolds: boolean;
  alertedAt: Date | null;
}

/** The contents of the next alert. */
export interface DueAlert {
  started: ConditionName[];
  ended: ConditionName[];
}

/** An outage causes many holds within minutes. The first alert waits for them, and further alerts follow at most hourly. */
export const GATHER_MS = 5 * 60_000;
const INTERVAL_MS = 60 * 60_000;

/** Decides what a shop's alert would report now. Returns null if there is nothing new, or if the last alert is too recent. */
export function decideAlert({ conditions, reported, hasNewHolds, alertedAt }: ReportState, now: Date): DueAlert | null {
  if (alertedAt !== null && now.getTime() - alertedAt.getTime() < INTERVAL_MS) return null;
  const isOldEnough = (since: number): boolean => since * 1000 <= now.getTime() - GATHER_MS;
  const started = conditionNames.filter((name) => {
    const since = conditions[name];
    return since !== undefined && since !== reported[name] && isOldEnough(since);
  });
  const ended = conditionNames.filter((name) => reported[name] !== undefined && conditions[name] === undefined);
  return hasNewHolds || started.length + ended.length > 0 ? { started, ended } : null;
}

/** Returns the conditions that count as reported after an alert. */
export function toReported({ conditions, reported }: ReportState, { started }: DueAlert): Conditions {
  const isReported = (name: ConditionName): boolean => started.includes(name) || reported[name] !== undefined;
  return Object.fromEntries(Object.entries(conditions).filter(([name]) => isReported(name as ConditionName)));
}
