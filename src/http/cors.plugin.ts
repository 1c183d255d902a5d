import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const developmentOrigins = [
  'https://studio.apollographql.com',
  /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/,
];

export interface CorsOptions {
  /** Their pages may read answers: `https://app.example.com`. */
  readonly corsOrigins: readonly string[];
  /** Otherwise Apollo Sandbox's origin and those of this machine are allowed too. */
  readonly isProduction: boolean;
}

/** Lets pages of the given origins read answers; without any, there is nothing to add. */
export function addCors(app: FastifyInstance, { corsOrigins, isProduction }: CorsOptions): void {
  const allowed = [...corsOrigins, ...(isProduction ? [] : developmentOrigins)];
  if (allowed.length === 0) return;
  void app.register(cors, {
    origin: allowed,
    methods: ['GET', 'POST'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'apollo-require-preflight',
      'x-apollo-operation-name',
    ],
    exposedHeaders: ['x-request-id', 'retry-after'],
    maxAge: 600,
    // The route answers, so that an OPTIONS that is no preflight is refused like any other method.
    strictPreflight: false,
    preflightContinue: true,
  });
}
