import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

const run = promisify(execFile);
export const ROOT = join(import.meta.dirname, '../..');
export const CHART = join(ROOT, 'deploy/helm');
const TOOLS = join(ROOT, 'node_modules/.cache/deploy-tools');

interface Container {
  name: string;
  command?: string[];
  args?: string[];
  env?: { name: string; value: string }[];
  envFrom?: { secretRef: { name: string } }[];
  securityContext: Record<string, unknown>;
  [field: string]: unknown;
}

export interface PodSpec {
  containers: Container[];
  volumes?: { name: string; emptyDir?: object }[];
  securityContext: Record<string, unknown>;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds?: number;
}

/** A Kubernetes object as Helm renders it. Only the fields that the tests read have types. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  // oxlint-disable-next-line typescript/no-explicit-any -- The content depends on the kind, and kubernetes-models validates it.
  spec?: any;
  [field: string]: unknown;
}

/** Installs helm and promtool if they are not installed yet. */
export async function installDeployTools(): Promise<void> {
  await run(join(ROOT, 'scripts/install-deploy-tools.sh'), { timeout: 600_000 });
}

/** Runs `helm` or `promtool`. Throws an error with the standard error output if it fails. */
export async function runTool(name: 'helm' | 'promtool', args: string[]): Promise<string> {
  return (await run(join(TOOLS, name), args, { timeout: 120_000, maxBuffer: 2 ** 24, cwd: ROOT })).stdout;
}

/** Renders the chart with a file of deploy/helm/ci and further arguments, such as `--set`. Throws if Helm refuses the values. */
export async function renderChart(values: string, ...args: string[]): Promise<Manifest[]> {
  const file = join(CHART, 'ci', `${values}.yaml`);
  const text = await runTool('helm', ['template', 'shop', CHART, '--namespace', 'print', '--values', file, ...args]);
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0] ?? new Error('The manifest is not YAML.');
    const manifest = document.toJS() as Manifest | null;
    return manifest ? [manifest] : [];
  });
}

/** Returns the pod specs of workloads and of the test pod, by the object's name. */
export function podSpecsOf(manifests: readonly Manifest[]): Map<string, PodSpec> {
  const pods = manifests.flatMap(({ kind, metadata, spec }): [string, PodSpec][] => {
    if (kind === 'Pod') return [[metadata.name, spec]];
    return spec?.template?.spec ? [[metadata.name, spec.template.spec]] : [];
  });
  return new Map(pods);
}
