// A line to PostgreSQL that fails as databases do: it understands enough of the protocol to cut, delay or
// refuse at chosen statements, and to be away for a while.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What happens to one statement. `cut_after`: it is done, but its answer is lost. */
type StatementFault =
  | { kind: 'cut' }
  | { kind: 'cut_after' }
  | { kind: 'delay'; ms: number }
  | { kind: 'refuse'; code: string };

export interface FaultyPostgres {
  port: number;
  /** Puts a fault before the next statement that comes after so many others. */
  arm: (fault: StatementFault, after: number) => void;
  /** Ends all connections, and refuses further ones until `mend`. */
  cut: () => void;
  mend: () => void;
  close: () => void;
}

const typeBytes = 1;
const lengthBytes = 4;
const sslRequest = 80_877_103;

/** Takes whole messages out of what has come; the first one of a client has no type. */
class Messages {
  #rest: Buffer = Buffer.alloc(0);
  #isFirst: boolean;

  constructor(hasStart: boolean) {
    this.#isFirst = hasStart;
  }

  *take(bytes: Buffer): Generator<{ type: string; whole: Buffer }> {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const before = this.#isFirst ? 0 : typeBytes;
      if (this.#rest.length < before + lengthBytes) return;
      const length = before + this.#rest.readInt32BE(before);
      if (this.#rest.length < length) return;
      const whole = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      const type = this.#isFirst ? '' : String.fromCharCode(whole[0] ?? 0);
      // After a request for TLS, the client starts again.
      if (this.#isFirst && whole.length === 8 && whole.readInt32BE(4) === sslRequest) {
        yield { type: 'tls', whole };
        continue;
      }
      this.#isFirst = false;
      yield { type, whole };
    }
  }
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(typeBytes + lengthBytes);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + lengthBytes, typeBytes);
  return Buffer.concat([head, body]);
}

/** The answer to a statement that the database refuses. `isOpen`: within a transaction, which has failed then. */
function refusal(code: string, isOpen: boolean): Buffer {
  const fields = `SERROR\0VERROR\0C${code}\0Mthe drill refuses this statement\0\0`;
  return Buffer.concat([
    message('E', Buffer.from(fields, 'latin1')),
    message('Z', Buffer.from(isOpen ? 'E' : 'I', 'latin1')),
  ]);
}

const isOfStatement = (type: string): boolean => type !== '' && 'QPBECDS'.includes(type);
const isEnd = (whole: Buffer): boolean => /rollback|commit/i.test(whole.toString('latin1'));

/** One connection of a client. */
class Line {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #next: () => StatementFault | null;
  /** Whether the server has a transaction open for the client. */
  #isOpen = false;
  /** Whether a statement has begun, of which further messages may come until its end. */
  #isWithin = false;
  /** The code with which the statement that comes now is refused; null: it is passed on. */
  #refused: string | null = null;
  #isDeaf = false;
  #turn: Promise<void> = Promise.resolve();

  constructor(near: Socket, target: number, next: () => StatementFault | null) {
    this.#near = near;
    this.#far = connect(target, '127.0.0.1');
    this.#next = next;
    const [asked, answered] = [new Messages(true), new Messages(false)];
    near.on('data', (bytes: Buffer) => {
      for (const one of asked.take(bytes)) {
        this.#turn = this.#turn.then(() => this.#ask(one.type, one.whole));
      }
    });
    this.#far.on('data', (bytes: Buffer) => {
      // The answer to a request for TLS is one letter.
      if (bytes.length === 1) return void near.write(bytes);
      for (const { type, whole } of answered.take(bytes)) {
        if (type === 'Z') this.#isOpen = String.fromCharCode(whole[5] ?? 0) !== 'I';
        if (!this.#isDeaf) near.write(whole);
        else if (type === 'Z') this.end();
      }
    });
    for (const socket of [near, this.#far]) {
      socket.on('error', () => this.end());
      socket.on('close', () => this.end());
    }
  }

  end(): void {
    this.#near.destroy();
    this.#far.destroy();
  }

  /** A statement is one message Q, or several that end with a message S. */
  async #ask(type: string, whole: Buffer): Promise<void> {
    if (!isOfStatement(type)) return void this.#far.write(whole);
    const fault = this.#isWithin ? null : this.#next();
    this.#isWithin = type !== 'Q' && type !== 'S';
    if (fault?.kind === 'cut') return this.end();
    if (fault?.kind === 'cut_after') this.#isDeaf = true;
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    // A rollback is never refused: the client would not know what to do either.
    if (fault?.kind === 'refuse' && !isEnd(whole)) this.#refused = fault.code;
    if (this.#refused === null) return void this.#far.write(whole);
    if (this.#isWithin) return;
    this.#near.write(refusal(this.#refused, this.#isOpen));
    this.#refused = null;
  }
}

/** Opens such a line to a PostgreSQL of this machine. */
export async function faultyPostgres(target: number): Promise<FaultyPostgres> {
  const lines = new Set<Line>();
  let armed: { fault: StatementFault; left: number } | null = null;
  let isCut = false;
  const next = (): StatementFault | null => {
    if (!armed || armed.left-- > 0) return null;
    const { fault } = armed;
    armed = null;
    return fault;
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const line = new Line(near, target, next);
    lines.add(line);
    near.on('close', () => lines.delete(line));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    isCut = true;
    for (const line of lines) line.end();
  };
  return {
    port: (server.address() as AddressInfo).port,
    arm: (fault, after) => (armed = { fault, left: after }),
    cut,
    mend: () => (isCut = false),
    close() {
      cut();
      server.close();
    },
  };
}
