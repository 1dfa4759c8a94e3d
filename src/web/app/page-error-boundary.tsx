// Shows an error in place of a page that cannot be drawn, for example because its files could not be loaded.
import { Component, type ReactNode } from 'react';
import { ProblemBox, TRYING_AGAIN } from '../parts/loading-states';
import { NO_ANSWER } from '../parts/problem';
import { loadNewVersion, reloadIfServed } from './new-version';

interface Props {
  isLive: boolean;
  children: ReactNode;
}

/** How often a page that cannot be drawn is reloaded. A page that fails each time must not reload all the time. */
const RELOAD_MS = 30_000;

export class PageErrorBoundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};
  private reloads: ReturnType<typeof setInterval> | undefined;

  static getDerivedStateFromError = (error: unknown) => ({ error });

  override componentDidCatch() {
    void loadNewVersion();
    this.reloads ??= setInterval(reloadIfServed, RELOAD_MS);
  }

  /** A browser does not request a failed module again, so only a reload can load it. */
  override componentDidUpdate(previous: Props) {
    if (this.state.error !== undefined && this.props.isLive && !previous.isLive) void reloadIfServed();
  }

  override componentWillUnmount() {
    clearInterval(this.reloads);
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const cause = this.props.isLive ? error : NO_ANSWER;
    return (
      <ProblemBox
        title="Could not show this page"
        error={cause}
        nextStep={TRYING_AGAIN}
        onRetry={() => location.reload()}
      />
    );
  }
}
