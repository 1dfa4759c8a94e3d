// Shows the slicer's preview picture of a print. Nothing is shown if the print has no picture.
import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { PrintThumbnailDocument } from '../../generated/web-operations';
import { POLLING } from '../parts/poll-interval';
import styles from './thumbnail.module.css';

interface ThumbnailProps {
  printId: string;
  /** The name of the file. */
  name: string;
  isRunning: boolean;
}

/** A small picture, beside what follows it on the page. It is loaded once, so a page that polls its prints does not load the picture again. */
export function Thumbnail({ printId, name, isRunning }: ThumbnailProps) {
  const [isMissing, setMissing] = useState(false);
  const { data } = useQuery(PrintThumbnailDocument, {
    ...POLLING,
    variables: { id: printId },
    fetchPolicy: 'cache-first',
    // The gateway stores the picture some seconds after the start of the print.
    pollInterval: isRunning && isMissing ? POLLING.pollInterval : 0,
  });
  const thumbnail = data?.observedPrint?.thumbnail;
  if (isMissing !== (thumbnail === null)) setMissing(thumbnail === null);
  if (thumbnail == null) return null;
  const { dataUrl, width, height } = thumbnail;
  return (
    <img
      className={styles['thumbnail']}
      src={dataUrl}
      width={width}
      height={height}
      alt={`Preview of ${name || 'the print'}`}
    />
  );
}
