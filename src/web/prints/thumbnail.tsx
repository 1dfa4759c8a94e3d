// Shows the slicer's preview picture of a print. Nothing is shown if the print has no picture.
import styles from './thumbnail.module.css';
import { useThumbnail } from './use-thumbnail';

interface ThumbnailProps {
  printId: string;
  /** The name of the file. */
  name: string;
  isRunning: boolean;
}

/** A small picture, beside what follows it on the page. It is loaded once, so a page that polls its prints does not load the picture again. */
export function Thumbnail({ printId, name, isRunning }: ThumbnailProps) {
  const thumbnail = useThumbnail(printId, isRunning);
  if (thumbnail === null) return null;
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
