// The GraphQL types of plans, and the bounds of their values.
import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { type LayerPoint, MAX_LAYER, MAX_PLATES, MAX_POINTS, MAX_SLOT, type Slot } from '../../slicers/plan';
import { MAX_THUMBNAIL_BYTES, MAX_THUMBNAIL_PIXELS } from '../../values/thumbnail';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';
import type { SlicedPlan } from '../print-rules/sliced-plan';

/** How long prints can use a plan. */
export const PLAN_DAYS = 30;

@ObjectType({ description: 'The answer to a recorded plan.', simpleResolvers: true })
export class RecordedPlan {
  @Field(() => String, { description: 'The name by which prints find the plan.' })
  name!: string;

  @Field(() => [Int], { description: 'The plates that were recorded.' })
  plates!: number[];

  @Field(() => DateTimeScalar, { description: `When the plan was recorded. Prints can use it for ${PLAN_DAYS} days.` })
  recordedAt!: string;
}

/** The longest name of a file, with its folders (path) and without them (name). */
export const MAX_FILE_PATH = 1000;
export const MAX_FILE_NAME = 500;
export const MAX_PLATE = 999;
/** Four AMS and four AMS HT have 20 slots. */
export const MAX_PLAN_SLOTS = 64;
/** 10 km and 1,000 kg: no print uses as much. */
export const MAX_MM = 10_000_000;
export const MAX_GRAMS = 1_000_000;
/** 68 years, the largest value of a 32-bit integer. */
export const MAX_SECONDS = 2 ** 31 - 1;

@InputType({ description: 'The filament that one slot of a plate will use.' })
class PlanSlotInput implements Slot {
  @Field(() => Int, { description: `The slot as slicers number it, 1 to ${MAX_SLOT}.` })
  slot!: number;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: `Millimetres of filament, above 0 and at most ${MAX_MM}; null if the slicer does not give them.`,
  })
  mm!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: `Grams of filament, above 0 and at most ${MAX_GRAMS}; null if the slicer does not give them.`,
  })
  grams!: string | null;
}

@InputType({ description: 'The filament that a plate has used at the end of a layer.' })
class PlanLayerInput implements LayerPoint {
  @Field(() => Int, { description: `The layer, 1 to ${MAX_LAYER}. Layers are in ascending order.` })
  layer!: number;

  @Field(() => [DecimalScalar], {
    description:
      `Millimetres from the start of the print to the end of the layer, at most ${MAX_MM}: one length for each slot, in the order ` +
      'of `slots`. A length must not be below the length of the previous layer.',
  })
  mm!: string[];
}

@InputType({ description: 'The plan of a slicer for one plate.' })
export class PlatePlanInput {
  @Field(() => Int, {
    description: `The plate, 1 to ${MAX_PLATE}. A file without plates has plate 1.`,
  })
  plate!: number;

  @Field(() => Int, {
    nullable: true,
    description: `The duration of the print in seconds, 1 to ${MAX_SECONDS}; null if the slicer does not give it.`,
  })
  seconds!: number | null;

  @Field(() => [PlanSlotInput], {
    description: `The slots that the plate uses, each once, at most ${MAX_PLAN_SLOTS}; empty if the slicer does not give them.`,
  })
  slots!: Slot[];

  @Field(() => [PlanLayerInput], {
    nullable: true,
    description: `The filament used by the end of each layer, for prints that end early: 1 to ${MAX_POINTS} layers; null if the slicer gives none.`,
  })
  layers!: SlicedPlan['layers'];

  @Field(() => String, {
    nullable: true,
    description:
      `The slicer’s preview picture of the plate, for the page of the print: a PNG or JPEG in base64, at most ${MAX_THUMBNAIL_BYTES >> 10} KB ` +
      `and ${MAX_THUMBNAIL_PIXELS} pixels wide and high; null if there is none. It is checked, and dropped if PRINT_THUMBNAILS is false.`,
  })
  thumbnail?: string | null;
}

@InputType({ description: 'The plan of a slicer for a file, recorded before the file is printed.' })
export class RecordPlanInput {
  @Field(() => String, {
    description:
      `Name of the file, with or without folders, at most ${MAX_FILE_PATH} characters. Prints find the plan by the last part of the ` +
      `name, at most ${MAX_FILE_NAME} characters, without the ending .gcode, .gco, .bgcode, .gcode.3mf or .3mf.`,
  })
  fileName!: string;

  @Field(() => [PlatePlanInput], { description: `The plates of the file, each once, 1 to ${MAX_PLATES}.` })
  plates!: PlatePlanInput[];
}
