// A command to copy into a terminal.
import { useRef, useState } from 'react';
import { Button } from './button';
import styles from './command.module.css';
import { Outcome } from './loading-states';

export function Command({ text, label }: { text: string; label: string }) {
  const code = useRef<HTMLElement>(null);
  const [said, say] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say('Copied.');
    } catch {
      // Browsers give the clipboard to pages of this machine and of HTTPS alone.
      if (code.current) getSelection()?.selectAllChildren(code.current);
      say('Selected. Press Ctrl+C to copy.');
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
        <Outcome>{said}</Outcome>
      </div>
    </div>
  );
}
