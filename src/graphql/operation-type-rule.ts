// The validation rule that a schema has the type of operation which a document asks for.
import { GraphQLError, type ValidationRule } from 'graphql';

/** graphql-js would find it out when it executes, and then it counts as a fault of the server. */
export const operationTypeRule: ValidationRule = (context) => ({
  OperationDefinition(node) {
    if (context.getSchema().getRootType(node.operation)) return;
    context.reportError(new GraphQLError(`The schema has no ${node.operation} operations.`, { nodes: node }));
  },
});
