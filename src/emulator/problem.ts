import { z } from 'zod';

/** Schema of one entry in `detail` of a 422 answer, in the format of FastAPI and pydantic. */
export const problemSchema = z.strictObject({
  type: z.string().meta({ description: 'The kind of problem, one of pydantic’s error types.' }),
  loc: z
    .array(z.union([z.string(), z.int()]))
    .meta({ description: 'Path of the refused value in the request.' }),
  msg: z.string().meta({ description: 'Description of the problem.' }),
  input: z.unknown().meta({ description: 'The refused value; null if the value is missing.' }),
});

export type Problem = z.infer<typeof problemSchema>;
