// Asks before an action that cannot be undone: `const confirm = useConfirm()`, then `if (await confirm({ … }))`.
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { Button } from './button';
import styles from './dialog.module.css';

interface Question {
  title: string;
  /** The sentence about the consequences. */
  text: string;
  /** The text of the button that does it. */
  action: string;
  /** The text of the button that leaves all as it is, where "Cancel" could be misread. */
  dismiss?: string;
}

const Ask = createContext({ ask: async (_: Question): Promise<boolean> => false, isAsking: false });

export const useConfirm = () => useContext(Ask).ask;
/** Whether a question is open: the keys and clicks are for it. */
export const useIsAsking = () => useContext(Ask).isAsking;

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Question & { answer: (yes: boolean) => void }>();
  const [isOpen, setOpen] = useState(false);
  const ask = useCallback(
    (question: Question) =>
      new Promise<boolean>((answer) => {
        setAsked({ ...question, answer });
        setOpen(true);
      }),
    [],
  );
  const asking = useMemo(() => ({ ask, isAsking: isOpen }), [ask, isOpen]);
  const close = (yes: boolean) => {
    asked?.answer(yes);
    setOpen(false);
  };
  return (
    <Ask.Provider value={asking}>
      {children}
      <AlertDialog.Root open={isOpen} onOpenChange={(open) => open || close(false)}>
        <AlertDialog.Portal>
          <AlertDialog.Backdrop className={styles['backdrop']} />
          <AlertDialog.Popup className={styles['popup']}>
            <AlertDialog.Title className={styles['title']}>{asked?.title}</AlertDialog.Title>
            <AlertDialog.Description>{asked?.text}</AlertDialog.Description>
            <div className={styles['buttons']}>
              <Button onClick={() => close(false)}>{asked?.dismiss ?? 'Cancel'}</Button>
              <Button kind="danger" onClick={() => close(true)}>
                {asked?.action}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Portal>
      </AlertDialog.Root>
    </Ask.Provider>
  );
}
