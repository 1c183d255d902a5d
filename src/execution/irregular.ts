/** Thrown by a plan for whatever it leaves to graphql-js: every error, and what is too rare to be compiled. */
export const irregular = new Error('left to graphql-js');
