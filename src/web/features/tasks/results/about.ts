/** What a result is about, where the list of results does not name it: its host, or its task. */
export type About = { host: string } | { section: number; name: string };
