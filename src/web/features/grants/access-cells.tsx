// What the tables of access share: what somebody may do, and through what.

import { useState } from 'react';
import type { PersonAccess } from '#shared/api/grants.ts';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import type { Right } from '#shared/rights.ts';
import { t } from '../../lib/i18n.ts';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import { abilityWords, sourceWords } from './access-words.ts';
import { limitsText } from '../../resources/limits/limit-words.ts';

const RightsListDialog = lazyExport(() => import('./rights-list-dialog.tsx'), 'RightsListDialog');

interface AbilityProps {
  type: GrantedType;
  rights: Right[];
  /** Whose rights they are, and on what. */
  name: string;
}

/** Short words, which open the whole list of rights. */
export function Abilities({ type, rights, name }: AbilityProps) {
  const [isOpen, setOpen] = useState(false);
  const words = abilityWords(type, rights);
  return (
    <>
      <button
        type="button"
        className="link-button break"
        style={{ textAlign: 'start' }}
        aria-label={`${words}. ${t('role.rights_of', { name })}`}
        onClick={() => setOpen(true)}
      >
        {words}
      </button>
      <OnceOpened opened={isOpen}>
        <RightsListDialog
          name={name}
          rights={rights}
          opened={isOpen}
          onClose={() => setOpen(false)}
        />
      </OnceOpened>
    </>
  );
}

export const Sources = ({ through }: Pick<PersonAccess, 'through'>) => (
  <ul className="column gap-2">
    {through.map((source, index) => (
      <li key={source.grant_id ?? `of-${index}`} className="break">
        {sourceWords(source)}
        {source.limits && <span className="soft"> · {limitsText(source.limits)}</span>}
      </li>
    ))}
  </ul>
);
