// Shows the dialog that adds, changes and removes a channel (a notification target, in the schema).
import {
  type AddNotificationTargetInput,
  AddTargetDocument,
  type AddTargetMutation,
  type AlertSeverity,
  type NotificationEvent,
  type NotificationKind,
  RemoveTargetDocument,
  type TargetDetailsFragment,
  type UpdateNotificationTargetInput,
  UpdateTargetDocument,
} from '../../generated/web-operations';
import { FIRST_EVENTS, FIRST_SEVERITY } from '../../notifications/target.limits';
import { ChoiceField } from '../parts/choice-field';
import { Editor, type EditorKind, type useEditor } from '../parts/editor';
import type { useFieldTexts } from '../parts/field-texts';
import { Field } from '../parts/form';
import { EventsField, PrintersField } from './list-fields';
import { SEVERITIES, TARGET_KINDS } from './notification-texts';

type Target = TargetDetailsFragment;
type Texts = ReturnType<typeof textsOf>;
export type SavedTarget = AddTargetMutation['addNotificationTarget'];

/** The form holds lists as values that are joined by commas. */
const splitList = (text: string) => text.split(',').filter(Boolean);

/** The gateway never returns user names and secrets, so their fields start empty. */
const textsOf = (target: Target | undefined) => ({
  kind: (target?.kind ?? 'WEBHOOK') as string,
  name: target?.name ?? '',
  url: target?.url ?? '',
  username: '',
  secret: '',
  certificateFingerprint: target?.certificateFingerprint ?? '',
  events: (target?.events ?? FIRST_EVENTS).join(),
  minimumSeverity: (target?.minimumSeverity ?? FIRST_SEVERITY) as string,
  printerIds: (target?.printers ?? []).map(({ id }) => id).join(),
});

/** An empty user name or secret keeps the stored value, because the form does not know that value. */
const changesOf = (texts: Texts): UpdateNotificationTargetInput => ({
  name: texts.name,
  url: texts.url,
  ...(texts.username !== '' &&
    TARGET_KINDS[texts.kind as NotificationKind].username !== null && { username: texts.username }),
  ...(texts.secret !== '' && { secret: texts.secret }),
  certificateFingerprint: texts.certificateFingerprint || null,
  events: splitList(texts.events) as NotificationEvent[],
  minimumSeverity: texts.minimumSeverity as AlertSeverity,
  printerIds: splitList(texts.printerIds),
});

const KIND: EditorKind<Target, keyof Texts, AddNotificationTargetInput, UpdateNotificationTargetInput> = {
  noun: 'channel',
  nameOf: ({ name }) => name,
  toTexts: textsOf,
  toInput: (texts) => ({ ...changesOf(texts), kind: texts.kind as NotificationKind }) as AddNotificationTargetInput,
  toChanges: changesOf,
  create: AddTargetDocument,
  update: UpdateTargetDocument,
  remove: RemoveTargetDocument,
  describeLoss: async (_, { waiting }) =>
    `Its list of messages is deleted too${waiting > 0 ? `, and ${waiting} waiting ${waiting === 1 ? 'message is' : 'messages are'} not sent` : ''}.`,
};

interface TargetEditorProps {
  editor: ReturnType<typeof useEditor<Target>>;
  /**
   * Called with the answer, which has the secret if the gateway generated one.
   * @param isLost whether the gateway generated a secret in an earlier answer that did not arrive
   */
  onSaved: (written: SavedTarget, isLost: boolean) => void;
  onRemoved?: () => void;
}

export function TargetEditor({ editor, onSaved, onRemoved }: TargetEditorProps) {
  const handleSaved = (saved: unknown, { secret }: Texts) => {
    const [answer] = Object.values(saved as Record<string, SavedTarget>) as [SavedTarget];
    const wasGenerated = editor.row === undefined && answer.target.kind === 'WEBHOOK' && secret === '';
    onSaved(answer, wasGenerated && answer.secret === null);
  };
  return (
    <Editor
      kind={KIND}
      editor={editor}
      fields={(bind, target) => <Fields bind={bind} target={target} />}
      onSaved={handleSaved}
      {...(onRemoved && { onRemoved })}
    />
  );
}

interface FieldsProps {
  bind: ReturnType<typeof useFieldTexts<keyof Texts>>['bind'];
  target: Target | undefined;
}

function Fields({ bind, target }: FieldsProps) {
  const kindTexts = TARGET_KINDS[bind('kind').value as NotificationKind];
  const fingerprint = bind('certificateFingerprint');
  return (
    <>
      {target === undefined && (
        <ChoiceField
          {...bind('kind')}
          label="Channel type"
          choices={Object.entries(TARGET_KINDS).map(([value, { name }]) => [value, name] as const)}
        />
      )}
      <Field {...bind('name')} label="Name" placeholder="Phone" autoComplete="off" />
      <Field
        {...bind('url')}
        label="URL"
        placeholder={kindTexts.placeholder}
        hint={kindTexts.url}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {kindTexts.username !== null && (
        <Field {...bind('username')} label="User name" isOptional hint={kindTexts.username} autoComplete="off" />
      )}
      <Field
        {...bind('secret')}
        label={kindTexts.secret}
        isOptional
        type="password"
        hint={target?.hasSecret ? kindTexts.stored : kindTexts.noSecret}
        placeholder={target?.hasSecret ? 'Stored' : ''}
        // Browsers must not offer the user's own password for it.
        autoComplete="new-password"
      />
      {(fingerprint.value !== '' || target?.certificateFingerprint) && (
        <Field
          {...fingerprint}
          label="Trusted certificate (SHA-256 fingerprint)"
          isOptional
          hint="Leave empty if the certificate comes from a public authority."
          autoComplete="off"
        />
      )}
      <EventsField {...bind('events')} label="Notify when" />
      <ChoiceField {...bind('minimumSeverity')} label="Alerts" choices={Object.entries(SEVERITIES)} />
      <PrintersField {...bind('printerIds')} label="Printers" />
    </>
  );
}
