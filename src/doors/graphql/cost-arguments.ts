// Reads from the arguments of a field, and from the variables in them, the figures on which the cost of the field depends.
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { type GivenArguments, readInputPrice } from '../../farm/graph/costs';

/** Finds the value of a variable by its name: the value in the request, or the default. */
export type VariableValue = (variable: string) => unknown;

type Reader = (node: ValueNode, variableValue: VariableValue) => number | undefined;

/** A figure on which a cost depends, read from an argument in the document. */
interface ArgumentFigure {
  read: Reader;
  figure: number | undefined;
}

/** The figures by the arguments of the document. They are stored, because nested fragments can read one argument 100,000 times. */
export type ArgumentFigures = Map<ValueNode, ArgumentFigure>;

/** Whether each argument with variables has the same figure as before. */
export function areUnchanged(figures: ArgumentFigures, variableValue: VariableValue): boolean {
  for (const [node, { read, figure }] of figures) {
    if ((node.kind === Kind.VARIABLE || node.kind === Kind.OBJECT) && read(node, variableValue) !== figure)
      return false;
  }
  return true;
}

export function createVariableReader(
  { variableDefinitions }: OperationDefinitionNode,
  variables: Record<string, unknown> | undefined,
): VariableValue {
  return (variable) => {
    const given = variables && Object.hasOwn(variables, variable) ? variables[variable] : null;
    if (given != null) return given;
    const definition = variableDefinitions?.find((one) => one.variable.name.value === variable);
    return definition?.defaultValue && valueFromASTUntyped(definition.defaultValue);
  };
}

export function createFigureReaders(
  selection: FieldNode,
  { args }: GraphQLField<unknown, unknown>,
  variableValue: VariableValue,
  figures: ArgumentFigures,
): GivenArguments {
  const readFigure = (argument: string, readerFor: () => Reader) => {
    const node = selection.arguments?.find(({ name }) => name.value === argument)?.value;
    if (node === undefined) return undefined;
    const known = figures.get(node);
    if (known) return known.figure;
    const read = readerFor();
    const figure = read(node, variableValue);
    figures.set(node, { read, figure });
    return figure;
  };
  return {
    number: (argument) => readFigure(argument, () => readNumber),
    instant: (argument) => readFigure(argument, () => readInstant),
    length: (argument) => readFigure(argument, () => readLength),
    isOneOf: (argument, values) => readFigure(argument, () => createChoiceReader(values)) !== undefined,
    price: (argument) =>
      readFigure(argument, () => createPriceReader(args.find(({ name }) => name === argument)?.type)),
  };
}

const readValue = (node: ValueNode, variableValue: VariableValue): unknown =>
  node.kind === Kind.VARIABLE ? variableValue(node.name.value) : valueFromASTUntyped(node);

/** A value of a wrong type counts as 1, so that the operation is refused for the type and not for its cost. */
const readNumber: Reader = (node, variableValue) => {
  const value = readValue(node, variableValue);
  if (value == null) return undefined;
  return typeof value === 'number' ? value : 1;
};

/** A text that is not a time has no figure here, because the operation is refused for the type of the argument. */
const readInstant: Reader = (node, variableValue) => {
  const value = readValue(node, variableValue);
  const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
};

/** A value that is not a list counts as a list of one item. The items of a list in the document are not read: there may be 4,000. */
const readLength: Reader = (node, variableValue) => {
  if (node.kind === Kind.LIST) return node.values.length;
  if (node.kind === Kind.NULL) return undefined;
  const value = node.kind === Kind.VARIABLE ? variableValue(node.name.value) : node;
  if (Array.isArray(value)) return value.length;
  return value == null ? undefined : 1;
};

/** Makes a reader whose figure is 1 for these values, and missing for all others. */
const createChoiceReader =
  (values: ReadonlySet<string>): Reader =>
  (node, variableValue) =>
    values.has(String(readValue(node, variableValue))) ? 1 : undefined;

/** Makes a reader that sums up the prices of the members in a filter. A member with null or an empty text filters nothing. */
function createPriceReader(type: GraphQLInputType | undefined): Reader {
  const members = isInputObjectType(type) ? Object.values(type.getFields()) : [];
  const priced = members.flatMap((member) =>
    readInputPrice(member) > 0 ? [[member.name, readInputPrice(member)] as const] : [],
  );
  const sumPrices = (isGiven: (name: string) => boolean) =>
    priced.reduce((sum, [name, price]) => sum + (isGiven(name) ? price : 0), 0);
  return (node, variableValue) => {
    if (node.kind === Kind.OBJECT) {
      const members = new Map(node.fields.map(({ name, value }) => [name.value, value]));
      return sumPrices((name) => filtersAnything(readMember(members.get(name), variableValue)));
    }
    const value = node.kind === Kind.VARIABLE ? variableValue(node.name.value) : undefined;
    if (typeof value !== 'object' || value === null) return undefined;
    return sumPrices((name) => filtersAnything((value as Record<string, unknown>)[name]));
  };
}

const filtersAnything = (value: unknown) => (value ?? '') !== '';

/** The value of a member of a filter. Lists and objects are not read, because only texts and null can filter nothing. */
function readMember(node: ValueNode | undefined, variableValue: VariableValue): unknown {
  if (node?.kind === Kind.VARIABLE) return variableValue(node.name.value);
  if (node === undefined || node.kind === Kind.NULL) return null;
  return node.kind === Kind.STRING ? node.value : node;
}
