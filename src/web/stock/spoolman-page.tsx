// Shows the page where an import from Spoolman starts: a running Spoolman with its login, or export files.
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { SpoolmanLoginInput } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { ChoiceField } from '../parts/choice-field';
import { useFieldTexts } from '../parts/field-texts';
import { Field, Form } from '../parts/form';
import { LinkButton } from '../parts/link-button';
import { Empty, Outcome } from '../parts/loading-states';
import { spoolmanImportAddress } from '../parts/object-addresses';
import { Page } from '../parts/page';
import { useMayConfigureDevices, useMayWrite } from '../parts/use-viewer';
import styles from './import.module.css';
import { useReadSpoolman } from './read-spoolman';

export function SpoolmanPage() {
  const mayWrite = useMayWrite();
  return (
    <Page
      title="Import from Spoolman"
      about="Your spools, filaments and vendors come over. You see a preview before anything is written. Importing again later creates no doubles."
      actions={<LinkButton to="/import">Import a CSV file</LinkButton>}
    >
      {mayWrite ? <Source /> : <Empty>Your key is read-only. Importing needs a key that can write.</Empty>}
    </Page>
  );
}

/** The last address and name, for reading again. They stay in memory until the window is closed or reloaded; credentials do not. */
const last = { url: '', source: 'spoolman' };

const LOGINS = [
  ['', 'None'],
  ['apiKey', 'API key'],
  ['token', 'Token'],
  ['password', 'User name and password'],
] as const;

type Texts = Record<'from' | 'url' | 'login' | 'apiKey' | 'token' | 'username' | 'password' | 'source', string>;

const loginOf = ({ login, apiKey, token, username, password }: Texts): SpoolmanLoginInput | null => {
  if (login === 'apiKey') return { apiKey };
  if (login === 'token') return { token };
  return login === 'password' ? { username, password } : null;
};

function Source() {
  const mayReadUrl = useMayConfigureDevices();
  const navigate = useNavigate();
  const { texts, bind } = useFieldTexts<keyof Texts>({
    from: mayReadUrl ? 'url' : 'files',
    url: last.url,
    login: '',
    apiKey: '',
    token: '',
    username: '',
    password: '',
    source: last.source,
  });
  const [files, setFiles] = useState<readonly File[]>([]);
  const { read, progress, faults } = useReadSpoolman();
  const isFromUrl = texts.from === 'url';
  const submit = async () => {
    Object.assign(last, { url: texts.url, source: texts.source });
    const what = isFromUrl ? { url: texts.url, login: loginOf(texts) } : { files };
    const id = await read({ source: texts.source, ...what });
    if (id !== undefined) void navigate(spoolmanImportAddress(id));
  };
  return (
    <div className={styles['source']}>
      <Form
        faults={faults}
        // Nothing is lost: the files and the address are still where the user has them.
        isEdited={false}
        onSubmit={() => void submit()}
        actions={
          <>
            <Outcome>{progress}</Outcome>
            <Button type="submit" kind="main" isBusy={progress !== undefined}>
              {isFromUrl ? 'Read Spoolman' : 'Read files'}
            </Button>
          </>
        }
      >
        <ChoiceField
          {...bind('from')}
          label="Read from"
          {...(!mayReadUrl && { hint: 'Reading a running Spoolman needs a key with the right “devices”.' })}
          choices={[
            ...(mayReadUrl ? [['url', 'A running Spoolman'] as const] : []),
            ['files', 'Export files'] as const,
          ]}
        />
        {isFromUrl ? (
          <>
            <Field
              {...bind('url')}
              label="Address of Spoolman"
              placeholder="http://192.168.1.30:7912"
              hint="The address at which you open Spoolman in the browser."
              required
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <ChoiceField
              {...bind('login')}
              label="Login"
              hint="Only if Spoolman asks for one. The gateway uses it for this import and does not store it."
              choices={LOGINS}
            />
            <LoginFields bind={bind} login={texts.login} />
          </>
        ) : (
          <Field
            name="files"
            label="Export files"
            validate={() => (files.length === 0 ? 'Choose at least one file.' : null)}
            hint="The spools, filaments and manufacturers that Spoolman exports, as JSON or CSV. You can choose several files. Spoolman leaves out archived spools unless you tick them in its export."
            control={
              <input
                type="file"
                multiple
                accept=".json,.csv,application/json,text/csv"
                onChange={({ target }) => setFiles([...(target.files ?? [])])}
              />
            }
          />
        )}
        <details className={styles['advanced']} {...(faults['source'] !== undefined && { open: true })}>
          <summary>Advanced</summary>
          <Field
            {...bind('source')}
            label="Name of this Spoolman"
            hint="Tells several Spoolmans apart: small letters, digits and hyphens. Keep the name when you import the same Spoolman again."
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </details>
      </Form>
    </div>
  );
}

type Bind = ReturnType<typeof useFieldTexts<keyof Texts>>['bind'];

function LoginFields({ bind, login }: { bind: Bind; login: string }) {
  // Browsers must not offer or store the user's own passwords here.
  const secret = { type: 'password', autoComplete: 'new-password', required: true } as const;
  if (login === 'apiKey') return <Field {...bind('apiKey')} {...secret} label="API key" hint="Sent as X-API-Key." />;
  if (login === 'token')
    return <Field {...bind('token')} {...secret} label="Token" hint="Sent as Authorization: Bearer." />;
  if (login !== 'password') return null;
  return (
    <>
      <Field {...bind('username')} label="User name" required autoComplete="off" autoCapitalize="none" />
      <Field {...bind('password')} {...secret} label="Password" />
    </>
  );
}
