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
import { type Given, priceOf } from '../graph/costs';

export type Values = Record<string, unknown>;

type Reader = (value: unknown) => number | undefined;

/** A figure that a cost depends on, read of a value that may have variables. */
export interface Reading {
  node: ValueNode;
  read: Reader;
  figure: number | undefined;
}

export const isUnchanged = ({ node, read, figure }: Reading, values: Values) =>
  read(plainValue(node, values)) === figure;

/** The length of a list is all that is read of it, so its items stay as they are. */
const plainValue = (node: ValueNode, values: Values) =>
  node.kind === Kind.LIST ? node.values : valueFromASTUntyped(node, values);

/** The values of the variables, those of their defaults included. */
export function valuesOf({ variableDefinitions = [] }: OperationDefinitionNode, variables: Values | undefined): Values {
  return Object.fromEntries(
    variableDefinitions.map(({ variable: { name }, defaultValue }) => {
      const given = variables && Object.hasOwn(variables, name.value) ? variables[name.value] : null;
      return [name.value, given ?? (defaultValue && valueFromASTUntyped(defaultValue))];
    }),
  );
}

/** @param readings gets each reading of a value that may have variables */
export function givenOf(
  selection: FieldNode,
  { args }: GraphQLField<unknown, unknown>,
  values: Values,
  readings: Reading[],
): Given {
  const figureOf = (argument: string, read: Reader) => {
    const node = selection.arguments?.find(({ name }) => name.value === argument)?.value;
    if (node === undefined) return undefined;
    const figure = read(plainValue(node, values));
    if (node.kind === Kind.VARIABLE || node.kind === Kind.OBJECT) readings.push({ node, read, figure });
    return figure;
  };
  return {
    number: (argument) => figureOf(argument, numberOf),
    length: (argument) => figureOf(argument, lengthOf),
    price: (argument) => figureOf(argument, filterPrice(args.find(({ name }) => name === argument)?.type)),
  };
}

const numberOf: Reader = (value) => (typeof value === 'number' ? value : undefined);

/** A value that is no list counts as a list of one. */
const lengthOf: Reader = (value) => (Array.isArray(value) ? value.length : value == null ? undefined : 1);

function filterPrice(type: GraphQLInputType | undefined): Reader {
  const members = isInputObjectType(type) ? Object.values(type.getFields()) : [];
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    // An empty text filters nothing.
    const given = members.filter(({ name }) => ((value as Values)[name] ?? '') !== '');
    return given.reduce((sum, member) => sum + priceOf(member), 0);
  };
}
