// All metrics: names, labels and descriptions. Names follow the conventions of Prometheus. The guide lists
// them (docs/guide/monitoring.md), and a test compares both.

export interface Measure {
  help: string;
  labels: readonly string[];
}

export interface Count extends Measure {
  /** All label values, initialised with 0: Prometheus misses an increase that begins with 1. */
  values?: readonly string[];
}

/** Counters of one process; sum them over all servers of an installation. */
export const counters = {
  signalbox_tasks_ended_total: {
    help: 'Tasks that have ended, by final status',
    labels: ['status'],
    values: ['success', 'error', 'stopped'],
  },
  signalbox_template_tasks_ended_total: {
    help: 'Tasks that have ended, by template and final status',
    labels: ['project_id', 'template_id', 'status'],
  },
  signalbox_log_stored_lines_total: { help: 'Lines of logs that were stored', labels: [] },
  signalbox_log_stored_bytes_total: {
    help: 'Bytes of logs that were stored, before their compression',
    labels: [],
  },
  signalbox_alert_deliveries_total: {
    help: 'Attempts to send an alert, by what became of them: sent, retried later, or failed for good',
    labels: ['outcome'],
    values: ['sent', 'retried', 'failed'],
  },
  signalbox_schedule_times_total: {
    help: 'Due times of schedules, by what became of them',
    labels: ['outcome'],
    values: ['started', 'skipped', 'missed', 'failed'],
  },
  signalbox_sign_in_failures_total: {
    help: 'Failed attempts to sign in, by what was wrong',
    labels: ['reason'],
    values: ['password', 'code', 'locked', 'provider'],
  },
  signalbox_event_loop_stalls_total: {
    help: 'How often the event loop stood still for more than a second',
    labels: [],
  },
  signalbox_event_loop_stall_seconds_total: {
    help: 'Seconds for which the event loop stood still, of stalls of more than a second',
    labels: [],
  },
  signalbox_trace_spans_total: {
    help: 'Spans of traces, by what became of them: sent, failed, or dropped because too many waited',
    labels: ['outcome'],
    values: ['sent', 'failed', 'dropped'],
  },
} as const satisfies Record<string, Count>;

export interface Distribution extends Measure {
  buckets: readonly number[];
}

/** Histograms of one process. */
export const histograms = {
  signalbox_task_duration_seconds: {
    help: 'How long tasks took from their start to their end, by app and final status; tasks that never started are left out',
    labels: ['app', 'status'],
    buckets: [1, 5, 15, 60, 300, 900, 3600, 14_400],
  },
  signalbox_task_start_latency_seconds: {
    help: 'Time from the launch of a task, or from the moment from which it could begin, to the start of its first program',
    labels: [],
    buckets: [0.5, 1, 2, 5, 15, 60, 300, 900, 3600],
  },
  signalbox_http_request_duration_seconds: {
    help: 'How long requests took, by the pattern of the route, method and status; without those of the runner beside the server',
    labels: ['route', 'method', 'status'],
    buckets: [0.01, 0.05, 0.25, 1, 5],
  },
} as const satisfies Record<string, Distribution>;

/** Gauges of this process or its machine, read on scrape. */
export const ownGauges = {
  signalbox_build_info: {
    help: 'Always 1; its labels tell the version of Signalbox, of Node and the database engine',
    labels: ['version', 'node', 'engine'],
  },
  signalbox_ready: {
    help: 'Whether this server can do its work, as /readyz says: 1 or 0',
    labels: [],
  },
  signalbox_health_ok: {
    help: 'Whether a part of the health page is in order: 1 or 0; absent for what is switched off',
    labels: ['part'],
  },
  signalbox_websocket_connections: { help: 'Open websockets of consoles', labels: [] },
  signalbox_disk_free_bytes: { help: 'Free space on the disk of the data folder', labels: [] },
  signalbox_disk_size_bytes: { help: 'Size of the disk of the data folder', labels: [] },
  signalbox_disk_low_bytes: {
    help: 'Free space below which the server warns (SIGNALBOX_LOW_DISK_BYTES)',
    labels: [],
  },
  signalbox_database_up: {
    help: 'Whether the database has answered: 1 or 0. With 0 everything that is read from it is absent',
    labels: [],
  },
  signalbox_database_query_seconds: {
    help: 'How long the database took for the answer to the smallest query',
    labels: [],
  },
} as const satisfies Record<string, Measure>;

/** Gauges read from the database on scrape, the same on all servers. */
export const sharedGauges = {
  signalbox_tasks: { help: 'Unfinished tasks by status', labels: ['status'] },
  signalbox_template_tasks: {
    help: 'Unfinished tasks by template and status',
    labels: ['project_id', 'template_id', 'status'],
  },
  signalbox_template_info: {
    help: 'Always 1; the names of the templates that have metrics of their own',
    labels: ['project_id', 'project', 'template_id', 'template'],
  },
  signalbox_queue_tasks: {
    help: 'Tasks that wait to begin, by the reason',
    labels: ['reason'],
  },
  signalbox_queue_oldest_age_seconds: {
    help: 'Time since the launch of the oldest task that waits to begin, by the reason; 0 without one',
    labels: ['reason'],
  },
  signalbox_runners: { help: 'Servers and runners that run tasks, by state', labels: ['state'] },
  signalbox_runner_slots: {
    help: 'How many tasks the runners of a state run at once; +Inf without a limit',
    labels: ['state'],
  },
  signalbox_runner_tasks: {
    help: 'How many tasks the runners of a state run',
    labels: ['state'],
  },
  signalbox_alert_deliveries_pending: { help: 'Alerts that wait to be sent', labels: [] },
  signalbox_database_size_bytes: { help: 'Space that the database takes', labels: [] },
  signalbox_backup_last_success_timestamp_seconds: {
    help: 'When the last good scheduled backup was made, in Unix time; 0 without one',
    labels: [],
  },
  signalbox_backup_size_bytes: {
    help: 'Size of the last good scheduled backup; 0 without one',
    labels: [],
  },
} as const satisfies Record<string, Measure>;

export type CounterName = keyof typeof counters;
export type HistogramName = keyof typeof histograms;
export type GaugeName = keyof typeof ownGauges | keyof typeof sharedGauges;

type All = typeof counters & typeof histograms & typeof ownGauges & typeof sharedGauges;

export type LabelsOf<Name extends keyof All> = Record<All[Name]['labels'][number], string>;

export type Sample = {
  [Name in GaugeName]: { name: Name; labels: LabelsOf<Name>; value: number };
}[GaugeName];

/** The value of a gauge without labels. */
export const plainSample = (
  name: {
    [Name in GaugeName]: LabelsOf<Name> extends Record<string, never> ? Name : never;
  }[GaugeName],
  value: number,
): Sample => ({ name, labels: {}, value });

/** Label value of templates beyond the limit of templates with their own series. */
export const others = 'other';
