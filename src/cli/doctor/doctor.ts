import { writeFile } from 'node:fs/promises';
import { writeErrorLine, writeJson, writeLine } from '../../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { applyFix, describeFix, listFixes } from './apply-fixes.ts';
import { codeOf } from './code-of.ts';
import { examine } from './examine.ts';
import { findWorstLevel, type Finding, type Fix } from './finding.ts';
import { openInstallation } from './gather/open-installation.ts';
import { createReport } from './create-report.ts';
import { systemClock } from '../../clock.ts';

interface Options {
  fix: boolean;
  yes: boolean;
  report: string | undefined;
  'with-shops': boolean;
  json: boolean;
}

/** A fix, and whether it was applied. `error` is the code of the error if the fix failed. */
interface TriedFix {
  fix: Fix;
  isApplied: boolean;
  error: string | null;
}

const EXIT_CODES = { ok: 0, warning: 3, error: 4 } as const;

/** `platen doctor`: checks this installation, even if it cannot start. Returns the exit code. */
export async function doctor({ fix, yes, json, ...options }: Options): Promise<number> {
  if (yes && !fix) throw new UsageError('--yes requires --fix.');
  if (options['with-shops'] && options.report === undefined) throw new UsageError('--with-shops requires --report.');
  const installation = await openInstallation();
  try {
    let findings = await examine(installation);
    const fixes = fix ? await tryFixes(listFixes(findings), yes, (one) => applyFix(installation, one)) : [];
    if (fixes.some(({ isApplied }) => isApplied)) findings = await examine(installation);
    if (json) writeJson({ level: findWorstLevel(findings), findings, fixes });
    else show(findings, fixes, { fix, yes });
    if (options.report !== undefined) {
      const report = await createReport(installation, findings, {
        withShops: options['with-shops'],
        now: systemClock.now(),
      });
      await writeFile(options.report, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 });
      writeErrorLine(`The report is in ${options.report}. Read it before you attach it to an issue.`);
    }
    return EXIT_CODES[findWorstLevel(findings)];
  } finally {
    await installation.close();
  }
}

async function tryFixes(
  fixes: readonly Fix[],
  isConfirmed: boolean,
  apply: (fix: Fix) => Promise<void>,
): Promise<TriedFix[]> {
  const tried: TriedFix[] = [];
  for (const fix of fixes) {
    if (!isConfirmed) {
      tried.push({ fix, isApplied: false, error: null });
      continue;
    }
    try {
      await apply(fix);
      tried.push({ fix, isApplied: true, error: null });
    } catch (error) {
      tried.push({ fix, isApplied: false, error: codeOf(error) });
    }
  }
  return tried;
}

function show(
  findings: readonly Finding[],
  fixes: readonly TriedFix[],
  { fix, yes }: { fix: boolean; yes: boolean },
): void {
  for (const { level, check, subject, message, remedy } of findings) {
    writeLine(`${level.padEnd(8)} ${check}, ${subject}: ${message}`);
    if (remedy !== null) writeLine(`${''.padEnd(8)} Remedy: ${remedy}`);
  }
  const count = (level: Finding['level']): number => findings.filter((one) => one.level === level).length;
  writeLine('');
  writeLine(`Errors: ${count('error')}. Warnings: ${count('warning')}.`);
  for (const { fix: one, isApplied, error } of fixes) {
    if (isApplied) writeLine(`Done: ${describeFix(one)}.`);
    else writeLine(error === null ? `With --yes: ${describeFix(one)}.` : `Failed (${error}): ${describeFix(one)}.`);
  }
  const possible = listFixes(findings).length;
  if (!fix && possible > 0)
    writeLine(`Fixes that can be applied automatically: ${possible}. To list them, run "platen doctor --fix".`);
  if (fix && fixes.length === 0 && !yes) writeLine('Nothing can be fixed automatically.');
}
