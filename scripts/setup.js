// Installs and builds what `npm start`, `npm run check` or `npm test` needs, and does nothing when
// nothing is missing. This file is plain JavaScript without packages, because it runs before
// packages are installed, on any Node from 20.

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(
    `Signalbox needs Node 20 or newer to set itself up; this is Node ${process.versions.node}.`,
  );
  console.error('Install a newer one from https://nodejs.org and run the same command again.');
  process.exit(1);
}

// Imported here and not at the top: an older Node would stop at the syntax of these files.
const { setUp } = await import('./setup/set-up.js');
process.exitCode = await setUp(process.argv[2] ?? 'start');
