// The fields for a filament with several colours.
import type { ColorArrangement } from '../../generated/web-operations';
import { ChoiceField } from '../parts/choice-field';
import type { BindField } from '../parts/field-texts';
import { Field } from '../parts/form';
import { Swatch } from '../parts/swatch';

type Texts = Record<'colorHexes' | 'colorArrangement', string>;

export const COLOR_ARRANGEMENTS: Record<ColorArrangement, string> = {
  COAXIAL: 'Side by side',
  LONGITUDINAL: 'One after the other',
};

const listColors = (text: string) => text.split(/[\s,;]+/).filter((color) => color !== '');

/** A filament with one colour has no arrangement. */
export function colorsOf({ colorHexes, colorArrangement }: Texts) {
  const colors = listColors(colorHexes);
  if (colors.length === 0) return { colorHexes: null, colorArrangement: null };
  return { colorHexes: colors, colorArrangement: (colorArrangement || null) as ColorArrangement | null };
}

export function ColorFields({ bind }: { bind: BindField<keyof Texts> }) {
  const colors = listColors(bind('colorHexes').value);
  return (
    <>
      <Field
        {...bind('colorHexes')}
        label="All colours"
        isOptional
        placeholder="#FF0000 #0000FF"
        hint="Only for a filament with several colours: 2 to 16, with blanks between them."
        action={<Swatch color={null} colors={colors} />}
        spellCheck={false}
      />
      {colors.length > 0 && (
        <ChoiceField
          {...bind('colorArrangement')}
          label="Arrangement of the colours"
          choices={[['', 'Choose …'], ...Object.entries(COLOR_ARRANGEMENTS)]}
          required
        />
      )}
    </>
  );
}
