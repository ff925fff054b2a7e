import pg from 'pg';

// Commits single rows over a pool: each connection sends its next row once the previous one is committed.

export interface CommitArguments {
  databaseUrl: string;
  rows: number;
}

const { databaseUrl, rows } = JSON.parse(process.argv[2] ?? '') as CommitArguments;
const pool = new pg.Pool({ connectionString: databaseUrl });
const connections = pool.options.max;
let left = rows;
const startedAt = performance.now();
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (left-- > 0) await pool.query('insert into bench_rows (body) values ($1)', ['one row']);
  }),
);
process.send?.((performance.now() - startedAt) / 1000);
await pool.end();
process.disconnect();
