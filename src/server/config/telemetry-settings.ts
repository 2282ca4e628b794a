// Settings of metrics and traces.

import { anything, isWebAddress, port, wholeNumber, type Settings } from './setting-values.ts';

export const telemetrySettings = {
  SIGNALBOX_METRICS_TOKEN: {
    holds: 'a token of 16 to 1000 letters, digits and signs without spaces',
    about:
      'Token with which Prometheus reads the metrics, as Authorization: Bearer; absent: /metrics answers 404, unless SIGNALBOX_METRICS_PORT is set',
    secret: true,
    accepts: (value: string) => /^[\x21-\x7e]{16,1000}$/.test(value),
  },
  SIGNALBOX_METRICS_PORT: {
    ...port,
    about:
      'Port of its own for /metrics, which the port of the console does not serve then; needs no token unless one is set; 0 takes a free one',
  },
  SIGNALBOX_METRICS_HOST: {
    initial: '127.0.0.1',
    holds: 'an address to listen on',
    about: 'Address to listen on for SIGNALBOX_METRICS_PORT',
    accepts: anything,
  },
  SIGNALBOX_METRICS_TEMPLATES: {
    initial: '100',
    ...wholeNumber(0, 10_000),
    about:
      'How many templates have metrics of their own; all others are summed as "other". With 0 no name of a template is in the metrics',
  },
  SIGNALBOX_OTLP_URL: {
    holds: 'an http or https address without a login, such as http://collector.example.com:4318',
    about:
      'Receiver of OpenTelemetry (OTLP over HTTP) to which the traces of tasks are sent; absent: none are sent',
    accepts: (value: string) => isWebAddress(value) && new URL(value).username === '',
  },
  SIGNALBOX_OTLP_HEADERS: {
    holds: 'headers as name=value, separated by commas, with their values in percent-encoding',
    about: 'Headers that the receiver of SIGNALBOX_OTLP_URL asks for, mostly with its token',
    secret: true,
    accepts: isHeaderList,
  },
} satisfies Settings;

/** The format of OTEL_EXPORTER_OTLP_HEADERS. */
function isHeaderList(value: string): boolean {
  return value.split(',').every((one) => {
    const [, encoded] = /^\s*[\w-]+\s*=([\x20-\x7e]*)$/.exec(one) ?? [];
    if (encoded === undefined) return false;
    try {
      return /^[\x20-\x7e]*$/.test(decodeURIComponent(encoded));
    } catch {
      return false;
    }
  });
}

export function readHeaders(list: string): Record<string, string> {
  const headers = list.split(',').map((one) => {
    const at = one.indexOf('=');
    return [one.slice(0, at).trim(), decodeURIComponent(one.slice(at + 1).trim())] as const;
  });
  return Object.fromEntries(headers);
}
