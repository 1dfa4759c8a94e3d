// The frame of a page: its title, also in the window, and its actions. When the user opens another page, the focus moves to the title.
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** One line under the title. */
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, about, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  useLayoutEffect(() => {
    document.title = `${title} · Print Farm`;
  }, [title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: filters change the address without opening another page
  useEffect(() => {
    if (key !== 'default') heading.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <>
      <div className={styles['head']}>
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about !== undefined && <p className={styles['about']}>{about}</p>}
        </div>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </div>
      {children}
    </>
  );
}

/** A section of a page with a heading. */
export function Section(props: { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles['section']} aria-label={props.title}>
      <div className={styles['head']}>
        <h2>
          <span>{`${props.title} `}</span>
          <span className={styles['count']}>{props.about}</span>
        </h2>
        {props.actions !== undefined && <div className={styles['actions']}>{props.actions}</div>}
      </div>
      {props.children}
    </section>
  );
}
