import { afterEach, expect, test, vi } from 'vitest';
import { createReport, type DoctorReport } from '../../../src/cli/doctor/create-report.ts';
import type { OpenInstallation } from '../../../src/cli/doctor/gather/open-installation.ts';

const closed: OpenInstallation = {
  configuration: { problems: [], nodeVersion: process.versions.node, settings: null },
  config: null,
  app: null,
  db: null,
  databaseUrl: null,
  problem: null,
  close: async () => undefined,
};

afterEach(() => vi.unstubAllEnvs());

function reportOf(message: string): Promise<DoctorReport> {
  const finding = { check: 'database', level: 'error', subject: 'DATABASE_URL', remedy: null, fix: null } as const;
  return createReport(closed, [{ ...finding, message }], { withShops: false, now: new Date(0) });
}

test('a report keeps the word "platen" in messages even if the database user has that name', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://platen:long-password@db.internal:5432/platen');
  const { findings } = await reportOf('Run "platen migrate". long-password db.internal');
  expect(findings[0]?.message).toBe('Run "platen migrate". [DATABASE_URL] [DATABASE_URL]');
});

test('a report is created even if a password contains a percent sign that encodes nothing', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://someone:se%cret-password@db.internal:5432/platen');
  const { findings } = await reportOf('se%cret-password');
  expect(findings[0]?.message).toBe('[DATABASE_URL]');
});
