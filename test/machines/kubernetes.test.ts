import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { readConfig } from '../../src/config/config.js';
import { allVariables } from '../../src/config/variables.js';
import { startTestGateway } from '../support/gateway.js';
import {
  autoscaler,
  budget,
  checkTypes,
  configMap,
  deployment,
  files,
  kustomization,
  policy,
  readManifest,
  secret,
  service,
} from '../support/manifests.js';

const { template } = deployment.spec!;
const pod = template.spec!;
const container = pod.containers[0]!;
const labels = template.metadata!.labels!;
const variables = configMap.data!;
const ofSecret = container.env!.filter(({ valueFrom }) => valueFrom?.secretKeyRef);
const isManifest = (file: string): boolean => file !== 'kustomization.yaml';

it('uses only fields that the Kubernetes API knows', () => {
  expect(checkTypes(files.filter(isManifest).map(readManifest))).toBe('');
});

it('applies every manifest except the example of a Secret, with the image of this version', () => {
  const applied = files.filter((file) => isManifest(file) && file !== 'secret.example.yaml');

  expect(kustomization.resources.toSorted()).toEqual(applied.toSorted());
  expect(kustomization.images).toMatchObject([{ name: container.image, newTag: manifest.version }]);
});

it('selects the pods of the Deployment in every manifest', () => {
  expect(deployment.spec!.selector.matchLabels).toEqual(labels);
  expect(service.spec!.selector).toEqual(labels);
  expect(budget.spec!.selector!.matchLabels).toEqual(labels);
  expect(policy.spec!.podSelector.matchLabels).toEqual(labels);
  for (const { labelSelector } of pod.topologySpreadConstraints!)
    expect(labelSelector!.matchLabels).toEqual(labels);
  const { apiVersion, kind, metadata } = deployment;
  expect(autoscaler.spec!.scaleTargetRef).toEqual({ apiVersion, kind, name: metadata!.name });
});

it('sets only variables that exist, to valid values', () => {
  const fromSecret = Object.fromEntries(
    ofSecret.map(({ name, valueFrom }) => [name, secret.stringData![valueFrom!.secretKeyRef!.key]]),
  );
  const environment: Record<string, string | undefined> = { ...variables, ...fromSecret };

  // The second is not the gateway's own: the OpenTelemetry SDK reads it.
  const known = new Set([...allVariables.map(({ name }) => name), 'OTEL_EXPORTER_OTLP_ENDPOINT']);
  expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
  expect(readConfig({ NODE_ENV: 'production', ...environment })).toMatchObject({
    auth: { authMode: 'service' },
    http: { trustProxy: 1 },
    shared: { redisUrl: new URL('redis://:replace-me@redis.study-gateway.svc:6379/0') },
  });
});

it('refers to the existing ConfigMap and Secret, and mounts the token at STUDY_API_TOKEN_FILE', () => {
  const { name } = secret.metadata!;
  const [volume] = pod.volumes!;
  const [mount] = container.volumeMounts!;

  expect(container.envFrom).toEqual([{ configMapRef: { name: configMap.metadata!.name } }]);
  expect(ofSecret.map(({ valueFrom }) => valueFrom!.secretKeyRef!.name)).toEqual([name]);
  expect(volume).toMatchObject({ name: mount!.name, secret: { secretName: name } });
  const [item] = volume!.secret!.items!;
  expect(secret.stringData).toHaveProperty(item!.key);
  expect(`${mount!.mountPath}/${item!.path}`).toBe(variables['STUDY_API_TOKEN_FILE']);
});

it('opens exactly the ports that the gateway listens on and connects to', () => {
  const ports = Object.fromEntries(
    container.ports!.map(({ name, containerPort }) => [name, containerPort]),
  );
  const egress = policy.spec!.egress!.flatMap(({ ports = [] }) => ports.map(({ port }) => port));
  const called = ['STUDY_API_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'].map(
    (name) => Number(new URL(variables[name] ?? '').port) || 443,
  );
  const redis = Number(new URL(secret.stringData!['redis-url'] ?? '').port);

  expect(ports).toEqual({
    http: readConfig({}).http.port,
    metrics: Number(variables['METRICS_PORT']),
  });
  expect(service.spec!.ports!.map(({ targetPort }) => targetPort)).toEqual(['http']);
  expect(policy.spec!.ingress!.flatMap(({ ports }) => ports)).toEqual([
    { port: 'http' },
    { port: 'metrics' },
  ]);
  expect(new Set(egress)).toEqual(new Set([53, ...called, redis]));
});

it('probes health on the metrics port, where clients cannot use up the connections', async () => {
  const { metricsUrl } = await startTestGateway({ metricsPort: 0 });
  const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];

  for (const probe of probes) {
    const { status } = await fetch(new URL(probe!.httpGet!.path!, metricsUrl));
    expect([probe!.httpGet!.port, status]).toEqual(['metrics', 200]);
  }
  expect(container.readinessProbe!.httpGet!.path).toBe('/health/ready');
  expect(container.livenessProbe!.httpGet!.path).toBe('/health/live');
});

it('gives a pod enough time for a graceful shutdown', () => {
  const { shutdownGraceMs } = readConfig({
    SHUTDOWN_GRACE_MS: variables['SHUTDOWN_GRACE_MS'],
  }).http;
  const preStopSeconds = container.lifecycle!.preStop!.sleep!.seconds;

  expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
    preStopSeconds + shutdownGraceMs / 1_000 + 5,
  );
});

it('keeps at least two pods available, also during a rollout', () => {
  expect(deployment.spec!.strategy!.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
  expect(autoscaler.spec!.minReplicas).toBeGreaterThanOrEqual(2);
});
