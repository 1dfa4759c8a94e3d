// The form that gives several jobs another spool.
import { useMemo, useState } from 'react';
import type { JobRowFragment } from '../../generated/web-operations';
import { Form, FormButtons } from '../parts/form';
import { JOB_STATUSES } from '../parts/job-statuses';
import { selectableRows, spoolChoices, useSpools } from '../parts/object-choices';
import { SearchChoice } from '../parts/search-choice';

interface ChangeSpoolFormProps {
  jobs: readonly JobRowFragment[];
  onChoose: (spoolId: string) => void;
  onCancel: () => void;
}

const NO_FAULTS = {};

export function ChangeSpoolForm({ jobs, onChoose, onCancel }: ChangeSpoolFormProps) {
  const [spoolId, setSpoolId] = useState('');
  const spools = useSpools().data?.spools.nodes;
  // Jobs that ended may have used a spool that is archived since, because it is empty.
  const haveEnded = jobs.every(({ status }) => JOB_STATUSES[status].isFinal);
  const choices = useMemo(
    () => spoolChoices(haveEnded ? (spools ?? []) : selectableRows(spools ?? [])),
    [spools, haveEnded],
  );
  return (
    <Form
      faults={NO_FAULTS}
      isEdited={spoolId !== ''}
      onSubmit={() => onChoose(spoolId)}
      actions={<FormButtons action="Change spool" isBusy={false} onCancel={onCancel} />}
    >
      <SearchChoice
        name="spoolId"
        label="Spool"
        choices={choices}
        value={spoolId}
        onChange={({ target }) => setSpoolId(target.value)}
        placeholder="Choose …"
        required
        isOpenAtFirst
      />
      <p>
        Lengths and weight sources stay. A calculated weight follows the diameter and the density of the new spool, and
        the cost follows its price.
      </p>
    </Form>
  );
}
