import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { configMap, deployment, kustomization } from '../support/manifests.js';
import { createDirectory } from '../support/process.js';
import { promtool } from './promtool.fixture.js';

const folder = 'deploy/prometheus';
const { template } = deployment.spec!;
const labels = template.metadata!.labels!;
const ports = template.spec!.containers[0]!.ports!;

interface Configuration {
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly [{ readonly kubernetes_sd_configs: unknown }];
}

const config = parse(
  readFileSync(join(folder, 'prometheus.kubernetes.yml'), 'utf8'),
) as Configuration;
const [{ kubernetes_sd_configs: discovery, ...job }] = config.scrape_configs;

/** Returns a target for one port of a pod, with the labels that the service discovery for Kubernetes would set. */
function toTarget(meta: Record<string, string>, port: { name?: string; containerPort: number }) {
  const told = {
    pod_name: 'study-gateway-7d4b9-x2k',
    pod_phase: 'Running',
    pod_node_name: 'node-1',
    pod_label_app_kubernetes_io_name: labels['app.kubernetes.io/name']!,
    pod_container_port_name: port.name ?? '',
    ...meta,
  };
  return {
    targets: [`10.0.0.1:${port.containerPort}`],
    labels: Object.fromEntries(
      Object.entries(told).map(([name, value]) => [`__meta_kubernetes_${name}`, value]),
    ),
  };
}

/** Writes the configuration with static targets, because Debian's promtool lacks the discovery for Kubernetes. */
function writeConfig(targets: readonly object[]): string {
  const directory = createDirectory();
  for (const file of config.rule_files) copyFileSync(join(folder, file), join(directory, file));
  const path = join(directory, 'prometheus.yml');
  const scraped = { ...job, static_configs: targets };
  writeFileSync(path, stringify({ ...config, scrape_configs: [scraped] }));
  return path;
}

it('is a valid configuration of Prometheus', { tags: ['promtool'] }, () => {
  expect(promtool(['check', 'config', writeConfig([])])).toContain('SUCCESS');
});

it('looks for pods in the namespace to which the manifests are applied', () => {
  expect(discovery).toEqual([{ role: 'pod', namespaces: { names: [kustomization.namespace] } }]);
});

it(
  'scrapes /metrics of only the pods of the gateway, with the job name that the alerts use',
  { tags: ['promtool'] },
  () => {
    const ours = ports.map((port) => toTarget({}, port));
    const others = [
      { pod_label_app_kubernetes_io_name: 'redis' },
      { pod_label_app_kubernetes_io_name: '' },
      { pod_phase: 'Succeeded' },
      { pod_phase: 'Failed' },
    ].flatMap((meta) => ports.map((port) => toTarget(meta, port)));
    const path = writeConfig([...ours, ...others]);

    // promtool always waits for the whole timeout.
    const found = promtool(['check', 'service-discovery', '--timeout=1s', path, 'study-gateway']);

    const targets = JSON.parse(found) as { labels: object }[];
    expect(targets).toHaveLength(ours.length + others.length);
    expect(
      targets.map(({ labels }) => labels).filter((kept) => Object.keys(kept).length > 0),
    ).toEqual([
      {
        __address__: `10.0.0.1:${configMap.data!['METRICS_PORT']}`,
        __metrics_path__: '/metrics',
        __scheme__: 'http',
        __scrape_interval__: '15s',
        __scrape_timeout__: '10s',
        instance: 'study-gateway-7d4b9-x2k',
        job: 'study-gateway',
        node: 'node-1',
      },
    ]);
  },
);
