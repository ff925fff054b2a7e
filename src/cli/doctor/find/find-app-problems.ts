import { findingsOf, type Finding } from '../finding.ts';

const { ok, warning, error } = findingsOf('app');

/** Shopify supports a version for at least 12 months (docs/rules/shopify.md). */
const SUPPORTED_MONTHS = 12;
const WARNED_MONTHS = 9;

export interface AppFacts {
  /** The version of the Admin API that Platen calls, such as 2026-10. */
  apiVersion: string;
  now: Date;
  /** The app's credentials and address in the environment. */
  apiKey: string;
  appUrl: string;
  /** The scopes that Platen needs at install. */
  scopes: readonly string[];
  /** The content of shopify.app.toml. Null if the file does not exist or does not contain the operator's app yet. */
  file: AppFile | null;
}

export interface AppFile {
  clientId: string;
  applicationUrl: string;
  redirectUrls: readonly string[];
  scopes: readonly string[];
  apiVersion: string;
  topics: readonly string[];
}

/** The topics that Shopify requires of every app, and the topics without which only polls would find orders and their changes. */
const NEEDED_TOPICS: readonly string[] = [
  'app/uninstalled',
  'app/scopes_update',
  'orders/create',
  'orders/updated',
  'orders/paid',
  'orders/cancelled',
  'customers/data_request',
  'customers/redact',
  'shop/redact',
];

/** Finds an outdated version of Shopify's API, and differences between shopify.app.toml and the environment. */
export function findAppProblems(facts: AppFacts): Finding[] {
  const found = [...findVersionProblem(facts), ...(facts.file === null ? [] : findFileProblems(facts, facts.file))];
  if (found.length > 0) return found;
  const file = facts.file === null ? '' : ' shopify.app.toml agrees with the environment.';
  return [ok({ subject: 'Shopify', message: `Shopify supports the API version ${facts.apiVersion}.${file}` })];
}

function findVersionProblem({ apiVersion, now }: AppFacts): Finding[] {
  const months = (now.getTime() - Date.parse(`${apiVersion}-01T00:00:00Z`)) / (30.44 * 86_400_000);
  if (months < WARNED_MONTHS) return [];
  const problem = {
    subject: 'API version',
    message: `The API version ${apiVersion} is ${Math.floor(months)} months old. Shopify supports a version for at least ${SUPPORTED_MONTHS} months.`,
    remedy: 'Upgrade Platen to a version that calls a newer API version.',
  };
  return [months < SUPPORTED_MONTHS ? warning(problem) : error(problem)];
}

function findFileProblems({ apiKey, appUrl, scopes, apiVersion }: AppFacts, file: AppFile): Finding[] {
  const redirect = `${appUrl}/auth/callback`;
  const lacking = (wanted: readonly string[], given: readonly string[]): string =>
    wanted.filter((one) => !given.includes(one)).join(', ');
  const differences: [isDifferent: boolean, name: string, message: string][] = [
    [file.clientId !== apiKey, 'client_id', 'differs from SHOPIFY_API_KEY'],
    [
      trimmed(file.applicationUrl) !== trimmed(appUrl),
      'application_url',
      `is ${file.applicationUrl}, but SHOPIFY_APP_URL is ${appUrl}`,
    ],
    [!file.redirectUrls.includes(redirect), 'redirect_urls', `does not contain ${redirect}`],
    [lacking(scopes, file.scopes) !== '', 'scopes', `lacks ${lacking(scopes, file.scopes)}`],
    [
      file.apiVersion !== apiVersion,
      'api_version',
      `is ${file.apiVersion}, but Platen expects webhooks of version ${apiVersion}`,
    ],
    [lacking(NEEDED_TOPICS, file.topics) !== '', 'webhooks', `lacks ${lacking(NEEDED_TOPICS, file.topics)}`],
  ];
  return differences
    .filter(([isDifferent]) => isDifferent)
    .map(([, name, message]) =>
      error({
        subject: `shopify.app.toml: ${name}`,
        message: `${name} in shopify.app.toml ${message}.`,
        remedy: 'Correct the file, and upload it with "npx shopify app deploy".',
      }),
    );
}

const trimmed = (url: string): string => url.replace(/\/$/, '');
