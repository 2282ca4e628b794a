import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { CopyButton } from '../../ui/buttons/copy.tsx';

export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <div className="column gap-14">
      <h2 className="text-14 weight-620">{t('second_factor.codes')}</h2>
      <p>{t('second_factor.codes_text')}</p>
      <ul
        className="grid gap-4-16 bg-sunken border rounded-6"
        style={{
          gridTemplateColumns: 'repeat(auto-fill, minmax(180px, 1fr))',
          padding: '10px 12px',
        }}
        aria-label={t('second_factor.codes')}
      >
        {codes.map((code) => (
          <li key={code} className="mono">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex wrap gap-10">
        <CopyButton text={text} copied={t('second_factor.copied')} />
        <Button
          className="color-text"
          component="a"
          variant="default"
          leftSection={<IconDownload size={16} />}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="signalbox-recovery-codes.txt"
        >
          {t('second_factor.download')}
        </Button>
        <Button onClick={onDone}>{t('second_factor.done')}</Button>
      </div>
    </div>
  );
}
