// Plans in the graph: as they are given, and the answer.
import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { type LayerPoint, MAX_LAYER, MAX_PLATES, MAX_POINTS, MAX_SLOT, type Slot } from '../../slicers/plan';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';
import type { SlicedPlan } from '../print-rules/sliced-plan';

/** How long a plan is found by prints. */
export const PLAN_DAYS = 30;

@ObjectType({ description: 'A plan that was recorded.', simpleResolvers: true })
export class RecordedPlan {
  @Field(() => String, { description: 'The name by which prints find it.' })
  name!: string;

  @Field(() => [Int], { description: 'The plates that were recorded.' })
  plates!: number[];

  @Field(() => DateTimeScalar, { description: `When. It is found for ${PLAN_DAYS} days.` })
  recordedAt!: string;
}

/** The longest name, with its folders and without them. */
export const MAX_FILE_PATH = 1000;
export const MAX_FILE_NAME = 500;
export const MAX_PLATE = 999;
/** Four AMS and four AMS HT have 20 slots. */
export const MAX_PLAN_SLOTS = 64;
/** 10 km and 1,000 kg: what no print uses. */
export const MAX_MM = 10_000_000;
export const MAX_GRAMS = 1_000_000;
/** 68 years. */
export const MAX_SECONDS = 2 ** 31 - 1;

@InputType({ description: 'What one slot of a plate is to use.' })
class PlanSlotInput implements Slot {
  @Field(() => Int, { description: `The slot, counted from 1 as slicers show it, to ${MAX_SLOT}.` })
  slot!: number;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: `Millimetres of filament, above 0 and at most ${MAX_MM}; null when the slicer does not say.`,
  })
  mm!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: `Grams of filament, above 0 and at most ${MAX_GRAMS}; null when the slicer does not say.`,
  })
  grams!: string | null;
}

@InputType({ description: 'What a plate has used at the end of a layer.' })
class PlanLayerInput implements LayerPoint {
  @Field(() => Int, { description: `The layer, counted from 1, to ${MAX_LAYER}. Each is above the one before it.` })
  layer!: number;

  @Field(() => [DecimalScalar], {
    description:
      `Millimetres from the start of the print to the end of the layer, at most ${MAX_MM}: one for each of slots, in their ` +
      'order, and none below that of the layer before.',
  })
  mm!: string[];
}

@InputType({ description: 'What the slicer says of one plate.' })
export class PlatePlanInput {
  @Field(() => Int, {
    description: `The plate, counted from 1 to ${MAX_PLATE}. A file without plates is plate 1.`,
  })
  plate!: number;

  @Field(() => Int, {
    nullable: true,
    description: `Seconds of the print, 1 to ${MAX_SECONDS}; null when the slicer does not say.`,
  })
  seconds!: number | null;

  @Field(() => [PlanSlotInput], {
    description: `The slots that the plate uses, each once, at most ${MAX_PLAN_SLOTS}; empty when the slicer does not say.`,
  })
  slots!: Slot[];

  @Field(() => [PlanLayerInput], {
    nullable: true,
    description: `A table by layers with 1 to ${MAX_POINTS} of them, for prints that end early; null when there is none.`,
  })
  layers!: SlicedPlan['layers'];
}

@InputType({ description: 'What a slicer says of a file before it is printed.' })
export class RecordPlanInput {
  @Field(() => String, {
    description:
      `Name of the file, with or without folders, at most ${MAX_FILE_PATH} characters. Prints find the plan by its last part, ` +
      `at most ${MAX_FILE_NAME} characters, without .gcode, .gco, .bgcode, .gcode.3mf or .3mf.`,
  })
  fileName!: string;

  @Field(() => [PlatePlanInput], { description: `The plates of the file, each once, 1 to ${MAX_PLATES}.` })
  plates!: PlatePlanInput[];
}
