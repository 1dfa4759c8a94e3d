// The limits of one operation: measured from the document and its page sizes, and checked before execution.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { clamp, MAX_PAGE_ROWS } from '../values/page';

export interface GraphLimits {
  /** Levels of selections. */
  depth: number;
  aliases: number;
  directives: number;
  /** The number of objects that the answer can have, computed from the page sizes. */
  cost: number;
  tokens: number;
}

/** The assumed sizes of lists without pages. A page without a size has its default; all cameras count as the largest page. */
const SIZES: Record<string, number> = { materials: 50, recordCameraStatuses: 1 };
/** The items of all input lists together: an operation must not write for longer than a request may take. */
const MAX_LISTED = 1000;

type Variables = Record<string, unknown> | undefined;

interface Measure {
  depth: number;
  aliases: number;
  directives: number;
  cost: number;
  listed: number;
  /** The page sizes from variables, by name: with the same sizes the measure is the same. */
  sizes: Map<string, Size>;
}

export function limitCheck(schema: GraphQLSchema, limits: GraphLimits) {
  const known = new WeakMap<OperationDefinitionNode, Measure>();
  return (document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): void => {
    const sizeIn = (name: string): Size => {
      const given = variables && Object.hasOwn(variables, name) ? variables[name] : null;
      const definition = operation.variableDefinitions?.find((one) => one.variable.name.value === name);
      return sizeOf(given ?? (definition?.defaultValue && valueFromASTUntyped(definition.defaultValue)));
    };
    let measure = known.get(operation);
    if (measure === undefined || [...measure.sizes].some(([name, size]) => sizeIn(name) !== size)) {
      measure = measureOf(schema, document, operation, sizeIn, limits);
      known.set(operation, measure);
    }
    // One list alone is refused by the rule of its field.
    if (measure.listed > MAX_LISTED)
      throw refusal(`The operation has ${measure.listed} items in its lists; the limit is ${MAX_LISTED}`);
    for (const name of ['depth', 'aliases', 'directives', 'cost'] as const) {
      if (measure[name] <= limits[name]) continue;
      const what =
        name === 'aliases' || name === 'directives' ? `${measure[name]} ${name}` : `a ${name} of ${measure[name]}`;
      throw refusal(`The operation has ${what}; the limit is ${limits[name]}`);
    }
  };
}

const refusal = (message: string) =>
  new GraphQLError(message, {
    extensions: { code: 'BAD_USER_INPUT', issues: [{ path: [], message }], http: { status: 400 } },
  });

/** The size of a page or a list; undefined for other values. */
type Size = number | undefined;

function sizeOf(given: unknown): Size {
  const size = Array.isArray(given) ? given.length : given;
  return typeof size === 'number' ? size : undefined;
}

/** A number, or the nodes of a list, of which only the number counts here. */
function literal(node: ValueNode): unknown {
  if (node.kind === Kind.LIST) return node.values;
  return node.kind === Kind.INT ? Number(node.value) : null;
}

function measureOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  sizeIn: (variable: string) => Size,
  limits: GraphLimits,
): Measure {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const measure: Measure = {
    depth: 0,
    aliases: 0,
    directives: operation.directives?.length ?? 0,
    cost: 0,
    listed: 0,
    sizes: new Map(),
  };

  const variable = (name: string): Size => {
    const size = sizeIn(name);
    measure.sizes.set(name, size);
    return size;
  };

  /** The number of objects of a field: its page size, or the length of its input list. */
  const objectsOf = (field: FieldNode, usual: number): number => {
    const sized = field.arguments?.find(({ name }) => name.value === 'first' || name.value === 'input')?.value;
    const size = sized && (sized.kind === Kind.VARIABLE ? variable(sized.name.value) : sizeOf(literal(sized)));
    return size === undefined ? usual : clamp(size, 1, MAX_PAGE_ROWS);
  };

  /** @param copies how many times the answer has this selection */
  const walk = (selections: SelectionSetNode, type: GraphQLObjectType, depth: number, copies: number): void => {
    measure.depth = Math.max(measure.depth, depth);
    for (const selection of selections.selections) {
      measure.directives += selection.directives?.length ?? 0;
      // Nested fragments can describe more fields than can be walked.
      if (measure.cost > limits.cost || measure.aliases > limits.aliases || measure.depth > limits.depth) return;
      if (selection.kind === Kind.FIELD) {
        if (selection.alias) measure.aliases += 1;
        const field = type.getFields()[selection.name.value];
        if (!selection.selectionSet || !field) continue;
        const inner = getNamedType(field.type);
        if (!isObjectType(inner)) continue;
        // The rows of a connection are in its nodes and edges; every other field is one object.
        const first = field.args.find(({ name }) => name === 'first');
        const usual = first ? Number(first.defaultValue ?? MAX_PAGE_ROWS) : SIZES[field.name];
        const objects = copies * (usual === undefined ? 1 : objectsOf(selection, usual));
        measure.cost += objects;
        if (field.args.some(({ name, type }) => name === 'input' && isListType(getNullableType(type))))
          measure.listed += objects;
        walk(selection.selectionSet, inner, depth + 1, objects);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        walk(selection.selectionSet, type, depth, copies);
      } else {
        const fragment = fragments.get(selection.name.value);
        // The fields of a fragment count too, so that walking nested fragments ends at the limit.
        measure.cost += fragment?.selectionSet.selections.length ?? 0;
        if (fragment) walk(fragment.selectionSet, type, depth, copies);
      }
    }
  };
  const root = schema.getRootType(operation.operation);
  if (root) walk(operation.selectionSet, root, 1, 1);
  return measure;
}
