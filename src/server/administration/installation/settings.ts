// Probes of the database, for the health checks.

export { askDatabase, tryToWrite, tryToWriteALittle } from './settings.store.ts';
