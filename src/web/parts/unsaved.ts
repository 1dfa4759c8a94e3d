// Asks the user before they leave a page with unsaved edits by Back, by a link or by closing the window.
import { useEffect } from 'react';
import { useConfirm } from './confirm';

/** The question before the user leaves a form with unsaved edits. */
export const LEAVE_QUESTION = {
  title: 'Discard your changes?',
  text: 'You have unsaved changes. They are lost if you leave.',
  action: 'Discard changes',
  dismiss: 'Keep editing',
};

/** The form with unsaved edits, and its entry in the browser's history. */
let unsaved: { ask: () => Promise<boolean>; address: string; state: unknown } | undefined;

export const hasUnsavedEdits = () => unsaved !== undefined;

/**
 * Protects a form. React Router's useBlocker would do it too, but needs a data router, which adds 17 kB to the first load of 300
 * kB.
 */
export function useUnsaved(isEdited: boolean, question = LEAVE_QUESTION): void {
  const confirm = useConfirm();
  useEffect(() => {
    if (!isEdited) return;
    const form = { ask: () => confirm(question), address: location.href, state: history.state };
    unsaved = form;
    return () => {
      // When a dialog closes, its page may already show a secret that is protected too. That protection must stay.
      if (unsaved === form) unsaved = undefined;
    };
  }, [isEdited, question, confirm]);
}

/** Must be called before the router starts, because listeners of a window are called in the order in which they were added. */
export function guardUnsavedForms(): void {
  window.addEventListener('popstate', (event) => {
    if (unsaved === undefined) return;
    // pushState puts the form behind the requested page in the history. Leaving it is then always one step back.
    history.pushState(unsaved.state, '', unsaved.address);
    void askBeforeLeaving(event, () => history.back());
  });
  window.addEventListener(
    'click',
    (event) => {
      const link = findLink(event);
      if (unsaved !== undefined && link !== null) void askBeforeLeaving(event, () => link.click());
    },
    true,
  );
  window.addEventListener('beforeunload', (event) => {
    if (unsaved !== undefined) event.preventDefault();
  });
}

async function askBeforeLeaving(event: Event, leave: () => void): Promise<void> {
  event.stopImmediatePropagation();
  event.preventDefault();
  if (!(await unsaved?.ask())) return;
  unsaved = undefined;
  leave();
}

/** The link that a click would follow in this window. */
function findLink({ target, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): HTMLAnchorElement | null {
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null;
  const link = (target as Element).closest<HTMLAnchorElement>('a[href]');
  return link === null || link.target !== '' || link.hasAttribute('download') || link.hash !== '' ? null : link;
}
