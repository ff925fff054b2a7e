import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Boot } from './boot.ts';
import { UnavailableError } from '../../../errors.ts';

const BUILD_FOLDER = new URL('../../../../build/admin/', import.meta.url);
const TYPES: Record<string, string> = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8' };

/** The built pages of `src/admin`. */
export interface AdminBundle {
  script: string;
  style: string;
  /** The files for the browser, by name. Their names contain a hash of their content. */
  files: ReadonlyMap<string, { type: string; body: string }>;
  /** Renders the content of the first document. */
  render: (boot: Boot, address: string) => string;
}

let loading: Promise<AdminBundle> | null = null;

/** Loads the build once per process. Rejects with UnavailableError `admin_not_built` if `npm run build:admin` has not run. */
export function loadAdminBundle(): Promise<AdminBundle> {
  loading ??= loadBundle().catch((cause: unknown) => {
    loading = null;
    const message = 'The pages have not been built. Run "npm run build:admin", then reload this page.';
    throw new UnavailableError('admin_not_built', message, { retryAfterSeconds: null, cause });
  });
  return loading;
}

async function loadBundle(): Promise<AdminBundle> {
  const browser = new URL('browser/', BUILD_FOLDER);
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', browser), 'utf8')) as Record<
    string,
    { file: string; css?: string[] }
  >;
  const { file: script, css: [style = ''] = [] } = manifest['main.tsx'] ?? { file: '' };
  const files = readdirSync(browser)
    .filter((name) => extname(name) in TYPES)
    .map(
      (name) =>
        [name, { type: TYPES[extname(name)] ?? '', body: readFileSync(new URL(name, browser), 'utf8') }] as const,
    );
  const { render } = (await import(new URL('server/render.js', BUILD_FOLDER).href)) as Pick<AdminBundle, 'render'>;
  return { script, style, files: new Map(files), render };
}
