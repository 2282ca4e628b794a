/** Settings that an administrator has to correct. The message has a line for each, without secrets. */
export class ConfigError extends Error {}
