import { memo } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react';
import type { ResultState } from '#shared/api/run-results.ts';
import type { Task } from '#shared/api/tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Segments } from '../../../ui/page/segments.tsx';
import { ResultFilters } from '../results/result-filters.tsx';
import { toLanes } from '../results/run-address.ts';
import runClasses from '../results/run-view.module.css';
import { countsOf, type Lane } from './lanes.ts';
import type { Zoom } from './use-zoom.ts';

interface Props {
  task: Task;
  /** All lanes, for the numbers of the filter; null: there are only stages. */
  lanes: readonly Lane[] | null;
  byHost: boolean;
  state: ResultState | null;
  onState: (state: ResultState | null) => void;
  search: string;
  onSearch: (search: string) => void;
  zoom: Zoom;
}

const ZOOM_FACTOR = 2;

export function TimelineBar({ zoom, ...props }: Props) {
  const { lanes } = props;
  return (
    <div className={`row wrap gap-8-16 flex-none gutter py-8 border-bottom ${runClasses.bar}`}>
      {lanes && <LaneChoice {...props} lanes={lanes} />}
      <span className={`row gap-2 ${lanes ? '' : 'ml-auto'}`}>
        <IconButton
          label={t('workflow.drawing.zoom_out')}
          icon={<IconZoomOut size={18} />}
          disabled={zoom.isWhole}
          onClick={() => zoom.by(1 / ZOOM_FACTOR)}
        />
        <IconButton
          label={t('workflow.drawing.zoom_in')}
          icon={<IconZoomIn size={18} />}
          onClick={() => zoom.by(ZOOM_FACTOR)}
        />
        <IconButton
          label={t('workflow.drawing.fit')}
          icon={<IconZoomReset size={18} />}
          disabled={zoom.isWhole}
          onClick={zoom.showAll}
        />
      </span>
    </div>
  );
}

type ChoiceProps = Omit<Props, 'zoom'> & { lanes: readonly Lane[] };

// A thousand lanes are counted, and zooming changes none.
const LaneChoice = memo(function LaneChoice(props: ChoiceProps) {
  const { task, lanes, byHost, state, onState, search, onSearch } = props;
  const navigate = useNavigate();
  const counted = lanes.map(countsOf).filter((counts) => counts !== null);
  return (
    <>
      <Segments
        aria-label={t('timeline.lanes')}
        data={[
          { value: 'tasks', label: t('run.tasks') },
          { value: 'hosts', label: t('run.hosts') },
        ]}
        value={byHost ? 'hosts' : 'tasks'}
        onChange={(next) => void navigate({ to: '.', search: toLanes(next), resetScroll: false })}
      />
      <ResultFilters
        task={task}
        all={counted}
        state={state}
        onState={onState}
        label={t(byHost ? 'run.search_hosts' : 'run.search_tasks')}
        search={search}
        onSearch={onSearch}
      />
    </>
  );
});
