// Which operations graphql-jit may compile: those of which it is known to do what graphql-js does, and nothing else.
import { BREAK, type DocumentNode, Kind, type OperationDefinitionNode, visit } from 'graphql';

/**
 * A document with values of its own is left to graphql-js, and so is one with conditions, or with fragments that are used
 * again. graphql-jit 0.8.9 would
 * - run the text of a literal as code, if it begins as its own marks do;
 * - follow a fragment at each of its uses, and that again at each level above: a kilobyte can take it minutes;
 * - take two fields for one whose paths are the same when they are joined by _;
 * - take the condition of a fragment for its other uses, so that fields are missing or too many;
 * - go on after a mutation that failed, and wait for ever behind one whose arguments are refused;
 * - in an input, turn a variable that is not given into null, and let null pass where the variable has a default;
 * - lose an alias, and confuse a variable, with a name that every object has.
 */
export function isCompilable(document: DocumentNode, { operation, selectionSet }: OperationDefinitionNode): boolean {
  const isMutation = operation === 'mutation';
  if (isMutation && (selectionSet.selections.length > 1 || selectionSet.selections[0]?.kind !== Kind.FIELD))
    return false;
  if (document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length > 1) return false;
  const spread = new Set<string>();
  let compilable = true;
  const refuse = () => {
    compilable = false;
    return BREAK;
  };
  const refuseIf = (refused: boolean) => (refused ? refuse() : undefined);
  visit(document, {
    [Kind.DIRECTIVE]: refuse,
    [Kind.STRING]: refuse,
    [Kind.FLOAT]: refuse,
    // In a query's filter null is the same as nothing.
    [Kind.OBJECT]: () => refuseIf(isMutation),
    [Kind.FRAGMENT_SPREAD]: ({ name }) => refuseIf(spread.size === spread.add(name.value).size),
    [Kind.FIELD]: ({ name, alias }) =>
      refuseIf(
        isEverywhere(alias?.value) || alias?.value.includes('_') === true || /^__(schema|type)$/.test(name.value),
      ),
    [Kind.VARIABLE_DEFINITION]: ({ variable, defaultValue }) =>
      refuseIf(isEverywhere(variable.name.value) || defaultValue !== undefined),
  });
  return compilable;
}

const isEverywhere = (name = '') => name in Object.prototype;
