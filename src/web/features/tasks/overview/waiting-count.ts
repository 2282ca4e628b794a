import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { overviewQueries } from './overview.queries.ts';

const afterMs = 2000;
const everyMs = 30_000;

/** How many tasks and approvals wait for the user; first read when the screen has loaded. */
export function useWaitingCount(): number {
  const [enabled, setEnabled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), afterMs);
    return () => clearTimeout(timer);
  }, []);
  const shared = { enabled, refetchInterval: everyMs };
  const { data: tasks } = useQuery({ ...overviewQueries.tasks(), ...shared });
  const { data: approvals } = useQuery({ ...overviewQueries.approvals(), ...shared });
  return (tasks?.to_confirm.length ?? 0) + (approvals?.length ?? 0);
}
