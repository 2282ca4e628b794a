// How integrations authenticate their senders. Without schemas, which the console loads with its forms only.

/** How the sender of a request is authenticated; empty when everybody who knows the address may send. */
export const authMethods = ['', 'github', 'gitlab', 'bitbucket', 'token', 'hmac', 'basic'] as const;
export type AuthMethod = (typeof authMethods)[number];

/** The same with the name that clients of later versions have for none, which they read back. */
export const authMethodInputs = [...authMethods, 'none'] as const;
export type AuthMethodInput = (typeof authMethodInputs)[number];

export const canonicalAuthMethod = (method: AuthMethodInput): AuthMethod =>
  method === 'none' ? '' : method;
