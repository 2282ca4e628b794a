import { useRouterState } from '@tanstack/react-router';
import classes from './shell.module.css';

/** A thin bar at the top of the window while a screen is loaded. */
export function LoadingBar() {
  const isLoading = useRouterState({ select: ({ isLoading: loading }) => loading });
  return isLoading && <div className={classes.loading} aria-hidden="true" />;
}
