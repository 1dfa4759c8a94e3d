// Forms: a dialog or section with fields, whose faults are all shown at once, each at its member.
import { Dialog } from '@base-ui/react/dialog';
import { Field as BaseField } from '@base-ui/react/field';
import { Form as BaseForm } from '@base-ui/react/form';
import {
  type ComponentPropsWithoutRef,
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { Button } from './button';
import { useConfirm, useIsAsking } from './confirm';
import dialog from './dialog.module.css';
import styles from './form.module.css';
import { LEAVE_FORM, useUnsaved } from './unsaved';

export interface Labelled {
  /** The member of the input: faults of this name are shown here. */
  name: string;
  label: string;
  /** Units, the allowed values, or where to find the value. */
  hint?: ReactNode;
  /** The label says that the field may stay empty. */
  isOptional?: boolean | undefined;
}

interface FieldFrameProps extends Labelled {
  /**
   * What the gateway would not read, such as no number: it would report that fault alone, and others only when it is mended. A form
   * with such a fault is not sent. null: it may be sent.
   */
  faultOf?: () => string | null;
  children: ReactNode;
}

/** The label, hint and fault around a control. */
export function FieldFrame({ name, label, hint, isOptional, faultOf = () => null, children }: FieldFrameProps) {
  return (
    <BaseField.Root name={name} className={styles['field']} validate={faultOf}>
      <BaseField.Label className={styles['label']}>{isOptional ? `${label} (optional)` : label}</BaseField.Label>
      {children}
      {hint !== undefined && <BaseField.Description className={styles['hint']}>{hint}</BaseField.Description>}
      <BaseField.Validity>
        {({ validity }) => (
          <BaseField.Error className={styles['fault']} {...(validity.badInput && { children: HALF_A_TIME })} />
        )}
      </BaseField.Validity>
    </BaseField.Root>
  );
}

/** Browsers say it in words of their own. Only fields for a time can hold what is no value. */
const HALF_A_TIME = 'Enter both the date and the time, or leave both empty.';

export interface FieldProps extends Labelled, Omit<ComponentPropsWithoutRef<'input'>, 'name'> {
  /** Another control than an input, such as a select or a textarea. */
  control?: ReactElement;
  faultOf?: () => string | null;
  /** Another way to fill it in, behind the control. */
  beside?: ReactNode;
}

export function Field(props: FieldProps) {
  const { name, label, hint, isOptional, control, beside, required = false, faultOf, ...input } = props;
  const faultNow = () => (required && input.value === '' ? EMPTY : (faultOf?.() ?? null));
  return (
    <FieldFrame name={name} label={label} hint={hint} isOptional={isOptional} faultOf={faultNow}>
      <div className={styles['beside']}>
        <BaseField.Control
          className={styles['control']}
          aria-required={required || undefined}
          {...input}
          {...(control ? { render: control } : {})}
        />
        {beside}
      </div>
    </FieldFrame>
  );
}

const EMPTY = 'This field is required.';

interface CheckProps extends Pick<Labelled, 'name'> {
  /** Empty: it is not checked. */
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  /** Its label. */
  children: ReactNode;
}

export function Check({ name, value, onChange, children }: CheckProps) {
  return (
    <label className={styles['check']}>
      <input
        type="checkbox"
        name={name}
        checked={value !== ''}
        onChange={({ target }) => onChange({ target: { value: target.checked ? 'true' : '' } })}
      />
      <span>{children}</span>
    </label>
  );
}

interface FormProps {
  /** From faultsByMember; those under '' belong to the whole form. */
  faults: Record<string, string>;
  /** Whether something would be lost if its page were left. */
  isEdited: boolean;
  onSubmit: () => void;
  children: ReactNode;
  actions: ReactNode;
}

const NONE = {};

/** The gateway writes most faults for the place behind the name of their member: "must be a number". Here each has a line of its own. */
const asSentences = (faults: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => [
      name,
      `${fault.charAt(0).toUpperCase()}${fault.slice(1)}${/[.!?…]$/.test(fault) ? '' : '.'}`,
    ]),
  );

export function Form({ faults, isEdited, onSubmit, children, actions }: FormProps) {
  useUnsaved(isEdited);
  const inDialog = useContext(InDialog);
  useEffect(() => {
    if (inDialog === null) return;
    inDialog.isEdited = isEdited;
    return () => {
      inDialog.isEdited = false;
    };
  }, [inDialog, isEdited]);
  const [past, setPast] = useState<typeof faults>();
  // The form shows a fault until it is another object.
  const shown = useMemo(() => asSentences(faults), [faults]);
  return (
    <BaseForm
      className={styles['form']}
      // Browsers would show one fault at a time, in words of their own.
      noValidate
      errors={faults === past ? NONE : shown}
      // A fault would hold the form until its own field is changed, and another field may have been what was wrong.
      onSubmitCapture={() => flushSync(() => setPast(faults))}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {faults[''] !== undefined && (
        <p className={styles['whole']} role="alert">
          {shown['']}
        </p>
      )}
      {children}
      <div className={dialog['buttons']}>{actions}</div>
    </BaseForm>
  );
}

/** What a dialog has of the form in it. */
const InDialog = createContext<{ isEdited: boolean } | null>(null);

/** A dialog around a form. It closes by its button, by Escape, and by a click beside it; these ask before they throw typed text away. */
export function FormDialog(props: { title: string; isOpen: boolean; onClose: () => void; children: ReactNode }) {
  const form = useRef({ isEdited: false });
  const confirm = useConfirm();
  const isAsking = useIsAsking();
  const close = async () => {
    if (!form.current.isEdited || (await confirm(LEAVE_FORM))) props.onClose();
  };
  return (
    <Dialog.Root
      open={props.isOpen}
      onOpenChange={(_, event) => {
        // The question gets the focus a frame after it is shown: until then its Escape is heard here.
        if (isAsking) event.allowPropagation();
        else void close();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog['backdrop']} />
        <Dialog.Popup className={dialog['popup']}>
          <Dialog.Title className={dialog['title']}>{props.title}</Dialog.Title>
          <InDialog.Provider value={form.current}>{props.children}</InDialog.Provider>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The two buttons of a form. */
export function FormButtons({ action, isBusy, onCancel }: { action: string; isBusy: boolean; onCancel: () => void }) {
  return (
    <>
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" kind="main" isBusy={isBusy}>
        {action}
      </Button>
    </>
  );
}
