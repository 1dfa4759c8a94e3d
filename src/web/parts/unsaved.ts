// Asks before a page with a form is left in which something was typed: by Back, by a link, or by closing the window.
import { useEffect } from 'react';
import { useConfirm } from './confirm';

/** Before a form is left in which something was typed. */
export const LEAVE_FORM = {
  title: 'Discard your changes?',
  text: 'You have unsaved changes. They are lost if you leave.',
  action: 'Discard changes',
  dismiss: 'Keep editing',
};

/** The form that would be lost, and its entry of the history. */
let unsaved: { ask: () => Promise<boolean>; address: string; state: unknown } | undefined;

/** The router that can hold pages back (useBlocker) would add 17 kB to each first visit, which has 300. */
export function useUnsaved(isEdited: boolean, question = LEAVE_FORM): void {
  const confirm = useConfirm();
  useEffect(() => {
    if (!isEdited) return;
    const mine = { ask: () => confirm(question), address: location.href, state: history.state };
    unsaved = mine;
    return () => {
      // A dialog that closes may have left a secret on its page, which is to be kept too.
      if (unsaved === mine) unsaved = undefined;
    };
  }, [isEdited, question, confirm]);
}

/** To be called before the router: listeners of a window hear in the order in which they were added. */
export function holdUnsaved(): void {
  window.addEventListener('popstate', (event) => {
    if (unsaved === undefined) return;
    // The form stands behind the page that was asked for now, so leaving it is one step back, wherever that page was.
    history.pushState(unsaved.state, '', unsaved.address);
    void hold(event, () => history.back());
  });
  window.addEventListener(
    'click',
    (event) => {
      const link = linkOf(event);
      if (unsaved !== undefined && link !== null) void hold(event, () => link.click());
    },
    true,
  );
  window.addEventListener('beforeunload', (event) => {
    if (unsaved !== undefined) event.preventDefault();
  });
}

async function hold(event: Event, leave: () => void): Promise<void> {
  event.stopImmediatePropagation();
  event.preventDefault();
  if (!(await unsaved?.ask())) return;
  unsaved = undefined;
  leave();
}

/** The link that a click would follow in this window. */
function linkOf({ target, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): HTMLAnchorElement | null {
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null;
  const link = (target as Element).closest<HTMLAnchorElement>('a[href]');
  return link === null || link.target !== '' || link.hasAttribute('download') || link.hash !== '' ? null : link;
}
