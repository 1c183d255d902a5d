/** Thrown by a plan to leave the operation to graphql-js: on every error, and in cases too rare to plan. */
export const irregular = new Error('left to graphql-js');
