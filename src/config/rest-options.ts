import type { Logger } from 'pino';
import type { RestClientOptions } from '../rest/rest-client.js';
import type { Config } from './config.js';

interface RestSettings extends Config {
  readonly studyApiUrl: URL;
  readonly logger: Logger;
}

/** Maps the configuration to the options of the REST client, which knows no environment variables. */
export function toRestOptions({ logger, ...config }: RestSettings): RestClientOptions {
  return {
    baseUrl: config.studyApiUrl,
    deadlineMs: config.studyApiTimeoutMs,
    connectTimeoutMs: config.studyApiConnectTimeoutMs,
    maxAnswerBytes: config.studyApiMaxAnswerBytes,
    answerBudgetBytes: config.studyApiAnswerBudgetBytes,
    maxCalls: config.studyApiMaxCalls,
    maxQueue: config.studyApiMaxQueue,
    circuitOpenMs: config.studyApiCircuitOpenMs,
    onCircuitChange: (circuit) => logger.warn({ circuit }, 'the circuit to the Study API changed'),
  };
}
