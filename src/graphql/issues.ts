// Where in the arguments a variable lies, and the issue of a variable that GraphQL itself refuses.
import { type ASTNode, type DocumentNode, type GraphQLError, Kind, visit } from 'graphql';
import type { Issue } from '../errors';

/** The argument, or the member of an argument, that takes its value from the variable. */
export function placeOf(document: DocumentNode, variable: string): Issue['path'] {
  let place: string[] = [];
  visit(document, {
    [Kind.VARIABLE](node, _key, parent, _path, ancestors) {
      if (node.name.value !== variable || place.length > 0) return;
      place = [...ancestors, parent as ASTNode].flatMap((above) =>
        'kind' in above && (above.kind === Kind.ARGUMENT || above.kind === Kind.OBJECT_FIELD) ? [above.name.value] : [],
      );
    },
  });
  return place;
}

/** graphql-js tells the place inside the variable only in its message: `Variable "$input" got … at "input[3].fps"; …` */
export function issueOf(error: GraphQLError, document: DocumentNode): Issue {
  const [node] = error.nodes ?? [];
  const message = error.originalError?.message ?? error.message;
  if (node?.kind !== Kind.VARIABLE_DEFINITION) return { path: [], message };
  const { value: name } = node.variable.name;
  const [, inside = ''] = new RegExp(` at "${name}((?:\\.\\w+|\\[\\d+\\])+)"; `).exec(error.message) ?? [];
  const steps = [...inside.matchAll(/\.(\w+)|\[(\d+)\]/g)].map(([, member, index]) => member ?? Number(index));
  // A member that is unknown or missing is named by the message of the object around it.
  const member = /^Field "(\w+)"/.exec(message)?.slice(1) ?? [];
  return { path: [...placeOf(document, name), ...steps, ...member], message };
}
