// Shows the preview picture of the current print on a tile. The pictures are loaded one by one while the browser is idle, and only those of
// tiles in view, so that they delay nothing that the user waits for.
import { useEffect, useRef, useState } from 'react';
import { useThumbnail } from '../prints/use-thumbnail';
import styles from './printer-tiles.module.css';

interface TilePictureProps {
  printId: string;
  isRunning: boolean;
}

export default function TilePicture(props: TilePictureProps) {
  const place = useRef<HTMLSpanElement>(null);
  const [wasInView, setInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setInView(true);
    });
    if (place.current !== null) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return <span ref={place}>{wasInView && <Picture {...props} />}</span>;
}

function Picture({ printId, isRunning }: TilePictureProps) {
  const thumbnail = useThumbnail(printId, isRunning, readWhenIdle);
  // Without a text, because the tile has the name of the file.
  return thumbnail && <img className={styles['picture']} src={thumbnail.dataUrl} alt="" />;
}

let previous: Promise<unknown> = Promise.resolve();

/** Reads after the previous reading has ended, when the browser is idle. */
function readWhenIdle<Result>(read: () => Promise<Result>): Promise<Result> {
  const reading = previous.then(waitUntilIdle).then(read);
  previous = reading.catch(() => undefined);
  return reading;
}

/** Safari has no requestIdleCallback. */
const waitUntilIdle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 200);
  });
