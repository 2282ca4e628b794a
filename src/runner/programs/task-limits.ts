// What the programs of a task may use of their machine, and how control groups (version 2) are told.

/** What the programs of a task may use together; 0: as much as they want. */
export interface TaskLimits {
  memoryMib: number;
  /** 100 is one processor. */
  cpuPercent: number;
  processes: number;
}

export const noLimits: TaskLimits = { memoryMib: 0, cpuPercent: 0, processes: 0 };

const names = ['memoryMib', 'cpuPercent', 'processes'] as const;
export type LimitName = (typeof names)[number];

export const limitNames = ({ ...limits }: TaskLimits): LimitName[] =>
  names.filter((name) => limits[name] > 0);

/** Pure: of each limit the lower one of two. */
export function lowerOf(one: TaskLimits, other: TaskLimits): TaskLimits {
  const lower = (name: LimitName): number =>
    one[name] > 0 && other[name] > 0 ? Math.min(one[name], other[name]) : one[name] || other[name];
  return {
    memoryMib: lower('memoryMib'),
    cpuPercent: lower('cpuPercent'),
    processes: lower('processes'),
  };
}

/** The controller of the kernel that holds a limit. */
export const controllerOf: Record<LimitName, string> = {
  memoryMib: 'memory',
  cpuPercent: 'cpu',
  processes: 'pids',
};

const mib = 1024 * 1024;
// Microseconds over which the kernel shares out the time of the processors.
const periodUs = 100_000;

/** The files of a control group and what is written into them; an optional one need not be there. */
interface ControlFile {
  file: string;
  text: string;
  isOptional?: boolean;
}

/** Pure: what holds these limits. */
export function controlFiles({ memoryMib, cpuPercent, processes }: TaskLimits): ControlFile[] {
  return [
    ...(memoryMib > 0
      ? [
          { file: 'memory.max', text: String(memoryMib * mib) },
          // Memory that is moved to the disk would be a way around the limit; not every kernel counts it.
          { file: 'memory.swap.max', text: '0', isOptional: true },
          // A task of which one process is killed would go on with half of its work.
          { file: 'memory.oom.group', text: '1', isOptional: true },
        ]
      : []),
    ...(cpuPercent > 0
      ? [{ file: 'cpu.max', text: `${(cpuPercent * periodUs) / 100} ${periodUs}` }]
      : []),
    ...(processes > 0 ? [{ file: 'pids.max', text: String(processes) }] : []),
  ];
}

/** Pure: the limits as the log says them, such as "memory 512 MiB, CPU 200 %, 100 processes". */
export const limitWords = ({ memoryMib, cpuPercent, processes }: TaskLimits): string =>
  [
    memoryMib > 0 && `memory ${memoryMib} MiB`,
    cpuPercent > 0 && `CPU ${cpuPercent} %`,
    processes > 0 && `${processes} processes`,
  ]
    .filter(Boolean)
    .join(', ');
