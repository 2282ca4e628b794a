// Calls to the API of Kubernetes with time limits, whose errors say what the cluster has said.

/** Thrown when the cluster refuses a request; others are worth a repetition. */
export class ClusterRefused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Whether the same request may succeed later. 403: a quota may be used up. 429 and 500: the cluster is busy. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof ClusterRefused) || [403, 429].includes(error.status) || error.status >= 500;

const MAX_CALL_MS = 30_000;

/** Throws `ClusterRefused` with the words of the cluster for its refusals. */
export async function checked<T>(call: Promise<T>): Promise<T> {
  try {
    return await within(call);
  } catch (error) {
    const { code, body } = error as { code?: unknown; body?: unknown };
    if (typeof code !== 'number') throw reachable(error);
    throw new ClusterRefused(code, messageIn(body) ?? `HTTP ${code}`);
  }
}

function messageIn(body: unknown): string | null {
  try {
    const { message } = JSON.parse(String(body)) as { message?: string };
    return message ?? null;
  } catch {
    return null;
  }
}

/** A server that is away is a TypeError whose cause says why. */
function reachable(error: unknown): Error {
  const { message, cause } = error as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return new Error(code ? `${message} (${code})` : message, { cause: error });
}

/** The client has no time limit of its own. */
export async function within<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      late.reject(new Error(`the cluster does not answer within ${MAX_CALL_MS / 1000} seconds`)),
    MAX_CALL_MS,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
