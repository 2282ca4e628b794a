import { z } from 'zod';
import { shownTokenForms, tokenForms } from '../compatible/tokens.ts';
import { tokenScopes } from '../permissions.ts';
import { endpoint } from './endpoint.ts';
import { id, idParam, initially, naming, nullable, optionalLine, secret, time } from '../fields.ts';

const token = z.object({
  /** A text, as in other versions of the API. */
  id: z.string(),
  user_id: id,
  name: z.string(),
  scope: z.enum(tokenScopes),
  /** The only project in which the token is valid; null: all projects of its user. */
  project_id: id.nullable(),
  /** The last characters of the token. */
  hint: z.string(),
  created: time,
  expires: time.nullable(),
  ...shownTokenForms,
  expired: z.boolean(),
  last_used: time.nullable(),
});
export type Token = z.output<typeof token>;

export const newToken = z.strictObject({
  name: initially(optionalLine(100), ''),
  /** `read`: only read. `run`: also launch, stop and confirm tasks. `all`: all rights of its user. */
  scope: initially(z.enum(tokenScopes), 'all'),
  project_id: nullable(id),
  /** Null: never. */
  expires: nullable(time),
});
export type NewToken = z.output<typeof newToken>;

/** The id of a token, or the token itself. */
const tokenParam = z.union([z.string().regex(/^sbx_[\w-]{43}$/), idParam], {
  error: 'field.invalid',
});

export const tokens = {
  list: endpoint.get('/api/user/tokens', {
    permission: 'user',
    summary: 'The API tokens of the caller, expired ones too, newest first',
    reply: z.array(token),
  }),
  create: endpoint.post('/api/user/tokens', {
    permission: 'user',
    // A stolen token must not create another one that outlives it.
    token: 'none',
    summary: 'Make an API token. Its text is shown this once',
    body: newToken,
    forms: tokenForms,
    optionalBody: true,
    reply: token.extend({
      /** Also the text of the token, for clients of other versions of the API. */
      id: secret(z.string()),
      /** For the header `Authorization: Bearer …`. */
      token: secret(z.string()),
    }),
    status: 201,
    refuses: ['token.too_many'],
  }),
  remove: endpoint.delete('/api/user/tokens/:token_id', {
    permission: 'user',
    summary: 'Revoke an API token, named by its id or by its text',
    params: { token_id: naming(tokenParam, 'token.not_found') },
  }),
};
