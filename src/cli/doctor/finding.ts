/** `error`: orders may be lost, late or printed wrongly until someone acts. `warning`: someone should investigate. */
export type Level = 'ok' | 'warning' | 'error';

/** The parts of an installation that `platen doctor` checks. */
const checkNames = [
  'configuration',
  'database',
  'migrations',
  'clock',
  'keys',
  'disk',
  'queue',
  'polls',
  'alerts',
  'address',
  'app',
  'shop',
] as const;
export type CheckName = (typeof checkNames)[number];

/** An action that resolves a finding and is safe to repeat. Other parts of Platen also perform each of these actions. */
export type Fix =
  | { name: 'migrate' }
  | { name: 'store_events_set_aside' }
  | { name: 'plan_lost_orders' }
  | { name: 'sync_carrier_service'; shopId: number; shop: string }
  | { name: 'sync_fulfillment_service'; shopId: number; shop: string }
  | { name: 'resume_print_account'; accountId: number };

/** A result of a check. `subject` is what the finding is about, such as a variable or a shop's domain. */
export interface Finding {
  check: CheckName;
  level: Level;
  subject: string;
  message: string;
  /** The action that resolves the finding. Null only for the level `ok`. */
  remedy: string | null;
  fix: Fix | null;
}

type Text = Pick<Finding, 'subject' | 'message'>;
type Problem = Text & { remedy: string; fix?: Fix };

/** Returns functions that create the findings of one check. */
export function findingsOf(check: CheckName) {
  return {
    ok: (finding: Text): Finding => ({ check, level: 'ok', remedy: null, fix: null, ...finding }),
    warning: (finding: Problem): Finding => ({ check, level: 'warning', fix: null, ...finding }),
    error: (finding: Problem): Finding => ({ check, level: 'error', fix: null, ...finding }),
  };
}

/** Returns the highest level among the findings. */
export function findWorstLevel(findings: readonly Finding[]): Level {
  const levels = new Set(findings.map(({ level }) => level));
  if (levels.has('error')) return 'error';
  return levels.has('warning') ? 'warning' : 'ok';
}
