import { z } from 'zod';

/** One entry of a 422's `detail`, in the shape of FastAPI over pydantic. */
export const problemSchema = z.strictObject({
  type: z.string().meta({ description: 'The kind of problem, one of pydantic’s error types.' }),
  loc: z.array(z.union([z.string(), z.int()])).meta({ description: 'Where, from the outside in.' }),
  msg: z.string().meta({ description: 'The problem in a sentence.' }),
  input: z.unknown().meta({ description: 'The value that was refused; null when there is none.' }),
});

export type Problem = z.infer<typeof problemSchema>;
