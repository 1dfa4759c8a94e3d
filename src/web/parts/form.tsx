// Forms and their fields, in a dialog or on a page. All faults are shown together, each at its field.
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
import { useConfirm, useIsConfirmOpen } from './confirm';
import dialog from './dialog.module.css';
import styles from './form.module.css';
import { LEAVE_QUESTION, useUnsaved } from './unsaved';

export interface LabelledProps {
  /** The member of the input. Faults of this member are shown at the field. */
  name: string;
  label: string;
  /** Units, the allowed values, or where to find the value. */
  hint?: ReactNode;
  /** Adds "(optional)" to the label. */
  isOptional?: boolean | undefined;
}

interface FieldFrameProps extends LabelledProps {
  /**
   * Finds a fault that would keep the gateway from reading the input at all, such as a text that is not a number. The gateway would
   * report only this fault, and the others after it is fixed, so a form with such a fault is not sent. `null` if there is no fault.
   */
  validate?: () => string | null;
  children: ReactNode;
}

/** The label, hint and fault around a control. */
export function FieldFrame({ name, label, hint, isOptional, validate = () => null, children }: FieldFrameProps) {
  return (
    <BaseField.Root name={name} className={styles['field']} validate={validate}>
      <BaseField.Label className={styles['label']}>{isOptional ? `${label} (optional)` : label}</BaseField.Label>
      {children}
      {hint !== undefined && <BaseField.Description className={styles['hint']}>{hint}</BaseField.Description>}
      <BaseField.Validity>
        {({ validity }) => (
          <BaseField.Error className={styles['fault']} {...(validity.badInput && { children: INCOMPLETE_TIME })} />
        )}
      </BaseField.Validity>
    </BaseField.Root>
  );
}

/** Replaces the message of the browser. Only date and time fields can hold an incomplete value. */
const INCOMPLETE_TIME = 'Enter both the date and the time, or leave both empty.';

export interface FieldProps extends LabelledProps, Omit<ComponentPropsWithoutRef<'input'>, 'name'> {
  /** A control in place of the input, such as a select or a textarea. */
  control?: ReactElement;
  validate?: () => string | null;
  /** A button or link behind the control, such as one that fills it in. */
  action?: ReactNode;
}

export function Field(props: FieldProps) {
  const { name, label, hint, isOptional, control, action, required = false, validate, ...input } = props;
  const validateValue = () => (required && input.value === '' ? REQUIRED_MESSAGE : (validate?.() ?? null));
  return (
    <FieldFrame name={name} label={label} hint={hint} isOptional={isOptional} validate={validateValue}>
      <div className={styles['row']}>
        <BaseField.Control
          className={styles['control']}
          aria-required={required || undefined}
          {...input}
          {...(control ? { render: control } : {})}
        />
        {action}
      </div>
    </FieldFrame>
  );
}

const REQUIRED_MESSAGE = 'This field is required.';

interface CheckProps extends Pick<LabelledProps, 'name'> {
  /** '' if the box is not checked. */
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  /** The label of the box. */
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
  /** The faults by member, from faultsByMember. Faults under '' belong to the whole form. */
  faults: Record<string, string>;
  /** Whether edits would be lost if the user left the page. */
  isEdited: boolean;
  onSubmit: () => void;
  children: ReactNode;
  actions: ReactNode;
}

const NO_FAULTS = {};

/**
 * Most faults of the gateway continue the name of their member: "must be a number". In a form each fault is a sentence on its own
 * line.
 */
const toSentences = (faults: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => [
      name,
      `${fault.charAt(0).toUpperCase()}${fault.slice(1)}${/[.!?…]$/.test(fault) ? '' : '.'}`,
    ]),
  );

export function Form({ faults, isEdited, onSubmit, children, actions }: FormProps) {
  useUnsaved(isEdited);
  const dialogForm = useContext(DialogForm);
  useEffect(() => {
    if (dialogForm === null) return;
    dialogForm.isEdited = isEdited;
    return () => {
      dialogForm.isEdited = false;
    };
  }, [dialogForm, isEdited]);
  const [submittedFaults, setSubmittedFaults] = useState<typeof faults>();
  // A new object makes the form show its faults again.
  const shown = useMemo(() => toSentences(faults), [faults]);
  return (
    <BaseForm
      className={styles['form']}
      // Browsers would show one fault at a time, with their own messages.
      noValidate
      errors={faults === submittedFaults ? NO_FAULTS : shown}
      // Base UI does not submit while a field has an error. The errors of the last attempt are removed, because another field may
      // be wrong.
      onSubmitCapture={() => flushSync(() => setSubmittedFaults(faults))}
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

/** Tells a dialog whether the form inside it has unsaved edits. */
const DialogForm = createContext<{ isEdited: boolean } | null>(null);

/** A dialog around a form. A button, Escape or a click outside closes it, after a question if edits would be lost. */
export function FormDialog(props: { title: string; isOpen: boolean; onClose: () => void; children: ReactNode }) {
  const form = useRef({ isEdited: false });
  const confirm = useConfirm();
  const isAsking = useIsConfirmOpen();
  const close = async () => {
    if (!form.current.isEdited || (await confirm(LEAVE_QUESTION))) props.onClose();
  };
  return (
    <Dialog.Root
      open={props.isOpen}
      onOpenChange={(_, event) => {
        // The question gets the focus one frame after it opens. Until then its Escape key arrives here.
        if (isAsking) event.allowPropagation();
        else void close();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog['backdrop']} />
        <Dialog.Popup className={dialog['popup']}>
          <Dialog.Title className={dialog['title']}>{props.title}</Dialog.Title>
          <DialogForm.Provider value={form.current}>{props.children}</DialogForm.Provider>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The buttons that cancel and submit a form. */
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
