import { Fragment, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import classes from './sign-in-help.module.css';

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** Ten letters and digits, without those that look alike. */
function randomPassword(): string {
  const picks = crypto.getRandomValues(new Uint32Array(10));
  return Array.from(picks, (pick) => alphabet[pick % alphabet.length]).join('');
}

export function SignInHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [password] = useState(randomPassword);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('sign_in.help.title')}
      size={640}
      help="sign_in"
    >
      <div className={classes.help}>
        <p>{t('sign_in.help.intro')}</p>
        <h2>{t('sign_in.help.list')}</h2>
        <Command>npx signalbox user list</Command>
        <h2>{t('sign_in.help.password')}</h2>
        <Command>{`npx signalbox user change-by-login --login myAdmin --password ${password}`}</Command>
        <h2>{t('sign_in.help.second_factor')}</h2>
        <Command>{'npx signalbox user remove-second-factor myAdmin'}</Command>
        <h2>{t('sign_in.help.add')}</h2>
        <Command>{`npx signalbox user add --admin --login newAdmin --name "New Admin" --email new-admin@example.com --password ${password}`}</Command>
      </div>
    </Dialog>
  );
}

/** A command that wraps only between words, not at the dashes of an option. */
function Command({ children }: { children: string }) {
  return (
    <pre className="mono bg-sunken border rounded-6" style={{ padding: '10px 12px' }}>
      {children.split(' ').map((word, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the words never change their places
        <Fragment key={index}>
          {index > 0 && ' '}
          <span className="inline-block max-w-full break">{word}</span>
        </Fragment>
      ))}
    </pre>
  );
}
