// Errors of alert deliveries.

import { type CodeOf, defineCatalogue } from './catalogue.ts';

export const alertErrors = defineCatalogue({
  refused_address:
    'The address is in a network that alerts cannot reach. An administrator can allow it with SIGNALBOX_ALERT_ADDRESSES.',
  unresolved: 'There is no server with this name. Check the address.',
  connection: 'Cannot reach the server.',
  proxy: 'Cannot reach the proxy of the server, or it refused the connection.',
  tls: 'Cannot trust the certificate or the encryption of the server.',
  timeout: 'The server did not answer in time.',
  redirect: 'The server answered with another address. Redirects are not followed.',
  status: 'The server refused the message.',
  mail_login: 'The mail server refused the login of Signalbox.',
  mail_refused: 'The mail server refused the message.',
  mail_some_refused: 'The mail server refused some of the addresses.',
  incomplete: 'The channel has no address or token yet. Enter what it needs.',
  no_token:
    'The repository has no token for commit statuses, or its URL names no repository at a host.',
  not_set_up: 'This server is not set up for it. Ask an administrator.',
  recipient_gone: 'The recipient was removed or disabled meanwhile.',
  internal: 'Something went wrong on the server. Its log has the details.',
});
export type AlertError = CodeOf<typeof alertErrors>;
