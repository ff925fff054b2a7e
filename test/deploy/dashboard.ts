import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './manifests.ts';

interface Dashboard {
  panels: { title: string; gridPos: Record<'x' | 'y' | 'w' | 'h', number>; targets?: { expr: string }[] }[];
}

export async function readDashboard(): Promise<Dashboard> {
  return JSON.parse(await readFile(join(ROOT, 'deploy/grafana/platen.json'), 'utf8')) as Dashboard;
}

/** Returns the queries of all panels. */
export async function readQueries(): Promise<string[]> {
  const { panels } = await readDashboard();
  return panels.flatMap((panel) => panel.targets?.map(({ expr }) => expr) ?? []);
}
