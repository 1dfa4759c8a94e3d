// A validation rule: the schema must have the document's type of operation.
import { GraphQLError, type ValidationRule } from 'graphql';

/** graphql-js reports this only at execution, as a fault of the server. */
export const operationTypeRule: ValidationRule = (context) => ({
  OperationDefinition(node) {
    if (context.getSchema().getRootType(node.operation)) return;
    context.reportError(new GraphQLError(`The schema has no ${node.operation} operations.`, { nodes: node }));
  },
});
