import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';

test('the settings of metrics and traces are read', () => {
  const { metrics, traces } = loadConfig({
    SIGNALBOX_METRICS_TOKEN: 'a-token-of-the-metrics',
    SIGNALBOX_METRICS_PORT: '9464',
    SIGNALBOX_METRICS_HOST: '10.0.0.1',
    SIGNALBOX_METRICS_TEMPLATES: '5',
    SIGNALBOX_OTLP_URL: 'http://collector.example.com:4318/',
    SIGNALBOX_OTLP_HEADERS: 'authorization=Bearer%20abc, x-tenant=a',
  });
  expect(metrics).toEqual({
    token: 'a-token-of-the-metrics',
    listen: { host: '10.0.0.1', port: 9464 },
    mostTemplates: 5,
  });
  expect(traces).toEqual({
    url: 'http://collector.example.com:4318',
    headers: { authorization: 'Bearer abc', 'x-tenant': 'a' },
  });
});

test.each([
  ['SIGNALBOX_METRICS_TOKEN', 'short-token'],
  ['SIGNALBOX_METRICS_TOKEN', 'a token with spaces in it'],
  ['SIGNALBOX_OTLP_URL', 'http://login:password@collector.example.com'],
  ['SIGNALBOX_OTLP_URL', 'grpc://collector.example.com'],
  ['SIGNALBOX_OTLP_HEADERS', 'no value'],
  ['SIGNALBOX_OTLP_HEADERS', 'authorization=a%0d%0ax-other: b'],
  ['SIGNALBOX_OTLP_HEADERS', 'authorization=%zz'],
])('%s refuses %j', (name, value) => {
  expect(() => loadConfig({ [name]: value })).toThrow(`${name} holds`);
});

test.each(['SIGNALBOX_METRICS_TOKEN', 'SIGNALBOX_OTLP_HEADERS'])(
  'the message that refuses %s does not show it',
  (name) => {
    const refused = () => loadConfig({ [name]: 'a secret' });
    expect(refused).toThrow('a value that is hidden here');
  },
);
