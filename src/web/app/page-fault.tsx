// The page in place of one that cannot be shown, for example because its files did not arrive.
import { Component, type ReactNode } from 'react';
import { ProblemBox } from '../parts/loading-states';
import { NO_ANSWER } from '../parts/problem';
import { loadNewVersion } from './new-version';

interface Props {
  isLive: boolean;
  children: ReactNode;
}

export class PageFault extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError = (error: unknown) => ({ error });

  override componentDidCatch() {
    void loadNewVersion();
  }

  /** A file that has failed once is asked for by a new page alone. */
  override componentDidUpdate(before: Props) {
    if (this.state.error !== undefined && this.props.isLive && !before.isLive) location.reload();
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const cause = this.props.isLive ? error : NO_ANSWER;
    return <ProblemBox title="Could not show this page" error={cause} onRetry={() => location.reload()} />;
  }
}
