// The button in the header that opens the search, and its keys: Ctrl K or Cmd K, and / outside of fields.
import { type ComponentType, useEffect, useState } from 'react';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import styles from './search-button.module.css';
import type { SearchDialogProps } from './search-dialog';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const FIELDS = 'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu]';

/** @param pages the pages that the search offers before the user types */
export function SearchButton({ pages }: Pick<SearchDialogProps, 'pages'>) {
  const [Dialog, setDialog] = useState<ComponentType<SearchDialogProps>>();
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    setOpen(true);
    // The dialog is in its own file, which most visits never need.
    import('./search-dialog').then(
      ({ SearchDialog }) => setDialog(() => SearchDialog),
      () => announce('Could not open the search. Reload the page.'),
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the listener uses only setters, which never change
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <Button className={styles['search']} aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K /" onClick={open}>
        <svg className={styles['icon']} viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="7" cy="7" r="4.5" />
          <path d="m10.5 10.5 4 4" />
        </svg>
        <span className={styles['text']}>Search</span>
        <kbd className={styles['keys']}>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </Button>
      {Dialog && <Dialog isOpen={isOpen} onClose={() => setOpen(false)} pages={pages} />}
    </>
  );
}

/** A dialog that is open keeps the keys: a form in it may have edits that are not saved. */
function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey, isComposing, target }: KeyboardEvent): boolean {
  if (isComposing || altKey || document.querySelector('[role=dialog], [role=alertdialog]') !== null) return false;
  if (ctrlKey !== metaKey) return !shiftKey && key.toLowerCase() === 'k';
  // On a German keyboard the user types / with Shift.
  return !ctrlKey && key === '/' && !(target as Element).matches?.(FIELDS);
}
