import { readDatabaseCpuMs } from './database-work.ts';
import { groupStatements, type StatementCount } from './group-statements.ts';
import { readWork, type AppProcess, type Stage } from './stage.ts';

/** The average cost of one order or pass. */
export interface Cost {
  statements: number;
  adminCalls: number;
  adminCost: number;
  printCalls: number;
  jobs: number;
  appCpuMs: number;
  databaseCpuMs: number | null;
}

interface Measured<Result> {
  result: Result;
  cost: Cost;
  adminCallsByName: Record<string, number>;
  statements: StatementCount[];
}

/** Measures the work of the app and its database while `act` runs, divided by `times`. */
export async function measureCost<Result>(
  stage: Stage,
  app: AppProcess,
  times: number,
  act: () => Promise<Result>,
): Promise<Measured<Result>> {
  const before = await readCounts(stage, app);
  const result = await act();
  const after = await readCounts(stage, app);
  const each = (now: number, then: number): number => (now - then) / times;
  const calls = Object.entries(after.calls).map(
    ([name, count]) => [name, each(count, before.calls[name] ?? 0)] as const,
  );
  return {
    result,
    cost: {
      statements: each(after.app.statements, before.app.statements),
      adminCalls: calls.reduce((sum, [, count]) => sum + count, 0),
      adminCost: each(after.adminCost, before.adminCost),
      printCalls: each(after.print.requests, before.print.requests),
      jobs: each(after.app.jobs, before.app.jobs),
      appCpuMs: each(after.app.cpuMs, before.app.cpuMs),
      databaseCpuMs: after.databaseCpuMs === null ? null : each(after.databaseCpuMs, before.databaseCpuMs ?? 0),
    },
    adminCallsByName: Object.fromEntries(calls.filter(([, count]) => count > 0)),
    statements: groupStatements(before.app.texts, after.app.texts, times),
  };
}

async function readCounts(stage: Stage, { child }: AppProcess) {
  const { requested } = (await stage.control('store', 'GET', '/throttle')) as { requested: number };
  return {
    app: await readWork(child),
    print: await readWork(stage.print),
    calls: (await stage.control('store', 'GET', '/calls')) as Record<string, number>,
    adminCost: requested,
    databaseCpuMs: await readDatabaseCpuMs(stage),
  };
}
