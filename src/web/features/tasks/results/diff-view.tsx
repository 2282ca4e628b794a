import { useMemo } from 'react';
import type { RunResult } from '#shared/api/run-results.ts';
import { t } from '../../../lib/i18n.ts';
import { type DiffLine, pairLines, parseDiff } from './diff.ts';
import classes from './diff-view.module.css';

type Diff = RunResult['diffs'][number];

interface Props {
  diff: Diff;
  isWide: boolean;
}

/** The diff of a file: removed and added lines have a sign and a colour. */
export function DiffView({ diff, isWide }: Props) {
  const lines = useMemo(() => parseDiff(diff.text), [diff.text]);
  const name = diff.name || t('run.change');
  return (
    <figure className="min-w-0 border rounded-6 overflow-hidden">
      <figcaption className={`smaller weight-600 break bg-sunken border-bottom ${classes.name}`}>
        {name}
      </figcaption>
      <section
        className={`smaller font-mono bg-log overflow-auto ${classes.scroll}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
        tabIndex={0}
        aria-label={name}
      >
        {isWide ? <BothSides lines={lines} /> : <Unified lines={lines} />}
      </section>
    </figure>
  );
}

function Unified({ lines }: { lines: DiffLine[] }) {
  return (
    <div className={classes.unified}>
      {lines.map((line, index) => (
        <div key={index} className={`grid ${classes.row}`} data-kind={line.kind}>
          <Number value={line.before} />
          <Number value={line.after} />
          <Text line={line} />
        </div>
      ))}
    </div>
  );
}

function BothSides({ lines }: { lines: DiffLine[] }) {
  const pairs = useMemo(() => pairLines(lines), [lines]);
  return (
    <div>
      {pairs.map(({ left, right }, index) => {
        const isWhole = left !== null && (left.kind === 'hunk' || left.kind === 'note');
        return (
          <div key={index} className={`grid ${classes.pair}`}>
            <Side line={left} number={left?.before ?? null} isWhole={isWhole} />
            {!isWhole && <Side line={right} number={right?.after ?? null} isWhole={false} />}
          </div>
        );
      })}
    </div>
  );
}

interface SideProps {
  line: DiffLine | null;
  number: number | null;
  isWhole: boolean;
}

function Side({ line, number, isWhole }: SideProps) {
  return (
    <div
      className={`grid min-w-0 ${classes.side}`}
      data-kind={line?.kind ?? 'none'}
      data-whole={isWhole || undefined}
    >
      <Number value={number} />
      {line && <Text line={line} />}
    </div>
  );
}

const Number = ({ value }: { value: number | null }) => (
  <span className={`numbers text-end ${classes.number}`} aria-hidden="true">
    {value}
  </span>
);

const signs = { removed: '−', added: '+', same: ' ', hunk: ' ', note: ' ' };

function Text({ line: { kind, text } }: { line: DiffLine }) {
  const Tag = kind === 'removed' ? 'del' : kind === 'added' ? 'ins' : 'span';
  return (
    <>
      <span className={`text-center ${classes.sign}`}>{signs[kind]}</span>
      <Tag className={`min-w-0 break pre-wrap ${classes.text}`}>{text}</Tag>
    </>
  );
}
