// Brings a checkout to the point where `npm start`, `npm run check` or `npm test` can work,
// and does nothing when nothing is missing. Plain JavaScript without packages, because it
// runs before there are any, and on the Node that the machine happens to have (20 or newer).

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(
    `Signalbox needs Node 20 or newer to set itself up; this is Node ${process.versions.node}.`,
  );
  console.error('Install a newer one from https://nodejs.org and run the same command again.');
  process.exit(1);
}

// Only now: an older Node would stop at the syntax of these files instead.
const { setUp } = await import('./setup/set-up.js');
process.exitCode = await setUp(process.argv[2] ?? 'start');
