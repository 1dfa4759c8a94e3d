// The one button. While its action runs it is busy: it keeps the focus, and does nothing.
import { type ComponentPropsWithoutRef, forwardRef } from 'react';
import styles from './button.module.css';

export interface ButtonProps extends ComponentPropsWithoutRef<'button'> {
  /** `main`: the one action of a form. `danger`: an action that cannot be undone. `quiet`: beside other things. */
  kind?: 'plain' | 'main' | 'danger' | 'quiet';
  isBusy?: boolean;
}

export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { kind = 'plain', isBusy = false, className, onClick, ...rest },
  ref,
) {
  return (
    <button
      type="button"
      {...rest}
      ref={ref}
      className={[styles['button'], className].filter(Boolean).join(' ')}
      data-kind={kind}
      // `disabled` would take the focus away.
      aria-disabled={isBusy || rest['aria-disabled'] || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    />
  );
});
