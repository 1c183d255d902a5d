import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateStudyDocument, StudyDocument } from 'study-gateway-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scrape, type Exposition } from '../support/exposition.js';
import { startTestGateway } from '../support/gateway.js';
import { deployment } from '../support/manifests.js';
import { createDirectory } from '../support/process.js';
import { createRedisServer } from '../support/redis.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

const guide = readFileSync('docs/operations.md', 'utf8');
const rules = readFileSync('deploy/prometheus-operator/prometheus-rule.yaml', 'utf8');
const dashboard = readFileSync('deploy/grafana/study-gateway.json', 'utf8');

/** Metrics and labels that Prometheus itself adds. */
const added = { metrics: new Set(['up']), labels: new Set(['namespace', 'job', 'instance', 'le']) };

/** Returns `/metrics` of a gateway with Redis after successful, failed, retried and refused calls, so that all metrics exist. */
async function exposeEverything(): Promise<Exposition> {
  const redis = await createRedisServer();
  onTestFinished(() => redis.remove());
  await redis.start();
  const gateway = await startTestGateway({
    metricsPort: 0,
    redisUrl: redis.url,
    rateLimitRequests: 3,
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
  await gateway.post('{'.repeat(20_001));
  await gateway.post('{}');
  return scrape(gateway);
}

/** Returns the label names of each metric, without `le`. Names of histograms have no suffix such as `_bucket`. */
function toLabelNames({ types, samples }: Exposition): Map<string, Set<string>> {
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

/** Runs promtool with `input` as stdin, and returns its stdout. @throws Error if promtool reports a problem */
function promtool(args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input });
  if (status !== 0) throw new Error(`promtool ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

function toCodes(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Returns a section of the guide without its blocks of code. */
function toSection(name: string): string {
  const [, rest = ''] = guide.replaceAll(/^```[^]*?^```$/gm, '').split(`\n## ${name}\n`);
  return rest.split(/^## /m)[0] ?? '';
}

function toExpressions(): string[] {
  const ofRules = [...rules.matchAll(/ expr: (?:\|\n((?: {12,}.*\n)+)|(.*)\n)/g)].map(
    ([, block, line]) => block ?? line ?? '',
  );
  const ofDashboard = [...dashboard.matchAll(/"(?:expr|definition)": ("(?:[^"\\]|\\.)*")/g)].map(
    ([, text = '']) => JSON.parse(text) as string,
  );
  expect(ofRules).toHaveLength(rules.match(/- (alert|record):/g)?.length ?? 0);
  expect(ofDashboard.length).toBeGreaterThan(20);
  return [...ofRules, ...ofDashboard];
}

/** Returns the metrics in a PromQL expression, each with the labels that the expression uses. */
function toUses(expression: string): { metric: string; labels: string[] }[] {
  const uses = [
    ...expression.matchAll(/\b((?:study_gateway|nodejs|process)_\w+|up)\b(?:\{([^}]*)\})?/g),
  ].map(([, metric = '', matchers = '']) => ({
    metric,
    labels: [...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label),
  }));
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  );
  return uses.map(({ metric, labels }) => ({ metric, labels: [...labels, ...grouped] }));
}

it(
  'serves /metrics according to the conventions that promtool checks',
  { tags: ['redis', 'promtool'] },
  async () => {
    const { text } = await exposeEverything();
    // Names of prom-client's own metrics, such as the gauge `nodejs_active_handles_total`, break the conventions.
    const own = text.replaceAll(/^(?:# (?:HELP|TYPE) )?(?:nodejs|process)_.*\n/gm, '');

    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(promtool(['check', 'metrics'], own)).toBe('');
  },
);

it(
  '/metrics has what alerts, dashboard and guide use, and nothing else of the gateway',
  { tags: ['redis'] },
  async () => {
    const exposition = await exposeEverything();
    const labels = toLabelNames(exposition);
    const toMetric = (name: string): string =>
      labels.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    const toMetrics = (texts: readonly string[]) =>
      new Set(texts.flatMap(toUses).map(({ metric }) => toMetric(metric)));
    const ofGuide = toCodes(guide.replaceAll(/^```[^]*?^```$/gm, ''));

    const unknown = [...toExpressions(), ...ofGuide]
      .flatMap(toUses)
      .flatMap(({ metric, labels: used }) => {
        if (added.metrics.has(metric)) return [];
        const own = labels.get(toMetric(metric));
        if (!own) return [metric];
        return used
          .filter((label) => !added.labels.has(label) && !own.has(label))
          .map((label) => `${metric}{${label}}`);
      });
    const runbooks = toCodes(toSection('Settle an unknown write') + toSection('Alerts'));
    const used = toMetrics([...toExpressions(), ...runbooks]);
    const described = toMetrics(toCodes(toSection('Metrics')));
    const own = [...labels.keys()].filter((name) => name.startsWith('study_gateway_'));

    expect(unknown).toEqual([]);
    expect(own.filter((name) => !used.has(name))).toEqual([]);
    expect(own.filter((name) => !described.has(name))).toEqual([]);
  },
);

describe('the alerts', () => {
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const sections = [...guide.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name);

  it('are all described in the guide, and link to the guide', () => {
    const links = [...rules.matchAll(/runbook_url: (\S+)/g)].map(([, link]) => link);

    expect(alerts.length).toBeGreaterThanOrEqual(6);
    expect(sections).toEqual(alerts);
    expect(links).toEqual(
      alerts.map(
        (name) =>
          `https://git.example/study-gateway/blob/main/docs/operations.md#${name.toLowerCase()}`,
      ),
    );
  });

  it('compare memory with the limits that deploy/ sets', () => {
    const [, mebibytes] = / (\d+) \* 1024 \* 1024$/m.exec(rules) ?? [];
    const [container] = deployment.spec!.template.spec!.containers;
    const unit = readFileSync('deploy/systemd/study-gateway@.service', 'utf8');

    expect(container!.resources!.limits!['memory']).toBe(`${mebibytes}Mi`);
    expect(unit).toContain(`\nMemoryMax=${mebibytes}M\n`);
  });

  it('fire when they should, and only then', { tags: ['promtool'], timeout: 20_000 }, () => {
    const directory = createDirectory();
    const tests = join(directory, 'alerts.test.yml');
    copyFileSync('test/telemetry/alerts.test.yml', tests);
    const expected = readFileSync(tests, 'utf8');
    // The command of the guide for a Prometheus without the operator.
    const [extract = ''] = /^sed .*prometheus-rule\.yaml > alerts\.yml$/m.exec(guide) ?? [];
    execFileSync('/bin/sh', [
      '-c',
      extract.replace('> alerts.yml', `> ${join(directory, 'alerts.yml')}`),
    ]);

    expect(promtool(['check', 'rules', join(directory, 'alerts.yml')])).toContain('SUCCESS');
    expect(promtool(['test', 'rules', tests])).toContain('SUCCESS');
    // Proves that each alert fires in the tests of the rules.
    expect(
      alerts.filter((name) => !expected.includes(`alertname="${name}",alertstate="firing"`)),
    ).toEqual([]);
  });

  it('and the dashboard are valid PromQL', { tags: ['promtool'] }, () => {
    const queries = toExpressions()
      .filter((text) => !text.startsWith('label_values('))
      .map((text) => text.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '1h'));
    const path = join(createDirectory(), 'rules.json');
    const records = queries.map((expr, index) => ({ record: `query_${index}`, expr }));
    writeFileSync(path, JSON.stringify({ groups: [{ name: 'queries', rules: records }] }));

    expect(promtool(['check', 'rules', path])).toContain(`SUCCESS: ${queries.length} rules found`);
  });
});
