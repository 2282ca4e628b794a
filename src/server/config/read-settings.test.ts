import { describe, expect, test } from 'vitest';
import { refusal } from '../../../test/helpers/config.ts';
import { loadConfig } from './config.ts';

describe('a variable that is no setting', () => {
  test.each([
    ['SIGNALBOX_TRUSTED_PROXY', ' Did you mean SIGNALBOX_TRUSTED_PROXIES?'],
    ['SIGNALBOX_MASTERKEY_FILE', ' Did you mean SIGNALBOX_MASTER_KEY_FILE?'],
    ['SIGNALBOX_COLOUR_OF_THE_CONSOLE', ' Remove it.'],
  ])('%s is refused', (name, hint) => {
    expect(refusal({ [name]: 'x' })).toBe(`${name} is not a setting.${hint}`);
  });

  test.each([
    'SIGNALBOX_INSTALL_PROGRAMS',
    'SIGNALBOX_TASK_TARGET_VERSION',
    'SIGNALBOX_SERVICE_HOST',
    'SIGNALBOX_PORT_3000_TCP_ADDR',
    'SIGNALBOX_WEB_SERVICE_PORT_HTTP',
  ])('%s is left alone: others put it there', (name) => {
    expect(loadConfig({ [name]: 'x' }).port).toBe(3000);
  });
});
