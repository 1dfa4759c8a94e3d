// The frame of a page: its title, also in the window with the number of printers that need a person, its actions and its sections. When the
// user opens another page, the focus moves to the title.
import { useReactiveVar } from '@apollo/client/react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { needsYouCount } from './needs-you';
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
  const needing = useReactiveVar(needsYouCount);
  useLayoutEffect(() => {
    document.title = `${needing > 0 ? `(${needing}) ` : ''}${title} · Print Farm`;
  }, [title, needing]);
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

interface SectionProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A section of a page with a heading. */
export function Section(props: SectionProps) {
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

/** A section that is folded until the user opens it, for what is rarely read. Its content is drawn, and loaded, when it is open; `about` is shown until then. */
export function FoldedSection(props: SectionProps & { isOpenAtFirst?: boolean }) {
  const [isOpen, setOpen] = useState(props.isOpenAtFirst ?? false);
  return (
    <section className={styles['section']} aria-label={props.title}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={styles['summary']}>
          <h2>
            <span>{`${props.title} `}</span>
            {!isOpen && <span className={styles['count']}>{props.about}</span>}
          </h2>
        </summary>
        {isOpen && props.actions !== undefined && <div className={styles['actions']}>{props.actions}</div>}
        {isOpen && props.children}
      </details>
    </section>
  );
}
