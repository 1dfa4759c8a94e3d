// Shows a command with a button that copies it.
import { useRef, useState } from 'react';
import { Button } from './button';
import styles from './command.module.css';
import { Outcome } from './loading-states';

export function Command({ text, label }: { text: string; label: string }) {
  const code = useRef<HTMLElement>(null);
  const [feedback, setFeedback] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setFeedback('Copied.');
    } catch {
      // Browsers allow the clipboard only on HTTPS pages and on localhost.
      if (code.current) getSelection()?.selectAllChildren(code.current);
      setFeedback('Selected. Press Ctrl-C to copy.');
    }
  };
  return (
    <div className={styles['command']}>
      <pre>
        <code ref={code}>{text}</code>
      </pre>
      <div className={styles['copy']}>
        <Button onClick={copy} aria-label={`Copy: ${label}`}>
          Copy
        </Button>
        <Outcome>{feedback}</Outcome>
      </div>
    </div>
  );
}
