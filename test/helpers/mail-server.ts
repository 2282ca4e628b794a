// Starts a mail server on this machine, with or without a login.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

interface Mail {
  from: string;
  to: string[];
  subject: string;
  /** Headers and body, as they were received. */
  text: string;
}

interface MailServer {
  port: number;
  mails: Mail[];
}

/** `login` is the only login that is accepted. */
export async function startMailServer(
  options: SMTPServerOptions & { login?: { user: string; password: string } } = {},
): Promise<MailServer> {
  const { login, ...rest } = options;
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: !login,
    // The server does not offer TLS.
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth(auth, _session, callback) {
      const isRight = auth.username === login?.user && auth.password === login?.password;
      if (isRight) callback(null, { user: auth.username });
      else callback(new Error('canary-answer: no such login'));
    },
    onData(stream, { envelope }, callback) {
      let received = '';
      stream.setEncoding('utf8');
      stream.on('data', (piece: string) => {
        received += piece;
      });
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, subject: subjectOf(received), text: received });
        callback();
      });
    },
    ...rest,
  });
  // Some tests are about clients that close the connection early.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(async () => {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  });
  return { port: (server.server.address() as AddressInfo).port, mails };
}

/** The subject as people read it: unfolded and decoded. */
function subjectOf(mail: string): string {
  const [, folded = ''] = /^Subject: (.*(?:\r?\n[ \t].*)*)/m.exec(mail) ?? [];
  return folded
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/\r?\n[ \t]/g, ' ')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, words: string) =>
      decodeURIComponent(words.replaceAll('%', '%25').replaceAll('_', ' ').replaceAll('=', '%')),
    );
}
