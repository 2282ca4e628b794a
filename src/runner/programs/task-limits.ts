// The limits of the programs of a task, and the files of control groups (version 2) that enforce them.

/** Limits of all programs of a task together; 0: no limit. */
export interface TaskLimits {
  memoryMib: number;
  /** 100 is one processor. */
  cpuPercent: number;
  processes: number;
}

export const noLimits: TaskLimits = { memoryMib: 0, cpuPercent: 0, processes: 0 };

/** What of the limits of a task a machine holds, and the lines of the log about them. */
export interface HeldLimits {
  held: TaskLimits;
  lines: string[];
}

const names = ['memoryMib', 'cpuPercent', 'processes'] as const;
export type LimitName = (typeof names)[number];

export const limitNames = ({ ...limits }: TaskLimits): LimitName[] =>
  names.filter((name) => limits[name] > 0);

/** The lower one of each two limits. */
export function lowerOf(one: TaskLimits, other: TaskLimits): TaskLimits {
  const lower = (name: LimitName): number =>
    one[name] > 0 && other[name] > 0 ? Math.min(one[name], other[name]) : one[name] || other[name];
  return {
    memoryMib: lower('memoryMib'),
    cpuPercent: lower('cpuPercent'),
    processes: lower('processes'),
  };
}

/** The kernel's controller of a limit. */
export const controllerOf: Record<LimitName, string> = {
  memoryMib: 'memory',
  cpuPercent: 'cpu',
  processes: 'pids',
};

const mib = 1024 * 1024;
// The period over which the kernel distributes processor time.
const periodUs = 100_000;

/** A file of a control group and what is written into it. */
interface ControlFile {
  file: string;
  text: string;
  /** Whether the file may be missing. */
  isOptional?: boolean;
}

export function controlFiles({ memoryMib, cpuPercent, processes }: TaskLimits): ControlFile[] {
  return [
    ...(memoryMib > 0
      ? [
          { file: 'memory.max', text: String(memoryMib * mib) },
          // Swapping would circumvent the limit; not every kernel accounts for it.
          { file: 'memory.swap.max', text: '0', isOptional: true },
          // Otherwise a task would continue without the process that was killed.
          { file: 'memory.oom.group', text: '1', isOptional: true },
        ]
      : []),
    ...(cpuPercent > 0
      ? [{ file: 'cpu.max', text: `${(cpuPercent * periodUs) / 100} ${periodUs}` }]
      : []),
    ...(processes > 0 ? [{ file: 'pids.max', text: String(processes) }] : []),
  ];
}

/** The limits for the log, such as "memory 512 MiB, CPU 200 %, 100 processes". */
export const limitWords = ({ memoryMib, cpuPercent, processes }: TaskLimits): string =>
  [
    memoryMib > 0 && `memory ${memoryMib} MiB`,
    cpuPercent > 0 && `CPU ${cpuPercent} %`,
    processes > 0 && `${processes} processes`,
  ]
    .filter(Boolean)
    .join(', ');
