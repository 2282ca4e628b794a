import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, time } from './fields.ts';

export const user = z.object({
  id,
  created: time,
  username: z.string(),
  name: z.string(),
  email: z.string(),
  admin: z.boolean(),
  external: z.boolean(),
  alert: z.boolean(),
});
export type User = z.output<typeof user>;

export const currentUser = user.extend({ can_create_project: z.boolean() });

export const users = {
  current: endpoint({
    method: 'GET',
    path: '/api/user',
    permission: 'user',
    summary: 'The user who is signed in',
    reply: currentUser,
  }),
};
