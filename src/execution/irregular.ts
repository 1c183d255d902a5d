/** Thrown by a plan to leave a value or a document to graphql-js: where there is an error, and in cases too rare to plan. */
export const irregular = new Error('left to graphql-js');
