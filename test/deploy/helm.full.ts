import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as keda from '@kubernetes-models/keda/keda.sh/v1alpha1';
import * as monitoring from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import * as apps from 'kubernetes-models/apps/v1';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { environmentGroups } from '../../src/environment.ts';
import { listRoutes } from '../http/list-routes.ts';
import { openTestApp } from '../http/test-app.ts';
import { CHART, installDeployTools, podSpecsOf, renderChart, ROOT, runTool, type Manifest } from './manifests.ts';

const run = promisify(execFile);
const VALUES = ['minimal', 'full', 'small'];
/** The package of each API version, with a type and a schema for each kind. */
const MODULES: Record<string, [from: string, kinds: object]> = {
  v1: ['kubernetes-models/v1', core],
  'apps/v1': ['kubernetes-models/apps/v1', apps],
  'batch/v1': ['kubernetes-models/batch/v1', batch],
  'networking.k8s.io/v1': ['kubernetes-models/networking.k8s.io/v1', networking],
  'policy/v1': ['kubernetes-models/policy/v1', policy],
  'keda.sh/v1alpha1': ['@kubernetes-models/keda/keda.sh/v1alpha1', keda],
  'monitoring.coreos.com/v1': ['@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1', monitoring],
};

let rendered: Map<string, Manifest[]>;

beforeAll(async () => {
  await installDeployTools();
  rendered = new Map(await Promise.all(VALUES.map(async (name) => [name, await renderChart(name)] as const)));
}, 600_000);

const get = (values: string, kind: string, name?: string): Manifest => {
  const found = rendered.get(values)?.find((one) => one.kind === kind && (!name || one.metadata.name.endsWith(name)));
  if (!found) throw new Error(`${values} has no ${kind} ${name ?? ''}.`);
  return found;
};

