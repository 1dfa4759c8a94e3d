// Finds where a wrong variable or literal is in the arguments, and describes its fault as an issue.
import { type ASTNode, type DocumentNode, GraphQLError, Kind, visit } from 'graphql';
import type { GatewayError, Issue } from '../../errors';
import { describeUnstorable } from '../../values/text';

type Path = Issue['path'];
type Key = string | number;

/** The paths are stored, because one request can have 50,000 faults, and each needs the path of its variable. */
const pathsByDocument = new WeakMap<DocumentNode, ReadonlyMap<string, Path>>();

/** Finds the first argument, or member of an argument, that gets its value from the variable. */
export function findVariablePath(document: DocumentNode, variable: string): Path {
  const places = pathsByDocument.get(document) ?? findVariablePaths(document);
  pathsByDocument.set(document, places);
  // A document can declare a variable without using it.
  return places.get(variable) ?? [variable];
}

function findVariablePaths(document: DocumentNode): ReadonlyMap<string, Path> {
  const places = new Map<string, Path>();
  visit(document, {
    [Kind.VARIABLE]({ name: { value } }, _key, parent, path, ancestors) {
      const place = buildPath([...ancestors, parent as ASTNode], path);
      if (place.length > 0 && !places.has(value)) places.set(value, place);
    },
  });
  return places;
}

/**
 * @param holders the nodes and lists of nodes around a value, the document first
 * @param path the keys that lead from each holder to the next
 */
function buildPath(holders: readonly (ASTNode | readonly ASTNode[])[], path: readonly Key[]): Path {
  return holders.flatMap((holder, index): Key[] => {
    if (!('kind' in holder)) return path[index - 1] === 'values' ? [path[index] as number] : [];
    return holder.kind === Kind.ARGUMENT || holder.kind === Kind.OBJECT_FIELD ? [holder.name.value] : [];
  });
}

/** Finds the literals of a document that cannot be stored. */
export function findUnstorableLiterals(document: DocumentNode): Issue[] {
  const issues: Issue[] = [];
  visit(document, {
    [Kind.STRING]({ value }, _key, parent, path, ancestors) {
      const message = describeUnstorable(value);
      if (message === undefined) return;
      const holders = [...ancestors, parent as ASTNode];
      const [definition] = holders.flatMap((holder) =>
        'kind' in holder && holder.kind === Kind.VARIABLE_DEFINITION ? [holder.variable.name.value] : [],
      );
      const base = definition === undefined ? [] : findVariablePath(document, definition);
      issues.push({ path: [...base, ...buildPath(holders, path)], message });
    },
  });
  return issues;
}

/** Makes the error of an operation that is refused before its execution, with the HTTP status. */
export const earlyRefusal = (error: GatewayError, status = 400) =>
  new GraphQLError(error.message, { originalError: error, extensions: { http: { status } } });

/** Removes the value from a message. graphql-js writes the refused value at the end of its message. */
export const removeValue = (issue: Issue): Issue => ({
  ...issue,
  message: issue.message.replace(/^(\w+ cannot represent [^:]+): .*$/s, '$1'),
});

/** Makes an issue from an error of graphql-js, which names the place only in its message: `… got … at "input[3].fps"; …` */
export function describeIssue(error: GraphQLError, document: DocumentNode): Issue {
  const [node] = error.nodes ?? [];
  const message = error.originalError?.message ?? error.message;
  if (node?.kind !== Kind.VARIABLE_DEFINITION) return { path: [], message };
  const { value: name } = node.variable.name;
  const [, inside = ''] = new RegExp(` at "${name}((?:\\.\\w+|\\[\\d+\\])+)"; `).exec(error.message) ?? [];
  const steps = [...inside.matchAll(/\.(\w+)|\[(\d+)\]/g)].map(([, member, index]) => member ?? Number(index));
  // For a member that is unknown or missing, the message names the member, and the place is that of the object around it.
  const member = /^Field "(\w+)"/.exec(message)?.slice(1) ?? [];
  return { path: [...findVariablePath(document, name), ...steps, ...member], message };
}
