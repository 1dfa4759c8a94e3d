// Asks the user before an action that cannot be undone: `const confirm = useConfirm()`, then `if (await confirm({ … }))`.
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { Button } from './button';
import styles from './dialog.module.css';

interface Question {
  title: string;
  /** The sentence about the consequences. */
  text: string;
  /** The text of the button that runs the action. */
  action: string;
  /** The text of the button that changes nothing, if "Cancel" could be misunderstood. */
  dismiss?: string;
}

const ConfirmContext = createContext({ ask: async (_: Question): Promise<boolean> => false, isAsking: false });

export const useConfirm = () => useContext(ConfirmContext).ask;
/** Whether a question is open. Keys and clicks then belong to the question, not to the dialog behind it. */
export const useIsConfirmOpen = () => useContext(ConfirmContext).isAsking;

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Question & { answer: (yes: boolean) => void }>();
  const [isOpen, setOpen] = useState(false);
  const ask = useCallback(
    (question: Question) =>
      new Promise<boolean>((answer) => {
        setShown({ ...question, answer });
        setOpen(true);
      }),
    [],
  );
  const contextValue = useMemo(() => ({ ask, isAsking: isOpen }), [ask, isOpen]);
  const close = (yes: boolean) => {
    shown?.answer(yes);
    setOpen(false);
  };
  return (
    <ConfirmContext.Provider value={contextValue}>
      {children}
      <AlertDialog.Root open={isOpen} onOpenChange={(open) => open || close(false)}>
        <AlertDialog.Portal>
          <AlertDialog.Backdrop className={styles['backdrop']} />
          <AlertDialog.Popup className={styles['popup']}>
            <AlertDialog.Title className={styles['title']}>{shown?.title}</AlertDialog.Title>
            <AlertDialog.Description>{shown?.text}</AlertDialog.Description>
            <div className={styles['buttons']}>
              <Button onClick={() => close(false)}>{shown?.dismiss ?? 'Cancel'}</Button>
              <Button kind="danger" onClick={() => close(true)}>
                {shown?.action}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Portal>
      </AlertDialog.Root>
    </ConfirmContext.Provider>
  );
}
