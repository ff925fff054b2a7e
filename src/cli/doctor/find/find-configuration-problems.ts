import { findingsOf, type Finding } from '../finding.ts';

const { ok, warning, error } = findingsOf('configuration');

export interface ConfigurationFacts {
  /** The problems that prevent Platen from starting: a variable and a sentence for each. */
  problems: readonly { field: string; message: string }[];
  nodeVersion: string;
  /** Null if the configuration is invalid. */
  settings: {
    isSandbox: boolean;
    hasMetricsToken: boolean;
    oldKeys: number;
    hasOldSecret: boolean;
    checksPrintFiles: boolean;
  } | null;
}

/** Finds problems with the environment variables and the version of Node. */
export function findConfigurationProblems({ problems, nodeVersion, settings }: ConfigurationFacts): Finding[] {
  const found = problems.map(({ field, message }) =>
    error({ subject: field, message, remedy: 'Correct the variable. docs/operators/configure.md explains it.' }),
  );
  if (!/^v?24\./.test(nodeVersion))
    found.push(
      error({
        subject: 'node',
        message: `Platen runs with Node ${nodeVersion}, but it is tested only with Node 24.`,
        remedy: 'Run Platen with Node 24.',
      }),
    );
  if (settings && !settings.isSandbox && !settings.hasMetricsToken)
    found.push(
      warning({
        subject: 'METRICS_TOKEN',
        message: 'METRICS_TOKEN is not set, so no monitoring system can read the metrics and alert you.',
        remedy: 'Set METRICS_TOKEN, scrape /metrics and alert on the metrics in docs/operators/monitor.md.',
      }),
    );
  if (settings && !settings.isSandbox && !settings.checksPrintFiles)
    found.push(
      warning({
        subject: 'PRINT_FILE_CHECK',
        message: 'PRINT_FILE_CHECK is off, so only the print service notices that a print file is missing.',
        remedy: 'Remove PRINT_FILE_CHECK, unless print files are at addresses that this server cannot reach.',
      }),
    );
  if (settings?.hasOldSecret === true)
    found.push(
      warning({
        subject: 'SHOPIFY_API_SECRET_OLD',
        message:
          'SHOPIFY_API_SECRET_OLD is set, so Platen still accepts requests that are signed with the previous secret.',
        remedy: 'Remove the variable one hour after you revoke the previous secret in the Dev Dashboard.',
      }),
    );
  if (found.length > 0) return found;
  const where = settings?.isSandbox === true ? ' Platen runs in its sandbox, because SHOPIFY_API_KEY is not set.' : '';
  return [ok({ subject: 'environment', message: `The environment variables are valid.${where}` })];
}
