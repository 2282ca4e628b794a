import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RunGraph } from '#shared/api/workflow-runs.ts';
import type { ListedWorkflow } from '#shared/api/workflows.ts';
import { nodeStates } from '#shared/workflows/run-status.ts';
import { t } from '../../../lib/i18n.ts';
import { workflowQueries } from '../workflows.queries.ts';
import { DOT, DRAWING, smallLayout } from './small-layout.ts';
import classes from './run-drawing.module.css';

/** The newest run of a workflow as a small graph, which leads to the run. */
export function RunDrawing({ workflow }: { workflow: ListedWorkflow }) {
  const { data } = useQuery(workflowQueries.newest(workflow.project_id));
  const graph = data?.runs.find(({ workflow_id: id }) => id === workflow.id);
  if (!graph) return null;
  const label = `${t('workflow.run.title', { id: graph.run_id })}: ${stateWords(graph)}`;
  return (
    <Link
      to="/project/$projectId/workflow_runs/$runId"
      params={{ projectId: workflow.project_id, runId: graph.run_id }}
      className="inline-block selectable rounded-4"
      style={{ verticalAlign: 'middle' }}
      aria-label={label}
      title={label}
    >
      <Drawing graph={graph} />
    </Link>
  );
}

/** For example "Succeeded 3, Failed 1". */
function stateWords({ nodes }: RunGraph): string {
  return nodeStates
    .map((state) => ({ state, count: nodes.filter((node) => node.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${t(`workflow.state.${state}`)} ${t('stats.number', { count })}`)
    .join(', ');
}

function Drawing({ graph }: { graph: RunGraph }) {
  const { points, lines } = smallLayout(graph);
  return (
    <svg className={`block ${classes.drawing}`} {...DRAWING} aria-hidden="true">
      {lines.map(({ key, from, to }) => (
        <path key={key} d={`M${from.x} ${from.y}L${to.x} ${to.y}`} />
      ))}
      {graph.nodes.map(({ key, state }) => {
        const point = points.get(key);
        return (
          point && (
            <g key={key} data-state={state} transform={`translate(${point.x} ${point.y})`}>
              {shapeOf[state]}
            </g>
          )
        );
      })}
    </svg>
  );
}

const half = DOT / 2;
const square = <rect x={-half} y={-half} width={DOT} height={DOT} rx={1} />;

/** Shapes tell the states apart without colours. */
const shapeOf = {
  idle: <circle r={half - 0.5} />,
  active: square,
  success: square,
  failure: <path d={`M0 ${-half - 1}L${half + 1} 0L0 ${half + 1}L${-half - 1} 0Z`} />,
  skipped: <rect x={-half} y={-1} width={DOT} height={2} />,
};
