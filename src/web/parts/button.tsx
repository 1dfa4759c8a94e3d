// The button of all pages. While its action runs, it keeps the focus and ignores clicks.
import { type ComponentPropsWithoutRef, forwardRef } from 'react';
import styles from './button.module.css';

export interface ButtonProps extends ComponentPropsWithoutRef<'button'> {
  /** `main` is for the main action of a page or form, `danger` for an action that cannot be undone, `quiet` for a minor action. */
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
      // The attribute `disabled` would remove the focus.
      aria-disabled={isBusy || rest['aria-disabled'] || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    />
  );
});
