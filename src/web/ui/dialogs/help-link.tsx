import { IconHelp } from '@tabler/icons-react';
import { helpTopics, type HelpTopic } from './help-topics.ts';
import { t } from '../../lib/i18n.ts';
import classes from '../buttons/icon-button.module.css';
import { Tooltip } from '../feedback/tooltip.tsx';

/** Opens the guide in another tab, so that no input is lost. */
export function HelpLink({ topic }: { topic: HelpTopic }) {
  return (
    // The edge of the page is above it, and the buttons of the dialog are below.
    <Tooltip label={t('common.help')} side="left">
      <a
        href={`/help/${helpTopics[topic]}`}
        target="_blank"
        rel="noopener"
        className={`inline-flex center flex-none soft rounded-6 pressable ${classes.button}`}
        aria-label={t('common.help')}
      >
        <IconHelp size={18} aria-hidden="true" />
      </a>
    </Tooltip>
  );
}
