// The sign-in form for an API key or token.
import { type FormEvent, useLayoutEffect, useRef } from 'react';
import { Button } from '../parts/button';
import { type Session, signIn } from './caller-session';
import styles from './sign-in.module.css';

type SignedOut = Extract<Session, { state: 'signed-out' }>;

export function SignIn({ session }: { session: SignedOut }) {
  const { message, isTrying } = session;
  const input = useRef<HTMLInputElement>(null);
  const remember = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    document.title = 'Sign in · Print Farm';
  }, []);
  // The field gets the focus when the form appears and after each rejected key. It must not get it at other times, while the user
  // is typing.
  useLayoutEffect(() => {
    if (session.isTrying) return;
    input.current?.focus();
    if (session.message !== '') input.current?.select();
  }, [session]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isTrying) signIn(input.current?.value.trim() ?? '', remember.current?.checked ?? false);
  };
  return (
    <form className={styles['form']} aria-labelledby="sign-in-title" onSubmit={submit}>
      <h1 id="sign-in-title">Sign in</h1>
      <p className={styles['quiet']}>
        Enter your API key to continue. The person who runs the gateway can give you one.
      </p>
      {message !== '' && (
        <p id="sign-in-problem" className={styles['problem']} role="alert">
          {message}
        </p>
      )}
      <label htmlFor="sign-in-key">API key or token</label>
      {/* The field has no name: if the script failed to load, the browser would put the key into the address. */}
      <input
        ref={input}
        id="sign-in-key"
        type="password"
        autoComplete="current-password"
        aria-describedby={message === '' ? undefined : 'sign-in-problem'}
        aria-invalid={message !== ''}
        required
      />
      <label className={styles['remember']}>
        <input ref={remember} type="checkbox" />
        <span>Remember me on this computer</span>
      </label>
      <Button type="submit" kind="main" isBusy={isTrying}>
        Sign in
      </Button>
    </form>
  );
}
