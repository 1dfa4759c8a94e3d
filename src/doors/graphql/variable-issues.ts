// Finds the path of a variable or a literal in the arguments, and makes the issues of wrong values.
import { type ASTNode, type DocumentNode, GraphQLError, Kind, visit } from 'graphql';
import type { GatewayError, Issue } from '../../errors';
import { describeUnstorable } from '../../values/text';

type Path = Issue['path'];
type Key = string | number;

/** One request can have 50,000 faults, and each asks for the path of its variable. */
const pathsByDocument = new WeakMap<DocumentNode, ReadonlyMap<string, Path>>();

/** The first argument, or the first member of an argument, that takes its value from the variable. */
export function pathOfVariable(document: DocumentNode, variable: string): Path {
  const places = pathsByDocument.get(document) ?? pathsOf(document);
  pathsByDocument.set(document, places);
  // A document can declare a variable without using it.
  return places.get(variable) ?? [variable];
}

function pathsOf(document: DocumentNode): ReadonlyMap<string, Path> {
  const places = new Map<string, Path>();
  visit(document, {
    [Kind.VARIABLE]({ name: { value } }, _key, parent, path, ancestors) {
      const place = pathIn([...ancestors, parent as ASTNode], path);
      if (place.length > 0 && !places.has(value)) places.set(value, place);
    },
  });
  return places;
}

/** @param holders the nodes and the lists of nodes around a value, from the document on. @param path its keys in them */
function pathIn(holders: readonly (ASTNode | readonly ASTNode[])[], path: readonly Key[]): Path {
  return holders.flatMap((holder, index): Key[] => {
    if (!('kind' in holder)) return path[index - 1] === 'values' ? [path[index] as number] : [];
    return holder.kind === Kind.ARGUMENT || holder.kind === Kind.OBJECT_FIELD ? [holder.name.value] : [];
  });
}

/** The issues of the document's texts that cannot be stored. */
export function issuesOfTexts(document: DocumentNode): Issue[] {
  const issues: Issue[] = [];
  visit(document, {
    [Kind.STRING]({ value }, _key, parent, path, ancestors) {
      const message = describeUnstorable(value);
      if (message === undefined) return;
      const holders = [...ancestors, parent as ASTNode];
      const [definition] = holders.flatMap((holder) =>
        'kind' in holder && holder.kind === Kind.VARIABLE_DEFINITION ? [holder.variable.name.value] : [],
      );
      const base = definition === undefined ? [] : pathOfVariable(document, definition);
      issues.push({ path: [...base, ...pathIn(holders, path)], message });
    },
  });
  return issues;
}

/** A refusal before the execution, with its status by HTTP. */
export const earlyRefusal = (error: GatewayError, status = 400) =>
  new GraphQLError(error.message, { originalError: error, extensions: { http: { status } } });

/** GraphQL ends its message about a leaf with the value. */
export const withoutValue = (issue: Issue): Issue => ({
  ...issue,
  message: issue.message.replace(/^(\w+ cannot represent [^:]+): .*$/s, '$1'),
});

/** graphql-js gives the place inside the variable only in its message: `Variable "$input" got … at "input[3].fps"; …` */
export function issueOf(error: GraphQLError, document: DocumentNode): Issue {
  const [node] = error.nodes ?? [];
  const message = error.originalError?.message ?? error.message;
  if (node?.kind !== Kind.VARIABLE_DEFINITION) return { path: [], message };
  const { value: name } = node.variable.name;
  const [, inside = ''] = new RegExp(` at "${name}((?:\\.\\w+|\\[\\d+\\])+)"; `).exec(error.message) ?? [];
  const steps = [...inside.matchAll(/\.(\w+)|\[(\d+)\]/g)].map(([, member, index]) => member ?? Number(index));
  // A member that is unknown or missing is named by the message of the object around it.
  const member = /^Field "(\w+)"/.exec(message)?.slice(1) ?? [];
  return { path: [...pathOfVariable(document, name), ...steps, ...member], message };
}
