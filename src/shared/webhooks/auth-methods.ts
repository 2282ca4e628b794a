// The sender authentication of integrations. Separate from the schemas, which the console loads with its forms only.

/** Empty: everybody who knows the address may send requests. */
export const authMethods = ['', 'github', 'gitlab', 'bitbucket', 'token', 'hmac', 'basic'] as const;
export type AuthMethod = (typeof authMethods)[number];

/** Includes the name of none of later versions, which such clients read back. */
export const authMethodInputs = [...authMethods, 'none'] as const;
export type AuthMethodInput = (typeof authMethodInputs)[number];

export const canonicalAuthMethod = (method: AuthMethodInput): AuthMethod =>
  method === 'none' ? '' : method;
