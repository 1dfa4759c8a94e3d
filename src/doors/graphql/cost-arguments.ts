// The arguments of a field in a document as the costs of fields read them, with the values of the variables.
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

/** The value of a variable by its name: as it is given, or its default. */
export type VariableValue = (variable: string) => unknown;

type Reader = (node: ValueNode, variableValue: VariableValue) => number | undefined;

/** A figure that a cost depends on, read of an argument in the document. */
interface ArgumentFigure {
  read: Reader;
  figure: number | undefined;
}

/** The figures by the arguments of the document. Nested fragments ask for one argument 100,000 times. */
export type ArgumentFigures = Map<ValueNode, ArgumentFigure>;

/** Whether each argument with variables has the same figure as before. */
export function areUnchanged(figures: ArgumentFigures, variableValue: VariableValue): boolean {
  for (const [node, { read, figure }] of figures) {
    if ((node.kind === Kind.VARIABLE || node.kind === Kind.OBJECT) && read(node, variableValue) !== figure)
      return false;
  }
  return true;
}

export function variableValues(
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

export function givenOf(
  selection: FieldNode,
  { args }: GraphQLField<unknown, unknown>,
  variableValue: VariableValue,
  figures: ArgumentFigures,
): GivenArguments {
  const figureOf = (argument: string, readerFor: () => Reader) => {
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
    number: (argument) => figureOf(argument, () => numberOf),
    instant: (argument) => figureOf(argument, () => instantOf),
    length: (argument) => figureOf(argument, () => lengthOf),
    price: (argument) => figureOf(argument, () => filterPrice(args.find(({ name }) => name === argument)?.type)),
  };
}

const givenValue = (node: ValueNode, variableValue: VariableValue): unknown =>
  node.kind === Kind.VARIABLE ? variableValue(node.name.value) : valueFromASTUntyped(node);

/** A value of a wrong type counts as 1, so that the operation is refused for the type and not for its cost. */
const numberOf: Reader = (node, variableValue) => {
  const value = givenValue(node, variableValue);
  if (value == null) return undefined;
  return typeof value === 'number' ? value : 1;
};

/** A text that is no time is refused for its type. */
const instantOf: Reader = (node, variableValue) => {
  const value = givenValue(node, variableValue);
  const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
};

/** A value that is no list counts as a list of one. A list in the document is not read: it can have 4,000 items. */
const lengthOf: Reader = (node, variableValue) => {
  if (node.kind === Kind.LIST) return node.values.length;
  if (node.kind === Kind.NULL) return undefined;
  const value = node.kind === Kind.VARIABLE ? variableValue(node.name.value) : node;
  if (Array.isArray(value)) return value.length;
  return value == null ? undefined : 1;
};

/** The prices of the members that are given. An empty text filters nothing. */
function filterPrice(type: GraphQLInputType | undefined): Reader {
  const members = isInputObjectType(type) ? Object.values(type.getFields()) : [];
  const priced = members.flatMap((member) =>
    readInputPrice(member) > 0 ? [[member.name, readInputPrice(member)] as const] : [],
  );
  const costsWhere = (isGiven: (name: string) => boolean) =>
    priced.reduce((sum, [name, price]) => sum + (isGiven(name) ? price : 0), 0);
  return (node, variableValue) => {
    if (node.kind === Kind.OBJECT) {
      const members = new Map(node.fields.map(({ name, value }) => [name.value, value]));
      return costsWhere((name) => isFilter(memberValue(members.get(name), variableValue)));
    }
    const value = node.kind === Kind.VARIABLE ? variableValue(node.name.value) : undefined;
    if (typeof value !== 'object' || value === null) return undefined;
    return costsWhere((name) => isFilter((value as Record<string, unknown>)[name]));
  };
}

const isFilter = (value: unknown) => (value ?? '') !== '';

/** The value of a member of a filter. Lists and objects are not read, because only texts and null can filter nothing. */
function memberValue(node: ValueNode | undefined, variableValue: VariableValue): unknown {
  if (node?.kind === Kind.VARIABLE) return variableValue(node.name.value);
  if (node === undefined || node.kind === Kind.NULL) return null;
  return node.kind === Kind.STRING ? node.value : node;
}
