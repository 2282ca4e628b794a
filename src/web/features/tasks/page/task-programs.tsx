import type { WholeTask } from '#shared/api/tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { CopyBox } from '../../../ui/buttons/copy.tsx';
import classes from './task-programs.module.css';

/** The image and the versions with which the task ran; closed, because few readers need them. */
export function TaskPrograms({ tools }: Pick<WholeTask, 'tools'>) {
  if (tools === null) return null;
  const { programs, requirements, image } = tools;
  if (image === undefined && programs.length + requirements.length === 0) return null;
  return (
    <details className={`flex-none max-w-full ${classes.box}`}>
      <summary className="soft" style={{ width: 'fit-content' }}>
        {t('task.programs.title')}
        {image && (
          <>
            {' · '}
            <code>{shortDigest(image.digest)}</code>
          </>
        )}
      </summary>
      <div
        className="column gap-10 overflow-auto"
        style={{ maxHeight: '40vh', padding: '8px 0 4px' }}
      >
        {image && (
          <CopyBox
            text={withDigest(image)}
            label={t('execution_environment.image')}
            copied={t('task.programs.image_copied')}
          />
        )}
        <Versions name={t('execution_environment.programs')} items={programs} />
        <Versions name={t('task.programs.requirements')} items={requirements} />
      </div>
    </details>
  );
}

type Image = NonNullable<NonNullable<WholeTask['tools']>['image']>;

const shortDigest = (digest: string): string => digest.replace(/^(sha256:\w{12})\w+$/, '$1…');

/** The name without a tag, as it is pulled by its digest. */
function withDigest({ name, digest }: Image): string {
  const [untagged = name] = name.split('@');
  return `${untagged.replace(/:[^:/]*$/, '')}@${digest}`;
}

interface VersionsProps {
  name: string;
  items: { name: string; version: string }[];
}

function Versions({ name, items }: VersionsProps) {
  if (items.length === 0) return null;
  return (
    <section aria-label={name}>
      <h3 className="smaller weight-550 soft">{name}</h3>
      <ul className={`flex wrap ${classes.versions}`}>
        {items.map((item) => (
          <li key={`${item.name} ${item.version}`} className="break">
            {item.name} <code>{item.version}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