describe('the chart', () => {
  test.each(VALUES)('helm lints the chart with ci/%s.yaml', async (name) => {
    const output = await runTool('helm', ['lint', '--strict', CHART, '--values', join(CHART, 'ci', `${name}.yaml`)]);
    expect(output).toContain('0 chart(s) failed');
  });

  test.each(VALUES)('every object of ci/%s.yaml is valid for the Kubernetes API', (name) => {
    const manifests = rendered.get(name) ?? [];
    expect(manifests.length).toBeGreaterThan(5);
    for (const manifest of manifests) validate(manifest);
  });

  test('no object has a field that is unknown to the Kubernetes API', async () => {
    expect(await checkTypes([...rendered.values()].flat())).toBe('');
    const broken = structuredClone(get('minimal', 'Deployment'));
    broken.spec.template.spec.containers[0].readynessProbe = {};
    expect(await checkTypes([broken])).toContain('readynessProbe');
  }, 300_000);

  test('the chart has the version of package.json', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(parse(await readFile(join(CHART, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version });
  });
});

describe('invalid values', () => {
  const digest = 'image.digest=sha256:1';
  test.each([
    ['a missing image', ['image.repository='], "at '/image/repository'"],
    ['a digest that is too short', [digest], "at '/image/digest'"],
    ['a misspelled value', ['worker.replica=3'], "'replica' not allowed"],
    [
      'a public address with http',
      ['config.SHOPIFY_APP_URL=http://platen.example.com'],
      "at '/config/SHOPIFY_APP_URL'",
    ],
    ['a secret among the plain variables', ['config.SHOPIFY_API_SECRET=shpss_1'], "'SHOPIFY_API_SECRET'"],
    [
      'an address with a password among the plain variables',
      ['config.SMTP_URL=smtps://a:b@mail.example.com'],
      "'SMTP_URL'",
    ],
    ['a variable that the chart sets', ['config.ROLE=all'], "'ROLE'"],
    ['no secret', ['secret.existing='], "at '/secret'"],
    ['an existing secret together with secret values', ['secret.values.DATABASE_URL=postgres://a'], "at '/secret'"],
    ['no worker', ['worker.replicas=0'], "at '/worker/replicas'"],
    ['autoscaling without Prometheus', ['worker.autoscaling.enabled=true'], "at '/worker/autoscaling"],
    ['autoscaling to zero', ['worker.autoscaling.minReplicas=0'], "at '/worker/autoscaling/minReplicas'"],
    ['an ingress without a host', ['ingress.enabled=true'], "at '/ingress/host'"],
    [
      'an ingress for another host than the app’s address',
      ['ingress.enabled=true', 'ingress.host=shop.example.com'],
      'ingress.host must be platen.example.com',
    ],
    ['a volume that is smaller than the spool', ['web.spool.size=255Mi'], "at '/web/spool/size'"],
    ['metrics that Prometheus cannot reach', ['monitoring.podMonitor.enabled=true'], 'networkPolicy.metricsFrom'],
  ])('helm refuses %s', async (_, sets, message) => {
    const args = sets.flatMap((set) => ['--set', set]);
    await expect(renderChart('minimal', ...args)).rejects.toThrow(message);
  });

  test('helm refuses an encryption key that is not 32 bytes in base64', async () => {
    const set = ['--set', 'secret.values.ENCRYPTION_KEY=short'];
    await expect(renderChart('full', ...set)).rejects.toThrow("at '/secret/values/ENCRYPTION_KEY'");
  });
});

describe('the pods', () => {
  test.each(VALUES)('every pod of ci/%s.yaml meets the Pod Security Standard "restricted"', (name) => {
    const pods = podSpecsOf(rendered.get(name) ?? []);
    expect(pods.size).toBeGreaterThan(2);
    for (const [pod, spec] of pods) {
      expect([pod, spec.securityContext]).toEqual([pod, expect.objectContaining({ runAsNonRoot: true })]);
      expect(spec.securityContext).toMatchObject({ runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } });
      expect([pod, spec.automountServiceAccountToken]).toEqual([pod, false]);
      for (const container of spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  test('a pod waits for the database and the key when it starts, but stays ready during a database outage', () => {
    for (const spec of [get('minimal', 'StatefulSet'), get('minimal', 'Deployment')].map((one) => podOf(one))) {
      const [container] = spec.containers;
      expect(container).toMatchObject({
        startupProbe: { httpGet: { path: '/readyz', port: 'http' } },
        readinessProbe: { httpGet: { path: '/healthz', port: 'http' } },
        livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
        lifecycle: { preStop: { sleep: { seconds: 5 } } },
      });
      // Platen stops within 25 seconds.
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30);
    }
  });

  test('pods get only variables that exist, and the secrets of the release', () => {
    const known = Object.values(environmentGroups).flatMap((group) => Object.keys(group));
    for (const [name, spec] of podSpecsOf(rendered.get('full') ?? [])) {
      if (name.endsWith('-test')) continue;
      const [container] = spec.containers;
      expect(known).toEqual(expect.arrayContaining(container?.env?.map((one) => one.name) ?? ['none']));
      const secret = container?.envFrom?.[0]?.secretRef.name ?? '';
      expect(Object.keys(get('full', 'Secret', secret)['stringData'] as object).toSorted()).toEqual([
        'DATABASE_URL',
        'ENCRYPTION_KEY',
        'METRICS_TOKEN',
        'SHOPIFY_API_SECRET',
      ]);
    }
    expect(podOf(get('full', 'StatefulSet')).containers[0]?.env).toContainEqual({ name: 'ROLE', value: 'web' });
    expect(podOf(get('full', 'Deployment')).containers[0]?.env).toContainEqual({ name: 'ROLE', value: 'worker' });
  });

  test('the migration runs before the rollout, after its secret and its network policy exist', () => {
    const hooks = (rendered.get('full') ?? []).filter(({ metadata }) =>
      metadata.annotations?.['helm.sh/hook']?.includes('pre-upgrade'),
    );
    const weights = Object.fromEntries(
      hooks.map(({ kind, metadata }) => [kind, Number(metadata.annotations?.['helm.sh/hook-weight'])]),
    );
    expect(weights).toEqual({ Secret: -10, NetworkPolicy: -10, Job: 0 });
    expect(podOf(get('full', 'Job')).containers[0]).toMatchObject({ command: ['platen', 'migrate'] });
    expect(get('full', 'Secret', 'shop-platen').metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
  });

  test('each web pod keeps its own volume, unless the spool is not persistent', () => {
    expect(get('full', 'StatefulSet').spec.volumeClaimTemplates).toMatchObject([
      { metadata: { name: 'home' }, spec: { storageClassName: 'fast', resources: { requests: { storage: '2Gi' } } } },
    ]);
    expect(get('small', 'StatefulSet').spec.volumeClaimTemplates).toBeUndefined();
    expect(podOf(get('small', 'StatefulSet')).volumes).toEqual([{ name: 'home', emptyDir: { sizeLimit: '300Mi' } }]);
  });

  test('selectors select exactly the pods of their component', () => {
    const manifests = rendered.get('full') ?? [];
    for (const component of ['web', 'worker']) {
      const pods = manifests.filter(({ spec, metadata }) => spec?.template && metadata.name.endsWith(`-${component}`));
      const labels = pods.map(({ spec }) => spec.template.metadata.labels as Record<string, string>);
      expect(labels).toHaveLength(1);
      const budget = get('full', 'PodDisruptionBudget', component);
      const network = get('full', 'NetworkPolicy', component);
      for (const match of [budget.spec.selector, network.spec.podSelector, pods[0]?.spec.selector])
        expect(labels[0]).toMatchObject(match.matchLabels);
    }
    const service = get('full', 'Service').spec.selector as Record<string, string>;
    expect(service['app.kubernetes.io/component']).toBe('web');
  });
});

describe('the network', () => {
  test('the ingress publishes every route except health and metrics', async () => {
    const [rule] = get('full', 'Ingress').spec.rules as [{ http: { paths: { path: string; pathType: string }[] } }];
    const covers = ({ path, pathType }: { path: string; pathType: string }, route: string): boolean =>
      route === path || (pathType === 'Prefix' && route.startsWith(`${path}/`));
    const app = await openTestApp();
    onTestFinished(() => app.close());
    const routes = (await listRoutes(app)).map((route) => route.slice(route.indexOf(' ') + 1));
    const closed = routes.filter((route) => !rule.http.paths.some((path) => covers(path, route)));
    expect(closed.toSorted()).toEqual(['/healthz', '/metrics', '/readyz']);
    for (const path of rule.http.paths)
      expect([path, routes.some((route) => covers(path, route))]).toEqual([path, true]);
  });

  test('pods can reach DNS, the database and public HTTPS addresses, and only web pods receive requests', () => {
    const ports = (name: string): number[] =>
      (get('minimal', 'NetworkPolicy', name).spec.egress as { ports: { port: number }[] }[]).flatMap((rule) =>
        rule.ports.map(({ port }) => port),
      );
    expect(ports('web')).toEqual([53, 53, 5432, 443]);
    expect(ports('worker')).toEqual([53, 53, 5432, 443]);
    expect(ports('migrate')).toEqual([53, 53, 5432]);
    expect(get('minimal', 'NetworkPolicy', 'web').spec.ingress).toHaveLength(1);
    expect(get('minimal', 'NetworkPolicy', 'worker').spec.ingress).toEqual([]);
    expect(get('minimal', 'NetworkPolicy', 'migrate').spec.ingress).toEqual([]);
    const https = get('minimal', 'NetworkPolicy', 'worker').spec.egress[2].to[0].ipBlock as { except: string[] };
    expect(https.except).toContain('169.254.0.0/16');
  });

  test('Prometheus reaches the metrics of workers, and `helm test` reaches the web pods', () => {
    const worker = get('full', 'NetworkPolicy', 'worker').spec.ingress[0].from as object[];
    expect(worker).toHaveLength(1);
    const web = get('full', 'NetworkPolicy', 'web').spec.ingress[0].from as object[];
    const pod = get('full', 'Pod').metadata.labels;
    expect(web).toHaveLength(3);
    expect(pod).toMatchObject((web[2] as { podSelector: { matchLabels: object } }).podSelector.matchLabels);
  });
});

describe('autoscaling and monitoring', () => {
  test('KEDA scales the workers by the age of the queue, and Helm does not reset their number', () => {
    const { spec } = get('full', 'ScaledObject');
    expect(spec.scaleTargetRef.name).toBe(get('full', 'Deployment').metadata.name);
    expect(get('full', 'Deployment').spec.replicas).toBeUndefined();
    expect(spec.triggers[0]).toMatchObject({
      type: 'prometheus',
      metricType: 'Value',
      metadata: { query: 'max(platen_jobs_oldest_due_seconds{namespace="print"} >= 0)', threshold: '60' },
    });
  });

  test('the autoscaling query and the alert rules are valid', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-rules-'));
    try {
      const { query } = get('full', 'ScaledObject').spec.triggers[0].metadata as { query: string };
      const scaling = { name: 'scaling', rules: [{ record: 'age', expr: query }] };
      const groups = [...(get('full', 'PrometheusRule').spec.groups as object[]), scaling];
      const file = join(folder, 'rules.json');
      await writeFile(file, JSON.stringify({ groups }));
      expect(await runTool('promtool', ['check', 'rules', file])).toMatch(/SUCCESS: 3\d rules found/);
      expect(JSON.stringify(groups)).toContain('https://docs.example.com/platen/runbooks#platenworkerdown');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('the monitor sends the metrics token of the release to web and worker pods', () => {
    const { spec } = get('full', 'PodMonitor');
    expect(spec.podMetricsEndpoints).toEqual([
      {
        port: 'http',
        path: '/metrics',
        interval: '15s',
        authorization: { credentials: { name: 'shop-platen', key: 'METRICS_TOKEN' } },
      },
    ]);
    expect(spec.selector.matchExpressions[0].values).toEqual(['web', 'worker']);
  });
});

function podOf(manifest: Manifest): NonNullable<ReturnType<ReturnType<typeof podSpecsOf>['get']>> {
  const spec = podSpecsOf([manifest]).get(manifest.metadata.name);
  if (!spec) throw new Error(`${manifest.metadata.name} has no pods.`);
  return spec;
}

/** Validates an object with the schema of its kind. Throws if the object is invalid or its kind has no schema. */
function validate(manifest: Manifest): void {
  const [, kinds] = MODULES[manifest.apiVersion] ?? [];
  const Model = (kinds as Record<string, new (data: object) => { validate(): void }> | undefined)?.[manifest.kind];
  if (!Model) throw new Error(`There is no schema for ${manifest.apiVersion} ${manifest.kind}.`);
  new Model(manifest).validate();
}

/** Compares objects with the API's TypeScript types, which also rejects unknown fields. Returns the compiler's messages. */
async function checkTypes(manifests: readonly Manifest[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-manifests-'));
  try {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const imports = Object.values(MODULES).map(([from], at) => `import type * as m${at} from '${from}';`);
    const constants = manifests.map((manifest, at) => {
      const module = Object.keys(MODULES).indexOf(manifest.apiVersion);
      return `export const c${at}: m${module}.I${manifest.kind} = ${JSON.stringify(manifest)};`;
    });
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'manifests.ts'), [...imports, ...constants].join('\n'));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [tsc, ...options, 'manifests.ts'], { cwd: folder, timeout: 240_000 });
    return '';
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? String(error);
  } finally {
    await rm(folder, { recursive: true });
  }
}
