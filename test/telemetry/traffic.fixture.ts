import { CreateStudyDocument, StudyDocument } from 'study-gateway-client';
import { createRedisServer } from '../support/redis.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { onTestFinished } from 'vitest';
import { scrape, type Exposition } from '../support/exposition.js';

/** Returns `/metrics` of a gateway with Redis after successful, failed and retried calls, so that all metrics exist. */
export async function exposeEverything(): Promise<Exposition> {
  const redis = await createRedisServer();
  onTestFinished(() => redis.remove());
  await redis.start();
  const gateway = await startTestGateway({
    metricsPort: 0,
    redisUrl: redis.url,
    rateLimitRequests: 100,
    api: (response, call, request) => {
      const answer =
        call.method === 'GET'
          ? answerJson({}, 503)
          : answerJson({ id: wholeStudy.id, language: 7 });
      answer(response, call, request);
    },
  });
  await gateway.graphql(CreateStudyDocument, { input: {} });
  await gateway.graphql(StudyDocument, { id: wholeStudy.id });
  return scrape(gateway);
}

/** Returns the label names of each metric, without `le`. Names of histograms have no suffix such as `_bucket`. */
export function toLabelNames({ types, samples }: Exposition): Map<string, Set<string>> {
  const labels = new Map([...types.keys()].map((name) => [name, new Set<string>()]));
  for (const sample of samples) {
    const name = labels.has(sample.name)
      ? sample.name
      : sample.name.replace(/_(bucket|sum|count)$/, '');
    for (const label of Object.keys(sample.labels))
      if (label !== 'le') labels.get(name)?.add(label);
  }
  return labels;
}
