// Plain JavaScript, because a Node that is too old reads no TypeScript. Every command loads this file first.
const NEEDED = 24;
const [major = '0'] = process.versions.node.split('.');

if (Number(major) < NEEDED) {
  process.stderr.write(
    `Platen needs Node ${NEEDED}, but this is Node ${process.versions.node}. "npm ci" installs Node ${NEEDED} for the npm scripts and npx. ` +
      `"npm prune --omit=dev" removes it again, so a server without development dependencies needs Node ${NEEDED} itself.\n`,
  );
  process.exit(1);
}
