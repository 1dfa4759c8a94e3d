// The form of a new or existing job. It shows weight and cost while the user types; the gateway calculates them.
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import {
  CreateJobDocument,
  type DataSource,
  type JobDetailsFragment,
  type PrinterChoicesQuery,
  type SpoolChoicesQuery,
  UpdateJobDocument,
} from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { ChoiceField, TextField } from '../parts/choice-field';
import { toInstant } from '../parts/days';
import { DecimalField } from '../parts/decimal-field';
import { useFieldTexts } from '../parts/field-texts';
import { Field, Form, FormButtons } from '../parts/form';
import { Empty, ProblemBox } from '../parts/loading-states';
import { useAmountLabel } from '../parts/money';
import { printerChoices, selectableRows, spoolChoices } from '../parts/object-choices';
import { Section } from '../parts/page';
import { useSaving } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { useDerivation } from './derivation';
import { DerivationSteps } from './derivation-steps';
import { SOURCES } from './job-filter';
import { toJobTexts } from './job-form-values';
import styles from './jobs.module.css';

interface JobFormProps {
  job?: JobDetailsFragment;
  choices: PrinterChoicesQuery & SpoolChoicesQuery;
}

export function JobForm({ job, choices: { printers, spools } }: JobFormProps) {
  const { texts, isEdited, bind } = useFieldTexts(toJobTexts(job));
  const [isAuto, setAuto] = useState(job === undefined);
  const { save, isBusy, faults } = useSaving();
  const navigate = useNavigate();
  const costLabel = useAmountLabel('Cost');
  const [printerId, spoolId] = [job?.printer?.id, job?.spool?.id];
  const printerOptions = useMemo(
    () => printerChoices(selectableRows(printers.nodes, printerId, texts.printerId)),
    [printers.nodes, printerId, texts.printerId],
  );
  const spoolOptions = useMemo(
    () => spoolChoices(selectableRows(spools.nodes, spoolId, texts.spoolId)),
    [spools.nodes, spoolId, texts.spoolId],
  );
  const spool = spools.nodes.find(({ id }) => id === texts.spoolId) ?? null;
  const derivationInput = {
    mmExtruded: texts.mmExtruded || '0',
    diameterMm: (isAuto ? spool?.filamentDiameterMm : texts.filamentDiameterAtPrintMm) || '0',
    densityGPerCm3: (isAuto ? spool?.material.densityGPerCm3 : texts.materialDensityAtPrint) || '0',
  };
  const { derivation, problem, fetchCost } = useDerivation(
    spool && {
      mmExtruded: derivationInput.mmExtruded,
      filamentDiameterMm: derivationInput.diameterMm,
      densityGPerCm3: derivationInput.densityGPerCm3,
      spoolId: spool.id,
    },
  );
  // An update that calculates the grams also calculates the cost, if the spool has a price.
  const isCostDerived = job !== undefined && isAuto && derivation?.cost != null && Number(derivation.grams) > 0;
  const createInput = async () => ({
    printName: texts.printName,
    printerId: texts.printerId,
    spoolId: texts.spoolId,
    autoDeriveGrams: isAuto,
    mmExtruded: texts.mmExtruded || '0',
    gramsDerived: texts.gramsDerived || '0',
    costPerPrint: texts.costPerPrint || (await fetchCost()) || '0',
    gcodeFilePath: texts.gcodeFilePath,
    notes: texts.notes || null,
  });
  const createNewJob = async () => ({
    input: {
      ...(await createInput()),
      filamentDiameterAtPrintMm: texts.filamentDiameterAtPrintMm || '0',
      materialDensityAtPrint: texts.materialDensityAtPrint || '0',
      dataSource: texts.dataSource as DataSource,
      startedAt: texts.startedAt ? toInstant(texts.startedAt) : null,
    },
  });
  const submit = async () => {
    const saved =
      job === undefined
        ? (await save(CreateJobDocument, createNewJob()))?.createPrintJob
        : (
            await save(
              UpdateJobDocument,
              createInput().then((input) => ({ id: job.id, input })),
            )
          )?.updatePrintJob;
    if (saved === undefined) return;
    announce(job === undefined ? 'Job added.' : 'Job saved.');
    void navigate(`/jobs/${saved.id}`);
  };
  return (
    <div className={styles['columns']}>
      <Section title="Job">
        <Form
          faults={faults}
          isEdited={isEdited}
          onSubmit={() => void submit()}
          actions={
            <FormButtons
              action={job === undefined ? 'Add job' : 'Save changes'}
              isBusy={isBusy}
              onCancel={() => void navigate(job === undefined ? '/jobs' : `/jobs/${job.id}`)}
            />
          }
        >
          <Field {...bind('printName')} label="Print name" required />
          <div className={styles['fields']}>
            <SearchChoice
              {...bind('printerId')}
              label="Printer"
              choices={printerOptions}
              placeholder="Choose …"
              required
            />
            <SearchChoice {...bind('spoolId')} label="Spool" choices={spoolOptions} placeholder="Choose …" required />
            <DecimalField {...bind('mmExtruded')} label="Filament length in mm" isOptional />
            <DecimalField
              {...bind('costPerPrint')}
              label={costLabel}
              isOptional
              placeholder={derivation?.cost ?? '0'}
              hint={
                isCostDerived
                  ? 'Calculated from the price of the spool.'
                  : 'Leave empty to calculate it from the price of the spool.'
              }
              disabled={isCostDerived}
            />
          </div>
          {job !== undefined && job.parts.length > 1 && (
            <p>This job is split between spools. If you change the spool or an amount, the split is removed.</p>
          )}
          <label className={styles['check']}>
            <input type="checkbox" checked={isAuto} onChange={({ target }) => setAuto(target.checked)} />
            <span>Calculate weight from length and spool</span>
          </label>
          {!isAuto && (
            <div className={styles['fields']}>
              <DecimalField {...bind('gramsDerived')} label="Weight in grams" isOptional />
              {job === undefined && (
                <>
                  <DecimalField {...bind('filamentDiameterAtPrintMm')} label="Diameter in mm" isOptional />
                  <DecimalField {...bind('materialDensityAtPrint')} label="Density in g/cm³" isOptional />
                </>
              )}
            </div>
          )}
          {job === undefined && (
            <div className={styles['fields']}>
              <ChoiceField {...bind('dataSource')} label="Data source" choices={Object.entries(SOURCES)} />
              <Field
                {...bind('startedAt')}
                label="Started at"
                isOptional
                type="datetime-local"
                hint="Leave empty to set it when you start the job."
              />
            </div>
          )}
          <Field {...bind('gcodeFilePath')} label="G-code file path" isOptional />
          <TextField {...bind('notes')} label="Notes" isOptional />
        </Form>
      </Section>
      <Section title="Weight and cost" about="calculated">
        <div aria-live="polite">
          {problem !== undefined && <ProblemBox title="Could not calculate weight and cost" error={problem} />}
          {derivation !== undefined && (
            <DerivationSteps given={{ ...derivationInput, spool }} derivation={derivation} />
          )}
          {spool === null && <Empty>The calculation appears here once you choose a spool.</Empty>}
        </div>
      </Section>
    </div>
  );
}
