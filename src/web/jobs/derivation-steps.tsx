// Shows step by step how the gateway calculated weight and cost, and decides for which jobs this is shown.
import type { DerivationFragment, JobDetailsFragment } from '../../generated/web-operations';
import { useExactMoney } from '../parts/money';
import { formatDecimal, formatGrams, moneyPerGram } from '../parts/numbers';
import { Section } from '../parts/page';
import { useCurrency } from '../parts/use-viewer';
import styles from './jobs.module.css';

interface DerivationInput {
  mmExtruded: string;
  diameterMm: string;
  densityGPerCm3: string;
  spool: { purchasePrice: string | null; weightTotalGrams: string } | null;
}

/** Shows nothing if the job is split, or if its length is unknown. */
export function JobDerivation({ job }: { job: JobDetailsFragment }) {
  const money = useExactMoney();
  const { spool, derivation, parts } = job;
  if (parts.length > 1 || Number(job.mmExtruded) <= 0) return null;
  const hasOtherValues =
    Number(job.gramsDerived) !== Number(derivation.grams) ||
    (derivation.cost !== null && Number(job.costPerPrint) !== Number(derivation.cost));
  const input = {
    mmExtruded: job.mmExtruded,
    diameterMm: job.filamentDiameterAtPrintMm,
    densityGPerCm3: job.materialDensityAtPrint,
    spool,
  };
  return (
    <Section title="Weight and cost" about="calculated">
      <DerivationSteps given={input} derivation={derivation} />
      {hasOtherValues && (
        <p className={styles['quiet']}>
          {`The job has ${formatGrams(job.gramsDerived)} and a cost of ${money(job.costPerPrint)} instead. These values were entered by hand, or the spool was changed later.`}
        </p>
      )}
    </Section>
  );
}

export function DerivationSteps({ given, derivation }: { given: DerivationInput; derivation: DerivationFragment }) {
  const money = useExactMoney();
  const currency = useCurrency();
  const { areaMm2, pricePerGram, cost } = derivation;
  const { purchasePrice, weightTotalGrams } = given.spool ?? { purchasePrice: null, weightTotalGrams: '0' };
  const steps = [
    ['Cross-section', `π × (${formatDecimal(given.diameterMm)} mm ÷ 2)²`, `${formatDecimal(areaMm2)} mm²`],
    [
      'Weight',
      `${formatDecimal(given.mmExtruded)} mm × ${formatDecimal(areaMm2)} mm² × ${formatDecimal(given.densityGPerCm3)} g/cm³ ÷ 1000`,
      formatGrams(derivation.grams),
    ],
    ...(pricePerGram !== null && cost !== null && purchasePrice !== null
      ? [
          [
            'Price per gram',
            `${money(purchasePrice)} ÷ ${formatGrams(weightTotalGrams)}`,
            moneyPerGram(pricePerGram, currency),
          ],
          ['Cost', `${formatGrams(derivation.grams)} × price per gram`, money(cost)],
        ]
      : [['Cost', 'The spool has no price or no weight', '–']]),
  ];
  return (
    <ol className={styles['card']} aria-label="Calculation">
      {steps.map(([name, formula, result]) => (
        <li key={name}>
          <span>{name}</span>
          <span className={styles['formula']}>
            <strong>{result}</strong>
            <span className={styles['quiet']}>{formula}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
