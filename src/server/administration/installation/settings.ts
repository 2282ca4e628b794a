// Whether the database answers and can be written, which the table of settings shows.

export { askDatabase, tryToWrite, tryToWriteALittle } from './settings.store.ts';
