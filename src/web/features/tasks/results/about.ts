/** The host or the task of a result, whichever the list of results does not have in its title. */
export type About = { host: string } | { section: number; name: string };
