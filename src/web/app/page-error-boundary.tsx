// Shows an error in place of a page that cannot be drawn, for example because its files could not be loaded.
import { Component, type ReactNode } from 'react';
import { ProblemBox } from '../parts/loading-states';
import { NO_ANSWER } from '../parts/problem';
import { loadNewVersion } from './new-version';

interface Props {
  isLive: boolean;
  children: ReactNode;
}

export class PageErrorBoundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError = (error: unknown) => ({ error });

  override componentDidCatch() {
    void loadNewVersion();
  }

  /** A browser does not request a failed module again, so only a reload can load it. */
  override componentDidUpdate(previous: Props) {
    if (this.state.error !== undefined && this.props.isLive && !previous.isLive) location.reload();
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const cause = this.props.isLive ? error : NO_ANSWER;
    return <ProblemBox title="Could not show this page" error={cause} onRetry={() => location.reload()} />;
  }
}
