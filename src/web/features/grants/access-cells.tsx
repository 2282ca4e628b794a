// What the tables of access share: what somebody may do, and through what.

import { useState } from 'react';
import type { ObjectAccess, PersonAccess } from '#shared/api/grants.ts';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import type { Right } from '#shared/rights.ts';
import { t } from '../../lib/i18n.ts';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import { column } from '../../resources/columns.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { kindName } from './kind-name.ts';
import { ObjectLink } from './object-link.tsx';
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
function Abilities({ type, rights, name }: AbilityProps) {
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

const Sources = ({ through }: Pick<PersonAccess, 'through'>) => (
  <ul className="column gap-2">
    {through.map((source, index) => (
      <li key={source.grant_id ?? `of-${index}`} className="break">
        {sourceWords(source)}
        {source.limits && <span className="soft"> · {limitsText(source.limits)}</span>}
      </li>
    ))}
  </ul>
);

type Through = Pick<PersonAccess, 'through'>;

/** What somebody may do; on narrow screens also through what. */
export const AbilityCell = ({ through, ...ability }: AbilityProps & Through) => (
  <div className="white-space-normal">
    <Abilities {...ability} />
    <div className="smaller soft narrow-only">
      <Sources through={through} />
    </div>
  </div>
);

export const throughColumn = <Row extends Through>(): Column<Row> =>
  column('through', t('access.through'), { wide: true, from: 'small' }, ({ through }) => (
    <div className="white-space-normal">
      <Sources through={through} />
    </div>
  ));

type NamedObject = Pick<ObjectAccess, 'object_type' | 'object_id' | 'object_name'>;

/** The object with its kind. */
export const objectColumn = <Row extends NamedObject>(projectId: number): Column<Row> =>
  column('object', t('access.object'), { wide: true }, (one) => (
    <span className="column min-w-0">
      <ObjectLink
        projectId={projectId}
        type={one.object_type}
        id={one.object_id}
        name={one.object_name}
      />
      <span className="soft smaller">{kindName(one.object_type)}</span>
    </span>
  ));
