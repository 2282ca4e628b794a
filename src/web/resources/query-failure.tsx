import { errorWords } from '../lib/error-words.ts';
import { Failure } from '../ui/feedback/failure.tsx';

interface Props {
  error: unknown;
  refetch: () => Promise<unknown>;
}

/** Why a query failed, with a button that repeats it. */
export const QueryFailure = ({ error, refetch }: Props) => (
  <Failure message={errorWords(error)} onRetry={() => void refetch()} />
);
