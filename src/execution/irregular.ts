/** Thrown by a plan that leaves an operation to graphql-js: for every error, and for cases too rare to plan. */
export const irregular = new Error('left to graphql-js');
